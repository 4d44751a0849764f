/* SPDX-License-Identifier: GPL-2.0-only */
/* profile.proto of pprof, compressed by gzip */
#ifndef PROFIL_EXPORT_PPROF_H
#define PROFIL_EXPORT_PPROF_H

#include "export/format.h"

enum export_error profil_export_pprof(const struct profile *profile, FILE *out);

#endif
