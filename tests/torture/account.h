/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The account of a round, after all of its processes have ended: sessions,
 * samples, canaries, pins, and the module.
 */
#ifndef TORTURE_ACCOUNT_H
#define TORTURE_ACCOUNT_H

/*
 * Begin the keepers of the round with @seed, which are those of every second round:
 * while they are there, the driver cannot be unloaded.
 */
void keepers_begin(unsigned long long seed);

/* Find failures, and note them on the board. */
void account_check(void);

/* Sums over all rounds */
struct account {
	unsigned long long sessions;
	unsigned long long samples;
	unsigned long long lost;
};

struct account account_sums(void);

#endif /* TORTURE_ACCOUNT_H */
