// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPU time of sessions in the totals, and the part of it that samples stand for.
 * The reference is the CPU clock of the process, read inside of the session and
 * around it. Late ticks of the machine change neither.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "tracee.h"

#define SPIN_NS (20 * NSEC_PER_MSEC)

#define AFTER_EXEC "after-exec"

/*
 * CPU time in a session: @inner_ns at least, and @outer_ns at the most. In shared
 * memory of a child and its parent.
 */
struct bounds {
	__u64 inner_ns;
	__u64 outer_ns;
};

static void check_bounds(struct __test_metadata *_metadata,
			 const struct profil_totals *totals,
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

TEST_F(profil, time_from_start_to_stop)
{
	struct report *report = new_report();
	struct bounds bounds;

	ASSERT_NE(NULL, report);
	ASSERT_OK(spin_in_session(self->fd, self->counters, &report->totals,
				  &bounds));
	EXPECT_EQ(0, report->totals.cpu_ns);
	ASSERT_OK(stop(self->fd, NULL));
	has_ended_here(&bounds);
	check_bounds(_metadata, &report->totals, &bounds);
}

TEST_F(profil, time_until_a_session_is_replaced)
{
	struct report *report = new_report();
	struct bounds bounds;

	ASSERT_NE(NULL, report);
	ASSERT_OK(spin_in_session(self->fd, self->counters, &report->totals,
				  &bounds));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	has_ended_here(&bounds);
	check_bounds(_metadata, &report->totals, &bounds);
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

	ASSERT_NE(NULL, report);
	ASSERT_OK(spin_in_session(self->fd, self->counters, &report->totals,
				  &bounds));
	before = process_ns();
	ASSERT_OK(pthread_create(&thread, NULL, spin_in_thread, NULL));
	pthread_join(thread, NULL);
	bounds.inner_ns += process_ns() - before;
	ASSERT_OK(stop(self->fd, NULL));
	has_ended_here(&bounds);
	EXPECT_LE(2 * SPIN_NS, bounds.inner_ns);
	check_bounds(_metadata, &report->totals, &bounds);
}

/* The CPU time of @child, which has ended: the kernel counts in microseconds. */
static __u64 wait_for_usage(pid_t child)
{
	struct rusage used;
	int status;

	if (wait4(child, &status, 0, &used) != child || status)
		return 0;
	return (__u64)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) *
		       NSEC_PER_SEC +
	       (__u64)(used.ru_utime.tv_usec + used.ru_stime.tv_usec + 2) *
		       NSEC_PER_USEC;
}

/*
 * A child that begins a session, and ends it by @leave. Its process has @after_ns of
 * CPU time at least after that.
 */
static void check_child(struct __test_metadata *_metadata,
			const profil_data *self, void (*leave)(void),
			__u64 after_ns)
{
	struct report *report = new_report();
	struct bounds *bounds = new_shared(page_size());
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, bounds);
	child = fork();
	if (!child) {
		if (spin_in_session(self->fd, self->counters, &report->totals,
				    bounds))
			_exit(125);
		leave();
	}
	bounds->outer_ns = wait_for_usage(child) - after_ns - bounds->outer_ns;
	EXPECT_TRUE(all_ended(&report->totals));
	check_bounds(_metadata, &report->totals, bounds);
}

static void leave_by_exit(void)
{
	_exit(0);
}

TEST_F(profil, time_until_exit)
{
	check_child(_metadata, self, leave_by_exit, 0);
}

static void leave_by_exec(void)
{
	execl("/proc/self/exe", "cpu_time", AFTER_EXEC, NULL);
	_exit(126);
}

TEST_F(profil, time_until_exec)
{
	check_child(_metadata, self, leave_by_exec, 10 * SPIN_NS);
}

/* The child's session begins with its process: all of its time is in it. */
TEST_F(profil, time_of_a_forked_child)
{
	struct report *report = new_report();
	struct bounds *bounds = new_shared(page_size());
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, bounds);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	child = fork();
	if (!child) {
		spin(1, SPIN_NS);
		bounds->inner_ns = process_ns();
		_exit(0);
	}
	bounds->outer_ns = wait_for_usage(child);
	while (!*(volatile __u64 *)&report->totals.ended)
		sleep_ns(NSEC_PER_MSEC);
	check_bounds(_metadata, &report->totals, bounds);
	ASSERT_OK(stop(self->fd, NULL));
}

TEST_F(profil, kernel_mode_is_not_missing_in_samples_of_user_mode)
{
	struct report *report = new_report();
	struct profil_totals *totals = &report->totals;
	struct profil_region region = sites_region(self->counters, 4);
	struct profil_start args = start_of(&region, 1, 4, FAST_NS);

	ASSERT_NE(NULL, report);
	args.flags = PROFIL_F_USER_ONLY;
	args.totals = (uintptr_t)totals;
	ASSERT_OK(start(self->fd, &args));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 3));
	while (!stats_now(self->fd).kernel_samples)
		;
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_LT(0, totals->kernel_samples);
	EXPECT_EQ((totals->samples + totals->kernel_samples) * FAST_NS,
		  totals->sampled_ns);
}

/*
 * Sessions without a known time
 */
static void check_unknown(struct __test_metadata *_metadata,
			  const struct profil_totals *totals)
{
	EXPECT_EQ(1, totals->ended);
	EXPECT_LT(0, totals->samples);
	EXPECT_EQ(0, totals->cpu_ns);
	EXPECT_EQ(0, totals->sampled_ns);
}

static int stop_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	return stop(self->fd, NULL);
}

TEST_F(profil, a_process_in_the_same_address_space_does_not_tell_the_time)
{
	struct report *report = new_report();
	char *stack = new_pages(0x10000);
	pid_t child;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, stack);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 3));
	child = clone(stop_in_shared_space, stack + 0x10000, CLONE_VM | SIGCHLD,
		      self);
	EXPECT_TRUE(exited_with(child, 0));
	check_unknown(_metadata, &report->totals);
}

TEST_F(profil, a_full_session_does_not_tell_the_time)
{
	struct report *report = new_report();
	struct profil_region region = sites_region(self->counters, 4);
	struct profil_start args = start_of(&region, 1, 4, FAST_NS);

	ASSERT_NE(NULL, report);
	args.flags = PROFIL_F_STOP_AT_32767;
	args.totals = (uintptr_t)&report->totals;
	((__u32 *)self->counters)[1] = 32766;
	ASSERT_OK(start(self->fd, &args));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 32767));
	spin(1, SPIN_NS);
	ASSERT_OK(stop(self->fd, NULL));
	check_unknown(_metadata, &report->totals);
}

TEST_F(profil, an_attached_session_does_not_tell_the_time)
{
	struct report *report = new_report();
	unsigned int site = 1;
	pid_t pid = tracee_that_spins(&site);

	ASSERT_NE(NULL, report);
	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
	ASSERT_OK(stop(self->fd, NULL));
	kill_child(pid);
	check_unknown(_metadata, &report->totals);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC)) {
		spin(1, 10 * SPIN_NS);
		return 0;
	}
	return test_harness_run(argc, argv);
}
