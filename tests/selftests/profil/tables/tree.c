// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of a tree of processes, of an ordinary user: which processes are sampled, from
 * when on, and what their samples are named by.
 */
#include "harness.h"
#include "program.h"
#include "table.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define SITE 11
#define CHILD 21
#define GRANDCHILD 22

FIXTURE(tree)
{
	int fd;
	struct table table;
	struct folder folder;
	struct stat program;
};

#define tree_data FIXTURE_DATA(tree)

/* A change of user makes a process undumpable, and the children that it forks. */
FIXTURE_SETUP(tree)
{
	SKIP_UNLESS_COUNTING();
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	ASSERT_OK(become_user(new_user(), 0));
	ASSERT_OK(prctl(PR_SET_DUMPABLE, 1));
	self->folder = folder_new();
	ASSERT_OK(stat("/proc/self/exe", &self->program));
	ASSERT_OK(table_begin(&self->table, self->fd,
			      table_args(PROFIL_TABLE_TREE, FAST_NS)));
}

FIXTURE_TEARDOWN(tree)
{
	if (self->table.counters)
		table_end(&self->table);
	folder_end(&self->folder);
	close(self->fd);
}

static void begin(tree_data *self, __u32 flags, __u64 period_ns)
{
	table_end(&self->table);
	ASSERT_OK(
		table_begin(&self->table, self->fd,
			    table_args(PROFIL_TABLE_TREE | flags, period_ns)));
}

static void take(struct table *table, __u32 flags)
{
	ASSERT_OK(table_take(table, flags));
	EXPECT_TRUE(table_adds_up(table));
	EXPECT_EQ(0, table->sum.idle + table->sum.kernel_threads +
			     table->sum.filtered);
}

/* TAKE: the samples at a site in the file of this program */
static __u64 taken_at(tree_data *self, unsigned int nr)
{
	take(&self->table, 0);
	return table_samples(&self->table, &self->program,
			     offset_of((const char *)site(nr) + SITE_LOOP),
			     false);
}

static bool is_sampled_at(tree_data *self, unsigned int nr)
{
	return EVENTUALLY(taken_at(self, nr), sleep_ns(NSEC_PER_MSEC));
}

static bool has_ended(const tree_data *self)
{
	return EVENTUALLY(table_events(&self->table) & POLLHUP,
			  sleep_ns(NSEC_PER_MSEC));
}

/* ADD a child that waits, and let it run. */
static void add(tree_data *self, pid_t pid, __u32 flags)
{
	ASSERT_OK(table_add(&self->table, pid, flags));
	kill(pid, SIGCONT);
}

static int spin_at_site(unsigned long nr)
{
	return spin_forever(nr);
}

static void check_child(tree_data *self, __u64 period_ns)
{
	pid_t pid = child_that_waits(spin_at_site, SITE);

	begin(self, 0, period_ns);
	EXPECT_EQ(0, table_events(&self->table));
	add(self, pid, 0);
	EXPECT_TRUE(is_sampled_at(self, SITE));
	EXPECT_EQ(0, table_events(&self->table) & POLLHUP);
	EXPECT_EQ(1, self->table.taken.processes);
	EXPECT_EQ(1, self->table.taken.running);
	kill_child(pid);
	EXPECT_TRUE(has_ended(self));
	take(&self->table, PROFIL_TAKE_LAST);
	EXPECT_EQ(1, self->table.taken.processes);
	EXPECT_EQ(0, self->table.taken.running);
	EXPECT_EQ(0, self->table.taken.waiting);
}

TEST_F(tree, child_is_sampled_by_the_timer)
{
	check_child(self, FAST_NS);
}

TEST_F(tree, child_is_sampled_by_the_tick)
{
	check_child(self, 0);
}

TEST_HARNESS_MAIN
