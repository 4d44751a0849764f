// SPDX-License-Identifier: GPL-2.0-only
#include "attempt_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "memory.h"
#include "outputs.h"

#define DEFAULT_MIN_US "100"
#define DEFAULT_SESSIONS "4096"

static __u64 parameter(const char *name, const char *otherwise)
{
	char text[32];

	return strtoull(param_read(name, text, sizeof(text)) ? otherwise : text,
			NULL, 0);
}

struct world world_now(void)
{
	struct profil_version seen = version_blank();
	int fd = device_fd(0);
	struct world world;
	unsigned int i;

	version(fd, &seen);
	world = (struct world){
		.tick_ns = seen.tick_ns,
		.min_period_ns = parameter("min_period_us", DEFAULT_MIN_US) *
				 NSEC_PER_USEC,
		.most_sessions = parameter("max_sessions", DEFAULT_SESSIONS),
		.restricted = !fast_here(fd),
	};
	for (i = 0; i < NR_PEERS; i++)
		world.peers[i].device = NR_DEVICES;
	return world;
}

static struct called called_by(const struct attempt_call *attempt)
{
	unsigned long command = attempt->request->command;
	__u64 at = attempt->request->at;
	struct called called = {
		.device = attempt->device,
		.command = command,
		.valid = oracle_takes(command, at) ||
			 (command == PROFIL_IOC_STOP && !at),
	};

	if (called.valid && command == PROFIL_IOC_START)
		memcpy(&called.start, (void *)(uintptr_t)at,
		       sizeof(called.start));
	if (called.valid && command == PROFIL_IOC_ATTACH)
		memcpy(&called.attach, (void *)(uintptr_t)at,
		       sizeof(called.attach));
	return called;
}

static void allow_states(const struct expected *session, __u64 at)
{
	struct profil_stats stats;
	__u32 nr = session->exists ? session->nr_regions : 0;

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
		allow_states(oracle_session(attempt->world, attempt->device),
			     at);
}

static bool is_allowed(const struct attempt_call *attempt)
{
	long result = -attempt->result;

	return result >= 0 && (result < 63 || result == EALREADY) &&
	       attempt->allowed & ERROR(result);
}

/* False if a session counts in the block of ARGUMENT. */
static bool are_sessions_apart(const struct world *world)
{
	const struct expected *own = &world->session;
	bool apart = !own->exists || own->apart;
	unsigned int i;

	for (i = 0; i < NR_DEVICES; i++)
		apart &= !world->devices[i].session.exists ||
			 world->devices[i].session.apart;
	return apart;
}

/* The argument is known before and after a call if no counter lies there. */
static bool is_argument_known(const struct attempt_call *attempt, bool apart)
{
	__u64 at = attempt->request->at;

	return at >= ARGUMENT &&
	       at <= HOLE - oracle_size(attempt->request->command) &&
	       are_sessions_apart(attempt->world) &&
	       (attempt->request->command != PROFIL_IOC_START || apart);
}

static const char *wrong_output(const struct attempt_call *attempt, bool apart)
{
	struct request after = *attempt->request;

	if (attempt->result || !is_argument_known(attempt, apart))
		return NULL;
	memcpy(after.bytes, (void *)(uintptr_t)after.at,
	       oracle_size(after.command));
	return outputs_wrong(attempt->world, attempt->device, attempt->request,
			     &after);
}

bool attempt_attaches(const struct attempt_call *attempt)
{
	return attempt->request->command == PROFIL_IOC_ATTACH &&
	       !attempt->result;
}

bool attempt_as_documented(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;
	struct called called = called_by(attempt);

	attempt->allowed = oracle_allows(attempt->world, attempt->device,
					 request->command, request->at);
	allow_results(attempt);
	if (request->command == PROFIL_IOC_START && attempt->allowed & SUCCESS)
		called.apart = allow_counters(&called.start);
	attempt->result = call_as(attempt->caller, device_fd(attempt->device),
				  request->command, request->at);
	attempt->wrong = wrong_output(attempt, called.apart);
	oracle_follow(attempt->world, &called, attempt->result);
	return is_allowed(attempt) && !attempt->wrong;
}

static const results any_result =
	SUCCESS | ERROR(EFAULT) | ERROR(EINVAL) | ERROR(E2BIG) | ERROR(EACCES) |
	ERROR(ENOMEM) | ERROR(EBADF) | ERROR(ESRCH) | ERROR(EPERM) |
	ERROR(EALREADY) | ERROR(EBUSY) | ERROR(EAGAIN);

bool attempt_anything(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;

	attempt->allowed = oracle_size(request->command) ? any_result :
							   ERROR(ENOTTY);
	memory_allow(ARENA, ARENA_END - ARENA);
	attempt->result = call_as(attempt->caller, device_fd(attempt->device),
				  request->command, request->at);
	if (attempt_attaches(attempt))
		attempt->world->devices[attempt->device].attached = true;
	return is_allowed(attempt);
}

/* The descriptor may have been about the program's own session before. */
void attempt_end(struct attempt_call *attempt)
{
	if (attempt_attaches(attempt))
		device_renew(attempt->device);
	call_as(CALLER_64, device_fd(attempt->device), PROFIL_IOC_STOP, 0);
}
