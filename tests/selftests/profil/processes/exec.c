// SPDX-License-Identifier: GPL-2.0-only
/*
 * exec ends the session together with the address space.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "report.h"

#define AFTER_EXEC "after-exec"

static void exec_self(void)
{
	execl("/proc/self/exe", "exec", AFTER_EXEC, NULL);
	_exit(126);
}

/*
 * The executed program has no session and can start one. Return 0 or the step
 * that failed.
 */
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
	if (!spin_until(5, counters, 4, 3))
		return 4;
	return stop(fd, NULL) ? 5 : 0;
}

TEST_F(profil, exec_ends_the_session_and_the_new_program_can_start_one)
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
		    !spin_until(1, counters, 4, 3))
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

TEST_F(profil, exec_of_a_forked_child_keeps_the_parents_session)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child)
		exec_self();
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	EXPECT_EQ(0, counter(self->counters, 4, 5));
}

static int exec_in_shared_space(void *nothing)
{
	(void)nothing;
	exec_self();
	return 0;
}

TEST_F(profil, exec_of_a_vfork_child_keeps_the_parents_session)
{
	char *stack = new_pages(0x10000);
	pid_t child;

	ASSERT_NE(NULL, stack);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = clone(exec_in_shared_space, stack + 0x10000,
		      CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
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

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec();
	return test_harness_run(argc, argv);
}
