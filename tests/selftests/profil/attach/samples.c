// SPDX-License-Identifier: GPL-2.0-only
/*
 * A descriptor that is attached to another process counts the samples of that
 * process, in memory of this one.
 */
#include "harness.h"

#include <pthread.h>

#include "absent_page.h"
#include "common.h"

static void attach_and_count(const profil_data *self, __u64 period_ns)
{
	unsigned int site = 5;
	pid_t pid = tracee_that_spins(site);

	memset(self->counters, 0, page_size());
	ASSERT_OK(sample_tracee(self->fd, pid, 0, self->counters, period_ns));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 5));
	EXPECT_EQ(0, counter(self->counters, 4, 6));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill_child(pid);
	EXPECT_TRUE(wait_until_gone(self->fd));
	EXPECT_EQ(PROFIL_STATS_SESSION | PROFIL_STATS_GONE,
		  stats_now(self->fd).flags);
	stop_and_check(self->fd, self->counters);
	EXPECT_EQ(PROFIL_STATS_GONE, stats_now(self->fd).flags);
}

TEST_F(profil, attached_process_is_sampled_by_the_timer)
{
	attach_and_count(self, FAST_NS);
}

TEST_F(profil, attached_process_is_sampled_by_the_tick)
{
	attach_and_count(self, 0);
}

/*
 * The attached process has a session of its own, in shared memory.
 */
struct self_profiler {
	void *counters;
	__u64 period_ns;
};

static int profile_oneself(void *argument)
{
	const struct self_profiler *self = argument;
	unsigned int site = 7;
	int fd = device_open();

	if (start_sites(fd, self->counters, 4, self->period_ns))
		return 1;
	return spin_forever(site);
}

static void check_both(const profil_data *self, __u64 own_ns, __u64 attached_ns)
{
	struct self_profiler profiler = { new_shared(page_size()), own_ns };
	pid_t pid = tracee_new(profile_oneself, &profiler);
	int fd = device_open();

	ASSERT_NE(NULL, profiler.counters);
	memset(self->counters, 0, page_size());
	ASSERT_OK(sample_tracee(fd, pid, 0, self->counters, attached_ns));
	EXPECT_TRUE(wait_for_count(fd, self->counters, 7, 5));
	EXPECT_TRUE(wait_for_count(fd, profiler.counters, 7, 5));
	kill_child(pid);
	stop_and_check(fd, self->counters);
	close(fd);
}

TEST_F(profil, own_and_attached_session_count_beside_each_other)
{
	check_both(self, FAST_NS, 2 * FAST_NS);
	check_both(self, FAST_NS, 0);
	check_both(self, 0, FAST_NS);
	check_both(self, 0, 0);
}

/* Threads run on other CPUs when the session starts. */
static int spin_in_threads(void *nothing)
{
	unsigned int site = 1;

	(void)nothing;
	if (busy_threads_begin(3, 2, true))
		return 1;
	return spin_forever(site);
}

TEST_F(profil, threads_that_run_already_are_sampled)
{
	pid_t pid = tracee_new(spin_in_threads, NULL);
	unsigned int site;

	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	sleep_ns(20 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (site = 1; site < 5; site++)
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
	kill_child(pid);
	stop_and_check(self->fd, self->counters);
}

/* The session is there before the process is. */
TEST_F(profil, further_processes_join_the_session)
{
	unsigned int sites[2] = { 11, 12 };
	pid_t first = tracee_that_spins(sites[0]);
	pid_t second = tracee_that_spins(sites[1]);

	ASSERT_OK(sample_tracee(self->fd, first, 0, self->counters, FAST_NS));
	ASSERT_OK(attach_to(self->fd, second, 0));
	tracee_release(second);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, 11, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, 12, 3));
	kill_child(first);
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill_child(second);
	EXPECT_TRUE(wait_until_gone(self->fd));
	stop_and_check(self->fd, self->counters);
}

/*
 * So many that some lie in the same bucket of the driver's table of 4096: each
 * is found there, the oldest behind the others.
 */
#define MANY 192

TEST_F(profil, each_of_many_processes_is_sampled)
{
	static unsigned int sites[MANY];
	static pid_t pids[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		sites[i] = i % NR_SITES;
		pids[i] = tracee_that_spins(sites[i]);
		ASSERT_LT(0, pids[i]);
		ASSERT_OK(attach_to(self->fd, pids[i], 0));
	}
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (i = 0; i < MANY; i++) {
		__u64 before = counter(self->counters, 4, sites[i]);

		tracee_release(pids[i]);
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, sites[i],
					   before + 1));
		kill_child(pids[i]);
	}
	EXPECT_TRUE(wait_until_gone(self->fd));
	stop_and_check(self->fd, self->counters);
}

/* START in a second process that has the descriptor: its memory is counted in. */
TEST_F(profil, descriptor_can_be_passed_on)
{
	unsigned int site = 13;
	pid_t pid = tracee_that_spins(site), child;

	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	child = fork();
	if (!child) {
		EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_EQ(0, counter(self->counters, 4, site));
	/* The session has ended with the memory that it counted in. */
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
	kill_child(pid);
}

/*
 * The CPU of an attached process goes off while the process runs there, and comes
 * back: the samples go on.
 */
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"
#define SITE 5
#define ROUNDS 5

static bool counts_on(const profil_data *self)
{
	return wait_for_count(self->fd, self->counters, SITE,
			      counter(self->counters, 4, SITE) + 5);
}

/* The kernel moves the process away, although it is for this CPU only. */
static void check_rounds(const profil_data *self, pid_t pid)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		ASSERT_OK(run_on(pid, 1));
		EXPECT_TRUE(counts_on(self));
		ASSERT_OK(write_text(CPU1_ONLINE, "0"));
		EXPECT_TRUE(counts_on(self));
		ASSERT_OK(write_text(CPU1_ONLINE, "1"));
	}
}

TEST_F(profil, attached_session_survives_cpu_hotplug)
{
	pid_t pid = tracee_that_spins(SITE);

	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_OK(sample_tracee(self->fd, pid, 0, self->counters, FAST_NS));
	check_rounds(self, pid);
	end_session(self->fd);
	kill_child(pid);
}

/*
 * A thread calls START on a descriptor, and another thread attaches the
 * descriptor before START has read its arguments: these end at a page that
 * userfaultfd keeps absent. START has begun on a descriptor that was not
 * attached, so the session is that of the calling program.
 */
/* The sites of the caller and of the attached process */
#define OWN_SITE 3
#define ATTACHED_SITE 5

struct late {
	int fd;
	struct profil_start *args;
	int error;
};

/* The driver has to see zeros in the 8 bytes behind the arguments. */
static void prepare(struct late *late, const struct profil_region *region,
		    char *absent)
{
	late->args = (void *)(absent - sizeof(*late->args));
	*late->args = start_of(region, 1, 4, FAST_NS);
	late->args->size += 8;
}

static void *start_late(void *argument)
{
	struct late *late = argument;

	late->error = start(late->fd, late->args);
	return NULL;
}

/* Attach @fd to @pid while START on the same descriptor waits for @absent. */
static void attach_meanwhile(struct late *late, pid_t pid, char *absent)
{
	int uffd = absent_page_keep(absent);
	pthread_t thread;

	if (uffd < 0)
		SKIP(return, "no userfaultfd for faults of the kernel");
	ASSERT_OK(pthread_create(&thread, NULL, start_late, late));
	ASSERT_TRUE(absent_page_awaited(uffd));
	EXPECT_OK(attach_untraced(late->fd, pid, 0));
	ASSERT_OK(absent_page_fill(uffd, absent));
	ASSERT_OK(pthread_join(thread, NULL));
	EXPECT_OK(late->error);
	close(uffd);
}

static void check_own_session(const profil_data *self, int attached)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	EXPECT_EQ(0, stats_now(attached).flags & PROFIL_STATS_SESSION);
	EXPECT_NE(0, stats_now(self->fd).flags & PROFIL_STATS_SESSION);
	EXPECT_TRUE(spin_until(OWN_SITE, self->counters, 4, 20));
	EXPECT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, counter(self->counters, 4, ATTACHED_SITE));
}

TEST_F(profil, start_that_began_before_attach_profiles_its_caller)
{
	struct profil_region region = sites_region(self->counters, 4);
	struct late late = { .fd = device_open(), .error = -1 };
	pid_t pid = tracee_that_spins(ATTACHED_SITE);
	char *pages = new_pages(2 * page_size());

	ASSERT_LE(0, late.fd);
	prepare(&late, &region, pages + page_size());
	tracee_release(pid);
	attach_meanwhile(&late, pid, pages + page_size());
	if (!late.error)
		check_own_session(self, late.fd);
	kill_child(pid);
	close(late.fd);
}

TEST_HARNESS_MAIN
