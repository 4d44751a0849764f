/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Totals: sums over sessions that have ended, in shared user memory that
 * outlives them. The page is pinned while any session may write to it, and
 * written as a page, never by address: later mappings at the address are not
 * touched.
 */
#ifndef PROFIL_TOTALS_H
#define PROFIL_TOTALS_H

struct config;
struct session;
struct totals_page;

/*
 * Pin the totals of @config, if it has any, which are in the current mm, and
 * charge its memlock. EFAULT when the address is not mapped or cannot be written
 * or pinned; EINVAL when it is not in a MAP_SHARED mapping; ENOMEM; EINTR when a
 * fatal signal is pending.
 */
int profil_totals_open(struct config *config);
void profil_totals_close(struct totals_page *totals);

/* Count a session that begins; add the tally of one that ends. Any context. */
void profil_totals_begin(struct totals_page *totals);
void profil_totals_end(struct totals_page *totals,
		       const struct session *session);

#endif /* PROFIL_TOTALS_H */
