// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of TABLE in the order of the checks, and who may.
 */
#include "fault_order.h"
#include "many_tables.h"

#include <linux/capability.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

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
	{ "flag", AT(flags), 0x20, EINVAL, false },
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

static union attempt attempt_of(void)
{
	union attempt attempt = { .bytes = "" };

	attempt.args = table_args(0, FAST_NS);
	attempt.args.size = sizeof(attempt);
	return attempt;
}

static int open_with(int fd, const struct fault *first,
		     const struct fault *second)
{
	union attempt attempt = attempt_of();

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
	struct profil_table args;
	int table;

	ASSERT_OK(version(self->fd, &answer));
	args = table_args(0, answer.min_period_ns - 1);
	EXPECT_EQ(-EINVAL, table_open(self->fd, &args));
	args = table_args(0, answer.min_period_ns);
	table = table_open(self->fd, &args);
	ASSERT_LE(0, table);
	EXPECT_EQ(answer.min_period_ns, args.period_ns);
	close(table);
	args = table_args(0, 0);
	table = table_open(self->fd, &args);
	ASSERT_LE(0, table);
	EXPECT_EQ(answer.tick_ns, args.period_ns);
	close(table);
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

static void open_and_exit(int fd, int error)
{
	struct profil_table args = table_args(0, FAST_NS);
	int table = table_open(fd, &args);

	EXPECT_EQ(-error, table < 0 ? table : 0);
	EXIT_CHILD();
}

/* What a child gets that has become one without the right, or another with it */
static void check_opener(int fd, int (*become)(void), int error)
{
	pid_t child = fork();

	if (!child) {
		int result = become();

		if (result == -EOPNOTSUPP)
			_exit(0);
		ASSERT_OK(result);
		if (error)
			check_order(fd, error);
		open_and_exit(fd, error);
	}
	EXPECT_TRUE(exited_with(child, 0));
}

static int become_ordinary(void)
{
	return become_user(new_user(), 0);
}

/* The process has no right; the device was opened by one that has. */
TEST_F(tables, ordinary_user_may_not)
{
	check_opener(self->fd, become_ordinary, EPERM);
}

static int become_root_elsewhere(void)
{
	return unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0;
}

TEST_F(tables, root_of_another_user_namespace_may_not)
{
	check_opener(self->fd, become_root_elsewhere, EPERM);
}

static int keep_perfmon(void)
{
	return keep_only(CAP_PERFMON);
}

TEST_F(tables, cap_perfmon_is_enough)
{
	check_opener(self->fd, keep_perfmon, 0);
}

static int keep_ptrace(void)
{
	return keep_only(CAP_SYS_PTRACE);
}

/* Any other than CAP_SYS_ADMIN, which stands for CAP_PERFMON in the kernel */
TEST_F(tables, other_capability_is_not)
{
	check_opener(self->fd, keep_ptrace, EPERM);
}

TEST_HARNESS_MAIN
