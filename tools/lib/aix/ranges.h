/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_RANGES_H
#define PROFIL_LIB_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/profil.h>

#include "mon/mon.h"

/**
 * struct ranges - copy of an array of AIX's struct prof, with regions
 * @prof: the elements, without the terminating one
 * @nr: number of elements
 * @regions: regions for the driver, up to two per element
 * @nr_regions: number of regions
 * @mapped: bytes of the mapping of both arrays
 * @period_ns: time between two samples, set by a start
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
 * Copy @array, of @nr elements or, if @nr is 0, terminated by a p_high of 0: 0,
 * -EFAULT, -EINVAL if it is empty, -ENOMEM, or -E2BIG for more elements than the
 * driver has regions.
 */
int profil_ranges_copy(struct ranges *ranges, const struct prof *array,
		       uint32_t nr);
void profil_ranges_free(struct ranges *ranges);

/* Whether p_high ascends. */
bool profil_ranges_ascend(const struct ranges *ranges);
/* Whether each p_buff begins where the previous ends; p_bufsize is in @unit */
bool profil_ranges_adjoin(const struct ranges *ranges, size_t unit);

/* Whether @address is in one of the ranges. */
bool profil_ranges_contain(const struct ranges *ranges, uint64_t address);

/* Ratio of p_bufsize, in bytes, to the range: 16 bits of fraction, at most @most */
uint32_t profil_ranges_scale(const struct prof *prof, uint32_t most);

/* Number of counters at p_buff that the range uses */
uint64_t profil_ranges_counters(const struct prof *prof, bool round_up);

/*
 * Start a session with the ranges whose p_bufsize, in bytes, and p_scale allow
 * counters: 0 or -errno. @flags are PROFIL_F_* flags. An element with a p_scale
 * of PROFIL_EVERYTHING counts the samples outside all others. The first regions
 * of the session are the ranges, in their order.
 */
#define PROFIL_EVERYTHING 0x20000
int profil_ranges_start(struct ranges *ranges, uint32_t flags);

#endif
