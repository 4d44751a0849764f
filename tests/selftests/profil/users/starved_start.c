// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is starved in START. It is the first since the module has been loaded, so
 * that the kernel is hooked, or is in an address space that maps many files, all of
 * which are locked for the notifier. STARTs of other users return meanwhile: workers
 * do both, which are not starved.
 */
#include "harness.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "module.h"
#include "starvation.h"
#include "tracee.h"

/* Lockdep counts up to 2047 locks of one class. */
#define FILES 8000
#define FILES_WITH_LOCKDEP 1500

/* How often others call START */
#define STARTS 5

static char parameters[PARAMETERS_ROOM];

/**
 * struct stage - what the processes share
 * @files: how many files the process maps
 * @calls: the process is about to call START, in which it is starved
 * @returned: that has returned
 * @error: the files cannot be mapped, or the process not be starved
 */
struct stage {
	unsigned int files;
	volatile bool calls;
	volatile bool returned;
	volatile int error;
};

static int map_files(unsigned int nr)
{
	while (nr--) {
		int fd = memfd_create("profil", MFD_CLOEXEC);

		if (fd < 0 || ftruncate(fd, 1) ||
		    mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0) ==
			    MAP_FAILED)
			return -errno;
		close(fd);
	}
	return 0;
}

static void start_starved(void *argument)
{
	struct stage *stage = argument;
	void *counters = new_pages(page_size());
	int fd = device_open();

	stage->error = map_files(stage->files) ?: starve();
	stage->calls = true;
	if (!stage->error)
		stage->error = start_sites(fd, counters, 4, 0);
	stage->returned = true;
	for (;;)
		pause();
}

static int start_as_other(void *unused)
{
	int fd = device_open();

	(void)unused;
	return fd < 0 ? fd : start_sites(fd, new_pages(page_size()), 4, 0);
}

static bool wait_for_call(const struct stage *stage)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (!stage->calls && wall_ns() < until)
		;
	return stage->calls;
}

FIXTURE(starved)
{
	struct stage *stage;
};

FIXTURE_SETUP(starved)
{
	if (!starvation_works() || !can_load())
		SKIP(return, "needs root, two CPUs and the module's file");
	ASSERT_OK(module_parameters(parameters));
	self->stage = new_shared(page_size());
	ASSERT_NE(NULL, self->stage);
}

FIXTURE_TEARDOWN(starved)
{
	if (references() < 0)
		EXPECT_OK(load(parameters));
}

static bool others_start(void)
{
	unsigned int i;

	for (i = 0; i < STARTS; i++) {
		sleep_ns(100 * NSEC_PER_MSEC);
		if (!returns_for(new_user(), start_as_other, NULL))
			return false;
	}
	return true;
}

/* The process is starved @after_ns since it has called START. */
static void check_others(struct __test_metadata *_metadata, struct stage *stage,
			 __u64 after_ns)
{
	pid_t starved;
	bool good;

	*stage = (struct stage){ .files = stage->files };
	ASSERT_OK(starvation_prepare());
	starved = fork_user(new_user(), start_starved, stage);
	ASSERT_LT(0, starved);
	if (!wait_for_call(stage))
		SKIP(return, "the machine is too slow to map the files");
	ASSERT_OK(stage->error);
	sleep_ns(after_ns);
	starvation_begin();
	good = others_start();
	TH_LOG("the starved process %s",
	       stage->returned ? "has returned" : "has not returned");
	starvation_end();
	kill_child(starved);
	EXPECT_TRUE(good);
	EXPECT_EQ(0, stage->error);
}

TEST_F(starved, start_in_many_files_delays_no_start_of_other_users)
{
	self->stage->files = access("/proc/lockdep_stats", F_OK) ?
				     FILES :
				     FILES_WITH_LOCKDEP;
	check_others(_metadata, self->stage, 0);
}

/* Hooking takes some of the time of START, where in it depends on the machine. */
TEST_F(starved, start_that_hooks_delays_no_start_of_other_users)
{
	static const unsigned int after_us[] = { 1, 1000, 4000, 16000 };
	unsigned int i, refusals = 0;

	for (i = 0; i < ARRAY_LENGTH(after_us); i++) {
		ASSERT_OK(unload_eventually(&refusals));
		ASSERT_OK(load(parameters));
		check_others(_metadata, self->stage,
			     after_us[i] * NSEC_PER_USEC);
	}
}

TEST_HARNESS_MAIN
