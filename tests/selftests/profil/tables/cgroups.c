// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of a cgroup counts the tasks in it and below it, and says when it has been
 * removed. A table is charged to the cgroup of its opener. Needs cgroup2.
 */
#include "one_table.h"

#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/profil-table"
#define INNER GROUP "/inner"
#define OTHER GROUPS "/profil-other"

FIXTURE(group)
{
	int fd;
	int directory;
	struct table table;
};

FIXTURE_SETUP(group)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_ROOT();
	SKIP_UNLESS_FAST(self->fd);
	if (mkdir(GROUP, 0755) || mkdir(INNER, 0755) || mkdir(OTHER, 0755))
		SKIP(return, "needs control groups");
	self->directory = open(GROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_LE(0, self->directory);
}

FIXTURE_TEARDOWN(group)
{
	if (self->table.counters)
		table_end(&self->table);
	close(self->directory);
	close(self->fd);
	rmdir(INNER);
	rmdir(GROUP);
	rmdir(OTHER);
}

static void move_to(const char *group, pid_t pid)
{
	char path[80], number[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	snprintf(number, sizeof(number), "%d", pid);
	EXPECT_OK(write_text(path, number));
}

/* A process that spins in the group @group, from now on until it is killed */
static pid_t spin_in(const char *group)
{
	pid_t child = child_that_spins(5);

	move_to(group, child);
	kill(child, SIGCONT);
	return child;
}

static void begin_group(FIXTURE_DATA(group) * self, __u32 flags)
{
	struct profil_table args = table_args(flags, FAST_NS);

	if (flags & PROFIL_TABLE_CGROUP)
		args.cgroup = self->directory;
	ASSERT_OK(table_begin(&self->table, self->fd, args));
}

/* Samples of the process @pid in the half that was taken last */
static __u64 samples_of(const struct table *table, pid_t pid)
{
	struct table_row row;
	__u64 sum = 0;

	FOR_EACH_ROW(table, &row)
	if (row.text.pid == (__u32)pid)
		sum += row.count;
	return sum;
}

static bool taken_of(struct table *table, pid_t pid)
{
	take(table, 0);
	return samples_of(table, pid);
}

static bool sampled(struct table *table, pid_t pid)
{
	return EVENTUALLY(taken_of(table, pid), sleep_ns(5 * NSEC_PER_MSEC));
}

TEST_F(group, only_tasks_of_the_group_count)
{
	struct profil_table args = table_args(PROFIL_TABLE_CGROUP, 0);
	pid_t inside = spin_in(GROUP), below = spin_in(INNER),
	      outside = spin_in(OTHER);
	int table;

	begin_group(self, PROFIL_TABLE_CGROUP);
	EXPECT_TRUE(sampled(&self->table, inside));
	EXPECT_TRUE(sampled(&self->table, below));
	EXPECT_TRUE(EVENTUALLY(self->table.sum.filtered,
			       taken_of(&self->table, outside)));
	EXPECT_FALSE(samples_of(&self->table, outside));
	kill_child(inside);
	kill_child(below);
	kill_child(outside);
	take_last(&self->table);
	EXPECT_EQ(0, self->table.sum.idle);
	args.cgroup = self->directory;
	do
		table = table_open(self->fd, &args);
	while (table >= 0);
	EXPECT_EQ(-EBUSY, table);
}

/* Programs outside are never named. */
TEST_F(group, no_program_outside_is_named)
{
	pid_t outside = spin_in(OTHER);

	begin_group(self, PROFIL_TABLE_CGROUP);
	EXPECT_TRUE(EVENTUALLY(self->table.sum.filtered > 20,
			       taken_of(&self->table, outside)));
	kill_child(outside);
	take_last(&self->table);
	EXPECT_EQ(0, self->table.taken.texts);
	EXPECT_EQ(0, self->table.sum.hits);
}

static void expect_group(const struct table *table, pid_t pid, const char *path)
{
	struct table_row row;
	struct stat seen;
	bool any = false;

	ASSERT_OK(stat(path, &seen));
	FOR_EACH_ROW(table, &row)
	{
		if (row.text.pid != (__u32)pid)
			continue;
		any = true;
		EXPECT_EQ(PROFIL_NAME_CGROUP, row.cgroup.kind);
		EXPECT_EQ(seen.st_ino, row.cgroup.inode);
		EXPECT_EQ(0, row.cgroup.device);
		EXPECT_STREQ(path + strlen(GROUPS), row.cgroup_path);
	}
	EXPECT_TRUE(any);
}

TEST_F(group, text_names_the_group)
{
	pid_t inside = spin_in(GROUP), below = spin_in(INNER);

	begin_group(self, 0);
	ASSERT_TRUE(sampled(&self->table, inside));
	expect_group(&self->table, inside, GROUP);
	ASSERT_TRUE(sampled(&self->table, below));
	expect_group(&self->table, below, INNER);
	kill_child(inside);
	kill_child(below);
	EXPECT_EQ(0, self->table.sum.filtered);
}

/* A process that moves has a text in each group, of the same program and file. */
TEST_F(group, task_that_moves_has_two_texts)
{
	pid_t child = spin_in(GROUP);

	begin_group(self, 0);
	ASSERT_TRUE(sampled(&self->table, child));
	expect_group(&self->table, child, GROUP);
	move_to(OTHER, child);
	sleep_ns(50 * NSEC_PER_MSEC);
	take(&self->table, 0);
	ASSERT_TRUE(sampled(&self->table, child));
	expect_group(&self->table, child, OTHER);
	kill_child(child);
}

static bool has_group(const struct table *table, const char *path)
{
	struct table_row row;
	struct stat group;
	bool found = false;

	ASSERT_OK(stat(path, &group));
	FOR_EACH_ROW(table, &row)
	found |= row.cgroup.inode == group.st_ino;
	return found;
}

/* Without a TAKE between: what is known of the program before the move is not valid. */
TEST_F(group, task_that_moves_within_a_half_has_two_texts)
{
	pid_t child = spin_in(GROUP);

	begin_group(self, PROFIL_TABLE_CGROUP);
	ASSERT_TRUE(WAIT_FOR(table_counted(&self->table) >= 5));
	move_to(INNER, child);
	__u64 before = table_counted(&self->table);

	ASSERT_TRUE(WAIT_FOR(table_counted(&self->table) >= before + 5));
	take(&self->table, 0);
	EXPECT_TRUE(has_group(&self->table, GROUP));
	EXPECT_TRUE(has_group(&self->table, INNER));
	kill_child(child);
}

TEST_F(group, removed_group_is_reported)
{
	struct profil_table args = table_args(PROFIL_TABLE_CGROUP, 0);
	pid_t child = spin_in(GROUP);

	begin_group(self, PROFIL_TABLE_CGROUP);
	ASSERT_TRUE(sampled(&self->table, child));
	EXPECT_EQ(0, self->table.taken.flags);
	kill_child(child);
	ASSERT_TRUE(WAIT_FOR(!rmdir(INNER)));
	ASSERT_TRUE(WAIT_FOR(!rmdir(GROUP)));
	EXPECT_NE(0, access(GROUP, F_OK));
	take(&self->table, 0);
	EXPECT_EQ(PROFIL_TAKE_CGROUP_GONE, self->table.taken.flags);
	spin(5, 5 * NSEC_PER_MSEC);
	take(&self->table, 0);
	EXPECT_EQ(PROFIL_TAKE_CGROUP_GONE, self->table.taken.flags);
	EXPECT_EQ(0, self->table.taken.hits);
	table_end(&self->table);
	args.cgroup = self->directory;
	EXPECT_EQ(-EBADF, table_begin(&self->table, self->fd, args));
}

/* Who opens a tree in a cgroup namespace gets no names of cgroups. */
TEST_F(group, tree_in_a_namespace_names_no_group)
{
	pid_t child = child_that_spins(5);
	struct table_row row;

	ASSERT_OK(unshare(CLONE_NEWCGROUP));
	begin_group(self, PROFIL_TABLE_TREE);
	ASSERT_OK(table_add(&self->table, child, 0));
	kill(child, SIGCONT);
	ASSERT_TRUE(sampled(&self->table, child));
	FOR_EACH_ROW(&self->table, &row)
	EXPECT_STREQ("", row.cgroup_path);
	kill_child(child);
}

/* Memory */
static bool in_group_with_memory(void)
{
	write_text(GROUPS "/cgroup.subtree_control", "+memory");
	return !access(OTHER "/memory.current", R_OK) &&
	       !write_text(OTHER "/cgroup.procs", "0");
}

static int charged(int fd)
{
	struct profil_table args = table_args(0, 0);
	size_t before = number_in(OTHER "/memory.current");
	size_t bytes = (2UL << 18) * sizeof(struct profil_counter);
	int table;

	args.counters_log2 = 18;
	table = table_open(fd, &args);
	EXPECT_LE(0, table);
	EXPECT_LE(before + bytes, number_in(OTHER "/memory.current"));
	close(table);
	EXPECT_TRUE(WAIT_FOR(number_in(OTHER "/memory.current") <
			     before + bytes / 2));
	return _metadata->exit_code;
}

TEST_F(group, table_is_charged_to_the_group_of_its_opener)
{
	pid_t child = IN_CHILD(in_group_with_memory() ? charged(self->fd) : 77);
	int status;

	EXPECT_EQ(child, waitpid(child, &status, 0));
	write_text(GROUPS "/cgroup.subtree_control", "-memory");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		SKIP(return, "needs memory control groups");
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
