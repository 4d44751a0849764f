// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions and processes: fork copies, vfork shares, exec and exit end, and no
 * descriptor has a say in it.
 */
#include "harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#define AFTER_EXEC "after-exec"

/* What a child leaves for its parent to see. */
struct report {
	struct profil_totals totals;
	struct profil_stats stats[2];
	__u64 counter;
	volatile int ready;
};

static struct report *new_report(void)
{
	return new_shared(sizeof(struct report));
}

static int start_with_totals(int fd, void *counters, __u64 period_ns,
			     struct profil_totals *totals)
{
	struct profil_region region = sites_region(counters, 4);
	struct profil_start args = start_of(&region, 1, 4, period_ns);

	args.totals = (uintptr_t)totals;
	return start(fd, &args);
}

static bool has_session(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return !stats(fd, &seen) && seen.flags & PROFIL_STATS_SESSION;
}

/* A session may end a little after the process that it belonged to. */
static bool all_ended(volatile struct profil_totals *totals)
{
	__u64 until = wall_ns() + PATIENCE_NS;

	while (totals->ended != totals->sessions && wall_ns() < until)
		sleep_ns(NSEC_PER_MSEC);
	return totals->ended == totals->sessions &&
	       totals->hits + totals->outside + totals->lost == totals->samples;
}

/*
 * fork
 */
static void count_in_child(struct __test_metadata *_metadata,
			   const profil_data *self, __u64 inherited)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	EXPECT_TRUE(spin_till_hits(self->fd, 2, 4));
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(FAST_NS, seen.period_ns);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(inherited, counter(self->counters, 4, 1));
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 2));
	EXPECT_EQ(seen.hits + inherited,
		  counters_sum(self->counters, 4, NR_SITES));
	EXIT_CHILD();
}

TEST_F(profil, forked_child_counts_in_its_own_copy)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 own;
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_till(1, self->counters, 4, 4));
	own = counter(self->counters, 4, 1);
	child = fork();
	if (!child)
		count_in_child(_metadata, self, own);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_EQ(own, counter(self->counters, 4, 1));
	EXPECT_EQ(0, counter(self->counters, 4, 2));
	EXPECT_TRUE(spin_till(3, self->counters, 4, 4));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

/* The child's first samples find its session still being set up. */
TEST_F(profil, forked_child_loses_nothing_at_its_beginning)
{
	struct report *report = new_report();
	unsigned int round;

	ASSERT_NE(NULL, report);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 100000));
	for (round = 0; round < 40; round++) {
		pid_t child = fork();

		if (!child) {
			report->stats[0] = stats_blank(NULL, 0);
			spin(round, 2 * NSEC_PER_MSEC);
			EXPECT_OK(stop(self->fd, &report->stats[0]));
			report->counter = counter(self->counters, 4, round);
			EXIT_CHILD();
		}
		ASSERT_TRUE(exited_with(child, 0));
		EXPECT_EQ(PROFIL_STATS_SESSION, report->stats[0].flags);
		EXPECT_TRUE(adds_up(&report->stats[0]));
		EXPECT_EQ(0, report->stats[0].lost);
		EXPECT_EQ(report->stats[0].hits, report->counter);
	}
}

TEST_F(profil, forked_child_of_a_forked_child_counts)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child) {
		pid_t grandchild = fork();

		if (!grandchild)
			count_in_child(_metadata, self, 0);
		EXPECT_TRUE(exited_with(grandchild, 0));
		EXPECT_EQ(0, counter(self->counters, 4, 2));
		count_in_child(_metadata, self, 0);
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
}

/* Gives the counters back and has other memory there, which must stay zero. */
static void remap_and_spin(void *counters)
{
	if (munmap(counters, page_size()) ||
	    mmap(counters, page_size(), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != counters)
		_exit(1);
	spin(1, 5 * NSEC_PER_MSEC);
}

TEST_F(profil, memory_in_place_of_counters_in_a_new_child_is_never_written)
{
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, 100000));
	for (round = 0; round < 60; round++) {
		pid_t child = fork();

		if (!child) {
			remap_and_spin(self->counters);
			_exit(!all_bytes(self->counters, 0, page_size()));
		}
		EXPECT_TRUE(exited_with(child, 0));
	}
}

TEST_F(profil, region_that_has_ended_has_ended_in_children_too)
{
	__u32 state = POISON_U32;
	struct profil_stats seen = stats_blank(&state, 1);
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	remap_and_spin(self->counters);
	child = fork();
	if (!child) {
		EXPECT_TRUE(spin_till_samples(self->fd, 2, 3));
		EXPECT_OK(stats(self->fd, &seen));
		EXPECT_EQ(PROFIL_REGION_UNMAPPED, state);
		EXPECT_EQ(0, seen.hits);
		EXPECT_LT(0, seen.outside);
		EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(all_bytes(self->counters, 0, page_size()));
}

static void ignore_alarm(int signal)
{
	(void)signal;
}

/* The kernel gives up on an mm's first notifier when any signal is pending. */
TEST_F(profil, first_start_works_while_signals_come)
{
	struct sigaction action = {
		.sa_handler = ignore_alarm,
		.sa_flags = SA_RESTART,
	};
	struct itimerval often = {
		.it_interval.tv_usec = 200,
		.it_value.tv_usec = 200,
	};
	unsigned int round;

	for (round = 0; round < 60; round++) {
		pid_t child = fork();

		if (!child) {
			sigaction(SIGALRM, &action, NULL);
			setitimer(ITIMER_REAL, &often, NULL);
			spin(1, NSEC_PER_MSEC);
			_exit(-start_sites(self->fd, self->counters, 4, 0));
		}
		EXPECT_TRUE(exited_with(child, 0));
	}
}

TEST_F(profil, shared_counters_go_on_being_shared)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	ASSERT_TRUE(spin_till(1, counters, 4, 3));
	report->stats[0] = stats_blank(NULL, 0);
	report->stats[1] = stats_blank(NULL, 0);
	child = fork();
	if (!child) {
		EXPECT_TRUE(spin_till_hits(self->fd, 2, 3));
		EXPECT_OK(stop(self->fd, &report->stats[1]));
		EXIT_CHILD();
	}
	/* both at one counter, at the same time */
	EXPECT_TRUE(spin_till(2, counters, 4, 30));
	EXPECT_TRUE(exited_with(child, 0));
	ASSERT_OK(stop(self->fd, &report->stats[0]));
	EXPECT_LT(0, report->stats[1].hits);
	EXPECT_EQ(report->stats[0].hits + report->stats[1].hits,
		  counters_sum(counters, 4, NR_SITES));
}

/* Whoever forks while another thread is being sampled loses none of it. */
static void *spin_long(void *argument)
{
	spin((unsigned int)(uintptr_t)argument, 600 * NSEC_PER_MSEC);
	return NULL;
}

TEST_F(profil, forks_do_not_disturb_the_parents_threads)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 until = wall_ns() + 500 * NSEC_PER_MSEC;
	pthread_t thread;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(pthread_create(&thread, NULL, spin_long, (void *)6));
	while (wall_ns() < until) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		ASSERT_TRUE(exited_with(child, 0));
	}
	pthread_join(thread, NULL);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, many_children_that_exit_at_once_each_end)
{
	struct report *report = new_report();
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC, forks = 0;

	ASSERT_NE(NULL, report);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	while (forks < 500 && wall_ns() < until) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		ASSERT_TRUE(exited_with(child, 0));
		forks++;
	}
	EXPECT_TRUE(has_session(self->fd));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(forks + 1,
		  report->totals.sessions + report->totals.unprofiled_children);
	EXPECT_EQ(0, report->totals.lost);
}

/* Some are killed before they have a session that is set up; none misses it. */
TEST_F(profil, children_that_are_killed_at_once_each_end)
{
	struct report *report = new_report();
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC;
	unsigned int forks = 0;
	int status;

	ASSERT_NE(NULL, report);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	for (; forks < 300 && wall_ns() < until; forks++) {
		pid_t child = fork();

		if (!child)
			pause();
		ASSERT_EQ(0, kill(child, SIGKILL));
		ASSERT_EQ(child, waitpid(child, &status, 0));
	}
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(forks + 1, report->totals.sessions);
	EXPECT_EQ(0, report->totals.unprofiled_children);
}

TEST_F(profil, many_children_at_the_same_time_each_count)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	pid_t children[NR_SITES];
	unsigned int i;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_with_totals(self->fd, counters, NSEC_PER_MSEC,
				    &report->totals));
	for (i = 0; i < NR_SITES; i++) {
		children[i] = fork();
		if (!children[i])
			_exit(!spin_till(i, counters, 4, 2));
	}
	for (i = 0; i < NR_SITES; i++)
		EXPECT_TRUE(exited_with(children[i], 0));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(NR_SITES + 1, report->totals.sessions);
	EXPECT_EQ(report->totals.hits, counters_sum(counters, 4, NR_SITES));
}

/* The first thing that the child does races with what fork left to do. */
static void restart_in_child(struct __test_metadata *_metadata,
			     const profil_data *self, unsigned int first)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	void *other = new_pages(page_size());

	if (first == 0) {
		EXPECT_OK(start_sites(self->fd, other, 2, FAST_NS));
		EXPECT_TRUE(spin_till(4, other, 2, 2));
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
	EXIT_CHILD();
}

TEST_F(profil, child_may_start_stop_or_ask_at_once)
{
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC;
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (round = 0; round < 150 && wall_ns() < until; round++) {
		pid_t child = fork();

		if (!child)
			restart_in_child(_metadata, self, round % 3);
		ASSERT_TRUE(exited_with(child, 0));
		ASSERT_TRUE(has_session(self->fd));
	}
	EXPECT_TRUE(spin_till(4, self->counters, 4, 2));
}

/*
 * Descriptors
 */
TEST_F(profil, child_at_its_parents_descriptor_means_itself)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child)
		_exit(stop(self->fd, NULL) || has_session(self->fd));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_till(8, self->counters, 4, 2));
}

TEST_F(profil, closing_every_descriptor_changes_nothing)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int fd;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(close(self->fd));
	EXPECT_TRUE(spin_till(8, self->counters, 4, 5));
	fd = open(PROFIL_DEVICE, O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_OK(stop(fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 8));
	self->fd = fd;
}

/*
 * vfork and other ways to share the address space
 */
static int count_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	return !has_session(self->fd) || !spin_till(2, self->counters, 4, 3);
}

static void check_sharing(struct __test_metadata *_metadata,
			  const profil_data *self, int flags)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	char *stack = new_pages(0x10000);
	pid_t child;

	ASSERT_NE(NULL, stack);
	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = clone(count_in_shared_space, stack + 0x10000, flags | SIGCHLD,
		      (void *)self);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_LE(3, counter(self->counters, 4, 2));
	EXPECT_TRUE(spin_till(3, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, vfork_child_shares_the_session)
{
	check_sharing(_metadata, self, CLONE_VM | CLONE_VFORK);
}

TEST_F(profil, process_in_the_same_address_space_shares_the_session)
{
	check_sharing(_metadata, self, CLONE_VM);
}

/*
 * exec
 */
static void exec_self(void)
{
	execl("/proc/self/exe", "process", AFTER_EXEC, NULL);
	_exit(126);
}

/* What the program does that was executed: 0 when all is as it should be. */
static int after_exec(void)
{
	void *counters = new_pages(page_size());
	int fd = device_open();

	if (!counters || fd < 0)
		return 1;
	spin(5, 10 * NSEC_PER_MSEC);
	if (has_session(fd))
		return 2;
	if (start_sites(fd, counters, 4, FAST_NS))
		return 3;
	if (!spin_till(5, counters, 4, 3))
		return 4;
	return stop(fd, NULL) ? 5 : 0;
}

TEST_F(profil, exec_ends_the_session_and_the_new_program_may_start_one)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	__u64 hits;
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, counters);
	child = fork();
	if (!child) {
		if (start_with_totals(self->fd, counters, FAST_NS,
				      &report->totals) ||
		    !spin_till(1, counters, 4, 3))
			_exit(125);
		exec_self();
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(1, report->totals.sessions);
	hits = counters_sum(counters, 4, NR_SITES);
	EXPECT_LE(3, hits);
	EXPECT_EQ(report->totals.hits, hits);
	EXPECT_EQ(0, counter(counters, 4, 5));
}

TEST_F(profil, exec_of_a_forked_child_leaves_the_parents_session)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child)
		exec_self();
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	EXPECT_EQ(0, counter(self->counters, 4, 5));
}

static int exec_in_shared_space(void *nothing)
{
	(void)nothing;
	exec_self();
	return 0;
}

TEST_F(profil, exec_of_a_vfork_child_leaves_the_parents_session)
{
	char *stack = new_pages(0x10000);
	pid_t child;

	ASSERT_NE(NULL, stack);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = clone(exec_in_shared_space, stack + 0x10000,
		      CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	EXPECT_EQ(0, counter(self->counters, 4, 5));
}

static void *exec_from_thread(void *nothing)
{
	exec_self();
	return nothing;
}

TEST_F(profil, exec_from_a_thread_ends_the_session)
{
	pid_t child = fork();

	if (!child) {
		pthread_t thread;

		if (start_sites(self->fd, self->counters, 4, FAST_NS) ||
		    pthread_create(&thread, NULL, exec_from_thread, NULL))
			_exit(125);
		spin(1, 100 * NSEC_PER_SEC);
	}
	EXPECT_TRUE(exited_with(child, 0));
}

/*
 * Ends
 */
enum way { BY_EXIT, BY_SIGKILL, BY_SEGFAULT, BY_STOP_AND_EXIT, WAYS };

static void raise_segfault(void)
{
	volatile char *volatile nowhere = NULL;

	*nowhere = 0;
}

/* A child under profile that ends as told, or waits for its killer. */
static void die(int fd, void *counters, struct report *report, enum way way)
{
	pthread_t thread;

	if (start_with_totals(fd, counters, FAST_NS, &report->totals) ||
	    pthread_create(&thread, NULL, spin_long, (void *)6) ||
	    !spin_till(1, counters, 4, 5))
		_exit(125);
	report->ready = 1;
	if (way == BY_SEGFAULT)
		raise_segfault();
	if (way == BY_STOP_AND_EXIT && stop(fd, NULL))
		_exit(125);
	if (way == BY_SIGKILL)
		spin(2, 100 * NSEC_PER_SEC);
	_exit(0);
}

static void check_end(struct __test_metadata *_metadata, int fd, enum way way)
{
	struct report *report = new_report();
	void *counters = new_shared(page_size());
	int status;
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, counters);
	child = fork();
	if (!child)
		die(fd, counters, report, way);
	while (!report->ready && !waitpid(child, &status, WNOHANG))
		sleep_ns(NSEC_PER_MSEC);
	if (way == BY_SIGKILL)
		kill(child, SIGKILL);
	waitpid(child, &status, 0);
	EXPECT_EQ(1, report->ready);
	EXPECT_EQ(way == BY_SIGKILL || way == BY_SEGFAULT, WIFSIGNALED(status));
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_EQ(1, report->totals.sessions);
	EXPECT_LE(5, counter(counters, 4, 1));
	EXPECT_EQ(report->totals.hits, counters_sum(counters, 4, NR_SITES));
}

TEST_F(profil, counters_and_totals_survive_the_program_however_it_ends)
{
	enum way way;

	for (way = 0; way < WAYS; way++)
		check_end(_metadata, self->fd, way);
}

TEST_F(profil, totals_are_complete_when_stop_returns)
{
	struct report *report = new_report();
	struct profil_totals *totals = &report->totals;
	unsigned int round;

	ASSERT_NE(NULL, report);
	for (round = 1; round <= 20; round++) {
		struct profil_totals before = *totals;
		struct profil_stats seen = stats_blank(NULL, 0);

		ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
					    totals));
		ASSERT_EQ(round, totals->sessions);
		ASSERT_EQ(round - 1, totals->ended);
		spin(1, NSEC_PER_MSEC);
		ASSERT_OK(stop(self->fd, &seen));
		ASSERT_EQ(round, totals->ended);
		EXPECT_EQ(before.samples + seen.samples, totals->samples);
		EXPECT_EQ(before.hits + seen.hits, totals->hits);
		EXPECT_EQ(before.outside + seen.outside, totals->outside);
		EXPECT_EQ(before.lost + seen.lost, totals->lost);
		EXPECT_EQ(before.kernel_samples + seen.kernel_samples,
			  totals->kernel_samples);
	}
	EXPECT_EQ(totals->hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, session_that_is_replaced_has_ended)
{
	struct report *report = new_report();
	void *other = new_pages(page_size());
	struct profil_totals *totals;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, other);
	totals = &report->totals;
	ASSERT_OK(start_with_totals(self->fd, other, FAST_NS, totals));
	ASSERT_TRUE(spin_till(1, other, 4, 3));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(1, totals->ended);
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
}

/* What is mapped there later is somebody else's. */
TEST_F(profil, totals_are_found_by_page_and_not_by_address)
{
	struct report *report = new_report();
	char *again;

	ASSERT_NE(NULL, report);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	again = mmap(report, page_size(), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	ASSERT_EQ((char *)report, again);
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(again, 0, page_size()));
}

TEST_F(profil, totals_may_be_anywhere_in_a_page)
{
	const size_t step = sizeof(struct profil_totals);
	struct profil_totals *totals = new_shared(page_size());
	size_t i, rest, nr = page_size() / step;

	ASSERT_NE(NULL, totals);
	ASSERT_EQ(128, step);
	for (i = 0; i < nr; i++) {
		ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
					    &totals[i]));
		ASSERT_OK(stop(self->fd, NULL));
		EXPECT_EQ(1, totals[i].sessions);
		EXPECT_EQ(1, totals[i].ended);
		EXPECT_TRUE(all_bytes(totals[i].reserved, 0,
				      sizeof(totals[i].reserved)));
		rest = (nr - i - 1) * step;
		EXPECT_TRUE(all_bytes(totals + i + 1, 0, rest));
	}
}

static void *outlive_leader(void *argument)
{
	const profil_data *self = argument;
	__u64 before;

	sleep_ns(20 * NSEC_PER_MSEC);
	before = counter(self->counters, 4, 3);
	_exit(!has_session(self->fd) ||
	      !spin_till(3, self->counters, 4, before + 5));
}

TEST_F(profil, session_outlives_the_thread_that_began_it)
{
	pid_t child = fork();

	if (!child) {
		pthread_t thread;

		if (start_sites(self->fd, self->counters, 4, FAST_NS) ||
		    pthread_create(&thread, NULL, outlive_leader, self))
			_exit(125);
		syscall(SYS_exit, 0);
	}
	EXPECT_TRUE(exited_with(child, 0));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec();
	return test_harness_run(argc, argv);
}
