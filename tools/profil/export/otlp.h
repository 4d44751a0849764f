/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles of OpenTelemetry */
#ifndef PROFIL_OTLP_H
#define PROFIL_OTLP_H

#include "profile/profile.h"

/*
 * Write @profile as the message ProfilesData, which is the request of a collector, too. The
 * @nr texts NAME=VALUE of @attributes are those of the resource.
 */
void profil_otlp_write(const struct profile *profile,
		       const char *const *attributes, size_t nr, FILE *out);

#endif
