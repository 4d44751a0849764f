// SPDX-License-Identifier: GPL-2.0-only
#include "outputs.h"

#include <unistd.h>

#include "common.h"
#include "memory.h"

/* Name @field if it is wrong. */
#define WRONG_UNLESS(condition, field) \
	do {                           \
		if (!(condition))      \
			return field;  \
	} while (0)

static bool is_clock(__u32 clock)
{
	return clock >= PROFIL_CLOCK_FTRACE && clock <= PROFIL_CLOCK_TIMER;
}

static const char *version_wrong(const struct world *world,
				 const struct profil_version *before,
				 const struct profil_version *after)
{
	__u64 shortest = world->min_period_ns;

	if (world->restricted && shortest < world->tick_ns)
		shortest = world->tick_ns;
	WRONG_UNLESS(after->size == before->size, "size");
	WRONG_UNLESS(after->abi == PROFIL_ABI, "abi");
	WRONG_UNLESS(after->max_regions == PROFIL_MAX_REGIONS, "max_regions");
	WRONG_UNLESS(after->start_flags == ORACLE_START_FLAGS, "start_flags");
	WRONG_UNLESS(is_clock(after->clock), "clock");
	WRONG_UNLESS(after->region_flags == ORACLE_REGION_FLAGS,
		     "region_flags");
	WRONG_UNLESS(after->tick_ns == world->tick_ns, "tick_ns");
	WRONG_UNLESS(after->min_period_ns == shortest, "min_period_ns");
	WRONG_UNLESS(after->attach_flags == ORACLE_ATTACH_FLAGS,
		     "attach_flags");
	WRONG_UNLESS(!after->reserved, "reserved");
	return NULL;
}

static const char *start_wrong(const struct world *world,
			       const struct profil_start *before,
			       const struct profil_start *after)
{
	WRONG_UNLESS(after->size == before->size, "size");
	WRONG_UNLESS(after->flags == before->flags, "flags");
	WRONG_UNLESS(after->width == before->width, "width");
	WRONG_UNLESS(after->nr_regions == before->nr_regions, "nr_regions");
	WRONG_UNLESS(after->regions == before->regions, "regions");
	WRONG_UNLESS(after->period_ns == (before->period_ns ?: world->tick_ns),
		     "period_ns");
	WRONG_UNLESS(after->totals == before->totals, "totals");
	return NULL;
}

/* Fields that only the caller sets, as STATS and STOP return them */
static const char *echo_wrong(const struct profil_stats *before,
			      const struct profil_stats *after)
{
	WRONG_UNLESS(after->size == before->size, "size");
	WRONG_UNLESS(after->nr_states == before->nr_states, "nr_states");
	WRONG_UNLESS(after->states == before->states, "states");
	return NULL;
}

/* Two samples are more than half of a period apart on each CPU. */
static __u64 most_samples(const struct expected *session)
{
	return (wall_ns() / (session->period_ns / 2) + 2) *
	       (__u64)sysconf(_SC_NPROCESSORS_CONF);
}

/* Samples of any result are at most those since the machine has been booted. */
static const char *sums_wrong(const struct expected *session,
			      const struct profil_stats *after)
{
	__u64 most = session->exists ? most_samples(session) : 0;

	WRONG_UNLESS(after->samples <= most, "samples");
	WRONG_UNLESS(after->hits <= after->samples, "hits");
	WRONG_UNLESS(after->outside <= after->samples, "outside");
	WRONG_UNLESS(after->lost <= after->samples, "lost");
	WRONG_UNLESS(adds_up(after), "samples");
	WRONG_UNLESS(after->saturated <= after->hits, "saturated");
	WRONG_UNLESS(after->kernel_samples <= most, "kernel_samples");
	return NULL;
}

static __u32 flags_of(const struct world *world, unsigned int device,
		      const struct profil_stats *after)
{
	const struct expected *session = oracle_session(world, device);
	__u32 flags = session->exists ? PROFIL_STATS_SESSION : 0;

	if (session->exists && session->flags & PROFIL_F_STOP_AT_32767)
		flags |= after->flags & PROFIL_STATS_FULL;
	if (oracle_is_gone(world, device))
		flags |= PROFIL_STATS_GONE;
	return flags;
}

static const char *session_wrong(const struct expected *session, bool stopped,
				 const struct profil_stats *after)
{
	__u64 pages = (ARENA_END - ARENA) / page_size();

	WRONG_UNLESS(after->nr_regions ==
			     (session->exists ? session->nr_regions : 0),
		     "nr_regions");
	WRONG_UNLESS(after->period_ns ==
			     (session->exists ? session->period_ns : 0),
		     "period_ns");
	WRONG_UNLESS(after->pinned_pages <=
			     (session->exists && !stopped ? pages : 0),
		     "pinned_pages");
	return sums_wrong(session, after);
}

static const char *stats_wrong(const struct world *world, unsigned int device,
			       const struct request *before,
			       const struct profil_stats *after)
{
	const char *wrong = echo_wrong(&before->stats, after);

	if (wrong)
		return wrong;
	WRONG_UNLESS(after->flags == flags_of(world, device, after), "flags");
	WRONG_UNLESS(!after->unprofiled_children || oracle_has_low_limit(world),
		     "unprofiled_children");
	return session_wrong(oracle_session(world, device),
			     before->command == PROFIL_IOC_STOP, after);
}

const char *outputs_wrong(const struct world *world, unsigned int device,
			  const struct request *before,
			  const struct request *after)
{
	switch (before->command) {
	case PROFIL_IOC_VERSION:
		return version_wrong(world, &before->version, &after->version);
	case PROFIL_IOC_START:
		return start_wrong(world, &before->start, &after->start);
	case PROFIL_IOC_STATS:
	case PROFIL_IOC_STOP:
		return stats_wrong(world, device, before, &after->stats);
	default:
		return NULL;
	}
}
