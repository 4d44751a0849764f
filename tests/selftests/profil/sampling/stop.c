// SPDX-License-Identifier: GPL-2.0-only
/*
 * After STOP, or a START that replaces a session, has returned, no counter of
 * the old session changes, on any CPU, and every sample has an outcome. Both
 * calls are cheap enough for frequent use.
 */
#include "harness.h"

#include <pthread.h>
#include <signal.h>

#define SHORT_NS (100 * NSEC_PER_USEC)
#define ROUNDS_NS (2 * NSEC_PER_SEC)

static bool is_off(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return !stats(fd, &seen) && !seen.flags;
}

/* True if the counters equal @copy now and a few periods later. */
static bool stays(const void *counters, const void *copy)
{
	if (memcmp(counters, copy, page_size()))
		return false;
	sleep_ns(3 * SHORT_NS);
	return !memcmp(counters, copy, page_size());
}

static bool all_counted(const struct profil_stats *seen, const void *counters,
			__u32 width)
{
	return adds_up(seen) && counters_sum(counters, width, NR_SITES) ==
					seen->hits - seen->saturated;
}

TEST_F(profil, stop_without_a_session_is_no_error)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	unsigned int i;

	for (i = 0; i < 3; i++)
		EXPECT_OK(stop(self->fd, NULL));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_OK(stop(self->fd, &seen));
	EXPECT_EQ(0, seen.flags);
	EXPECT_EQ(0, seen.samples);
	EXPECT_TRUE(is_off(self->fd));
}

/* True before @until, and after that while rounds are not @enough. */
static bool more_rounds(__u64 until, bool enough)
{
	__u64 now = wall_ns();

	return now < until || (!enough && now < until + TIMEOUT_NS);
}

/* STOP comes at a different age of the session in each round. */
static void stop_repeatedly(struct __test_metadata *_metadata,
			    const profil_data *self, __u64 period_ns,
			    unsigned int busy)
{
	__u64 until = wall_ns() + ROUNDS_NS, hits = 0;
	char *copy = new_pages(page_size());
	unsigned int round;

	ASSERT_NE(NULL, copy);
	ASSERT_OK(busy_threads_begin(busy, 1, true));
	for (round = 0; more_rounds(until, hits); round++) {
		struct profil_stats seen = stats_blank(NULL, 0);

		memset(self->counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
		if (round % 4)
			sleep_ns(round % 4 * SHORT_NS);
		ASSERT_OK(stop(self->fd, &seen));
		memcpy(copy, self->counters, page_size());
		ASSERT_EQ(PROFIL_STATS_SESSION, seen.flags);
		ASSERT_TRUE(all_counted(&seen, copy, 4));
		ASSERT_EQ(0, seen.lost);
		ASSERT_TRUE(stays(self->counters, copy));
		hits += seen.hits;
	}
	busy_threads_end();
	TH_LOG("%u rounds, %llu hits", round, hits);
	EXPECT_LT(0, hits);
}

TEST_F(profil, no_counter_changes_after_stop)
{
	unsigned int cpus = busy_threads_for_all_cpus();

	stop_repeatedly(_metadata, self, SHORT_NS, cpus);
	stop_repeatedly(_metadata, self, 0, cpus);
}

/* With a free CPU the test has many more rounds. */
TEST_F(profil, no_counter_changes_after_stop_on_other_cpus)
{
	unsigned int cpus = busy_threads_for_all_cpus();

	stop_repeatedly(_metadata, self, SHORT_NS, cpus > 1 ? cpus - 1 : 1);
}

/* STOP records samples that are deferred until their page is pinned. */
TEST_F(profil, stop_records_deferred_samples)
{
	const size_t spread = 4096; /* 16 KiB of counters for each site */
	size_t size = NR_SITES * 4 * spread;
	__u32 scale = SITE_SCALE(4) * (__u32)spread;
	char *counters = new_pages(size);
	struct profil_region region =
		region_of(counters, size, profil_sites, scale);
	__u64 until = wall_ns() + ROUNDS_NS, hits = 0;
	unsigned int round;

	ASSERT_NE(NULL, counters);
	for (round = 0; more_rounds(until, hits); round++) {
		struct profil_start args = start_of(&region, 1, 4, SHORT_NS);
		struct profil_stats seen = stats_blank(NULL, 0);

		ASSERT_OK(madvise(counters, size, MADV_DONTNEED));
		ASSERT_OK(start(self->fd, &args));
		spin(8 + round % 32, NSEC_PER_MSEC);
		ASSERT_OK(stop(self->fd, &seen));
		ASSERT_TRUE(adds_up(&seen));
		ASSERT_EQ(0, seen.lost);
		ASSERT_EQ(0, seen.pinned_pages);
		ASSERT_EQ(seen.hits, counters_sum(counters, 4, size / 4));
		hits += seen.hits;
	}
	TH_LOG("%u rounds, %llu hits", round, hits);
	EXPECT_LT(0, hits);
}

TEST_F(profil, buffer_can_be_unmapped_right_after_stop)
{
	__u64 until = wall_ns() + ROUNDS_NS;
	char *buffer = new_pages(page_size()), *other;

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 1, true));
	while (wall_ns() < until) {
		ASSERT_OK(start_sites(self->fd, buffer, 4, SHORT_NS));
		sleep_ns(SHORT_NS);
		ASSERT_OK(stop(self->fd, NULL));
		ASSERT_OK(munmap(buffer, page_size()));
		other = mmap(buffer, page_size(), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		ASSERT_EQ(buffer, other);
		memset(other, POISON, page_size());
		sleep_ns(2 * SHORT_NS);
		ASSERT_TRUE(all_bytes(other, POISON, page_size()));
	}
	busy_threads_end();
}

/* Data that the program writes after STOP does not change. */
TEST_F(profil, buffer_can_be_reused_right_after_stop)
{
	__u64 until = wall_ns() + ROUNDS_NS;

	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 1, true));
	while (wall_ns() < until) {
		ASSERT_OK(start_sites(self->fd, self->counters, 2, SHORT_NS));
		sleep_ns(SHORT_NS);
		ASSERT_OK(stop(self->fd, NULL));
		memset(self->counters, POISON, page_size());
		sleep_ns(2 * SHORT_NS);
		ASSERT_TRUE(all_bytes(self->counters, POISON, page_size()));
	}
	busy_threads_end();
}

TEST_F(profil, counters_of_a_replaced_session_do_not_change)
{
	__u64 until = wall_ns() + ROUNDS_NS;
	char *buffers[2] = { self->counters, new_pages(page_size()) };
	char *copy = new_pages(page_size());
	unsigned int round;

	ASSERT_NE(NULL, buffers[1]);
	ASSERT_NE(NULL, copy);
	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 1, true));
	ASSERT_OK(start_sites(self->fd, buffers[0], 4, SHORT_NS));
	for (round = 1; wall_ns() < until; round++) {
		char *last = buffers[(round - 1) % 2];
		struct profil_stats seen = stats_blank(NULL, 0);

		sleep_ns(round % 4 * SHORT_NS);
		ASSERT_OK(start_sites(self->fd, buffers[round % 2], 4,
				      round % 3 ? SHORT_NS : 0));
		memcpy(copy, last, page_size());
		ASSERT_TRUE(stays(last, copy));
		ASSERT_OK(stats(self->fd, &seen));
		ASSERT_EQ(PROFIL_STATS_SESSION, seen.flags);
	}
	busy_threads_end();
	TH_LOG("%u rounds", round);
}

/*
 * Concurrent calls. The order of sessions is unknown; the totals hold the sums
 * of all.
 */
#define CALLERS 4

struct caller {
	pthread_t thread;
	int fd;
	char *counters;
	struct profil_totals *totals;
	unsigned int dice;
	__u64 until;
	__u64 starts;
	int error;
};

static int start_with_totals(const struct caller *caller, __u64 period_ns)
{
	struct profil_region region = sites_region(caller->counters, 4);
	struct profil_start args = start_of(&region, 1, 4, period_ns);

	args.totals = (uintptr_t)caller->totals;
	return start(caller->fd, &args);
}

static int stats_that_add_up(int fd, unsigned long command)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int error = call(fd, command, &seen);

	return error ? error : adds_up(&seen) ? 0 : -EPROTO;
}

static int make_random_call(struct caller *caller)
{
	__u64 period_ns;

	switch (rand_r(&caller->dice) % 6) {
	case 0:
	case 1:
	case 2:
		caller->starts++;
		period_ns = rand_r(&caller->dice) % 2 ? SHORT_NS : 0;
		return start_with_totals(caller, period_ns);
	case 3:
		return stats_that_add_up(caller->fd, PROFIL_IOC_STOP);
	case 4:
		spin(5, SHORT_NS);
		return 0;
	default:
		return stats_that_add_up(caller->fd, PROFIL_IOC_STATS);
	}
}

static void *call_repeatedly(void *argument)
{
	struct caller *caller = argument;

	while (!caller->error &&
	       more_rounds(caller->until, caller->totals->samples))
		caller->error = make_random_call(caller);
	return NULL;
}

static void set_up_caller(struct __test_metadata *_metadata,
			  struct caller *caller, int fd, unsigned int nr,
			  struct profil_totals *totals)
{
	*caller = (struct caller){ .fd = fd,
				   .dice = nr + 1,
				   .totals = totals,
				   .counters = new_pages(page_size()),
				   .until = wall_ns() + ROUNDS_NS };
	ASSERT_NE(NULL, caller->counters);
}

/* After the last STOP every session has ended, and no counter changes. */
static void check_totals(struct __test_metadata *_metadata,
			 const struct profil_totals *totals, __u64 starts,
			 __u64 counted)
{
	TH_LOG("%llu sessions, %llu samples", totals->sessions,
	       totals->samples);
	EXPECT_EQ(starts, totals->sessions);
	EXPECT_EQ(starts, totals->ended);
	EXPECT_EQ(counted, totals->hits);
	EXPECT_EQ(0, totals->lost);
	EXPECT_EQ(totals->samples, totals->hits + totals->outside);
	EXPECT_LT(0, totals->samples);
}

/* MemFree of /proc/meminfo, in bytes. */
static size_t memory_free(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long kib = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemFree: %lu", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return (size_t)kib * 1024;
}

/* A session keeps 32 bytes of each region and two spans of 24 bytes. */
#define LARGEST_BYTES ((size_t)PROFIL_MAX_REGIONS * (32 + 2 * 24))
#define LARGEST_ROUNDS 96

/*
 * A replaced session frees its regions. Other programs use memory, too, so the
 * test allows the loss of 48 sessions' regions.
 */
TEST_F(profil, replaced_sessions_free_their_regions)
{
	struct profil_region *regions =
		calloc(PROFIL_MAX_REGIONS, sizeof(*regions));
	struct profil_start args =
		start_of(regions, PROFIL_MAX_REGIONS, 2, FAST_NS);
	size_t before, lowest, now;
	unsigned int i;

	ASSERT_NE(NULL, regions);
	for (i = 0; i < PROFIL_MAX_REGIONS; i++)
		regions[i] = region_of(self->counters, 64,
				       (void *)(0x1000000UL * (i + 1)),
				       0x10000);
	ASSERT_OK(start(self->fd, &args));
	before = memory_free();
	lowest = before;
	for (i = 0; i < LARGEST_ROUNDS; i++) {
		ASSERT_OK(start(self->fd, &args));
		now = memory_free();
		lowest = now < lowest ? now : lowest;
	}
	TH_LOG("%zu KiB less memory was free", (before - lowest) / 1024);
	EXPECT_GT(48 * LARGEST_BYTES, before - lowest);
	ASSERT_OK(stop(self->fd, NULL));
}

TEST_F(profil, threads_can_start_stop_and_ask_concurrently)
{
	struct profil_totals *totals = new_shared(page_size());
	struct caller callers[CALLERS];
	__u64 starts = 0, counted = 0;
	unsigned int i;

	ASSERT_NE(NULL, totals);
	for (i = 0; i < CALLERS; i++) {
		set_up_caller(_metadata, &callers[i], self->fd, i, totals);
		ASSERT_OK(pthread_create(&callers[i].thread, NULL,
					 call_repeatedly, &callers[i]));
	}
	for (i = 0; i < CALLERS; i++) {
		pthread_join(callers[i].thread, NULL);
		EXPECT_EQ(0, callers[i].error);
	}
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(is_off(self->fd));
	for (i = 0; i < CALLERS; i++) {
		starts += callers[i].starts;
		counted += counters_sum(callers[i].counters, 4, NR_SITES);
	}
	check_totals(_metadata, totals, starts, counted);
}

/*
 * A signal handler makes calls while the program makes the same calls.
 */
static struct caller handled;
static volatile unsigned int handler_calls;

static void call_from_handler(int nr)
{
	(void)nr;
	handler_calls++;
	if (!handled.error)
		handled.error = make_random_call(&handled);
}

static pthread_t handler_thread;

static void *send_signals(void *nothing)
{
	while (more_rounds(handled.until, handler_calls > 10)) {
		pthread_kill(handler_thread, SIGUSR1);
		sleep_ns(5 * SHORT_NS);
	}
	return nothing;
}

TEST_F(profil, signal_handler_can_start_stop_and_ask)
{
	struct sigaction action = { .sa_handler = call_from_handler };
	struct profil_totals *totals = new_shared(page_size());
	struct caller caller;
	pthread_t sender;

	ASSERT_NE(NULL, totals);
	set_up_caller(_metadata, &caller, self->fd, 1, totals);
	set_up_caller(_metadata, &handled, self->fd, 2, totals);
	handler_thread = pthread_self();
	ASSERT_OK(sigaction(SIGUSR1, &action, NULL));
	ASSERT_OK(pthread_create(&sender, NULL, send_signals, NULL));
	while (!caller.error &&
	       more_rounds(caller.until, handler_calls > 10 && totals->samples))
		caller.error = make_random_call(&caller);
	pthread_join(sender, NULL);
	EXPECT_EQ(0, caller.error);
	EXPECT_EQ(0, handled.error);
	EXPECT_LT(10, handler_calls);
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(is_off(self->fd));
	check_totals(_metadata, totals, caller.starts + handled.starts,
		     counters_sum(caller.counters, 4, NR_SITES) +
			     counters_sum(handled.counters, 4, NR_SITES));
}

TEST_HARNESS_MAIN
