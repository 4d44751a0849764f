// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiling leaves the program's signals, timers and system calls unchanged.
 */
#include "harness.h"

#include <linux/futex.h>
#include <poll.h>

#include "process_state.h"

/* System calls that wait, while another thread is sampled */
#define WAIT_NS (300 * NSEC_PER_MSEC)

/*
 * Each function waits for WAIT_NS. Return 0, or the errno of an interruption.
 */
static int wait_nanosleep(void)
{
	struct timespec left = { .tv_nsec = WAIT_NS };

	return nanosleep(&left, NULL) ? errno : 0;
}

static int wait_poll(void)
{
	return poll(NULL, 0, WAIT_NS / NSEC_PER_MSEC) ? errno : 0;
}

static int wait_futex(void)
{
	struct timespec left = { .tv_nsec = WAIT_NS };
	__u32 word = 1;

	if (!syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &left, NULL, 0))
		return -1;
	return errno == ETIMEDOUT ? 0 : errno;
}

static void *write_later(void *fd)
{
	sleep_ns(WAIT_NS);
	return (void *)write((int)(intptr_t)fd, "x", 1);
}

static int wait_read(void)
{
	pthread_t writer;
	int ends[2], result = 0;
	char byte;

	if (pipe(ends) || pthread_create(&writer, NULL, write_later,
					 (void *)(intptr_t)ends[1]))
		return errno;
	if (read(ends[0], &byte, 1) != 1)
		result = errno;
	pthread_join(writer, NULL);
	close(ends[0]);
	close(ends[1]);
	return result;
}

static int wait_for_child(void)
{
	pid_t child = fork();

	if (!child) {
		sleep_ns(WAIT_NS);
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child ? 0 : errno;
}

static const struct {
	const char *name;
	int (*wait)(void);
} waits[] = {
	{ "nanosleep", wait_nanosleep }, { "poll", wait_poll },
	{ "futex", wait_futex },	 { "read", wait_read },
	{ "waitpid", wait_for_child },
};

static void check_waits(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(waits); i++) {
		__u64 begin = wall_ns();

		EXPECT_EQ(0, waits[i].wait())
		{
			TH_LOG("%s", waits[i].name);
		}
		EXPECT_LE(WAIT_NS, wall_ns() - begin)
		{
			TH_LOG("%s", waits[i].name);
		}
	}
}

TEST_F(profil, no_system_call_is_interrupted)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(busy_threads_begin(1, 8, false));
	check_waits();
	EXPECT_TRUE(spin_until(8, self->counters, 4, 1));
	busy_threads_end();
	end_session(self->fd);
}

/* Signals and timers */
static bool nothing_pending(void)
{
	sigset_t pending;

	if (sigpending(&pending))
		return false;
	for (int nr = 1; nr < 65; nr++)
		if (sigismember(&pending, nr) == 1)
			return false;
	return true;
}

TEST_F(profil, no_signal_timer_or_handler_is_used)
{
	static struct process_state before, during, after;
	sigset_t all;

	sigfillset(&all);
	ASSERT_OK(sigprocmask(SIG_BLOCK, &all, NULL));
	ASSERT_TRUE(process_state_read(&before));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(5, self->counters, 4, 200));
	ASSERT_TRUE(process_state_read(&during));
	EXPECT_TRUE(process_state_equal(&before, &during));
	EXPECT_TRUE(nothing_pending());
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_TRUE(process_state_read(&after));
	EXPECT_TRUE(process_state_equal(&before, &after));
	EXPECT_TRUE(nothing_pending());
}

TEST_HARNESS_MAIN
