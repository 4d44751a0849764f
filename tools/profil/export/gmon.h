/* SPDX-License-Identifier: GPL-2.0-only */
/* gmon.out of one program or library, in GNU's format */
#ifndef PROFIL_EXPORT_GMON_H
#define PROFIL_EXPORT_GMON_H

#include "export/format.h"

enum export_error profil_export_gmon_check(const struct profile *profile);
enum export_error profil_export_gmon(const struct profile *profile, FILE *out);

/* Samples of the program or library */
uint64_t profil_export_gmon_samples(const struct profile *profile);

#endif
