// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of a user is starved in the kernel. STARTs of other users return meanwhile,
 * their sessions end, and who needs ftrace does not wait for it.
 */
#include "harness.h"

#include <sys/uio.h>

#include "helpers.h"

/*
 * A process is starved in START. It is the first since the module has been loaded, so
 * that the kernel is hooked, or is in an address space that maps many files, all of
 * which are locked for the notifier. STARTs of other users return meanwhile: workers
 * do both, which are not starved.
 */
/* Lockdep counts up to 2047 locks of one class. */
#define FILES 8000
#define FILES_WITH_LOCKDEP 1500

/* How often others call START */
#define STARTS 5

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

FIXTURE(starved)
{
	struct stage *stage;
};

FIXTURE_SETUP(starved)
{
	begin_test(_metadata);
	if (!starvation_works() || !can_load())
		SKIP(return, "needs root, two CPUs and the module's file");
	ASSERT_OK(save_parameters());
	self->stage = new_shared(page_size());
}

FIXTURE_TEARDOWN(starved)
{
	EXPECT_OK(reload());
}

static bool others_start(void)
{
	for (unsigned int i = 0; i < STARTS; i++) {
		sleep_ns(100 * NSEC_PER_MSEC);
		if (!returns_for(new_user(), start_as_other, NULL))
			return false;
	}
	return true;
}

/* The process is starved @after_ns since it has called START. */
static void check_others(struct stage *stage, __u64 after_ns)
{
	pid_t starved;
	bool good;

	*stage = (struct stage){ .files = stage->files };
	ASSERT_OK(starvation_prepare());
	starved = fork_user(new_user(), start_starved, stage);
	ASSERT_LT(0, starved);
	if (!EVENTUALLY(stage->calls, 0))
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
	check_others(self->stage, 0);
}

/* Hooking takes some of the time of START, where in it depends on the machine. */
TEST_F(starved, start_that_hooks_delays_no_start_of_other_users)
{
	static const unsigned int after_us[] = { 1, 1000, 4000, 16000 };

	for (unsigned int i = 0; i < ARRAY_LENGTH(after_us); i++) {
		ASSERT_OK(reload());
		check_others(self->stage, after_us[i] * NSEC_PER_USEC);
	}
}

/*
 * A user has had a session, and has a process that is starved in the kernel. ftrace
 * waits for such a process when a hook is detached, and who needs ftrace waits for
 * ftrace: so the hooks remain when the last session has ended.
 */
/* The process is in the kernel by then. */
#define WHILE_NS (3 * NSEC_PER_SEC)

#define READ_BYTES 0x200000UL
#define READS 1024

/* A second in the kernel, in which the process is preempted and never sleeps */
static void read_zeros(void *unused)
{
	static struct iovec reads[READS];
	void *to = new_pages(READ_BYTES);
	int i, fd = open("/dev/zero", O_RDONLY);

	(void)unused;
	for (i = 0; i < READS; i++)
		reads[i] = (struct iovec){ to, READ_BYTES };
	if (!to || fd < 0 || starve())
		_exit(1);
	for (;;)
		readv(fd, reads, READS);
}

static int start_and_stop(void *unused)
{
	int fd = device_open(), error;

	(void)unused;
	error = start_sites(fd, new_pages(page_size()), 4, 0);
	return error ?: stop(fd, NULL);
}

/* Takes the lock that loading a module takes, too. */
static int use_ftrace(void *unused)
{
	(void)unused;
	return enable_ftrace("1");
}

TEST_F(profil, hooks_remain_and_delay_no_other_user)
{
	uid_t user = new_user();
	pid_t starved;
	int hooks;

	if (!starvation_works() || hooked_functions() < 0)
		SKIP(return, "needs root, two CPUs and tracefs");
	ASSERT_TRUE(returns_for(user, start_and_stop, NULL));
	hooks = hooked_as_intended();
	if (!hooks)
		SKIP(return, "ftrace does not hook the kernel");
	ASSERT_OK(starvation_prepare());
	starvation_begin();
	starved = fork_user(user, read_zeros, NULL);
	ASSERT_LT(0, starved);
	sleep_ns(WHILE_NS);
	EXPECT_TRUE(returns_for(0, use_ftrace, NULL));
	EXPECT_TRUE(returns_for(new_user(), start_and_stop, NULL));
	EXPECT_EQ(0, waitpid(starved, NULL, WNOHANG));
	starvation_end();
	kill(starved, SIGKILL);
	EXPECT_EQ(hooks, hooked_as_intended());
}

TEST_HARNESS_MAIN
