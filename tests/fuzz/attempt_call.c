// SPDX-License-Identifier: GPL-2.0-only
#include "attempt_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "memory.h"
#include "outputs.h"

#define DEFAULT_MIN_US "100"

struct world world_now(int fd)
{
	struct profil_version seen = version_blank();
	char text[32] = DEFAULT_MIN_US;

	version(fd, &seen);
	param_read("min_period_us", text, sizeof(text));
	return (struct world){
		.tick_ns = seen.tick_ns,
		.min_period_ns = strtoull(text, NULL, 0) * NSEC_PER_USEC,
		.restricted = !fast_here(fd),
	};
}

/* The argument, for a command that reads it; zeros if it cannot be read */
static struct profil_start start_at(__u64 at)
{
	struct profil_start start = { 0 };

	if (memory_reads(at, sizeof(start)))
		memcpy(&start, (void *)(uintptr_t)at, sizeof(start));
	return start;
}

static void allow_states(const struct world *world, __u64 at)
{
	struct profil_stats stats;
	__u32 nr = world->session.exists ? world->session.nr_regions : 0;

	if (!memory_reads(at, sizeof(stats)))
		return;
	memcpy(&stats, (void *)(uintptr_t)at, sizeof(stats));
	if (nr > stats.nr_states)
		nr = stats.nr_states;
	if (stats.states)
		memory_allow(stats.states, nr * sizeof(__u32));
}

static bool is_apart(const struct profil_region *region)
{
	return region->base >= HOLE || region->base + region->size <= ARGUMENT;
}

/* True if no region has counters in the block of ARGUMENT. */
static bool allow_counters(const struct profil_start *start)
{
	struct profil_region region;
	bool apart = true;
	__u32 i;

	for (i = 0; i < start->nr_regions; i++) {
		__u64 at = start->regions + i * sizeof(region);

		memcpy(&region, (void *)(uintptr_t)at, sizeof(region));
		memory_allow(region.base, region.size);
		apart &= is_apart(&region);
	}
	memory_allow(start->totals, sizeof(struct profil_totals));
	return apart;
}

/* Only a call that passes all checks of its structure writes anything. */
static void allow_results(const struct attempt_call *attempt)
{
	unsigned long command = attempt->request->command;
	__u64 at = attempt->request->at;

	if (!oracle_takes(command, at) || command == PROFIL_IOC_ATTACH)
		return;
	memory_allow(at, oracle_size(command));
	if (command == PROFIL_IOC_STATS || command == PROFIL_IOC_STOP)
		allow_states(attempt->world, at);
}

static bool is_allowed(const struct attempt_call *attempt)
{
	long result = -attempt->result;

	return result >= 0 && result < 64 && attempt->allowed >> result & 1;
}

/* The argument is known before and after a call if no counter lies there. */
static bool is_argument_known(const struct attempt_call *attempt, bool apart)
{
	const struct expected *session = &attempt->world->session;
	__u64 at = attempt->request->at;

	return at >= ARGUMENT &&
	       at <= HOLE - oracle_size(attempt->request->command) &&
	       (!session->exists || session->apart) &&
	       (attempt->request->command != PROFIL_IOC_START || apart);
}

static const char *wrong_output(const struct attempt_call *attempt, bool apart)
{
	struct request after = *attempt->request;

	if (attempt->result || !is_argument_known(attempt, apart))
		return NULL;
	memcpy(after.bytes, (void *)(uintptr_t)after.at,
	       oracle_size(after.command));
	return outputs_wrong(attempt->world, attempt->request, &after);
}

bool attempt_as_documented(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;
	struct profil_start start = start_at(request->at);
	bool valid = oracle_takes(request->command, request->at) ||
		     (request->command == PROFIL_IOC_STOP && !request->at);
	bool apart = false;

	attempt->allowed =
		oracle_allows(attempt->world, request->command, request->at);
	allow_results(attempt);
	if (request->command == PROFIL_IOC_START && attempt->allowed & SUCCESS)
		apart = allow_counters(&start);
	attempt->result = call_as(attempt->caller, attempt->fd,
				  request->command, request->at);
	attempt->wrong = wrong_output(attempt, apart);
	oracle_follow(attempt->world, request->command, &start, apart, valid,
		      attempt->result);
	return is_allowed(attempt) && !attempt->wrong;
}

static const results any_result = SUCCESS | ERROR(EFAULT) | ERROR(EINVAL) |
				  ERROR(E2BIG) | ERROR(EACCES) | ERROR(ENOMEM) |
				  ERROR(EBADF);

bool attempt_anything(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;

	attempt->allowed = oracle_size(request->command) ? any_result :
							   ERROR(ENOTTY);
	memory_allow(ARENA, ARENA_END - ARENA);
	attempt->result = call_as(attempt->caller, attempt->fd,
				  request->command, request->at);
	return is_allowed(attempt);
}

void attempt_end(struct attempt_call *attempt)
{
	call_as(CALLER_64, attempt->fd, PROFIL_IOC_STOP, 0);
	attempt->world->session.exists = false;
}
