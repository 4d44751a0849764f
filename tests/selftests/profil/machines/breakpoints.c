// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that can trace no function: the timer is the source of ticks, and the
 * hook on fork is a kprobe. This is a breakpoint, or a jump in its place if the
 * kernel may optimize it. The kernel lists which it is.
 */
#include "harness.h"

#define LIST "/sys/kernel/debug/kprobes/list"
#define MAY_OPTIMIZE "/proc/sys/debug/kprobes-optimization"
#define HOOKED "uprobe_dup_mmap"

static int may_optimize(const char *value)
{
	return write_text(MAY_OPTIMIZE, value);
}

/* Copy the kernel's line about the kprobe on fork; "" without one. */
static void describe_probe(char *line, size_t room)
{
	FILE *file = fopen(LIST, "r");
	bool found = false;

	while (file && !found && fgets(line, (int)room, file))
		found = strstr(line, HOOKED);
	if (file)
		fclose(file);
	if (!found)
		*line = '\0';
}

static bool probe_is(bool jump)
{
	char line[256];

	describe_probe(line, sizeof(line));
	return *line && !strstr(line, "[FTRACE]") &&
	       !strstr(line, "[DISABLED]") &&
	       !strstr(line, "[OPTIMIZED]") == !jump;
}

FIXTURE(breakpoints)
{
	int fd;
	void *counters;
};

FIXTURE_SETUP(breakpoints)
{
	begin_test(_metadata);
	self->fd = -1;
	if (!can_load() || hooked_functions() >= 0 || access(LIST, R_OK))
		SKIP(return, "needs root, and a kernel without ftrace");
	self->counters = new_pages(page_size());
	ASSERT_OK(save_parameters());
	ASSERT_OK(unload_eventually());
}

FIXTURE_TEARDOWN(breakpoints)
{
	may_optimize("1");
	close(self->fd);
	EXPECT_OK(reload());
}

/* Ticks are counted in this thread, and in a child, whose fork is hooked. */
static void check_samples(const FIXTURE_DATA(breakpoints) * self)
{
	EXPECT_TRUE(spin_until(3, self->counters, 4,
			       counter(self->counters, 4, 3) + 5));
	EXPECT_TRUE(CHILD_OK(!spin_until(9, self->counters, 4,
					 counter(self->counters, 4, 9) + 3)));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
}

static void sample(FIXTURE_DATA(breakpoints) * self, bool jump)
{
	struct profil_stats seen;
	char line[256];

	ASSERT_OK(may_optimize(jump ? "1" : "0"));
	ASSERT_OK(load("clock=auto"));
	self->fd = open_device(_metadata);
	EXPECT_EQ(PROFIL_CLOCK_TIMER, version_now(self->fd).clock);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	/* The kernel optimizes some time after the kprobe was registered. */
	EXPECT_TRUE(WAIT_FOR(probe_is(jump)));
	describe_probe(line, sizeof(line));
	TH_LOG("%s", line);
	check_samples(self);
	seen = stop_and_check(self->fd, self->counters);
	EXPECT_EQ(tick_ns(self->fd), seen.period_ns);
}

TEST_F(breakpoints, breakpoint_hooks_fork)
{
	sample(self, false);
}

TEST_F(breakpoints, jump_in_its_place_hooks_fork)
{
	sample(self, true);
}

TEST_F(breakpoints, ftrace_is_no_source)
{
	EXPECT_EQ(-ENODEV, load("clock=ftrace"));
	EXPECT_EQ(-1, references());
}

/* Children are sampled while the kernel replaces the breakpoint, and the jump. */
TEST_F(breakpoints, children_are_sampled_while_the_kprobe_is_optimized)
{
	ASSERT_OK(may_optimize("0"));
	ASSERT_OK(load("clock=auto"));
	self->fd = open_device(_metadata);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	for (unsigned int round = 0; round < 6; round++) {
		ASSERT_OK(may_optimize(round & 1 ? "1" : "0"));
		EXPECT_TRUE(WAIT_FOR(probe_is(round & 1)));
		check_samples(self);
	}
	EXPECT_OK(stop(self->fd, NULL));
}

TEST_HARNESS_MAIN
