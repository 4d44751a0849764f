// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct profil_totals: complete at the end of a session, bound to a page, and at any
 * aligned place in it; and the CPU time in it, with the part of that which samples stand
 * for. The reference is the CPU clock of the process, read inside of the session and
 * around it. Late ticks of the machine change neither.
 */
#include "harness.h"
#include "program.h"

TEST_F(profil, totals_are_complete_when_stop_returns)
{
	struct report *report = new_report();
	struct profil_totals *totals = &report->totals;

	for (unsigned int round = 1; round <= 20; round++) {
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

TEST_F(profil, replaced_session_has_ended)
{
	struct report *report = new_report();
	void *other = new_pages(page_size());
	struct profil_totals *totals;

	totals = &report->totals;
	ASSERT_OK(start_with_totals(self->fd, other, FAST_NS, totals));
	ASSERT_TRUE(spin_until(1, other, 4, 3));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(1, totals->ended);
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
}

/* Memory mapped later at the address of the totals is not written. */
TEST_F(profil, totals_are_bound_to_a_page_not_an_address)
{
	struct report *report = new_report();
	char *again;

	ASSERT_OK(start_reported(self->fd, self->counters, report));
	again = map_zeros(report);
	ASSERT_EQ((char *)report, again);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(again, 0, page_size()));
}

TEST_F(profil, totals_may_be_anywhere_in_a_page)
{
	const size_t step = sizeof(struct profil_totals);
	struct profil_totals *totals = new_shared(page_size());
	size_t i, rest, nr = page_size() / step;

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

/* CPU time */
#define SPIN_NS (20 * NSEC_PER_MSEC)

/*
 * CPU time in a session: @inner_ns at least, and @outer_ns at the most. In shared
 * memory of a child and its parent.
 */
struct bounds {
	__u64 inner_ns;
	__u64 outer_ns;
};

static void check_bounds(const struct profil_totals *totals,
			 const struct bounds *bounds)
{
	TH_LOG("%llu us, of %llu to %llu us", totals->cpu_ns / NSEC_PER_USEC,
	       bounds->inner_ns / NSEC_PER_USEC,
	       bounds->outer_ns / NSEC_PER_USEC);
	EXPECT_LE(SPIN_NS, bounds->inner_ns);
	EXPECT_LE(bounds->inner_ns, totals->cpu_ns);
	EXPECT_GE(bounds->outer_ns, totals->cpu_ns);
	EXPECT_EQ(totals->samples * FAST_NS, totals->sampled_ns);
}

/* Spin in a session that begins here. The time before is not in it. */
static int spin_in_session(int fd, void *counters, struct profil_totals *totals,
			   struct bounds *bounds)
{
	int error;

	spin(2, SPIN_NS);
	bounds->outer_ns = process_ns();
	error = start_with_totals(fd, counters, FAST_NS, totals);
	bounds->inner_ns = process_ns();
	spin(1, SPIN_NS);
	bounds->inner_ns = process_ns() - bounds->inner_ns;
	return error;
}

static void has_ended_here(struct bounds *bounds)
{
	bounds->outer_ns = process_ns() - bounds->outer_ns;
	spin(2, SPIN_NS);
}

TEST_F(profil, time_until_a_session_is_replaced)
{
	struct report *report = new_report();
	struct bounds bounds;

	ASSERT_OK(spin_in_session(self->fd, self->counters, &report->totals,
				  &bounds));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	has_ended_here(&bounds);
	check_bounds(&report->totals, &bounds);
}

static void *spin_in_thread(void *nothing)
{
	spin(3, SPIN_NS);
	return nothing;
}

TEST_F(profil, time_of_threads_that_have_ended)
{
	struct report *report = new_report();
	struct bounds bounds;
	pthread_t thread;
	__u64 before;

	ASSERT_OK(spin_in_session(self->fd, self->counters, &report->totals,
				  &bounds));
	before = process_ns();
	ASSERT_OK(pthread_create(&thread, NULL, spin_in_thread, NULL));
	pthread_join(thread, NULL);
	bounds.inner_ns += process_ns() - before;
	EXPECT_EQ(0, report->totals.cpu_ns);
	ASSERT_OK(stop(self->fd, NULL));
	has_ended_here(&bounds);
	EXPECT_LE(2 * SPIN_NS, bounds.inner_ns);
	check_bounds(&report->totals, &bounds);
}

/* CPU time of a child behind exec, ten times that of its session */
#define AFTER_EXEC_NS "200000000"

/* The kernel counts the CPU time of a child in microseconds. */
#define ROUNDING_NS (2 * NSEC_PER_USEC)

/*
 * A child that begins a session, and ends it by @leave. Its process has @after_ns of
 * CPU time at least after that.
 */
static void check_child(const profil_data *self, void (*leave)(void),
			__u64 after_ns)
{
	struct report *report = new_report();
	struct bounds *bounds = new_shared(page_size());
	pid_t child;

	child = fork();
	if (!child) {
		if (spin_in_session(self->fd, self->counters, &report->totals,
				    bounds))
			_exit(125);
		leave();
	}
	bounds->outer_ns =
		cpu_time_of(child) + ROUNDING_NS - after_ns - bounds->outer_ns;
	EXPECT_TRUE(all_ended(&report->totals));
	check_bounds(&report->totals, bounds);
}

static void leave_by_exit(void)
{
	_exit(0);
}

/* program_new() describes the program that is executed. */
static void leave_by_exec(void)
{
	execl("/proc/self/exe", "totals", "spin", AFTER_EXEC_NS, NULL);
	_exit(126);
}

TEST_F(profil, time_until_exit_or_exec)
{
	check_child(self, leave_by_exit, 0);
	check_child(self, leave_by_exec, strtoull(AFTER_EXEC_NS, NULL, 10));
}

/* The child's session begins with its process: all of its time is in it. */
TEST_F(profil, time_of_a_forked_child)
{
	struct report *report = new_report();
	struct bounds *bounds = new_shared(page_size());
	pid_t child;

	ASSERT_OK(start_reported(self->fd, self->counters, report));
	child = fork();
	if (!child) {
		spin(1, SPIN_NS);
		bounds->inner_ns = process_ns();
		_exit(0);
	}
	bounds->outer_ns = cpu_time_of(child) + ROUNDING_NS;
	while (!*(volatile __u64 *)&report->totals.ended)
		sleep_ns(NSEC_PER_MSEC);
	check_bounds(&report->totals, bounds);
	ASSERT_OK(stop(self->fd, NULL));
}

TEST_F(profil, kernel_mode_is_not_missing_in_samples_of_user_mode)
{
	struct report *report = new_report();
	struct profil_totals *totals = &report->totals;

	ASSERT_OK(start_one(self->fd, sites_region(self->counters, 4), 4,
			    FAST_NS, PROFIL_F_USER_ONLY, totals));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 3));
	while (!stats_now(self->fd).kernel_samples)
		;
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_LT(0, totals->kernel_samples);
	EXPECT_EQ((totals->samples + totals->kernel_samples) * FAST_NS,
		  totals->sampled_ns);
}

/* Sessions without a known time */
static void check_unknown(const struct profil_totals *totals)
{
	EXPECT_EQ(1, totals->ended);
	EXPECT_LT(0, totals->samples);
	EXPECT_EQ(0, totals->cpu_ns);
	EXPECT_EQ(0, totals->sampled_ns);
}

/* The process has CPU time by then that the kernel knows. */
static int stop_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	while (process_ns() < 2 * SPIN_NS)
		spin(2, SPIN_NS);
	return stop(self->fd, NULL);
}

TEST_F(profil, a_process_in_the_same_address_space_does_not_tell_the_time)
{
	struct report *report = new_report();
	pid_t child;

	ASSERT_OK(start_reported(self->fd, self->counters, report));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 3));
	child = child_by_clone(CLONE_VM, stop_in_shared_space, self);
	EXPECT_TRUE(exited_with(child, 0));
	check_unknown(&report->totals);
}

TEST_F(profil, a_full_session_does_not_tell_the_time)
{
	struct report *report = new_report();

	((__u32 *)self->counters)[1] = 32766;
	ASSERT_OK(start_one(self->fd, sites_region(self->counters, 4), 4,
			    FAST_NS, PROFIL_F_STOP_AT_32767, &report->totals));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 32767));
	spin(1, SPIN_NS);
	ASSERT_OK(stop(self->fd, NULL));
	check_unknown(&report->totals);
}

TEST_HARNESS_MAIN
