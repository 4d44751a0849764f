// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ends an attached session: STOP, the descriptor, exec and exit of the attached
 * process. Whatever comes first, the caller's memory is left alone afterwards. Children
 * that an attached process forks are counted, too, if the descriptor was attached with
 * PROFIL_ATTACH_CHILDREN.
 */
#include "harness.h"

#include <sched.h>

#include "common.h"

#define CHILD 21
#define GRANDCHILD 22

/* Spin in a child and a grandchild, for as long as the parent lives. */
static int fork_twice(void *nothing)
{
	unsigned int site = CHILD;

	(void)nothing;
	if (!fork()) {
		if (!fork())
			site = GRANDCHILD;
		return spin_forever(site);
	}
	pause();
	return 0;
}

/* All processes of the group end with their group. */
static int in_a_group(void *argument)
{
	setpgid(0, 0);
	return fork_twice(argument);
}

TEST_F(profil, children_and_grandchildren_are_followed)
{
	pid_t pid = tracee_new(in_a_group, NULL);

	ASSERT_OK(sample_tracee(self->fd, pid, PROFIL_ATTACH_CHILDREN,
				self->counters, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	EXPECT_EQ(0, stats_now(self->fd).unprofiled_children);
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill(-pid, SIGKILL);
	EXPECT_TRUE(wait_until_gone(self->fd));
}

/* A child that is forked between two sessions is in the second. */
TEST_F(profil, children_are_followed_without_a_session)
{
	pid_t pid = tracee_new(in_a_group, NULL);

	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	tracee_release(pid);
	sleep_ns(100 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	kill(-pid, SIGKILL);
}

/* Let a child use CPU time, then spin at CHILD. */
static int fork_once(void *nothing)
{
	unsigned int site = CHILD;
	pid_t child = fork();

	(void)nothing;
	if (!child) {
		spin(GRANDCHILD, 20 * FAST_NS);
		_exit(0);
	}
	return exited_with(child, 0) ? spin_forever(site) : 1;
}

TEST_F(profil, children_are_not_followed_unasked)
{
	pid_t pid = tracee_new(fork_once, NULL);

	ASSERT_OK(sample_tracee(self->fd, pid, 0, self->counters, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_EQ(0, counter(self->counters, 4, GRANDCHILD));
	kill_child(pid);
}

static int spin_in_shared_space(void *nothing)
{
	unsigned int site = GRANDCHILD;

	(void)nothing;
	return spin_forever(site);
}

static int share_space(void *nothing)
{
	char *stack = new_pages(0x10000);

	setpgid(0, 0);
	if (!stack || clone(spin_in_shared_space, stack + 0x10000,
			    CLONE_VM | SIGCHLD, nothing) < 0)
		return 1;
	pause();
	return 0;
}

TEST_F(profil, process_in_the_same_address_space_is_sampled)
{
	pid_t pid = tracee_new(share_space, NULL);

	ASSERT_OK(sample_tracee(self->fd, pid, 0, self->counters, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	kill(-pid, SIGKILL);
	EXPECT_TRUE(wait_until_gone(self->fd));
}

/*
 * More children than the driver has memory for at once: each is followed, or
 * counted as unprofiled.
 */
#define CHILDREN 150

struct family {
	volatile int counted;
	int fd;
};

static int fork_many(void *argument)
{
	struct family *family = argument;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			spin(i % NR_SITES, 4 * FAST_NS);
			_exit(0);
		}
		if (!exited_with(child, 0))
			return 1;
		family->counted++;
	}
	return 0;
}

TEST_F(profil, many_children_leave_nothing_behind)
{
	struct family *family = new_shared(page_size());
	struct profil_stats seen;
	pid_t pid = tracee_new(fork_many, family);

	ASSERT_OK(sample_tracee(self->fd, pid, PROFIL_ATTACH_CHILDREN,
				self->counters, FAST_NS));
	EXPECT_TRUE(exited_with(pid, 0));
	EXPECT_EQ(CHILDREN, family->counted);
	EXPECT_TRUE(wait_until_gone(self->fd));
	seen = end_session(self->fd);
	TH_LOG("%llu samples, %llu unprofiled children", seen.samples,
	       seen.unprofiled_children);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

/*
 * Ends of sessions
 */
#define SITE 5
#define AFTER_EXEC "after-exec"

/* A process that spins, and a session on it that has samples. */
static pid_t attached(const profil_data *self, int fd)
{
	pid_t pid = tracee_that_spins(SITE);

	ASSERT_OK(sample_tracee(fd, pid, 0, self->counters, FAST_NS));
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
	pid_t pid = attached(self, self->fd);
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
	pid_t pid = attached(self, fd);

	ASSERT_OK(close(fd));
	EXPECT_TRUE(is_quiet(self->counters));
	EXPECT_EQ(0, status_pages("VmPin:"));
	/* The address space is free for another descriptor. */
	EXPECT_OK(attach_untraced(self->fd, pid, 0));
	kill_child(pid);
}

TEST_F(profil, start_finds_no_process_after_the_end_of_all)
{
	pid_t pid = attached(self, self->fd);

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

static int exec_when_told(void *nothing)
{
	(void)nothing;
	signal(SIGUSR1, exec_self);
	return spin_forever(SITE);
}

TEST_F(profil, exec_detaches_the_process)
{
	pid_t pid = tracee_new(exec_when_told, NULL);
	__u64 before;

	ASSERT_OK(sample_tracee(self->fd, pid, PROFIL_ATTACH_CHILDREN,
				self->counters, FAST_NS));
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
	pid_t pid = tracee_that_spins(SITE);
	void *counters = new_pages(page_size());
	__u64 outside;

	ASSERT_OK(sample_tracee(self->fd, pid, 0, counters, FAST_NS));
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

	for (i = 0; i < 100; i++) {
		int fd = device_open(), result;
		pid_t pid = tracee_that_spins(SITE), killer;

		ASSERT_LE(0, fd);
		killer = fork();
		if (!killer) {
			sleep_ns(i * 20 * NSEC_PER_USEC);
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
	pid_t pid = attached(self, fd);

	EXPECT_LT(before, references());
	ASSERT_OK(close(fd));
	EXPECT_EQ(0, status_pages("VmPin:"));
	EXPECT_TRUE(wait_for_nothing_left(before));
	kill_child(pid);
}

static int after_exec(void)
{
	unsigned int other = SITE + 1;

	return spin_forever(other);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec();
	return test_harness_run(argc, argv);
}
