// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's hooks in the kernel: none without a session, the intended ones
 * during a session, and none some seconds after it.
 */
#include "harness.h"
#include "module.h"

#include <sys/mman.h>

/*
 * The driver unhooks ten seconds after the last session; a busy machine is
 * later.
 */
#define UNHOOKED_NS (10 * NSEC_PER_SEC + TIMEOUT_NS)

static char parameters[PARAMETERS_ROOM];

static bool unhooked_in_the_end(void)
{
	__u64 until = wall_ns() + UNHOOKED_NS;

	while (hooked_functions()) {
		if (wall_ns() > until)
			return false;
		sleep_ns(100 * NSEC_PER_MSEC);
	}
	return true;
}

/* Reload the module, so that no earlier session has hooked the kernel. */
FIXTURE(hooks)
{
	int fd;
	void *counters;
};

FIXTURE_SETUP(hooks)
{
	struct profil_version answer = version_blank();
	unsigned int refusals = 0;

	if (!can_load() || hooked_functions() < 0)
		SKIP(return, "needs root, tracefs and the module's file");
	ASSERT_OK(module_parameters(parameters));
	ASSERT_OK(unload_eventually(&refusals));
	if (hooked_functions())
		SKIP(return, "other programs have hooked kernel functions");
	ASSERT_OK(load(parameters));
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	ASSERT_OK(version(self->fd, &answer));
	if (answer.clock != PROFIL_CLOCK_FTRACE)
		SKIP(return, "ftrace does not hook the tick");
	self->counters = new_pages(page_size());
	ASSERT_NE(NULL, self->counters);
}

FIXTURE_TEARDOWN(hooks)
{
	enable_ftrace("1");
	if (references() < 0)
		EXPECT_OK(load(parameters));
}

static void expect_hooked(struct __test_metadata *_metadata)
{
	int nr = hooked_functions();

	EXPECT_LT(0, nr);
	EXPECT_EQ(hooked_as_intended(), nr);
}

/*
 * The hooks remain for the next session, for ten seconds since @ended. A host
 * may keep the machine waiting for longer.
 */
static void expect_still_hooked(struct __test_metadata *_metadata, __u64 ended)
{
	int nr = hooked_functions(), intended = hooked_as_intended();

	if (wall_ns() - ended > 9 * NSEC_PER_SEC)
		return;
	EXPECT_LT(0, nr);
	EXPECT_EQ(intended, nr);
}

TEST_F(hooks, nothing_is_hooked_without_a_session)
{
	__u64 ended;

	EXPECT_EQ(0, hooked_functions());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	expect_hooked(_metadata);
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	ended = wall_ns();
	ASSERT_OK(stop(self->fd, NULL));
	expect_still_hooked(_metadata, ended);
	EXPECT_TRUE(unhooked_in_the_end());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, 0));
	expect_hooked(_metadata);
	EXPECT_TRUE(spin_until(4, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
}

/* START fails at its last step, when it writes its argument back. */
TEST_F(hooks, failed_start_leaves_no_hook)
{
	struct profil_region region = sites_region(self->counters, 4);
	struct profil_start *args = new_pages(page_size());
	__u64 begun = wall_ns();

	ASSERT_NE(NULL, args);
	*args = start_of(&region, 1, 4, 0);
	ASSERT_OK(mprotect(args, page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, start(self->fd, args));
	expect_still_hooked(_metadata, begun);
	EXPECT_TRUE(unhooked_in_the_end());
}

TEST_F(hooks, ftrace_can_be_disabled_without_a_session)
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
	EXPECT_TRUE(unhooked_in_the_end());
	EXPECT_OK(enable_ftrace("0"));
}

TEST_F(hooks, module_unloads_while_hooks_remain)
{
	unsigned int round, refusals = 0;

	for (round = 0; round < 5; round++) {
		ASSERT_OK(start_sites(self->fd, self->counters, 4,
				      round & 1 ? FAST_NS : 0));
		EXPECT_TRUE(spin_until(round, self->counters, 4, 1));
		ASSERT_OK(stop(self->fd, NULL));
		close(self->fd);
		ASSERT_OK(unload_eventually(&refusals));
		EXPECT_EQ(0, hooked_functions());
		ASSERT_OK(load(parameters));
		EXPECT_EQ(0, hooked_functions());
		self->fd = device_open();
		ASSERT_LE(0, self->fd);
	}
}

TEST_HARNESS_MAIN
