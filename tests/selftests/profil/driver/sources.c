// SPDX-License-Identifier: GPL-2.0-only
/*
 * The source of ticks where ftrace is switched off while the module is loaded: a
 * hook by ftrace is refused.
 */
#include "harness.h"
#include "module.h"

static char parameters[PARAMETERS_ROOM];

/* The module is unloaded, and ftrace switched off. */
FIXTURE(sources)
{
	int fd;
	void *counters;
};

FIXTURE_SETUP(sources)
{
	unsigned int refusals = 0;

	self->fd = -1;
	if (!can_load() || hooked_functions() < 0)
		SKIP(return, "needs root, tracefs and the module's file");
	self->counters = new_pages(page_size());
	ASSERT_NE(NULL, self->counters);
	ASSERT_OK(module_parameters(parameters));
	ASSERT_OK(unload_eventually(&refusals));
	ASSERT_OK(enable_ftrace("0"));
}

FIXTURE_TEARDOWN(sources)
{
	unsigned int refusals = 0;

	enable_ftrace("1");
	if (self->fd >= 0)
		close(self->fd);
	if (references() >= 0)
		EXPECT_OK(unload_eventually(&refusals));
	EXPECT_OK(load(parameters));
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
	struct profil_version answer = version_blank();
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(load("clock=auto"));
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	ASSERT_OK(version(self->fd, &answer));
	EXPECT_EQ(PROFIL_CLOCK_TIMER, answer.clock);
	EXPECT_EQ(0, hooked_functions());
	/* Fork is hooked, too, and START fails without. */
	ASSERT_OK(enable_ftrace("1"));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(tick_ns(self->fd), seen.period_ns);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_HARNESS_MAIN
