// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many sessions of a user end during an munmap() that is starved: the work of each
 * waits for that. The user's works have some of the places in the workqueue, so the
 * sessions of other users end.
 */
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crowd.h"
#include "module.h"
#include "starvation.h"

/* An munmap() of so much takes some 20 ms, and minutes where it is starved. */
#define OTHER_BYTES 0x8000000UL

/* A busy host may make munmap() too early or too late for the starvation. */
#define TRIES 10

/**
 * struct stage - what the processes share
 * @sessions: how many sessions the starved process has
 * @error: of one of these, or of the memory
 * @unmaps: munmap() is about to be called
 * @ends: the sessions shall end
 */
struct stage {
	unsigned int sessions;
	volatile int error;
	volatile bool unmaps;
	volatile bool ends;
};

/* A user has 16 works and two for each CPU, as Documentation/design.rst says. */
static unsigned int works_of_a_user(void)
{
	return 16 + 2 * (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Tasks of the kernel that wait for an invalidation to end; -1 if not readable */
static int waiting_works(void)
{
	static const char command[] =
		"cat /proc/[0-9]*/stack 2>&1 | grep -c mmu_interval_notifier_remove";
	FILE *tasks = popen(command, "r");
	int nr = -1;

	if (tasks) {
		if (fscanf(tasks, "%d", &nr) != 1)
			nr = -1;
		pclose(tasks);
	}
	return nr;
}

static char *map_memory(void)
{
	size_t bytes = OTHER_BYTES + 2 * page_size();
	char *low = new_reserved(bytes);

	if (!low)
		return NULL;
	madvise(low, bytes, MADV_NOHUGEPAGE); /* refused without huge pages */
	return madvise(low, bytes, MADV_POPULATE_WRITE) ? NULL : low;
}

static int begin_sessions(char *low, unsigned int nr)
{
	struct profil_region regions[2] = {
		sites_region(low, 4),
		sites_region(low + page_size() + OTHER_BYTES, 4),
	};
	struct profil_start start = start_of(regions, 2, 4, 0);
	int fd = 0;

	while (nr-- && fd >= 0)
		fd = start_beside(&start);
	return fd < 0 ? fd : 0;
}

/*
 * The child has the descriptors, too, and is the last to have them: it does not wait
 * for the sessions to end. Nor is it starved.
 */
static void leave_descriptors_to_child(struct stage *stage)
{
	pid_t child = fork();

	if (!child) {
		if (starvation_avoid())
			_exit(1);
		while (!stage->ends)
			sleep_ns(NSEC_PER_MSEC);
		_exit(0);
	}
	close_range(3, ~0U, 0);
}

static void unmap_starved(void *argument)
{
	struct stage *stage = argument;
	char *low = map_memory();

	stage->error = low ? begin_sessions(low, stage->sessions) : -ENOMEM;
	leave_descriptors_to_child(stage);
	if (!stage->error)
		stage->error = starve();
	stage->unmaps = true;
	munmap(low + page_size(), OTHER_BYTES);
	for (;;)
		pause();
}

static bool wait_for_munmap(const struct stage *stage)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (!stage->unmaps && wall_ns() < until)
		;
	sleep_ns(NSEC_PER_MSEC); /* until it has called the notifiers */
	return stage->unmaps;
}

/* Is the process between the begin and the end of the invalidation by munmap()? */
static bool is_unmapping(pid_t process)
{
	char name[32], line[256];
	bool found = false;
	FILE *stack;

	snprintf(name, sizeof(name), "/proc/%d/stack", (int)process);
	stack = fopen(name, "r");
	while (stack && !found && fgets(line, sizeof(line), stack))
		found = strstr(line, "unmap_page_range") ||
			strstr(line, "__zap_vma_range"); /* its newer name */
	if (stack)
		fclose(stack);
	return found;
}

/* The number of works that wait, once it is @nr or the time is over */
static int wait_for_works(int nr)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	int now;

	while ((now = waiting_works()) < nr && now >= 0 && wall_ns() < until)
		sleep_ns(100 * NSEC_PER_MSEC);
	return now;
}

static int start_and_stop(void *unused)
{
	int fd = device_open(), error;

	(void)unused;
	error = start_sites(fd, new_pages(page_size()), 4, 0);
	return error ?: stop(fd, NULL);
}

FIXTURE(stuck)
{
	struct stage *stage;
	char saved[32];
};

FIXTURE_SETUP(stuck)
{
	if (!starvation_works() || waiting_works() < 0)
		SKIP(return, "needs root, two CPUs and /proc/PID/stack");
	self->stage = new_shared(page_size());
	ASSERT_NE(NULL, self->stage);
	self->stage->sessions = works_of_a_user() + 16;
	ASSERT_OK(param_read("max_sessions", self->saved, sizeof(self->saved)));
	ASSERT_OK(set_max_sessions(self->stage->sessions * SPACE_PART));
}

FIXTURE_TEARDOWN(stuck)
{
	param_write("max_sessions", self->saved);
}

/*
 * Have a process starved, in munmap() if its CPU is busy in time. The process, or 0 if
 * the machine is too slow, or a negative errno.
 */
static pid_t starve_in_munmap(struct stage *stage)
{
	pid_t starved;
	int error = starvation_prepare();

	if (error)
		return error;
	stage->unmaps = false;
	stage->ends = false;
	starved = fork_user(new_user(), unmap_starved, stage);
	if (starved < 0 || !wait_for_munmap(stage))
		return starved < 0 ? starved : 0;
	starvation_begin();
	sleep_ns(20 * NSEC_PER_MSEC); /* more than an munmap() takes */
	return stage->error ?: starved;
}

static bool end_starved(struct stage *stage, pid_t starved)
{
	stage->ends = true;
	starvation_end();
	kill(starved, SIGKILL);
	return wait_for_nothing_left(0);
}

TEST_F(stuck, ends_of_one_user_delay_no_end_of_another)
{
	int most = (int)works_of_a_user(), waiting, tries = TRIES;
	pid_t starved;

	do {
		starved = starve_in_munmap(self->stage);
		ASSERT_LE(0, starved);
		if (!starved)
			SKIP(return, "the memory is written too slowly");
		if (is_unmapping(starved))
			break;
		ASSERT_TRUE(end_starved(self->stage, starved));
	} while (--tries);
	if (!tries)
		SKIP(return, "CPU 0 is never busy within munmap()");
	self->stage->ends = true;
	waiting = wait_for_works(most);
	TH_LOG("%d works wait, of %u sessions that end", waiting,
	       self->stage->sessions);
	EXPECT_LT(0, waiting);
	EXPECT_LE(waiting, most);
	EXPECT_TRUE(returns_for(new_user(), start_and_stop, NULL));
	EXPECT_LT(0, waiting_works());
	EXPECT_TRUE(end_starved(self->stage, starved));
}

TEST_HARNESS_MAIN
