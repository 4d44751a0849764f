// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#define LIMIT_PAGES 80
#define FULL_CHECK_EVERY 16

/* Counters of the program's session, compared with its hits */
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

static struct account own;

/* At the beginning of an input no counters are comparable. */
static void account_reset(void)
{
	memset(&own, 0, sizeof(own));
}

/* The counters of the regions, which do not overlap */
static __u64 sum_of(const struct account *account)
{
	__u32 i, width = account->start.width;
	__u64 sum = 0;

	for (i = 0; i < account->start.nr_regions; i++) {
		const struct profil_region *region = &account->regions[i];

		sum += counters_sum((void *)(uintptr_t)region->base, width,
				    region->size / width);
	}
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
	    request->at != ARGUMENT)
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

/* The account of the session that START of @request will begin */
static struct account account_of(const struct request *request)
{
	__u32 width = request->start.width;
	struct account account = {
		.comparable = regions_are_comparable(request) &&
			      memory_reads(COUNTERS, COUNTERS_BLOCKS * BLOCK) &&
			      (width == 2 || width == 4 || width == 8),
		.start = request->start,
	};

	memcpy(account.regions, request->regions, sizeof(account.regions));
	if (account.comparable)
		account.before = sum_of(&account);
	return account;
}

/*
 * True if the counters of the session, which has ended and was not replaced, are the
 * hits that were stored, @stored, or not comparable. @counted gets the counters.
 */
static bool account_balances(__u64 stored, __u64 *counted)
{
	if (!own.comparable)
		return true;
	*counted = sum_of(&own) - own.before;
	return *counted == stored;
}

/**
 * struct execution - an input that is being executed
 * @world: what results depend on
 * @usual: the world at the beginning of each input
 * @uncertain: a second thread has taken part: the world is not known
 * @executed: number of inputs
 * @reason: of a failure
 * @room: bytes of @reason
 */
static struct execution {
	struct world world;
	struct world usual;
	bool uncertain;
	unsigned long executed;
	char *reason;
	size_t room;
} now;

#define FAIL(...) (snprintf(now.reason, now.room, __VA_ARGS__), false)

bool execute_begin(void)
{
	now.usual = world_now();
	return peers_create() && memory_map() && rival_create();
}

static void set_limit(rlim_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &limit);
}

static bool call_raced(const struct step *step, struct attempt_call *attempt)
{
	bool good;

	now.uncertain = true;
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
	if (request->command == PROFIL_TABLE_IOC_NAME &&
	    oracle_room(&request->name) && request->name.path < STATES)
		return false;
	if (request->command != PROFIL_IOC_STATS &&
	    request->command != PROFIL_IOC_STOP)
		return request->at >= STATES;
	return request->at >= STATES && request->stats.states >= STATES;
}

/* Samples of a session that START replaces may be counted before it has ended. */
static bool call_start(const struct step *step, struct attempt_call *attempt)
{
	struct account account = account_of(&step->request);
	bool good;

	if (now.world.session.exists)
		account.comparable = false;
	good = attempt_as_documented(attempt);
	if (!attempt->result)
		own = account;
	return good;
}

static bool call_alone(const struct step *step, struct attempt_call *attempt)
{
	if (step->request.command == PROFIL_IOC_START)
		return call_start(step, attempt);
	if (!spares_counters(&step->request))
		account_reset();
	return attempt_as_documented(attempt);
}

static bool call_step(const struct step *step)
{
	struct attempt_call attempt = { .device = step->device,
					.caller = step->caller,
					.world = &now.world,
					.request = &step->request };
	bool good;

	/* A 32-bit program has no such address. */
	if (step->caller == CALLER_32 && step->request.at >> 32)
		attempt.caller = CALLER_64;
	request_place(&step->request);
	if (now.uncertain || step->race != ALONE)
		good = call_raced(step, &attempt);
	else
		good = call_alone(step, &attempt);
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
	account_reset();
	memory_change(block, (value >> 8) % NR_CHANGES);
}

static void use_descriptor(int fd, __u64 value)
{
	if (value & 1)
		spin(value % NR_SITES, 2 * FAST_NS);
	if (value & 2)
		stop(fd, NULL);
	if (value & 4)
		stats_now(fd);
}

/* The child has a copy of the arena, but for the shared block. */
static bool fork_step(__u64 value)
{
	pid_t child = fork();
	int status;

	if (!child) {
		use_descriptor(device_fd(DEVICE), value);
		_exit(0);
	}
	/* Counters in shared memory count the child's samples, too. */
	account_reset();
	if (child > 0 && waitpid(child, &status, 0) == child && status)
		return FAIL("a child ends with status %#x", status);
	return true;
}

static bool peer_step(__u64 value)
{
	unsigned int nr = value % NR_PEERS;
	struct chore chore = {
		.site = (value >> 16) % NR_SITES,
		.ns = FAST_NS * (1 + (value >> 24) % 8),
		.forks = value >> 11 & 1,
		.maps = value >> 12 & 1,
		.hides = value >> 13 & 1,
	};

	if (value >> 8 & 7) {
		now.world.hidden |= chore.hides;
		return peer_work(nr, &chore) ||
		       FAIL("peer %u does not answer", nr);
	}
	peer_end(nr);
	now.world.peers[nr].ended = true;
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
	case PEER:
		return peer_step(step->value);
	default:
		return call_step(step);
	}
}

/* The sums of a session's end */
static bool check_sums(const struct profil_stats *seen)
{
	__u64 stored = seen->hits - seen->saturated, counted;

	if (!adds_up(seen))
		return FAIL("%llu samples, and %llu + %llu + %llu",
			    seen->samples, seen->hits, seen->outside,
			    seen->lost);
	return now.uncertain || !(seen->flags & PROFIL_STATS_SESSION) ||
	       account_balances(stored, &counted) ||
	       FAIL("%llu hits stored, and %llu counted", stored, counted);
}

/* Whether the session is the one that the documents have promised */
static bool check_session(const struct request *before,
			  const struct request *after)
{
	const char *wrong =
		now.uncertain ? NULL : outputs_wrong(&now.world, before, after);

	return !wrong || FAIL("a wrong %s at the last STOP", wrong);
}

static bool end_session(void)
{
	struct request before = { .command = PROFIL_IOC_STOP }, after;
	int error;

	before.stats = stats_blank(NULL, 0);
	after = before;
	error = stop(device_fd(DEVICE), &after.stats);
	if (error)
		return FAIL("the last STOP returns %d", error);
	return check_sums(&after.stats) && check_session(&before, &after);
}

static bool check_memory(void)
{
	__u64 touched = memory_touched(now.executed % FULL_CHECK_EVERY == 0);

	return !touched || FAIL("the byte at %#llx is written", touched);
}

bool execute(const struct input *input, char *reason, size_t room)
{
	bool good = true;

	now.reason = reason;
	now.room = room;
	now.world = now.usual;
	now.uncertain = false;
	account_reset();
	now.executed++;
	for (unsigned int i = 0; i < input->nr && good; i++)
		good = run_step(&input->steps[i]);
	good = good && end_session() &&
	       (tree_renew() || FAIL("the table cannot be opened")) &&
	       (peers_renew() || FAIL("a peer cannot be created")) &&
	       check_memory();
	set_limit(RLIM_INFINITY);
	memory_restore();
	return good;
}
