// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that share an address space, as after vfork, share one session.
 */
#include "harness.h"

#include <sched.h>
#include <signal.h>

#include "report.h"

static int count_in_shared_space(void *argument)
{
	const profil_data *self = argument;

	return !has_session(self->fd) || !spin_until(2, self->counters, 4, 3);
}

static void check_sharing(struct __test_metadata *_metadata,
			  const profil_data *self, int flags)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	char *stack = new_pages(0x10000);
	pid_t child;

	ASSERT_NE(NULL, stack);
	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = clone(count_in_shared_space, stack + 0x10000, flags | SIGCHLD,
		      (void *)self);
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_LE(3, counter(self->counters, 4, 2));
	EXPECT_TRUE(spin_until(3, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, vfork_child_shares_the_session)
{
	check_sharing(_metadata, self, CLONE_VM | CLONE_VFORK);
}

TEST_F(profil, process_in_the_same_address_space_shares_the_session)
{
	check_sharing(_metadata, self, CLONE_VM);
}

TEST_HARNESS_MAIN
