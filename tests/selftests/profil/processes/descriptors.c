// SPDX-License-Identifier: GPL-2.0-only
/*
 * A descriptor of /dev/profil acts on the process that uses it. Closing it does
 * not end a session.
 */
#include "harness.h"

#include <fcntl.h>

#include "report.h"

TEST_F(profil, inherited_descriptor_acts_on_the_child)
{
	pid_t child;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	child = fork();
	if (!child)
		_exit(stop(self->fd, NULL) || has_session(self->fd));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(has_session(self->fd));
	EXPECT_TRUE(spin_until(8, self->counters, 4, 2));
}

TEST_F(profil, closing_every_descriptor_keeps_the_session)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	int fd;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(close(self->fd));
	EXPECT_TRUE(spin_until(8, self->counters, 4, 5));
	fd = open(PROFIL_DEVICE, O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_OK(stop(fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 8));
	self->fd = fd;
}

TEST_HARNESS_MAIN
