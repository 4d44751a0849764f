// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that is locked down for confidentiality tells no PC of its own. What locks it
 * down cannot be undone, so this is the last program of its guest.
 */
#include "harness.h"
#include "table.h"

#include <sys/mount.h>

#define SECURITY "/sys/kernel/security"
#define LOCKDOWN SECURITY "/lockdown"

static int open_table(int fd, __u32 flags)
{
	struct profil_table args = table_args(flags, FAST_NS);
	int table = table_open(fd, &args);

	return table < 0 ? table : close(table);
}

TEST_F(profil, kernel_that_is_locked_down_tells_no_pc)
{
	if (access(LOCKDOWN, F_OK))
		(void)mount("securityfs", SECURITY, "securityfs", 0, NULL);
	if (access(LOCKDOWN, W_OK))
		SKIP(return, "needs root, and a kernel to be locked down");
	EXPECT_OK(open_table(self->fd, PROFIL_TABLE_KERNEL_PCS));
	ASSERT_OK(write_text(LOCKDOWN, "integrity"));
	EXPECT_OK(open_table(self->fd, PROFIL_TABLE_KERNEL_PCS));
	ASSERT_OK(write_text(LOCKDOWN, "confidentiality"));
	EXPECT_EQ(-EPERM, open_table(self->fd, PROFIL_TABLE_KERNEL_PCS));
	EXPECT_EQ(-EPERM, open_table(self->fd, PROFIL_TABLE_KERNEL_PCS |
						       PROFIL_TABLE_TREE));
	EXPECT_OK(open_table(self->fd, 0));
	EXPECT_OK(open_table(self->fd, PROFIL_TABLE_TREE));
}

TEST_HARNESS_MAIN
