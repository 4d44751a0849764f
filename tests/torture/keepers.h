/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keepers: processes that have a session each during a round, one for root and one for
 * each of the users. The driver has the number of a user's sessions as long as there is
 * one, so a session that is charged for too long, or uncharged twice, is seen when the
 * others have ended.
 */
#ifndef TORTURE_KEEPERS_H
#define TORTURE_KEEPERS_H

/*
 * Begin the keepers of the round with @seed, which are those of every second round:
 * while they are there, the driver cannot be unloaded.
 */
void keepers_begin(unsigned long long seed);

/*
 * When all other sessions end: note each user on the board who has more sessions than
 * the keeper's, or fewer, and end the keepers.
 */
void keepers_end(void);

#endif /* TORTURE_KEEPERS_H */
