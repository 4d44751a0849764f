/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_COLLECT_H
#define PROFIL_COLLECT_H

#include "record/recording.h"
#include "resolve/known.h"

/* Read what was counted so far into @baseline, which is empty. */
void profil_baseline_read(struct baseline *baseline,
			  const struct recording *recording);

/*
 * Make the initialized @profile of all that was counted since @baseline, with
 * the names of the code. The command may still be running. @known has the names
 * of an earlier snapshot, or NULL, and can keep @profile afterwards.
 */
void profil_collect(struct profile *profile, const struct recording *recording,
		    const struct baseline *baseline, struct known *known);

#endif
