// SPDX-License-Identifier: GPL-2.0-only
/*
 * What VERSION answers, and the device. tests/fuzz compares all that calls write into
 * their arguments.
 */
#include "harness.h"

TEST_F(profil, version_describes_the_driver)
{
	struct profil_version answer = version_blank();
	char text[32];

	ASSERT_OK(version(self->fd, &answer));
	EXPECT_EQ(sizeof(answer), answer.size);
	EXPECT_EQ(PROFIL_ABI, answer.abi);
	EXPECT_EQ(PROFIL_MAX_REGIONS, answer.max_regions);
	EXPECT_EQ(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP |
			  PROFIL_F_USER_ONLY | PROFIL_F_BYTES,
		  answer.start_flags);
	EXPECT_EQ(PROFIL_REGION_OVERFLOW, answer.region_flags);
	EXPECT_LE(PROFIL_CLOCK_FTRACE, answer.clock);
	EXPECT_GE(PROFIL_CLOCK_TIMER, answer.clock);
	EXPECT_EQ(PROFIL_TABLE_CGROUP | PROFIL_TABLE_KERNEL_PCS |
			  PROFIL_TABLE_THREADS | PROFIL_TABLE_TREE |
			  PROFIL_TABLE_ADDRESSES | PROFIL_TABLE_CALLERS,
		  answer.table_flags);
	EXPECT_EQ(PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC, answer.add_flags);
	EXPECT_EQ(PROFIL_MAX_TABLES, answer.max_tables);
	EXPECT_EQ(PROFIL_MAX_TREES, answer.max_trees);
	EXPECT_EQ(PROFIL_TREE_MAX_LOG2, answer.max_tree_log2);
	/* HZ is between 24, on old Alphas, and 1024. */
	EXPECT_LE(NSEC_PER_SEC / 1024, answer.tick_ns);
	EXPECT_GE(NSEC_PER_SEC / 24, answer.tick_ns);
	ASSERT_OK(param_read("min_period_us", text, sizeof(text)));
	EXPECT_EQ(strtoull(text, NULL, 0) * NSEC_PER_USEC,
		  answer.min_period_ns);
	ASSERT_OK(param_read("max_sessions", text, sizeof(text)));
	EXPECT_EQ(strtoul(text, NULL, 0), answer.max_sessions);
}

/* The numbers of ABI 1 are all there in a structure of its size, and in no shorter one. */
TEST_F(profil, version_of_abi_1_has_64_bytes)
{
	struct profil_version answer = version_blank();

	answer.size = 63;
	EXPECT_EQ(-EINVAL, version(self->fd, &answer));
	EXPECT_EQ(POISON_U32, answer.max_tree_log2);
	answer.size = 64;
	EXPECT_OK(version(self->fd, &answer));
	EXPECT_EQ(PROFIL_TREE_MAX_LOG2, answer.max_tree_log2);
}

/* A limit that no other test has */
#define MOST "1913"

TEST_F(profil, version_has_the_limit_of_sessions_now)
{
	char saved[32];

	SKIP_UNLESS_ROOT();
	ASSERT_OK(param_read("max_sessions", saved, sizeof(saved)));
	ASSERT_OK(param_write("max_sessions", MOST));
	EXPECT_EQ(strtoul(MOST, NULL, 0), version_now(self->fd).max_sessions);
	ASSERT_OK(param_write("max_sessions", saved));
	EXPECT_EQ(strtoul(saved, NULL, 0), version_now(self->fd).max_sessions);
}

TEST_F(profil, device_mode_is_0666)
{
	struct stat seen;

	ASSERT_OK(stat(PROFIL_DEVICE, &seen));
	EXPECT_TRUE(S_ISCHR(seen.st_mode));
	EXPECT_EQ(0666, seen.st_mode & 07777);
}

TEST_HARNESS_MAIN
