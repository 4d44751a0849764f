// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a process ends its session. Counters and totals are complete then.
 */
#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "report.h"

enum way { BY_EXIT, BY_SIGKILL, BY_SEGFAULT, BY_STOP_AND_EXIT, WAYS };

static void raise_segfault(void)
{
	volatile char *volatile nowhere = NULL;

	*nowhere = 0;
}

/* A profiled child that ends in @way, or waits to be killed. */
static void die(int fd, void *counters, struct report *report, enum way way)
{
	pthread_t thread;

	if (start_with_totals(fd, counters, FAST_NS, &report->totals) ||
	    pthread_create(&thread, NULL, spin_600_ms, (void *)6) ||
	    !spin_until(1, counters, 4, 5))
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

TEST_F(profil, counters_and_totals_survive_every_kind_of_exit)
{
	enum way way;

	for (way = 0; way < WAYS; way++)
		check_end(_metadata, self->fd, way);
}

static void *outlive_leader(void *argument)
{
	const profil_data *self = argument;
	__u64 before;

	sleep_ns(20 * NSEC_PER_MSEC);
	before = counter(self->counters, 4, 3);
	_exit(!has_session(self->fd) ||
	      !spin_until(3, self->counters, 4, before + 5));
}

TEST_F(profil, session_outlives_the_thread_that_started_it)
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

TEST_HARNESS_MAIN
