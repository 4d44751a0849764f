/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics: what STATS and STOP tell of a session. */
#ifndef PROFIL_STATS_H
#define PROFIL_STATS_H

struct profil_stats;
struct session;

/*
 * Set all that is out in @stats by @session, zero if that is NULL, and copy the
 * states of its regions to the array that @stats names. EFAULT when that cannot
 * be written. Sleeps.
 */
int profil_stats_fill(struct profil_stats *stats, struct session *session);

#endif /* PROFIL_STATS_H */
