// SPDX-License-Identifier: GPL-2.0-only
/*
 * A forked child has a session of its own, over its copy of the counters.
 */
#include "harness.h"

#include <linux/sched.h>

static void count_in_child(const profil_data *self, __u64 inherited)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	EXPECT_TRUE(spin_until_hits(self->fd, 2, 4));
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(FAST_NS, seen.period_ns);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(inherited, counter(self->counters, 4, 1));
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 2));
	EXPECT_EQ(seen.hits + inherited,
		  counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, forked_child_and_its_child_count_in_their_own_copies)
{
	struct profil_stats seen;
	__u64 own;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 4));
	own = counter(self->counters, 4, 1);
	EXPECT_TRUE(PASSES_IN_CHILD(({
		EXPECT_TRUE(PASSES_IN_CHILD(count_in_child(self, own)));
		EXPECT_EQ(0, counter(self->counters, 4, 2));
		count_in_child(self, own);
	})));
	EXPECT_EQ(own, counter(self->counters, 4, 1));
	EXPECT_EQ(0, counter(self->counters, 4, 2));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 4));
	seen = end_session(self->fd);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

/* The child's first samples occur while its session is being set up. */
TEST_F(profil, forked_child_loses_no_early_sample)
{
	struct report *report = new_report();

	ASSERT_OK(start_sites(self->fd, self->counters, 4, 100000));
	for (unsigned int round = 0; round < 30; round++) {
		ASSERT_TRUE(PASSES_IN_CHILD(({
			report->stats[0] = stats_blank(NULL, 0);
			spin(round, 2 * NSEC_PER_MSEC);
			EXPECT_OK(stop(self->fd, &report->stats[0]));
			report->counter = counter(self->counters, 4, round);
		})));
		EXPECT_EQ(PROFIL_STATS_SESSION, report->stats[0].flags);
		EXPECT_TRUE(adds_up(&report->stats[0]));
		EXPECT_EQ(0, report->stats[0].lost);
		EXPECT_EQ(report->stats[0].hits, report->counter);
	}
}

static pid_t fork_as(pid_t pid)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&pid,
		.set_tid_size = 1,
	};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

/* The kernel copies the address space, and then finds that the PID is in use. */
TEST_F(profil, failed_fork_leaves_no_session)
{
	SKIP_UNLESS_ROOT();
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (unsigned int round = 0; round < 10; round++) {
		ASSERT_EQ(-1, fork_as(getpid()));
		ASSERT_EQ(EEXIST, errno);
	}
	EXPECT_TRUE(CHILD_OK(spin_until(2, self->counters, 4, 2) ? 0 : 1));
	EXPECT_EQ(0, end_session(self->fd).unprofiled_children);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* Replace the counters by other memory, which must stay zero, and spin. */
static void remap_and_spin(void *counters)
{
	if (munmap(counters, page_size()) || map_zeros(counters) != counters)
		_exit(1);
	spin(1, 5 * NSEC_PER_MSEC);
}

TEST_F(profil, memory_in_place_of_counters_in_a_new_child_is_never_written)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 100000));
	for (unsigned int round = 0; round < 40; round++)
		EXPECT_TRUE(PASSES_IN_CHILD(({
			remap_and_spin(self->counters);
			EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
		})));
}

TEST_F(profil, ended_region_has_ended_in_children)
{
	__u32 state = POISON_U32;
	struct profil_stats seen = stats_blank(&state, 1);

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	remap_and_spin(self->counters);
	EXPECT_TRUE(PASSES_IN_CHILD(({
		EXPECT_TRUE(spin_until_samples(self->fd, 2, 3));
		EXPECT_OK(stats(self->fd, &seen));
		EXPECT_EQ(PROFIL_REGION_UNMAPPED, state);
		EXPECT_EQ(0, seen.hits);
		EXPECT_LT(0, seen.outside);
		EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
	})));
	EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
}

static void ignore_alarm(int signal)
{
	(void)signal;
}

/*
 * A pending signal makes the registration of an mm's first notifier fail with
 * EINTR.
 */
TEST_F(profil, first_start_works_while_signals_are_pending)
{
	struct sigaction action = {
		.sa_handler = ignore_alarm,
		.sa_flags = SA_RESTART,
	};
	struct itimerval often = {
		.it_interval.tv_usec = 200,
		.it_value.tv_usec = 200,
	};

	for (unsigned int round = 0; round < 40; round++) {
		EXPECT_TRUE(PASSES_IN_CHILD(({
			sigaction(SIGALRM, &action, NULL);
			setitimer(ITIMER_REAL, &often, NULL);
			spin(1, NSEC_PER_MSEC);
			EXPECT_OK(start_sites(self->fd, self->counters, 4, 0));
		})));
	}
}

TEST_F(profil, shared_counters_stay_shared_after_fork)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	pid_t child;

	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(1, counters, 4, 3));
	report->stats[0] = stats_blank(NULL, 0);
	report->stats[1] = stats_blank(NULL, 0);
	child = IN_CHILD(({
		EXPECT_TRUE(spin_until_hits(self->fd, 2, 3));
		EXPECT_OK(stop(self->fd, &report->stats[1]));
		_metadata->exit_code;
	}));
	/* both processes count at one counter at the same time */
	EXPECT_TRUE(spin_until(2, counters, 4, 30));
	EXPECT_TRUE(exited_with(child, 0));
	ASSERT_OK(stop(self->fd, &report->stats[0]));
	EXPECT_LT(0, report->stats[1].hits);
	EXPECT_EQ(report->stats[0].hits + report->stats[1].hits,
		  counters_sum(counters, 4, NR_SITES));
}

/* Some children are killed before their session is set up; no session is left. */
TEST_F(profil, sessions_of_children_that_end_immediately_end)
{
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC;
	struct profil_stats seen;
	unsigned int forks = 0;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (; forks < 500 && wall_ns() < until; forks++) {
		pid_t child = IN_CHILD(forks % 2 ? pause() : 0);

		if (forks % 2)
			kill_child(child);
		else
			ASSERT_TRUE(exited_with(child, 0));
	}
	EXPECT_TRUE(has_session(self->fd));
	seen = end_session(self->fd);
	EXPECT_EQ(0, seen.unprofiled_children);
	EXPECT_EQ(0, seen.lost);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* The child's first call races with the setup of its session. */
static void restart_in_child(const profil_data *self, unsigned int first)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	void *other = new_pages(page_size());

	if (first == 0) {
		EXPECT_OK(start_sites(self->fd, other, 2, FAST_NS));
		EXPECT_TRUE(spin_until(4, other, 2, 2));
		EXPECT_EQ(0, counter(self->counters, 4, 4));
	} else if (first == 1) {
		EXPECT_OK(stop(self->fd, &seen));
		EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
		EXPECT_TRUE(adds_up(&seen));
		EXPECT_FALSE(has_session(self->fd));
	} else {
		EXPECT_OK(stats(self->fd, &seen));
		EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
		EXPECT_TRUE(adds_up(&seen));
		EXPECT_EQ(1, seen.nr_regions);
	}
}

TEST_F(profil, child_can_start_stop_or_ask_immediately)
{
	__u64 until = wall_ns() + NSEC_PER_SEC;
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (round = 0; round < 150 && wall_ns() < until; round++) {
		ASSERT_TRUE(PASSES_IN_CHILD(restart_in_child(self, round % 3)));
		ASSERT_TRUE(has_session(self->fd));
	}
	EXPECT_TRUE(spin_until(4, self->counters, 4, 2));
}

/*
 * So many children that some lie in the same bucket of the driver's table of
 * 4096: each is found there, the oldest behind the others.
 */
#define MANY 192

static int stop_and_count(const profil_data *self, unsigned int nr,
			  _Atomic __u64 *hits)
{
	raise(SIGSTOP);
	EXPECT_TRUE(spin_until_samples(self->fd, nr, 1));
	*hits += end_session(self->fd).hits;
	return _metadata->exit_code;
}

/* The children run at the same time, and count in memory that they share. */
TEST_F(profil, each_of_many_children_is_sampled)
{
	_Atomic __u64 *hits = new_shared(page_size());
	void *counters = new_shared(page_size());
	unsigned int nr = rounds_of(MANY, 96);
	static pid_t children[MANY];
	int status;

	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	for (unsigned int i = 0; i < nr; i++) {
		children[i] =
			IN_CHILD(stop_and_count(self, i % NR_SITES, hits));
		ASSERT_EQ(children[i],
			  waitpid(children[i], &status, WUNTRACED));
		ASSERT_TRUE(WIFSTOPPED(status));
	}
	for (unsigned int i = 0; i < nr; i++)
		kill(children[i], SIGCONT);
	for (unsigned int i = 0; i < nr; i++)
		EXPECT_TRUE(exited_with(children[i], 0));
	*hits += end_session(self->fd).hits;
	EXPECT_EQ(*hits, counters_sum(counters, 4, NR_SITES));
}

TEST_HARNESS_MAIN
