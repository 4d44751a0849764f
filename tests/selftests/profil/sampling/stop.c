// SPDX-License-Identifier: GPL-2.0-only
/*
 * After STOP, or a START that replaces a session, has returned, no counter of
 * the old session changes, on any CPU, and every sample has an outcome. Both
 * calls are cheap enough for frequent use.
 */
#include "harness.h"

#define SHORT_NS (100 * NSEC_PER_USEC)
#define ROUNDS_NS NSEC_PER_SEC

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

TEST_F(profil, stop_without_a_session_is_no_error)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	for (unsigned int i = 0; i < 3; i++)
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
static void stop_repeatedly(const profil_data *self, __u64 period_ns,
			    unsigned int busy)
{
	__u64 until = wall_ns() + ROUNDS_NS, hits = 0;
	char *copy = new_pages(page_size());
	unsigned int round;

	ASSERT_OK(busy_threads_begin(busy, 1, true));
	for (round = 0; more_rounds(until, hits); round++) {
		struct profil_stats seen;

		memset(self->counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
		if (round % 4)
			sleep_ns(round % 4 * SHORT_NS);
		seen = end_session(self->fd);
		memcpy(copy, self->counters, page_size());
		ASSERT_EQ(PROFIL_STATS_SESSION, seen.flags);
		ASSERT_EQ(seen.hits - seen.saturated,
			  counters_sum(copy, 4, NR_SITES));
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

	stop_repeatedly(self, SHORT_NS, cpus);
	stop_repeatedly(self, 0, cpus);
	/* With a free CPU there are many more rounds. */
	stop_repeatedly(self, SHORT_NS, cpus > 1 ? cpus - 1 : 1);
}

/* STOP records samples that are deferred until their page is pinned. */
TEST_F(profil, stop_records_deferred_samples)
{
	const size_t spread = 4096; /* 16 KiB of counters for each site */
	size_t size = NR_SITES * 4 * spread;
	char *counters = new_pages(size);
	__u64 until = wall_ns() + ROUNDS_NS, hits = 0;
	unsigned int round;

	for (round = 0; more_rounds(until, hits); round++) {
		struct profil_stats seen;
		int error;

		ASSERT_OK(madvise(counters, size, MADV_DONTNEED));
		error = start_spread(self->fd, counters, size, SHORT_NS);
		ASSERT_OK(error);
		spin(8 + round % 32, NSEC_PER_MSEC);
		seen = end_session(self->fd);
		ASSERT_EQ(0, seen.lost);
		ASSERT_EQ(0, seen.pinned_pages);
		ASSERT_EQ(seen.hits, counters_sum(counters, 4, size / 4));
		hits += seen.hits;
	}
	TH_LOG("%u rounds, %llu hits", round, hits);
	EXPECT_LT(0, hits);
}

static int stats_that_add_up(int fd, unsigned long command)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int error = call(fd, command, &seen);

	return error ? error : adds_up(&seen) ? 0 : -EPROTO;
}

/*
 * A thread sleeps in a system call, after samples in the call have been deferred:
 * others record these. Nothing waits for the end of the call.
 */
#define PIPE_BYTES 0x100000
#define CALL_BYTES 0x100000UL /* of counters, more than START pins */

struct sleeper {
	pthread_t thread;
	int pipe[2];
	void *data;
};

static void *fill_pipe(void *argument)
{
	struct sleeper *sleeper = argument;

	do_call(SYS_write, sleeper->pipe[1], (long)sleeper->data,
		PIPE_BYTES + 1);
	return NULL;
}

static bool pipe_is_full(const struct sleeper *sleeper)
{
	int bytes = 0;

	return !ioctl(sleeper->pipe[0], FIONREAD, &bytes) &&
	       bytes == PIPE_BYTES;
}

static bool begin_sleeper(struct sleeper *sleeper)
{
	sleeper->data = new_pages(PIPE_BYTES + page_size());
	if (!sleeper->data || pipe(sleeper->pipe) ||
	    fcntl(sleeper->pipe[1], F_SETPIPE_SZ, PIPE_BYTES) != PIPE_BYTES)
		return false;
	return !pthread_create(&sleeper->thread, NULL, fill_pipe, sleeper) &&
	       WAIT_FOR(pipe_is_full(sleeper));
}

/*
 * The samples of the call that STATS or STOP has recorded while the thread sleeps. Eight
 * bytes of text have one counter.
 */
static __u64 samples_of_sleeper(const profil_data *self, unsigned long command)
{
	char *counters = new_reserved(CALL_BYTES);
	size_t room = CALL_BYTES / KERNEL_ENTRY_BYTES;
	size_t pc = (size_t)(after_call - (const char *)do_call);
	struct profil_region region = region_of(counters, CALL_BYTES,
						(const char *)do_call,
						(__u32)room * 0x10000);
	struct sleeper sleeper;
	__u64 seen;

	ASSERT_OK(start_one(self->fd, region, 8, SHORT_NS, 0));
	ASSERT_TRUE(begin_sleeper(&sleeper));
	ASSERT_OK(stats_that_add_up(self->fd, command));
	seen = counter(counters + pc / 8 * 8 * room, 8, 0);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_references(1));
	/* Nothing reads from the pipe: the call fails. */
	close(sleeper.pipe[0]);
	pthread_join(sleeper.thread, NULL);
	close(sleeper.pipe[1]);
	munmap(sleeper.data, PIPE_BYTES + page_size());
	munmap(counters, CALL_BYTES);
	return seen;
}

TEST_F(profil, samples_of_a_thread_that_sleeps_in_a_call_are_recorded)
{
	signal(SIGPIPE, SIG_IGN);
	EXPECT_TRUE(EVENTUALLY(samples_of_sleeper(self, PROFIL_IOC_STATS), 0));
	EXPECT_TRUE(EVENTUALLY(samples_of_sleeper(self, PROFIL_IOC_STOP), 0));
}

TEST_F(profil, buffer_can_be_unmapped_right_after_stop)
{
	__u64 until = wall_ns() + ROUNDS_NS;
	char *buffer = new_pages(page_size()), *other;

	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 1, true));
	while (wall_ns() < until) {
		ASSERT_OK(start_sites(self->fd, buffer, 4, SHORT_NS));
		sleep_ns(SHORT_NS);
		ASSERT_OK(stop(self->fd, NULL));
		ASSERT_OK(munmap(buffer, page_size()));
		other = map_zeros(buffer);
		ASSERT_EQ(buffer, other);
		memset(other, POISON, page_size());
		sleep_ns(2 * SHORT_NS);
		ASSERT_TRUE(all_bytes(other, POISON, page_size()));
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
	ASSERT_OK(busy_threads_begin(busy_threads_for_all_cpus(), 1, true));
	ASSERT_OK(start_sites(self->fd, buffers[0], 4, SHORT_NS));
	for (round = 1; wall_ns() < until; round++) {
		char *last = buffers[(round - 1) % 2];

		sleep_ns(round % 4 * SHORT_NS);
		ASSERT_OK(start_sites(self->fd, buffers[round % 2], 4,
				      round % 3 ? SHORT_NS : 0));
		memcpy(copy, last, page_size());
		ASSERT_TRUE(stays(last, copy));
		ASSERT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	}
	busy_threads_end();
	TH_LOG("%u rounds", round);
}

/* Concurrent calls. The order of sessions is unknown. */
#define CALLERS 4

struct caller {
	pthread_t thread;
	int fd;
	char *counters;
	unsigned int dice;
	__u64 until;
	int error;
};

static int make_random_call(struct caller *caller)
{
	__u64 period_ns;

	switch (rand_r(&caller->dice) % 6) {
	case 0:
	case 1:
	case 2:
		period_ns = rand_r(&caller->dice) % 2 ? SHORT_NS : 0;
		return start_sites(caller->fd, caller->counters, 4, period_ns);
	case 3:
		return stats_that_add_up(caller->fd, PROFIL_IOC_STOP);
	case 4:
		spin(5, SHORT_NS);
		return 0;
	default:
		return stats_that_add_up(caller->fd, PROFIL_IOC_STATS);
	}
}

static __u64 counted_by(const struct caller *caller)
{
	return counters_sum(caller->counters, 4, NR_SITES);
}

static void *call_repeatedly(void *argument)
{
	struct caller *caller = argument;

	while (!caller->error && more_rounds(caller->until, counted_by(caller)))
		caller->error = make_random_call(caller);
	return NULL;
}

static void set_up_caller(struct caller *caller, int fd, unsigned int nr)
{
	*caller = (struct caller){ .fd = fd,
				   .dice = nr + 1,
				   .counters = new_pages(page_size()),
				   .until = wall_ns() + ROUNDS_NS };
	ASSERT_NE(NULL, caller->counters);
}

/* After the last STOP no counter changes. */
static void check_caller(const struct caller *caller)
{
	char *copy = new_pages(page_size());

	memcpy(copy, caller->counters, page_size());
	EXPECT_EQ(0, caller->error);
	EXPECT_LT(0, counted_by(caller));
	EXPECT_TRUE(stays(caller->counters, copy));
	munmap(copy, page_size());
}

TEST_F(profil, threads_can_start_stop_and_ask_concurrently)
{
	struct caller callers[CALLERS];

	for (unsigned int i = 0; i < CALLERS; i++) {
		set_up_caller(&callers[i], self->fd, i);
		ASSERT_OK(pthread_create(&callers[i].thread, NULL,
					 call_repeatedly, &callers[i]));
	}
	for (unsigned int i = 0; i < CALLERS; i++)
		pthread_join(callers[i].thread, NULL);
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(is_off(self->fd));
	for (unsigned int i = 0; i < CALLERS; i++)
		check_caller(&callers[i]);
}

/* A signal handler makes calls while the program makes the same calls. */
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
	struct caller caller;
	pthread_t sender;

	set_up_caller(&caller, self->fd, 1);
	set_up_caller(&handled, self->fd, 2);
	handler_thread = pthread_self();
	ASSERT_OK(sigaction(SIGUSR1, &action, NULL));
	ASSERT_OK(pthread_create(&sender, NULL, send_signals, NULL));
	while (!caller.error &&
	       more_rounds(caller.until,
			   handler_calls > 10 && counted_by(&caller)))
		caller.error = make_random_call(&caller);
	pthread_join(sender, NULL);
	EXPECT_EQ(0, handled.error);
	EXPECT_LT(10, handler_calls);
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(is_off(self->fd));
	check_caller(&caller);
}

/*
 * A session is replaced by one of another period, again and again, while a program
 * that it samples runs on another CPU: a timer that expires in between finds the
 * next session.
 */
#define ROUNDS 60
#define SITE 5

static const __u64 periods[] = { 100 * NSEC_PER_USEC, 150 * NSEC_PER_USEC };

static void replace_often(const profil_data *self)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		__u64 period_ns = periods[round % ARRAY_LENGTH(periods)];

		ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
		ASSERT_EQ(period_ns, stats_now(self->fd).period_ns);
	}
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, SITE,
				   counter(self->counters, 4, SITE) + 3));
	EXPECT_EQ(0, end_session(self->fd).lost);
}

TEST_F(profil, threads_are_sampled_while_the_period_changes)
{
	ASSERT_OK(busy_threads_begin(1, SITE, false));
	replace_often(self);
	busy_threads_end();
}

TEST_HARNESS_MAIN
