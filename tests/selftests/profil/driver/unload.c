// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module can be unloaded unless it is in use, and loaded again.
 */
#include "harness.h"

static void expect_refused(void)
{
	EXPECT_EQ(-EWOULDBLOCK, unload(O_NONBLOCK));
	EXPECT_EQ(-EWOULDBLOCK, unload(0));
}

/* Users of the module prevent unloading */
TEST_F(profil, open_descriptor_keeps_the_module)
{
	SKIP_UNLESS_ROOT();
	expect_refused();
	EXPECT_LT(0, tick_ns(self->fd));
	close(self->fd);
	EXPECT_TRUE(wait_until_unused());
}

TEST_F(profil, session_keeps_the_module)
{
	SKIP_UNLESS_ROOT();
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	close(self->fd);
	expect_refused();
	EXPECT_TRUE(spin_until(1, self->counters, 4, 5));
	expect_refused();
	self->fd = open_device(_metadata);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 10));
	ASSERT_OK(stop(self->fd, NULL));
	close(self->fd);
	EXPECT_TRUE(wait_until_unused());
}

/* debugfs lists the processes that use the module, for root */
#define LISTING "/sys/kernel/debug/profil/sessions"

struct listed {
	int pid;
	__u64 period_ns;
	unsigned int regions;
	long pinned_pages;
	char state[16];
	char command[32];
};

/* Find the line of @pid in the listing. False if there is none. */
static bool find_listed(pid_t pid, struct listed *found)
{
	FILE *file = fopen(LISTING, "r");
	char line[256];
	bool seen = false;

	while (file && !seen && fgets(line, sizeof(line), file))
		seen = sscanf(line, "%d\t%llu\t%u\t%ld\t%15s\t%31s",
			      &found->pid, &found->period_ns, &found->regions,
			      &found->pinned_pages, found->state,
			      found->command) == 6 &&
		       found->pid == pid;
	if (file)
		fclose(file);
	return seen;
}

static void expect_listed(pid_t pid, __u64 period_ns)
{
	struct listed found = { 0 };

	ASSERT_TRUE(find_listed(pid, &found));
	EXPECT_EQ(period_ns, found.period_ns);
	EXPECT_EQ(1, found.regions);
	EXPECT_EQ(1, found.pinned_pages);
	EXPECT_STREQ("running", found.state);
	EXPECT_STREQ("unload", found.command);
}

/* A forked child that has been sampled, and waits to be killed. */
static pid_t sampled_child(const profil_data *self)
{
	volatile int *sampled = new_shared(page_size());
	pid_t child = fork();

	if (!child) {
		*sampled = spin_until(2, self->counters, 4, 1);
		for (;;)
			pause();
	}
	while (!*sampled)
		sleep_ns(NSEC_PER_MSEC);
	return child;
}

TEST_F(profil, processes_that_keep_the_module_are_listed)
{
	struct listed found;
	pid_t child;

	if (access(LISTING, R_OK))
		SKIP(return, "needs root and debugfs");
	EXPECT_FALSE(find_listed(getpid(), &found));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	expect_listed(getpid(), tick_ns(self->fd));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	expect_listed(getpid(), FAST_NS);
	child = sampled_child(self);
	expect_listed(child, FAST_NS);
	kill_child(child);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_FALSE(find_listed(getpid(), &found));
	EXPECT_TRUE(CHILD_OK(setuid(65534) || open(LISTING, O_RDONLY) >= 0));
}

static bool is_listed_as(pid_t pid, const char *state)
{
	struct listed found;

	return find_listed(pid, &found) && !strcmp(found.state, state);
}

TEST_F(profil, full_session_is_listed_as_full)
{
	if (access(LISTING, R_OK))
		SKIP(return, "needs root and debugfs");
	((__u16 *)self->counters)[3] = 32766;
	ASSERT_OK(start_one(self->fd, sites_region(self->counters, 2), 2,
			    FAST_NS, PROFIL_F_STOP_AT_32767));
	EXPECT_TRUE(is_listed_as(getpid(), "running"));
	EXPECT_TRUE(spin_until(3, self->counters, 2, 32767));
	EXPECT_TRUE(is_listed_as(getpid(), "full"));
	ASSERT_OK(stop(self->fd, NULL));
}

/* A child that is profiled until *@told is set. */
static pid_t profiled_child(const profil_data *self, volatile int *told)
{
	pid_t child = fork();

	if (child)
		return child;
	close(self->fd);
	while (!*told)
		spin(2, NSEC_PER_MSEC);
	_exit(!spin_until(2, self->counters, 4, 3));
}

TEST_F(profil, forked_childs_session_keeps_the_module)
{
	volatile int *told = new_shared(page_size());
	pid_t child;

	SKIP_UNLESS_ROOT();
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = profiled_child(self, told);
	ASSERT_OK(stop(self->fd, NULL));
	close(self->fd);
	expect_refused();
	sleep_ns(100 * NSEC_PER_MSEC);
	expect_refused();
	*told = 1;
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(wait_until_unused());
}

/* Unloading and loading */
FIXTURE(reload)
{
	void *counters;
};

FIXTURE_SETUP(reload)
{
	begin_test(_metadata);
	if (!can_load())
		SKIP(return, "needs root and %s", MODULE);
	self->counters = new_pages(page_size());
	ASSERT_OK(save_parameters());
}

/* The next test needs the module, also after a failure. */
FIXTURE_TEARDOWN(reload)
{
	EXPECT_OK(reload());
}

/* A child with a session that no STOP ends; the child may have a child. */
static void be_profiled(void *counters, unsigned int nr)
{
	int fd = device_open();

	if (fd < 0 || start_sites(fd, counters, 4, nr % 2 ? FAST_NS : 0))
		_exit(1);
	if (nr % 3 == 2)
		fork();
	spin(nr, (nr % 4) * NSEC_PER_MSEC);
	_exit(0);
}

static void run_children(void *counters, unsigned int nr)
{
	pid_t children[8];

	for (unsigned int i = 0; i < nr; i++)
		children[i] = IN_CHILD((be_profiled(counters, i), 0));
	for (unsigned int i = 0; i < nr; i++)
		EXPECT_TRUE(exited_with(children[i], 0));
}

/* A session counts, by the clock that is the result. */
static __u32 check_works(void *counters, __u64 period_ns)
{
	int fd = device_open();
	__u32 clock = version_now(fd).clock;

	ASSERT_LE(0, fd);
	memset(counters, 0, page_size());
	EXPECT_OK(start_sites(fd, counters, 4, period_ns));
	EXPECT_TRUE(spin_until(7, counters, 4, 2));
	EXPECT_OK(stop(fd, NULL));
	close(fd);
	return clock;
}

/* The module can be unloaded immediately after its last session. */
TEST_F(reload, module_unloads_right_after_the_last_process)
{
	__u64 until = wall_ns() + 5 * NSEC_PER_SEC;
	unsigned int round;

	for (round = 0; round < 8 && wall_ns() < until; round++) {
		run_children(self->counters, round % 8 + 1);
		ASSERT_OK(unload_eventually());
		EXPECT_EQ(-1, references());
		ASSERT_OK(reload());
		check_works(self->counters, round % 2 ? FAST_NS : 0);
	}
	TH_LOG("%u rounds", round);
}

/*
 * An open of the device during unloading succeeds and keeps the module, or
 * fails.
 */
static volatile bool over;

static void *open_and_start(void *counters)
{
	intptr_t error = 0;

	while (!over && !error) {
		int fd = device_open();

		if (fd < 0) {
			if (fd != -ENOENT && fd != -ENXIO && fd != -ENODEV)
				error = fd;
			continue;
		}
		error = start_sites(fd, counters, 4, FAST_NS);
		if (!error)
			error = stop(fd, NULL);
		close(fd);
		sleep_ns(5 * NSEC_PER_MSEC);
	}
	return (void *)error;
}

TEST_F(reload, device_can_be_opened_during_unload)
{
	__u64 until = wall_ns() + 3 * NSEC_PER_SEC;
	unsigned int rounds = 0;
	pthread_t thread;
	void *error;

	error = self->counters;
	ASSERT_OK(pthread_create(&thread, NULL, open_and_start, error));
	while (wall_ns() < until) {
		ASSERT_OK(reload());
		rounds++;
	}
	over = true;
	pthread_join(thread, &error);
	EXPECT_EQ(NULL, error);
	TH_LOG("%u rounds", rounds);
	check_works(self->counters, FAST_NS);
}

/* Each clock of this kernel samples at the tick's rate and at a faster rate. */
TEST_F(reload, every_clock_can_be_chosen)
{
	static const struct {
		const char *parameters;
		__u32 clock;
	} clocks[] = {
		{ "clock=ftrace", PROFIL_CLOCK_FTRACE },
		{ "clock=timer", PROFIL_CLOCK_TIMER },
	};

	for (unsigned int i = 0; i < ARRAY_LENGTH(clocks); i++) {
		int error;

		ASSERT_OK(unload_eventually());
		error = load(clocks[i].parameters);
		if (error) {
			EXPECT_EQ(-ENODEV, error);
			TH_LOG("%s: not available", clocks[i].parameters);
			ASSERT_OK(reload());
			continue;
		}
		EXPECT_EQ(clocks[i].clock, check_works(self->counters, 0));
		check_works(self->counters, FAST_NS);
	}
	ASSERT_OK(reload());
}

TEST_HARNESS_MAIN
