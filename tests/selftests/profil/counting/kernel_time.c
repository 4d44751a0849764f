// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time in the kernel: the number of its samples and their PCs, and a SIGPROF
 * profile that runs at the same time. Needs machine_counts().
 */
#include "harness.h"

#define MIB 0x100000UL

/* Time in the kernel */

/*
 * Start a session with a counter for every four bytes of do_call and do_store.
 */
static int start_calls(int fd, void *counters, __u64 period_ns, __u32 flags)
{
	return start_one(fd,
			 region_of(counters, KERNEL_ENTRY_BYTES,
				   (void *)do_call, 0x10000),
			 4, period_ns, flags);
}

static __u64 calls_counter(const void *counters, const char *pc)
{
	return counter(counters, 4, (size_t)(pc - (const char *)do_call) / 4);
}

/* Spend much time in system calls and little in user mode. */
static bool call_for_long(int zero, char *buffer)
{
	for (int i = 0; i < 16; i++)
		if (do_call(SYS_read, zero, (long)buffer, MIB) != (long)MIB)
			return false;
	return true;
}

/* Spend much time in page faults and little in user mode. */
static bool fault_for_long(int zero, char *buffer)
{
	(void)zero;
	if (do_call(SYS_madvise, (long)buffer, 4 * MIB, MADV_DONTNEED))
		return false;
	do_store(buffer, 1, 4 * MIB);
	return true;
}

/* Enter the kernel until @ticks samples have been taken there. */
static void enter_kernel(int fd, bool (*enter)(int zero, char *buffer),
			 __u64 ticks)
{
	char *buffer = new_pages(4 * MIB);
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, zero);
	madvise(buffer, 4 * MIB, MADV_NOHUGEPAGE);
	do {
		ASSERT_TRUE(enter(zero, buffer));
	} while (stats_now(fd).kernel_samples < ticks);
	close(zero);
	munmap(buffer, 4 * MIB);
}

static void check_charged(const profil_data *self, __u64 period_ns,
			  bool (*enter)(int zero, char *buffer), const char *pc)
{
	struct profil_stats seen;
	__u64 around = thread_ns(), switched = switches(), at, used;

	memset(self->counters, 0, page_size());
	ASSERT_OK(start_calls(self->fd, self->counters, period_ns, 0));
	used = thread_ns();
	enter_kernel(self->fd, enter, 40);
	used = thread_ns() - used;
	seen = end_session(self->fd);
	around = thread_ns() - around;
	switched = switches() - switched;
	at = calls_counter(self->counters, after_call) +
	     calls_counter(self->counters, the_store);
	TH_LOG("%llu samples, %llu in the kernel, %llu at the calls; %llu switches",
	       seen.samples, seen.kernel_samples, at, switched);
	EXPECT_GE(seen.samples, seen.kernel_samples);
	EXPECT_TRUE(all_due(seen.samples, used, around,
			    period_ns ?: tick_ns(self->fd), switched));
	EXPECT_LE(seen.kernel_samples / 4 * 3, at);
	EXPECT_LT(0, calls_counter(self->counters, pc));
	EXPECT_EQ(seen.hits,
		  counters_sum(self->counters, 4, KERNEL_ENTRY_BYTES / 4));
}

TEST_F(profil, time_in_the_kernel_is_charged_to_its_instruction)
{
	check_charged(self, 0, call_for_long, after_call);
	check_charged(self, FAST_NS, call_for_long, after_call);
	check_charged(self, 0, fault_for_long, the_store);
	check_charged(self, FAST_NS, fault_for_long, the_store);
}

/*
 * Only samples in user mode remain. Few are expected, some of them at the
 * instruction after the call, where delayed interrupts are taken.
 */
static void check_user_only(const profil_data *self, __u64 period_ns)
{
	struct profil_stats seen;

	memset(self->counters, 0, page_size());
	ASSERT_OK(start_calls(self->fd, self->counters, period_ns,
			      PROFIL_F_USER_ONLY));
	enter_kernel(self->fd, call_for_long, 40);
	seen = end_session(self->fd);
	TH_LOG("%llu samples in user mode, %llu in the kernel", seen.samples,
	       seen.kernel_samples);
	EXPECT_GE(seen.kernel_samples / 2, seen.samples);
	EXPECT_EQ(seen.hits,
		  counters_sum(self->counters, 4, KERNEL_ENTRY_BYTES / 4));
}

TEST_F(profil, user_only_takes_no_sample_in_the_kernel)
{
	check_user_only(self, 0);
	check_user_only(self, FAST_NS);
}

TEST_F(profil, user_only_takes_every_sample_in_user_mode)
{
	struct profil_stats seen;
	__u64 around = thread_ns(), switched = switches(), used;

	ASSERT_OK(start_one(self->fd, sites_region(self->counters, 4), 4,
			    FAST_NS, PROFIL_F_USER_ONLY));
	used = thread_ns();
	spin(3, 100 * NSEC_PER_MSEC);
	used = thread_ns() - used;
	seen = end_session(self->fd);
	around = thread_ns() - around;
	switched = switches() - switched;
	TH_LOG("%llu samples in user mode, %llu in the kernel", seen.samples,
	       seen.kernel_samples);
	EXPECT_TRUE(all_due(seen.samples + seen.kernel_samples, used, around,
			    FAST_NS, switched));
	EXPECT_EQ(seen.samples, counter(self->counters, 4, 3) + seen.outside);
	/* spin() also reads the clock, in the kernel and outside the site. */
	EXPECT_GE(seen.samples / 10, seen.kernel_samples);
	EXPECT_GE(seen.samples / 10, seen.outside);
}

/* The program's own timer */
static volatile sig_atomic_t signals;

static void count_signal(int nr)
{
	(void)nr;
	signals++;
}

#define INTERVAL_US 20000

/* The program profiles itself by SIGPROF while it has a session. */
static void check_own_profile(const profil_data *self, __u64 period_ns)
{
	const struct itimerval interval = { { 0, INTERVAL_US },
					    { 0, INTERVAL_US } };
	const struct itimerval none = { 0 };
	struct profil_stats seen;
	struct itimerval now;
	__u64 around = thread_ns(), switched = switches(), used;

	memset(self->counters, 0, page_size());
	signals = 0;
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	used = thread_ns();
	ASSERT_OK(setitimer(ITIMER_PROF, &interval, NULL));
	spin(5, 300 * NSEC_PER_MSEC);
	ASSERT_OK(getitimer(ITIMER_PROF, &now));
	ASSERT_OK(setitimer(ITIMER_PROF, &none, NULL));
	used = thread_ns() - used;
	seen = end_session(self->fd);
	around = thread_ns() - around;
	switched = switches() - switched;
	TH_LOG("%d signals, %llu samples in %llu us", signals, seen.samples,
	       used / NSEC_PER_USEC);
	EXPECT_EQ(INTERVAL_US, now.it_interval.tv_usec);
	EXPECT_EQ(0, now.it_interval.tv_sec);
	EXPECT_LT(0, now.it_value.tv_usec);
	EXPECT_TRUE(all_due((__u64)signals, used, used,
			    INTERVAL_US * NSEC_PER_USEC, 0));
	EXPECT_TRUE(all_due(seen.samples, used, around,
			    period_ns ?: tick_ns(self->fd), switched));
}

TEST_F(profil, sigprof_and_its_timer_still_work)
{
	struct sigaction action = { .sa_handler = count_signal }, now;

	ASSERT_OK(sigaction(SIGPROF, &action, NULL));
	check_own_profile(self, 0);
	check_own_profile(self, FAST_NS);
	ASSERT_OK(sigaction(SIGPROF, NULL, &now));
	EXPECT_TRUE(now.sa_handler == count_signal);
}

TEST_HARNESS_MAIN
