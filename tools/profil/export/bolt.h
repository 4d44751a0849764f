/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples by symbol and offset, as text, for llvm-bolt -nl */
#ifndef PROFIL_EXPORT_BOLT_H
#define PROFIL_EXPORT_BOLT_H

#include "export/format.h"

enum export_error profil_export_bolt_check(const struct profile *profile);
enum export_error profil_export_bolt(const struct profile *profile, FILE *out);

/* Samples in functions of the program */
uint64_t profil_export_bolt_samples(const struct profile *profile);

#endif
