// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel cannot detach the hooks as the module exits, since ftrace has failed: the
 * module warns and stays. The machine cannot be used for other tests. With the argument
 * "before" ftrace has failed before the first session, which then cannot be had. Needs
 * tests/faulty/module/kill_ftrace.c.
 */
#include "harness.h"

#define HELPER "/kill_ftrace.ko"

#define STUCK " cannot be detached"

/* Time in which a module that does not wait would be gone */
#define UNLOAD_NS (5 * NSEC_PER_SEC)

static bool kill_before;

/* Wait for a message about each hook that fork and the tick have, in any order. */
static bool wait_for_messages(int kmsg)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	bool fork_seen = false, tick_seen = false;
	char line[1024];

	while (!fork_seen || !tick_seen) {
		ssize_t got = read(kmsg, line, sizeof(line) - 1);

		if (wall_ns() > until)
			return false;
		if (got < 0) {
			sleep_ns(10 * NSEC_PER_MSEC);
			continue;
		}
		line[got] = '\0';
		fork_seen |= !!strstr(line, "uprobe_dup_mmap" STUCK);
		tick_seen |= !!strstr(line, "update_process_times" STUCK);
	}
	return true;
}

/*
 * The child never returns from the call, and cannot be killed: it must keep no
 * descriptor of a pipe that others read to its end.
 */
static void unload_in_child(void)
{
	if (fork())
		return;
	syscall(SYS_close_range, 0, ~0U, 0);
	_exit(unload(O_NONBLOCK) != 0);
}

TEST_F(profil, session_without_ftrace_does_not_start)
{
	if (!kill_before)
		SKIP(return, "the kernel is hooked");
	ASSERT_EQ(-ECANCELED, load_file(HELPER, ""));
	EXPECT_EQ(-ENODEV, start_sites(self->fd, self->counters, 4, 0));
	EXPECT_EQ(-ENODEV, start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

TEST_F(profil, module_with_a_stuck_hook_stays)
{
	int kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (kill_before)
		SKIP(return, "nothing is hooked");
	ASSERT_LE(0, kmsg);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 1));
	ASSERT_LT(0, hooked_as_intended());
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_EQ(-ECANCELED, load_file(HELPER, ""));
	close(self->fd);
	ASSERT_TRUE(wait_until_unused());
	unload_in_child();
	ASSERT_TRUE(wait_for_messages(kmsg));
	sleep_ns(UNLOAD_NS);
	EXPECT_EQ(0, waitpid(-1, NULL, WNOHANG));
	EXPECT_OK(access("/sys/module/profil", F_OK));
}

int main(int argc, char **argv)
{
	kill_before = argc == 2 && !strcmp(argv[1], "before");
	return test_harness_run(1, argv);
}
