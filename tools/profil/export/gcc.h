/* SPDX-License-Identifier: GPL-2.0-only */
/* Profile of AutoFDO for gcc -fauto-profile */
#ifndef PROFIL_EXPORT_GCC_H
#define PROFIL_EXPORT_GCC_H

#include "export/format.h"

enum export_error profil_export_gcc_check(const struct profile *profile);
enum export_error profil_export_gcc(const struct profile *profile, FILE *out);

/* Samples in functions with source lines */
uint64_t profil_export_gcc_samples(const struct profile *profile);

#endif
