// SPDX-License-Identifier: GPL-2.0-only
#include "execute.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempt_call.h"
#include "common.h"
#include "memory.h"
#include "rival.h"

#define LIMIT_PAGES 80
#define FULL_CHECK_EVERY 16

/**
 * struct execution - an input that is being executed
 * @fd: the device
 * @world: what results depend on
 * @usual: the world at the beginning of each input
 * @uncertain: a second thread has taken part: the world is not known
 * @comparable: the counters of the session are comparable with its hits
 * @before: sum of the session's counters at START
 * @session: its argument of START
 * @regions: its regions
 * @executed: number of inputs
 * @reason: of a failure
 * @room: bytes of @reason
 */
static struct execution {
	int fd;
	struct world world;
	struct world usual;
	bool uncertain;
	bool comparable;
	__u64 before;
	struct profil_start session;
	struct profil_region regions[REGIONS_MAX];
	unsigned long executed;
	char *reason;
	size_t room;
} now;

#define FAIL(...) (snprintf(now.reason, now.room, __VA_ARGS__), false)

bool execute_begin(int fd)
{
	now.fd = fd;
	now.usual = world_now(fd);
	return memory_map() && rival_create(fd);
}

static void set_limit(rlim_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &limit);
}

/* The counters of the session's regions, which do not overlap */
static __u64 sum_of_counters(void)
{
	__u32 i, width = now.session.width;
	__u64 sum = 0;

	for (i = 0; i < now.session.nr_regions; i++)
		sum += counters_sum((void *)(uintptr_t)now.regions[i].base,
				    width, now.regions[i].size / width);
	return sum;
}

static bool overlap(const struct profil_region *a,
		    const struct profil_region *b)
{
	return a->base < b->base + b->size && b->base < a->base + a->size;
}

/* Counters are compared where they lie alone, and in the arena's first blocks. */
static bool is_plain(const struct profil_region *region)
{
	return region->base >= COUNTERS && region->base % 8 == 0 &&
	       region->size <= COUNTERS_BLOCKS * BLOCK &&
	       region->base <= READONLY - region->size;
}

static bool regions_are_comparable(const struct request *request)
{
	__u32 i, j, nr = request->start.nr_regions;

	if (!nr || nr > REGIONS_MAX || request->start.regions != REGIONS ||
	    request->at != ARGUMENT || request->start.totals)
		return false;
	for (i = 0; i < nr; i++) {
		if (!is_plain(&request->regions[i]))
			return false;
		for (j = 0; j < i; j++)
			if (overlap(&request->regions[i], &request->regions[j]))
				return false;
	}
	return true;
}

/* Note what the counters are, in case START succeeds. */
static void note_counters(const struct request *request)
{
	unsigned int i;

	now.comparable =
		!now.world.session.exists && regions_are_comparable(request) &&
		memory_reads(COUNTERS, COUNTERS_BLOCKS * BLOCK) &&
		(request->start.width == 2 || request->start.width == 4 ||
		 request->start.width == 8);
	if (!now.comparable)
		return;
	now.session = request->start;
	for (i = 0; i < REGIONS_MAX; i++)
		now.regions[i] = request->regions[i];
	now.before = sum_of_counters();
}

static struct attempt_call attempt_of(const struct step *step)
{
	return (struct attempt_call){ .fd = now.fd,
				      .caller = step->caller,
				      .world = &now.world,
				      .request = &step->request };
}

static bool call_raced(const struct step *step, struct attempt_call *attempt)
{
	bool good;

	now.uncertain = true;
	now.comparable = false;
	if (step->race == ALONE)
		return attempt_anything(attempt);
	rival_begin(step);
	good = attempt_anything(attempt);
	rival_end();
	return good;
}

/* Results of other calls may be written to counters. */
static bool spares_counters(const struct request *request)
{
	if (request->command == PROFIL_IOC_VERSION)
		return request->at >= STATES;
	return request->at >= STATES && request->stats.states >= STATES;
}

static bool call_step(const struct step *step)
{
	struct attempt_call attempt = attempt_of(step);
	bool good;

	/* A 32-bit program has no such address. */
	if (step->caller == CALLER_32 && step->request.at >> 32)
		attempt.caller = CALLER_64;
	request_place(&step->request);
	if (now.uncertain || step->race != ALONE) {
		good = call_raced(step, &attempt);
	} else {
		if (step->request.command == PROFIL_IOC_START)
			note_counters(&step->request);
		else if (!spares_counters(&step->request))
			now.comparable = false;
		good = attempt_as_documented(&attempt);
	}
	return good ||
	       FAIL("result %d, and %#llx are documented%s%s", attempt.result,
		    attempt.allowed, attempt.wrong ? "; a wrong " : "",
		    attempt.wrong ?: "");
}

static void change_step(__u64 value)
{
	unsigned int block = value % (COUNTERS_BLOCKS + 1);

	if (block == COUNTERS_BLOCKS)
		block = (SHARED - ARENA) / BLOCK;
	now.comparable = false;
	memory_change(block, (value >> 8) % NR_CHANGES);
}

/* The child has a copy of the arena; only its totals are shared. */
static bool fork_step(__u64 value)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (value & 1)
			spin(value % NR_SITES, 2 * FAST_NS);
		if (value & 2)
			stop(now.fd, NULL);
		if (value & 4)
			stats_now(now.fd);
		_exit(0);
	}
	/* Counters in shared memory count the child's samples, too. */
	now.comparable = false;
	if (child > 0 && waitpid(child, &status, 0) == child && status)
		return FAIL("a child ends with status %#x", status);
	return true;
}

static bool run_step(const struct step *step)
{
	switch (step->kind) {
	case SPIN:
		spin(step->value % NR_SITES,
		     FAST_NS * (1 + (step->value >> 8) % 8));
		return true;
	case CHANGE:
		change_step(step->value);
		return true;
	case FORK:
		return fork_step(step->value);
	case LIMIT:
		now.world.limited = true;
		set_limit(step->value % LIMIT_PAGES * page_size());
		return true;
	default:
		return call_step(step);
	}
}

/* The sums of the last session */
static bool check_sums(const struct profil_stats *seen)
{
	__u64 stored = seen->hits - seen->saturated, sum;

	if (!adds_up(seen))
		return FAIL("%llu samples, and %llu + %llu + %llu",
			    seen->samples, seen->hits, seen->outside,
			    seen->lost);
	if (!now.comparable || !now.world.session.exists)
		return true;
	sum = sum_of_counters() - now.before;
	return sum == stored ||
	       FAIL("%llu hits stored, and %llu counted", stored, sum);
}

/* Whether the last session is the one that the documents have promised */
static bool check_session(const struct profil_stats *seen)
{
	if (now.uncertain)
		return true;
	if (!now.world.session.exists)
		return !(seen->flags & PROFIL_STATS_SESSION) ||
		       FAIL("a session that should not exist");
	return (seen->nr_regions == now.world.session.nr_regions &&
		seen->period_ns == now.world.session.period_ns) ||
	       FAIL("a session with %u regions and a period of %llu ns",
		    seen->nr_regions, seen->period_ns);
}

static bool end_session(void)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int error = stop(now.fd, &seen);

	if (error)
		return FAIL("the last STOP returns %d", error);
	return check_sums(&seen) && check_session(&seen);
}

static bool check_memory(void)
{
	__u64 touched = memory_touched(now.executed % FULL_CHECK_EVERY == 0);

	return !touched || FAIL("the byte at %#llx is written", touched);
}

bool execute(const struct input *input, char *reason, size_t room)
{
	unsigned int i;
	bool good = true;

	now.reason = reason;
	now.room = room;
	now.world = now.usual;
	now.uncertain = false;
	now.comparable = false;
	now.executed++;
	for (i = 0; i < input->nr && good; i++)
		good = run_step(&input->steps[i]);
	good = good && end_session() && check_memory();
	set_limit(RLIM_INFINITY);
	memory_restore();
	return good;
}
