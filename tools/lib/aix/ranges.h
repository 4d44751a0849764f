/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_RANGES_H
#define PROFIL_LIB_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/profil.h>

#include "mon/mon.h"

/**
 * struct ranges - what an array of AIX's struct prof says, in memory of ours
 * @prof: its elements, without the one that ends it
 * @nr: how many
 * @regions: room for two for each of them
 * @nr_regions: how many there are
 * @mapped: bytes of all that, in one mapping
 * @period_ns: time between two samples, once started
 */
struct ranges {
	struct prof *prof;
	uint32_t nr;
	struct profil_region *regions;
	uint32_t nr_regions;
	size_t mapped;
	uint64_t period_ns;
};

/*
 * Copy @array, of @nr elements or, if that is 0, ended by one with a p_high of 0.
 * 0, -EFAULT, -ENOMEM, or -E2BIG for more than the driver takes.
 */
int profil_ranges_copy(struct ranges *ranges, const struct prof *array,
		       uint32_t nr);
void profil_ranges_free(struct ranges *ranges);

/* Whether p_high ascends. */
bool profil_ranges_ascend(const struct ranges *ranges);
/* Whether each p_buff begins where the last one ended; p_bufsize in @units */
bool profil_ranges_adjoin(const struct ranges *ranges, size_t unit);

/* Whether one of them has @address in it. */
bool profil_ranges_contain(const struct ranges *ranges, uint64_t address);

/* p_bufsize, in bytes, for the range: a fraction of 16 bits, @most at most */
uint32_t profil_ranges_scale(const struct prof *prof, uint32_t most);

/* How many of the counters at p_buff the range reaches */
uint64_t profil_ranges_counters(const struct prof *prof, bool round_up);

/*
 * Start a session with each range that has room and a p_scale that counts, its
 * p_bufsize in bytes. @flags are PROFIL_F_* flags; an element with a p_scale of
 * PROFIL_EVERYTHING takes what no other took. The session's first regions are
 * the ranges, in their order. 0 or -errno.
 */
#define PROFIL_EVERYTHING 0x20000
int profil_ranges_start(struct ranges *ranges, uint32_t flags);

#endif
