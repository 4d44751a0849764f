/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An account: where sessions leave their totals, in shared user memory that
 * outlives them. Its page is pinned for as long as a session may write to it
 * and is found by page, never by address: what the program maps there later
 * is not touched.
 */
#ifndef PROFIL_ACCOUNT_H
#define PROFIL_ACCOUNT_H

#include <linux/types.h>

struct account;
struct payer;
struct tally;

/*
 * Pin the account at @addr of the current mm, and charge @payer, which outlives
 * it. EFAULT when it is not mapped or cannot be written or pinned, EINVAL when it
 * is not in a MAP_SHARED mapping, ENOMEM, EINTR when a fatal signal is pending.
 */
struct account *account_open(u64 addr, const struct payer *payer);
void account_close(struct account *account);

/* One more session; one that has ended, with what it came to. Any context. */
void account_begin(struct account *account);
void account_end(struct account *account, const struct tally *tally);

#endif /* PROFIL_ACCOUNT_H */
