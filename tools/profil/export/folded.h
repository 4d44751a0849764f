/* SPDX-License-Identifier: GPL-2.0-only */
/* Folded stacks: PROGRAM;OBJECT;FUNCTION[;INLINED]... SAMPLES */
#ifndef PROFIL_EXPORT_FOLDED_H
#define PROFIL_EXPORT_FOLDED_H

#include "export/format.h"

enum export_error profil_export_folded(const struct profile *profile,
				       FILE *out);

#endif
