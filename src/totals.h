/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The totals of sessions that have ended, in shared user memory that
 * outlives them. Its page is pinned for as long as a session may write to it
 * and is found by page, never by address: what the program maps there later
 * is not touched.
 */
#ifndef PROFIL_TOTALS_H
#define PROFIL_TOTALS_H

#include <linux/types.h>

struct totals_page;
struct memlock;
struct tally;

/*
 * Pin the totals at @addr of the current mm, and charge @memlock, which outlives
 * it. EFAULT when it is not mapped or cannot be written or pinned, EINVAL when it
 * is not in a MAP_SHARED mapping, ENOMEM, EINTR when a fatal signal is pending.
 */
struct totals_page *profil_totals_open(u64 addr, const struct memlock *memlock);
void profil_totals_close(struct totals_page *totals);

/* One more session; one that has ended, with what it came to. Any context. */
void profil_totals_begin(struct totals_page *totals);
void profil_totals_end(struct totals_page *totals, const struct tally *tally);

#endif /* PROFIL_TOTALS_H */
