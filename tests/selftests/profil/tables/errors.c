// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of TABLE in the order of the checks, and who may.
 */
#include "fault_order.h"
#include "many_tables.h"

#include <linux/capability.h>

/* An argument, longer than the structure of today */
union attempt {
	struct profil_table args;
	char bytes[64];
};

#define AT(member) FAULT_AT(struct profil_table, member)

static const struct fault faults[] = {
	{ "size short", AT(size), 23, EINVAL, true },
	{ "size 0", AT(size), 0, EINVAL, true },
	{ "size huge", AT(size), 0x80000000, E2BIG, true },
	{ "tail", .at = sizeof(struct profil_table), .bytes = 1, 1, E2BIG,
	  true },
	{ "flag", AT(flags), 0x40, EINVAL, false },
	{ "highest flag", AT(flags), 1U << 31, EINVAL, false },
	{ "counters short", AT(counters_log2), PROFIL_TABLE_MIN_LOG2 - 1,
	  EINVAL, false },
	{ "counters long", AT(counters_log2), PROFIL_TABLE_MAX_LOG2 + 1, EINVAL,
	  false },
	{ "counters huge", AT(counters_log2), 0xffffffff, EINVAL, false },
	{ "group 0 without flag", AT(cgroup), 0, EINVAL, false },
	{ "group -2 without flag", AT(cgroup), -2U, EINVAL, false },
	{ "period short", AT(period_ns), 1, EINVAL, false },
	{ "period long", AT(period_ns), NSEC_PER_SEC + 1, EINVAL, false },
	{ "period huge", AT(period_ns), -1ULL, EINVAL, false },
	{ "group -1 with flag", .at = offsetof(struct profil_table, flags),
	  .bytes = 8, 0xffffffff00000000 | PROFIL_TABLE_CGROUP, EBADF, false },
};

static int open_with(int fd, const struct fault *first,
		     const struct fault *second)
{
	union attempt attempt = { .bytes = "" };

	attempt.args = table_args(0, FAST_NS);
	attempt.args.size = sizeof(attempt);
	fault_apply(&attempt, second);
	fault_apply(&attempt, first);
	return table_open(fd, &attempt);
}

/* @late: the error of who lacks the privilege, or 0 */
static void check_order(int fd, int late)
{
	check_fault_order(fd, open_with, faults, ARRAY_LENGTH(faults), late);
}

TEST_F(tables, errors_come_in_order)
{
	long short_at = (long)new_at_hole(sizeof(__u32));

	EXPECT_EQ(-EFAULT, table_open(self->fd, NULL));
	EXPECT_EQ(-EFAULT, table_open(self->fd, (void *)(short_at + 2)));
	*(__u32 *)short_at = sizeof(struct profil_table);
	EXPECT_EQ(-EFAULT, table_open(self->fd, (void *)short_at));
	check_order(self->fd, 0);
	fill_up(self);
	check_order(self->fd, 0);
}

TEST_F(tables, period_is_limited_as_in_start)
{
	struct profil_version answer = version_blank();
	__u64 periods[] = { 0, 0, NSEC_PER_SEC };
	struct profil_table args;

	ASSERT_OK(version(self->fd, &answer));
	args = table_args(0, answer.min_period_ns - 1);
	EXPECT_EQ(-EINVAL, table_open(self->fd, &args));
	periods[1] = answer.min_period_ns;
	for (size_t i = 0; i < ARRAY_LENGTH(periods); i++) {
		int table;

		args = table_args(0, periods[i]);
		table = table_open(self->fd, &args);
		ASSERT_LE(0, table);
		EXPECT_EQ(periods[i] ?: answer.tick_ns, args.period_ns);
		close(table);
	}
}

/* Groups: descriptors that are none of a directory of cgroup2 */
static int open_by_group(int fd, int group)
{
	struct profil_table args = table_args(PROFIL_TABLE_CGROUP, FAST_NS);

	args.cgroup = group;
	return table_open(fd, &args);
}

TEST_F(tables, other_descriptor_is_no_group)
{
	int folder = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int path = open("/tmp", O_PATH | O_CLOEXEC);

	ASSERT_LE(0, folder);
	ASSERT_LE(0, path);
	EXPECT_EQ(-EBADF, open_by_group(self->fd, folder));
	EXPECT_EQ(-EBADF, open_by_group(self->fd, path));
	EXPECT_EQ(-EBADF, open_by_group(self->fd, self->fd));
	close(path);
	EXPECT_EQ(-EBADF, open_by_group(self->fd, path));
	EXPECT_EQ(-EBADF, open_by_group(self->fd, -1));
	close(folder);
}

/* Who may */
static int keep_only(__u32 capability)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	data[capability / 32].effective = 1U << capability % 32;
	data[capability / 32].permitted = 1U << capability % 32;
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/*
 * The exit status of a child: 0 if it gets @error, or a table if that is 0. @become is the
 * result of giving up rights.
 */
static int open_as(int fd, int become, int error)
{
	struct profil_table args = table_args(0, FAST_NS);
	int table;

	if (become == -EOPNOTSUPP)
		return 0;
	EXPECT_OK(become);
	if (error)
		check_order(fd, error);
	table = table_open(fd, &args);
	EXPECT_EQ(-error, table < 0 ? table : 0);
	return _metadata->exit_code;
}

#define EXPECT_OPENER(become, error) \
	EXPECT_TRUE(CHILD_OK(open_as(self->fd, become, error)))

/*
 * The process counts, and not the one that opened the device. CAP_SYS_ADMIN stands for
 * CAP_PERFMON in the kernel; any other capability is not enough.
 */
TEST_F(tables, cap_perfmon_is_needed_and_enough)
{
	EXPECT_OPENER(become_user(new_user(), 0), EPERM);
	EXPECT_OPENER(unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0, EPERM);
	EXPECT_OPENER(keep_only(CAP_PERFMON), 0);
	EXPECT_OPENER(keep_only(CAP_SYS_PTRACE), EPERM);
}

TEST_HARNESS_MAIN
