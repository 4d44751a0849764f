/* SPDX-License-Identifier: GPL-2.0-only */
/* callgrind.out of Valgrind */
#ifndef PROFIL_EXPORT_CALLGRIND_H
#define PROFIL_EXPORT_CALLGRIND_H

#include "export/format.h"

enum export_error profil_export_callgrind(const struct profile *profile,
					  FILE *out);

#endif
