// SPDX-License-Identifier: GPL-2.0-only
/*
 * A forked child inherits the session that its parent had at the time of the
 * copy of the address space, with those counters that were copied. held_fork.c
 * tests changes after the copy without a race.
 *
 * The environment variable PROFIL_FORKS sets the number of forks of each race.
 * Without it a race ends after RACE_NS at the latest.
 */
#include "harness.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define RACE_NS (20 * NSEC_PER_SEC)

/* True if a race that began at @since needs more than @done forks. */
static bool more_forks(unsigned int done, unsigned int usually, __u64 since)
{
	const char *wanted = getenv("PROFIL_FORKS");

	if (wanted)
		return done < (unsigned int)atoi(wanted);
	return done < usually && wall_ns() < since + RACE_NS;
}

/*
 * The race: one thread forks; another thread turns a page from ordinary data
 * into counters and back, and records each step in private memory. The child's
 * copy of that memory tells which session the child should have.
 */
enum phase {
	IDLE, /* no session; the page is ordinary data */
	CHANGING, /* a session or none is right */
	RUNNING, /* a session with the period of the generation */
};

#define DATA 0x55
#define PERIOD_NS(generation) (1000000 + (generation))

/* Memory shared by both threads and the children; all else is copied. */
struct turns {
	volatile bool forking;
	volatile bool over;
};

/**
 * struct race - private memory of parent and child
 * @now: generation and phase in one word, so that fork copies both at once
 * @page: ordinary data or counters
 * @fd: the device
 * @failed: nonzero if a call of the other thread has failed
 * @turns: shared memory
 */
struct race {
	volatile __u64 now;
	char *page;
	int fd;
	int failed;
	struct turns *turns;
};

static void enter(struct race *race, __u64 generation, enum phase phase)
{
	race->now = generation << 2 | phase;
}

/*
 * Return during a fork or shortly after it: writes to a private page wait while
 * fork copies it.
 */
static void wait_for_fork(const struct race *race, char value)
{
	volatile char *byte = race->page + page_size() - 1;
	unsigned int i;

	while (!race->turns->forking && !race->turns->over)
		*byte = value;
	for (i = 0; i < 3000; i++)
		*byte = value;
}

static int start_generation(const struct race *race, __u64 generation)
{
	struct profil_region region =
		region_of(race->page, page_size(), NULL, 2);
	struct profil_start args =
		start_of(&region, 1, 2, PERIOD_NS(generation));

	region.flags = PROFIL_REGION_OVERFLOW;
	return start(race->fd, &args);
}

static void *change_repeatedly(void *argument)
{
	struct race *race = argument;
	__u64 generation = 0;

	while (!race->turns->over && !race->failed) {
		memset(race->page, DATA, page_size());
		enter(race, ++generation, IDLE);
		wait_for_fork(race, DATA);
		enter(race, generation, CHANGING);
		memset(race->page, 0, page_size());
		race->failed = start_generation(race, generation);
		enter(race, generation, RUNNING);
		wait_for_fork(race, 0);
		enter(race, generation, CHANGING);
		race->failed |= stop(race->fd, NULL);
	}
	return NULL;
}

/* The exit status of the child: 0, or the number of the failed check. */
static int child_error(const struct race *race)
{
	__u64 generation = race->now >> 2;
	struct profil_stats seen = stats_blank(NULL, 0);
	bool session;

	if (stats(race->fd, &seen))
		return 1;
	session = seen.flags & PROFIL_STATS_SESSION;
	switch (race->now & 3) {
	case IDLE:
		if (session)
			return 2;
		return all_bytes(race->page, DATA, page_size()) ? 0 : 3;
	case RUNNING:
		if (!session)
			return 4;
		return seen.period_ns == PERIOD_NS(generation) ? 0 : 5;
	default:
		return 0;
	}
}

TEST(child_inherits_the_session_at_the_time_of_the_copy)
{
	struct race race = { .fd = device_open() };
	__u64 since = wall_ns();
	unsigned int i;
	int status = 0;
	pthread_t thread;

	ASSERT_LE(0, race.fd);
	race.page = new_pages(page_size());
	race.turns = new_shared(sizeof(*race.turns));
	ASSERT_NE(NULL, race.page);
	ASSERT_NE(NULL, race.turns);
	memset(race.page, DATA, page_size());
	ASSERT_OK(pthread_create(&thread, NULL, change_repeatedly, &race));
	for (i = 0; !status && more_forks(i, 400, since); i++) {
		pid_t child;

		usleep(i % 7 * 100);
		race.turns->forking = true;
		child = fork();
		if (!child)
			_exit(child_error(&race));
		race.turns->forking = false;
		ASSERT_EQ(child, waitpid(child, &status, 0));
	}
	race.turns->over = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, WEXITSTATUS(status))
	{
		TH_LOG("child %u: status %d, see child_error()", i,
		       WEXITSTATUS(status));
	}
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_OK(race.failed);
}

/*
 * Counters that are not copied to the child
 */

/* The child maps other memory at the address of its parent's counters. */
static int use_hole(int fd, void *counters)
{
	void *new = mmap(counters, page_size(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0);

	if (new != counters)
		return 1;
	if (!spin_until_samples(fd, 1, 1))
		return 2;
	if (!all_bytes(counters, 0, page_size()))
		return 3;
	return region_state(fd, 0) == PROFIL_REGION_UNMAPPED ? 0 : 4;
}

TEST_F(profil, child_memory_in_place_of_absent_counters_is_not_written)
{
	__u64 since = wall_ns();
	unsigned int i;
	int status = 0;

	ASSERT_OK(madvise(self->counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (i = 0; !status && more_forks(i, 50, since); i++) {
		pid_t child = fork();

		if (!child)
			_exit(use_hole(self->fd, self->counters));
		ASSERT_EQ(child, waitpid(child, &status, 0));
	}
	EXPECT_EQ(0, status);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 1));
}

/* A grandchild of the program lacks counters that the child lacks. */
TEST_F(profil, grandchild_lacks_the_counters_too)
{
	pid_t child;

	ASSERT_OK(madvise(self->counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child) {
		pid_t grandchild = fork();

		if (!grandchild)
			_exit(use_hole(self->fd, self->counters));
		_exit(!exited_with(grandchild, 0));
	}
	EXPECT_TRUE(exited_with(child, 0));
}

/* Start a session of four regions, each with a page of counters. */
static int start_four(int fd, char *pages)
{
	struct profil_region regions[4];
	struct profil_start args = start_of(regions, 4, 4, FAST_NS);
	unsigned int i;

	for (i = 0; i < 4; i++)
		regions[i] = region_of(pages + i * page_size(),
				       16 * sizeof(__u32), site(16 * i),
				       SITE_SCALE(4));
	return start(fd, &args);
}

static int count_beside_hole(int fd, char *pages, unsigned int hole)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (i == hole) {
			if (region_state(fd, i) != PROFIL_REGION_UNMAPPED)
				return 1;
			continue;
		}
		if (region_state(fd, i) != PROFIL_REGION_ON)
			return 2;
		if (!spin_until_at(16 * i, pages + i * page_size(), 4, 1))
			return 3;
	}
	return 0;
}

TEST_F(profil, regions_copied_to_the_child_count)
{
	unsigned int hole;

	for (hole = 0; hole < 4; hole++) {
		char *pages = new_pages(4 * page_size());
		pid_t child;

		ASSERT_NE(NULL, pages);
		ASSERT_OK(madvise(pages + hole * page_size(), page_size(),
				  MADV_DONTFORK));
		ASSERT_OK(start_four(self->fd, pages));
		child = fork();
		if (!child)
			_exit(count_beside_hole(self->fd, pages, hole));
		EXPECT_TRUE(exited_with(child, 0));
		EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, hole));
	}
}

/* A region of many pages ends as a whole if one page was not copied. */
TEST_F(profil, region_with_an_absent_page_ends_in_the_child)
{
	size_t nr = 300, size = nr * page_size();
	size_t holes[] = { 0, 150, 299 }, i;

	for (i = 0; i < ARRAY_LENGTH(holes); i++) {
		char *pages = new_pages(size);
		struct profil_region region =
			region_of(pages, size, profil_sites, SITE_SCALE(4));
		struct profil_start args = start_of(&region, 1, 4, FAST_NS);
		pid_t child;

		ASSERT_NE(NULL, pages);
		ASSERT_OK(madvise(pages + holes[i] * page_size(), page_size(),
				  MADV_DONTFORK));
		ASSERT_OK(start(self->fd, &args));
		child = fork();
		if (!child)
			_exit(region_state(self->fd, 0) !=
			      PROFIL_REGION_UNMAPPED);
		EXPECT_TRUE(exited_with(child, 0));
		EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
	}
}

/* The child has the mapping, filled with zeros, and counts in it. */
TEST_F(profil, counters_with_wipeonfork_start_at_zero)
{
	pid_t child;

	ASSERT_OK(madvise(self->counters, page_size(), MADV_WIPEONFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 2));
	child = fork();
	if (!child)
		_exit(counter(self->counters, 4, 1) != 0 ||
		      !spin_until(2, self->counters, 4, 1));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_EQ(0, counter(self->counters, 4, 2));
}

/*
 * Forks that fail
 */

/*
 * The number of pinned pages on the machine, after a refresh of the CPUs'
 * counts.
 */
static long pinned(void)
{
	int refresh = open("/proc/sys/vm/stat_refresh", O_WRONLY);
	long value, sum = 0;
	char name[64];
	FILE *file;

	if (refresh < 0 || write(refresh, "1", 1) != 1)
		return LONG_MIN;
	close(refresh);
	file = fopen("/proc/vmstat", "r");
	while (file && fscanf(file, "%63s %ld", name, &value) == 2) {
		if (!strcmp(name, "nr_foll_pin_acquired"))
			sum += value;
		else if (!strcmp(name, "nr_foll_pin_released"))
			sum -= value;
	}
	if (file)
		fclose(file);
	return sum;
}

static bool wait_for_pinned_pages(long wanted)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (pinned() != wanted && wall_ns() < until)
		sleep_ns(NSEC_PER_MSEC);
	return pinned() == wanted;
}

/*
 * In a PID namespace whose first process has exited, fork fails when it
 * allocates a PID, after the copy of the address space.
 */
static bool enter_dead_namespace(void)
{
	pid_t first;

	if (unshare(CLONE_NEWPID))
		return false;
	first = fork();
	if (!first)
		_exit(0);
	return exited_with(first, 0);
}

static int fork_without_success(int fd, void *counters)
{
	struct profil_totals *totals = new_shared(sizeof(*totals));
	struct profil_region region = sites_region(counters, 4);
	struct profil_start args = start_of(&region, 1, 4, FAST_NS);
	unsigned int i;

	args.totals = (uintptr_t)totals;
	if (!totals || start(fd, &args))
		return 1;
	for (i = 0; i < 100; i++)
		if (fork() != -1 || errno != ENOMEM)
			return 2;
	if (!spin_until(1, counters, 4, 1))
		return 3;
	if (stop(fd, NULL) || totals->sessions != 1 || totals->ended != 1)
		return 4;
	/*
	 * The parent checks for pinned pages while this process still exists.
	 */
	return 0;
}

TEST_F(profil, failed_fork_leaves_no_pinned_page)
{
	int report[2];
	pid_t child;
	char c;

	if (geteuid())
		SKIP(return, "needs root");
	/* The session of an earlier test ends shortly after its process. */
	ASSERT_TRUE(wait_for_pinned_pages(0));
	ASSERT_OK(pipe(report));
	child = fork();
	if (!child) {
		int status =
			enter_dead_namespace() ?
				fork_without_success(self->fd, self->counters) :
				99;

		if (status || write(report[1], "", 1) != 1)
			_exit(status);
		pause();
	}
	close(report[1]);
	ASSERT_EQ(1, read(report[0], &c, 1));
	/* The child still exists; the pages of its session are unpinned. */
	EXPECT_TRUE(wait_for_pinned_pages(0));
	ASSERT_EQ(0, kill(child, SIGKILL));
	ASSERT_EQ(child, waitpid(child, NULL, 0));
}

TEST_HARNESS_MAIN
