// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of a user is starved in the kernel. STARTs of other users return meanwhile,
 * their sessions end, and who needs ftrace does not wait for it.
 */
#include "harness.h"

#include <fcntl.h>
#include <sys/uio.h>

#include "common.h"
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

static bool wait_for_call(const struct stage *stage)
{
	return EVENTUALLY(stage->calls, 0);
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
	EXPECT_OK(load_again());
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
static void check_others(struct stage *stage, __u64 after_ns)
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
	check_others(self->stage, 0);
}

/* Hooking takes some of the time of START, where in it depends on the machine. */
TEST_F(starved, start_that_hooks_delays_no_start_of_other_users)
{
	static const unsigned int after_us[] = { 1, 1000, 4000, 16000 };
	unsigned int i;

	for (i = 0; i < ARRAY_LENGTH(after_us); i++) {
		ASSERT_OK(unload_eventually());
		ASSERT_OK(load_again());
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

/*
 * Many sessions of a user end during an munmap() that is starved: the work of each
 * waits for that. The user's works have some of the places in the workqueue, so the
 * sessions of other users end.
 */
/* An munmap() of so much takes some 20 ms, and minutes where it is starved. */
#define OTHER_BYTES 0x8000000UL

/*
 * A busy host may make munmap() too early or too late for the starvation: no try
 * begins after this time. A kernel with KASAN, which has kmemleak here, does so in each
 * of some hundred tries.
 */
#define TRIES_NS (60 * NSEC_PER_SEC)
#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/**
 * struct end_stage - what the processes share
 * @sessions: how many sessions the starved process has
 * @error: of one of these, or of the memory
 * @unmaps: munmap() is about to be called
 * @ends: the sessions shall end
 */
struct end_stage {
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
static void leave_descriptors_to_child(struct end_stage *stage)
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
	struct end_stage *stage = argument;
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

static bool wait_for_munmap(const struct end_stage *stage)
{
	(void)EVENTUALLY(stage->unmaps, 0);
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
	int now;

	(void)EVENTUALLY((now = waiting_works()) >= nr || now < 0,
			 sleep_ns(100 * NSEC_PER_MSEC));
	return now;
}

FIXTURE(stuck)
{
	struct end_stage *stage;
	char saved[32];
};

FIXTURE_SETUP(stuck)
{
	if (!starvation_works() || waiting_works() < 0)
		SKIP(return, "needs root, two CPUs and /proc/PID/stack");
	if (!access(KMEMLEAK, F_OK))
		SKIP(return, "CPU 0 is never busy within munmap() here");
	self->stage = new_shared(page_size());
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
static pid_t starve_in_munmap(struct end_stage *stage)
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

static bool end_starved(struct end_stage *stage, pid_t starved)
{
	stage->ends = true;
	starvation_end();
	kill(starved, SIGKILL);
	return wait_for_nothing_left(0);
}

TEST_F(stuck, ends_of_one_user_delay_no_end_of_another)
{
	__u64 until = wall_ns() + TRIES_NS;
	int most = (int)works_of_a_user(), waiting;
	pid_t starved;

	for (;;) {
		starved = starve_in_munmap(self->stage);
		ASSERT_LE(0, starved);
		if (!starved)
			SKIP(return, "the memory is written too slowly");
		if (is_unmapping(starved))
			break;
		ASSERT_TRUE(end_starved(self->stage, starved));
		if (wall_ns() > until)
			SKIP(return, "CPU 0 is never busy within munmap()");
	}
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
