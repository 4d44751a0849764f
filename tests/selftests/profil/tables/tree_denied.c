// SPDX-License-Identifier: GPL-2.0-only
/* Programs whose samples in a tree are denied, and programs that are dropped from it. */
#include "rights.h"

#include <poll.h>
#include <sys/ptrace.h>

/*
 * The samples of a program are counted, or each is denied, or the first one is denied and
 * its process is in the tree no more.
 */
enum fate { SEEN, DENIED, DROPPED };

/**
 * struct denial - a program of a child
 * @name: what the program is
 * @opener: what the test becomes before it opens the table; or NULL
 * @child: what the child becomes before it spins; or NULL
 * @sets_user: the child executes a program that sets its user
 * @fate: what becomes of its samples
 * @id: ID that the child changes, of its three users and its three groups
 */
struct denial {
	const char *name;
	int (*opener)(void);
	int (*child)(void);
	bool sets_user;
	enum fate fate;
	int id;
};

static const struct denial *denial;

static int become_undumpable(void)
{
	return prctl(PR_SET_DUMPABLE, 0) ? -errno : 0;
}

static int enter_namespace_undumpable(void)
{
	return enter_namespace() ?: become_undumpable();
}

static int become_dumpable_again(void)
{
	return become_undumpable() ?: prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

static int change_id(void)
{
	int ids[] = { -1, -1, -1, -1, -1, -1 };

	ids[denial->id] = 4242;
	return setresgid(ids[3], ids[4], ids[5]) ||
			       setresuid(ids[0], ids[1], ids[2]) ||
			       prctl(PR_SET_DUMPABLE, 1) ?
		       -errno :
		       0;
}

static int enter_namespace_of_other(void)
{
	return change_id() ?: enter_namespace();
}

/* Nothing. The child is forked before the test becomes the opener. */
static int be_forked_first(void)
{
	return 0;
}

static const struct denial denials[] = {
	{ "own program", become_nobody, NULL, false, SEEN, 0 },
	{ "set-uid program", become_nobody, NULL, true, DROPPED, 0 },
	{ "set-uid program, by root", NULL, NULL, true, SEEN, 0 },
	{ "not dumpable", become_nobody, become_undumpable, false, DENIED, 0 },
	{ "not dumpable, by root", NULL, become_undumpable, false, SEEN, 0 },
	{ "dumpable again", become_nobody, become_dumpable_again, false, SEEN,
	  0 },
	{ "other real user", give_up_ptrace, change_id, false, DROPPED, 0 },
	{ "other user", give_up_ptrace, change_id, false, DROPPED, 1 },
	{ "other saved user", give_up_ptrace, change_id, false, DROPPED, 2 },
	{ "other real group", give_up_ptrace, change_id, false, DROPPED, 3 },
	{ "other group", give_up_ptrace, change_id, false, DROPPED, 4 },
	{ "other saved group", give_up_ptrace, change_id, false, DROPPED, 5 },
	{ "other group, by root", NULL, change_id, false, SEEN, 4 },
	{ "other user, by root", NULL, become_nobody, false, SEEN, 0 },
	{ "fewer capabilities", give_up_ptrace, NULL, false, SEEN, 0 },
	/* The opener's user owns the namespace. */
	{ "own namespace", become_nobody, enter_namespace, false, SEEN, 0 },
	/* The program was executed outside of the namespace. */
	{ "own namespace, not dumpable", become_nobody,
	  enter_namespace_undumpable, false, DENIED, 0 },
	{ "namespace of another user", give_up_ptrace, enter_namespace_of_other,
	  false, DROPPED, 1 },
	{ "outside of the opener's namespace", enter_namespace, be_forked_first,
	  false, DROPPED, 0 },
	{ "more capabilities", give_up_ptrace, be_forked_first, false, DROPPED,
	  0 },
};

static const char *set_user_program;

static int be_denied(unsigned long nr)
{
	if (denial->child && denial->child())
		return 1;
	if (denial->sets_user)
		execl(set_user_program, "program", "spin", "9999999999999",
		      NULL);
	return spin_forever(nr);
}

/* TAKE: are there samples of the child that are denied, or counted? */
static bool has_samples(struct table *table, __u64 *hits, __u64 *denied)
{
	EXPECT_OK(table_take(table, 0));
	EXPECT_TRUE(table_adds_up(table));
	if (!table->taken.hits)
		EXPECT_EQ(0, table->taken.names);
	*hits = table->taken.hits;
	*denied = table->taken.denied;
	return *hits || *denied;
}

static bool has_dropped(struct table *table)
{
	__u64 hits, denied;

	has_samples(table, &hits, &denied);
	return table->taken.dropped;
}

/* The tree has no other process. */
static bool is_dropped(struct table *table)
{
	if (!WAIT_FOR(has_dropped(table)))
		return false;
	EXPECT_LE(1, table->sum.denied);
	EXPECT_EQ(POLLHUP, table_events(table) & POLLHUP);
	sleep_ns(20 * NSEC_PER_MSEC);
	EXPECT_OK(table_take(table, 0));
	EXPECT_EQ(1, table->taken.dropped);
	EXPECT_EQ(1, table->taken.processes);
	EXPECT_EQ(0, table->taken.running);
	EXPECT_EQ(0, table->taken.ticks);
	return true;
}

/* Samples before the child has become what it shall are of the own program. */
static bool has_fate(struct table *table, enum fate fate)
{
	bool wanted = fate == DENIED;
	__u64 hits = 0, denied = 0;
	int rounds = 0;

	if (fate == DROPPED)
		return is_dropped(table);
	(void)EVENTUALLY((rounds = has_samples(table, &hits, &denied) &&
						   !!denied == wanted &&
						   !!hits != wanted ?
					   rounds + 1 :
					   0) == 3,
			 sleep_ns(20 * NSEC_PER_MSEC));
	EXPECT_EQ(0, table->taken.dropped);
	EXPECT_EQ(1, table->taken.running);
	return rounds == 3;
}

static int check_denial(const rights_data *self)
{
	bool first = denial->child == be_forked_first;
	pid_t pid = first ? child_that_waits(be_denied, SITE) : 0;
	struct table table;

	if (denial->opener && denial->opener())
		return -EOPNOTSUPP;
	if (begin_tree(self, &table))
		return -1;
	pid = pid ?: child_that_waits(be_denied, SITE);
	if (table_add(&table, pid, 0))
		return -2;
	kill(pid, SIGCONT);
	if (waitpid(pid, NULL, WNOHANG))
		return -EOPNOTSUPP;
	return has_fate(&table, denial->fate) ? 0 : -3;
}

TEST_F(rights, programs_that_may_not_be_traced_are_denied)
{
	set_user_program = self->folder.program;
	ASSERT_OK(chown(self->folder.program, 4242, 4242));
	ASSERT_OK(chmod(self->folder.program, 06755));
	for (size_t i = 0; i < ARRAY_LENGTH(denials); i++) {
		int status;

		denial = &denials[i];
		status = wait_for_group(IN_GROUP(-check_denial(self)));
		if (status == EOPNOTSUPP << 8)
			TH_LOG("%s: not supported", denial->name);
		else
			EXPECT_EQ(0, status)
			{
				TH_LOG("%s", denial->name);
			}
	}
}

/* The credentials that count are those of who has opened the table. */
TEST_F(rights, descriptor_has_the_rights_of_its_opener)
{
	struct table table;

	set_user_program = self->folder.program;
	ASSERT_OK(begin_tree(self, &table));
	EXPECT_TRUE(PASSES_IN_CHILD(({
		static const struct denial other = {
			.child = become_undumpable
		};
		pid_t pid;

		denial = &other;
		ASSERT_OK(table_map(&table));
		ASSERT_OK(become_nobody());
		pid = child_that_waits(be_denied, SITE);
		ASSERT_OK(table_add(&table, pid, 0));
		kill(pid, SIGCONT);
		EXPECT_TRUE(has_fate(&table, SEEN));
	})));
	table_end(&table);
}

/* Two users: the parent, and root, who traces the process to add it. */
TEST_F(rights, two_users_sample_one_process)
{
	struct table *told = new_shared(page_size()), table;
	volatile pid_t *pid = new_shared(page_size());
	pid_t user, own;

	user = IN_CHILD(({
		ASSERT_OK(become_nobody());
		ASSERT_OK(begin_tree(self, told));
		own = child_that_spins(SITE);
		ASSERT_OK(table_add(told, own, 0));
		kill(own, SIGCONT);
		EXPECT_TRUE(has_fate(told, SEEN));
		*pid = own;
		while (*pid)
			sleep_ns(NSEC_PER_MSEC);
		EXPECT_TRUE(has_fate(told, SEEN));
		_metadata->exit_code;
	}));
	ASSERT_TRUE(WAIT_FOR(*pid));
	ASSERT_OK(begin_tree(self, &table));
	EXPECT_EQ(-EPERM, table_add(&table, *pid, 0));
	ASSERT_OK(ptrace(PTRACE_SEIZE, *pid, NULL, NULL));
	EXPECT_OK(table_add(&table, *pid, 0));
	EXPECT_TRUE(has_fate(&table, SEEN));
	*pid = 0;
	EXPECT_TRUE(exited_with(user, 0));
	table_end(&table);
}

TEST_HARNESS_MAIN
