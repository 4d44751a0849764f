// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's hooks in the kernel: none before the first session, the intended ones
 * from then on, and none when the module is unloaded, or where ftrace is switched off
 * while the module is loaded.
 */
#include "harness.h"

#include "helpers.h"

/* Reload the module, so that no earlier session has hooked the kernel. */
FIXTURE(hooks)
{
	int fd;
	void *counters;
};

FIXTURE_SETUP(hooks)
{
	begin_test(_metadata);
	if (!can_load() || hooked_functions() < 0)
		SKIP(return, "needs root, tracefs and the module's file");
	ASSERT_OK(save_parameters());
	ASSERT_OK(unload_eventually());
	if (hooked_functions())
		SKIP(return, "other programs have hooked kernel functions");
	ASSERT_OK(reload());
	self->fd = open_device(_metadata);
	ASSERT_NE(0, version_now(self->fd).clock);
	if (version_now(self->fd).clock != PROFIL_CLOCK_FTRACE)
		SKIP(return, "ftrace does not hook the tick");
	self->counters = new_pages(page_size());
}

FIXTURE_TEARDOWN(hooks)
{
	enable_ftrace("1");
	close(self->fd);
	EXPECT_OK(reload());
}

/* The hooks are @nr, and the intended ones. */
static void expect_hooks(int nr)
{
	EXPECT_EQ(nr, hooked_functions());
	EXPECT_EQ(nr, hooked_as_intended());
}

TEST_F(hooks, hooks_remain_after_the_first_session)
{
	EXPECT_EQ(0, hooked_functions());
	for (unsigned int round = 0; round < 3; round++) {
		ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
		expect_hooks(2);
		EXPECT_TRUE(spin_until(3 + round, self->counters, 4, 3));
		ASSERT_OK(stop(self->fd, NULL));
		expect_hooks(2);
	}
}

/* START fails at its last step, when it writes its argument back. */
TEST_F(hooks, failed_start_hooks_as_any)
{
	struct profil_region region = sites_region(self->counters, 4);
	struct profil_start *args = new_pages(page_size());

	*args = start_of(&region, 1, 4, 0);
	ASSERT_OK(mprotect(args, page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, start(self->fd, args));
	expect_hooks(2);
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

TEST_F(hooks, ftrace_can_be_disabled_before_the_first_session)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(enable_ftrace("0"));
	EXPECT_EQ(-EBUSY, start_sites(self->fd, self->counters, 4, 0));
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(0, seen.flags);
	EXPECT_EQ(0, hooked_functions());
	ASSERT_OK(enable_ftrace("1"));

	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	EXPECT_EQ(-EBUSY, enable_ftrace("0"));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(-EBUSY, enable_ftrace("0"));
}

/*
 * The hooks then find at once that there is nothing to do. The tick's is called when
 * this process uses the CPU.
 */
TEST_F(hooks, tick_looks_for_no_session_when_there_is_none)
{
	int error = trace_calls("sample_own");

	if (error)
		SKIP(return, "the kernel cannot trace it: %d", error);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	EXPECT_LT(0, traced());
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_OK(trace_calls("sample_own"));
	spin(3, 20 * tick_ns(self->fd));
	EXPECT_EQ(0, traced());
	trace_end();
}

TEST_F(hooks, module_unloads_while_hooks_remain)
{
	for (unsigned int round = 0; round < 3; round++) {
		ASSERT_OK(start_sites(self->fd, self->counters, 4,
				      round & 1 ? FAST_NS : 0));
		EXPECT_TRUE(spin_until(round, self->counters, 4, 1));
		ASSERT_OK(stop(self->fd, NULL));
		close(self->fd);
		ASSERT_OK(unload_eventually());
		EXPECT_EQ(0, hooked_functions());
		ASSERT_OK(reload());
		EXPECT_EQ(0, hooked_functions());
		self->fd = open_device(_metadata);
	}
}

/*
 * The source of ticks where ftrace is switched off while the module is loaded: a
 * hook by ftrace is refused.
 */
/* The module is unloaded, and ftrace switched off. */
FIXTURE(sources)
{
	int fd;
	void *counters;
};

FIXTURE_SETUP(sources)
{
	begin_test(_metadata);
	self->fd = -1;
	if (!can_load() || hooked_functions() < 0)
		SKIP(return, "needs root, tracefs and the module's file");
	self->counters = new_pages(page_size());
	ASSERT_OK(save_parameters());
	ASSERT_OK(unload_eventually());
	ASSERT_OK(enable_ftrace("0"));
}

FIXTURE_TEARDOWN(sources)
{
	enable_ftrace("1");
	close(self->fd);
	EXPECT_OK(reload());
}

TEST_F(sources, ftrace_is_no_source)
{
	EXPECT_EQ(-EBUSY, load("clock=ftrace"));
	EXPECT_EQ(-1, references());
	EXPECT_EQ(0, hooked_functions());
	EXPECT_EQ(-ENOENT, device_open());
}

/* A value of earlier drivers, and one that never was */
TEST_F(sources, unknown_clock_is_refused)
{
	EXPECT_EQ(-EINVAL, load("clock=kprobe"));
	EXPECT_EQ(-EINVAL, load("clock=sun"));
	EXPECT_EQ(-1, references());
}

TEST_F(sources, timer_replaces_a_hook_that_is_refused)
{
	struct profil_stats seen;

	ASSERT_OK(load("clock=auto"));
	self->fd = open_device(_metadata);
	EXPECT_EQ(PROFIL_CLOCK_TIMER, version_now(self->fd).clock);
	EXPECT_EQ(0, hooked_functions());
	/* Fork is hooked, too, and START fails without. */
	ASSERT_OK(enable_ftrace("1"));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	seen = end_session(self->fd);
	EXPECT_EQ(tick_ns(self->fd), seen.period_ns);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_HARNESS_MAIN
