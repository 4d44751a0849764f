/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of sessions, compared with the sessions' hits */
#ifndef FUZZ_ACCOUNTS_H
#define FUZZ_ACCOUNTS_H

#include <stdbool.h>

#include "devices.h"
#include "fields.h"

/* The sessions: those of attached descriptors, and the program's own */
#define OWN_SESSION NR_DEVICES
#define NR_SESSIONS (NR_DEVICES + 1)

/**
 * struct account - the counters of a session
 * @comparable: nothing but the session writes them
 * @before: their sum at START
 * @start: the argument of START
 * @regions: the regions
 */
struct account {
	bool comparable;
	__u64 before;
	struct profil_start start;
	struct profil_region regions[REGIONS_MAX];
};

/* Begin an input: no counters are comparable. */
void accounts_reset(void);

/* The account of the session that START of @request will begin */
struct account account_of(const struct request *request);

/*
 * START has begun @session. The sessions whose counters it may write are not
 * comparable any more, nor is @session if it shares its counters.
 */
void accounts_begin(unsigned int session, const struct account *account);

/*
 * True if the counters of @session, which has ended and was not replaced, are the
 * hits that were stored, @stored, or not comparable. @counted gets the counters.
 */
bool account_balances(unsigned int session, __u64 stored, __u64 *counted);

#endif /* FUZZ_ACCOUNTS_H */
