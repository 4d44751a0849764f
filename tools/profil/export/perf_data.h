/* SPDX-License-Identifier: GPL-2.0-only */
/* perf.data of perf(1) */
#ifndef PROFIL_EXPORT_PERF_DATA_H
#define PROFIL_EXPORT_PERF_DATA_H

#include "export/format.h"

enum export_error profil_export_perf_data_check(const struct profile *profile);
enum export_error profil_export_perf_data(const struct profile *profile,
					  FILE *out);

#endif
