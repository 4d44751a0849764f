// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ends an attached session: STOP, the descriptor, exec and exit of the
 * attached process. Whatever comes first, the caller's memory is left alone
 * afterwards.
 */
#include "harness.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module.h"
#include "report.h"
#include "tracee.h"

#define SITE 5
#define AFTER_EXEC "after-exec"

static unsigned int spin_site = SITE;

/* A process that spins, and a session on it that has samples. */
static pid_t attached(struct __test_metadata *_metadata,
		      const profil_data *self, int fd)
{
	pid_t pid = tracee_that_spins(&spin_site);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(fd, pid, 0));
	ASSERT_OK(start_sites(fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(fd, self->counters, SITE, 3));
	return pid;
}

/* The process runs on, so a sample would come within the time of some. */
static bool is_quiet(const void *counters)
{
	__u64 before = counters_sum(counters, 4, NR_SITES);

	sleep_ns(20 * FAST_NS);
	return counters_sum(counters, 4, NR_SITES) == before;
}

TEST_F(profil, stop_ends_the_session_and_start_begins_another)
{
	pid_t pid = attached(_metadata, self, self->fd);
	__u64 before;

	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(is_quiet(self->counters));
	EXPECT_EQ(0, stats_now(self->fd).flags);
	before = counter(self->counters, 4, SITE);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, SITE, before + 3));
	kill_child(pid);
}

TEST_F(profil, closing_the_descriptor_ends_the_session)
{
	int fd = device_open();
	pid_t pid = attached(_metadata, self, fd);

	ASSERT_OK(close(fd));
	EXPECT_TRUE(is_quiet(self->counters));
	EXPECT_EQ(0, status_pages("VmPin:"));
	/* The address space is free for another descriptor. */
	EXPECT_OK(attach_untraced(self->fd, pid, 0));
	kill_child(pid);
}

TEST_F(profil, start_finds_no_process_after_the_end_of_all)
{
	pid_t pid = attached(_metadata, self, self->fd);

	kill_child(pid);
	EXPECT_TRUE(wait_until_gone(self->fd));
	EXPECT_EQ(-ESRCH, start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(PROFIL_STATS_SESSION | PROFIL_STATS_GONE,
		  stats_now(self->fd).flags);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

/* Spin, and execute a program that spins elsewhere once asked by SIGUSR1. */
static void exec_self(int signal)
{
	(void)signal;
	execl("/proc/self/exe", "ends", AFTER_EXEC, NULL);
	_exit(126);
}

static int exec_when_told(void *site)
{
	signal(SIGUSR1, exec_self);
	return spin_forever(site);
}

TEST_F(profil, exec_detaches_the_process)
{
	pid_t pid = tracee_new(exec_when_told, &spin_site);
	__u64 before;

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, SITE, 3));
	kill(pid, SIGUSR1);
	EXPECT_TRUE(wait_until_gone(self->fd));
	before = stats_now(self->fd).samples;
	sleep_ns(20 * FAST_NS);
	EXPECT_EQ(before, stats_now(self->fd).samples);
	EXPECT_EQ(0, counter(self->counters, 4, SITE + 1));
	kill_child(pid);
}

/* The end of the memory that is counted in, while the attached process runs. */
TEST_F(profil, unmapped_counters_end_their_region)
{
	pid_t pid = tracee_that_spins(&spin_site);
	void *counters = new_pages(page_size());
	__u64 outside;

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, counters, SITE, 3));
	ASSERT_OK(munmap(counters, page_size()));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	outside = stats_now(self->fd).outside;
	while (stats_now(self->fd).outside < outside + 3)
		sleep_ns(NSEC_PER_MSEC);
	kill_child(pid);
}

/*
 * The process dies at any moment of ATTACH and START.
 */
TEST_F(profil, process_may_die_at_any_time)
{
	unsigned int i;

	for (i = 0; i < 200; i++) {
		int fd = device_open(), result;
		pid_t pid = tracee_that_spins(&spin_site), killer;

		ASSERT_LE(0, fd);
		ASSERT_LT(0, pid);
		killer = fork();
		if (!killer) {
			sleep_ns(i * 10 * NSEC_PER_USEC);
			kill(pid, SIGKILL);
			_exit(0);
		}
		result = attach_to(fd, pid, i & 1);
		ASSERT_TRUE(!result || result == -ESRCH || result == -EPERM);
		if (!result)
			result = start_sites(fd, self->counters, 4, FAST_NS);
		ASSERT_TRUE(!result || result == -ESRCH || result == -EPERM);
		waitpid(killer, NULL, 0);
		waitpid(pid, NULL, 0);
		ASSERT_OK(close(fd));
	}
	EXPECT_EQ(0, status_pages("VmPin:"));
	EXPECT_TRUE(is_quiet(self->counters));
}

/* The module is in use by the descriptor, and by nothing after it is closed. */
TEST_F(profil, nothing_is_left_behind)
{
	long before = references();
	int fd = device_open();
	pid_t pid = attached(_metadata, self, fd);

	EXPECT_LT(before, references());
	ASSERT_OK(close(fd));
	EXPECT_EQ(0, status_pages("VmPin:"));
	EXPECT_TRUE(wait_for_nothing_left(before));
	kill_child(pid);
}

static int after_exec(void)
{
	unsigned int other = SITE + 1;

	return spin_forever(&other);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec();
	return test_harness_run(argc, argv);
}
