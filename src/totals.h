/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Totals: sums over sessions that have ended, in shared user memory that
 * outlives them. The page is pinned while any session may write to it, and
 * written as a page, never by address: later mappings at the address are not
 * touched.
 */
#ifndef PROFIL_TOTALS_H
#define PROFIL_TOTALS_H

#include <linux/types.h>

struct totals_page;
struct memlock;
struct tally;

/*
 * Pin the totals at @addr of the current mm, and charge @memlock, which
 * outlives them. EFAULT when @addr is not mapped or cannot be written or
 * pinned; EINVAL when it is not in a MAP_SHARED mapping; ENOMEM; EINTR when a
 * fatal signal is pending.
 */
struct totals_page *profil_totals_open(u64 addr, const struct memlock *memlock);
void profil_totals_close(struct totals_page *totals);

/* Count a session that begins; add the tally of one that ends. Any context. */
void profil_totals_begin(struct totals_page *totals);
void profil_totals_end(struct totals_page *totals, const struct tally *tally);

#endif /* PROFIL_TOTALS_H */
