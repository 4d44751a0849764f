/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tallies: the outcomes of a session's samples. A deferred sample is in none of
 * these; once recorded or lost it is in one of @hits, @outside and @lost, so
 * the number of samples is their sum at any moment.
 */
#ifndef PROFIL_TALLY_H
#define PROFIL_TALLY_H

#include <linux/atomic.h>

struct tally {
	atomic64_t hits;
	atomic64_t outside;
	atomic64_t lost;
	atomic64_t saturated;
	atomic64_t kernel_samples;
	atomic64_t unprofiled_children;
};

#endif /* PROFIL_TALLY_H */
