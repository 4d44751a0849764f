// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that has been counted hides, shows itself again, or changes its rights: from
 * that moment on its samples have another outcome, though no TAKE is between.
 */
#include "rights.h"

#include <poll.h>

/*
 * What a child of the test does when it is asked to. It spins at SITE before and after
 * that, in one thread but for the last.
 */
enum deed {
	NOTHING,
	HIDE,
	SHOW,
	CHANGE_USER,
	CHANGE_GROUP,
	ENTER_NAMESPACE,
	CHANGE_USER_OF_THREAD
};

#define OTHER_ID 4242

/* The calls of the C library would change all threads. */
static int change_user_of_thread(void)
{
	if (syscall(SYS_setresuid, OTHER_ID, OTHER_ID, OTHER_ID))
		return -errno;
	return prctl(PR_SET_DUMPABLE, 1);
}

/**
 * struct stage - what the test and its child share
 * @asked: a deed
 * @done: the last deed that has been done
 */
struct stage {
	volatile enum deed asked;
	volatile enum deed done;
};

static struct stage *stage;

static void *change_and_spin(void *unused)
{
	if (change_user_of_thread())
		_exit(1);
	stage->done = CHANGE_USER_OF_THREAD;
	spin_forever(SITE);
	return unused;
}

static int change_in_thread(void)
{
	pthread_t thread;

	return -pthread_create(&thread, NULL, change_and_spin, NULL);
}

/* A change of user or group makes a process undumpable. */
static int do_deed(enum deed deed)
{
	switch (deed) {
	case HIDE:
		return prctl(PR_SET_DUMPABLE, 0);
	case SHOW:
		return prctl(PR_SET_DUMPABLE, 1);
	case CHANGE_USER:
		return setresuid(OTHER_ID, OTHER_ID, OTHER_ID) ?:
			       prctl(PR_SET_DUMPABLE, 1);
	case CHANGE_GROUP:
		return setresgid(OTHER_ID, OTHER_ID, OTHER_ID) ?:
			       prctl(PR_SET_DUMPABLE, 1);
	case ENTER_NAMESPACE:
		return unshare(CLONE_NEWUSER) ?: prctl(PR_SET_DUMPABLE, 1);
	case CHANGE_USER_OF_THREAD:
		return change_in_thread();
	default:
		return 0;
	}
}

static int spin_and_obey(unsigned long nr)
{
	enum deed last = NOTHING;

	for (;;) {
		enum deed deed = stage->asked;

		if (deed != last && do_deed(deed))
			return 1;
		/* A thread tells that itself. */
		if (deed != CHANGE_USER_OF_THREAD)
			stage->done = deed;
		last = deed;
		spin(nr, 4 * FAST_NS);
	}
}

static bool ask(enum deed deed)
{
	stage->asked = deed;
	return WAIT_FOR(stage->done == deed);
}

/* A tree with such a child. False if it cannot be made. */
static bool begin_obedient(const rights_data *self, struct table *table)
{
	pid_t pid;

	if (begin_tree(self, table))
		return false;
	stage = new_shared(page_size());
	pid = child_that_waits(spin_and_obey, SITE);
	if (table_add(table, pid, 0))
		return false;
	kill(pid, SIGCONT);
	return true;
}

/* Wait until the child has been counted since the last TAKE. */
static bool is_counted(const struct table *table)
{
	__u64 before = table_counted(table);

	return WAIT_FOR(table_counted(table) > before);
}

static void take(struct table *table)
{
	EXPECT_OK(table_take(table, 0));
	EXPECT_TRUE(table_adds_up(table));
	EXPECT_TRUE(table_has_all_takes(table));
}

#define WHILE_NS (40 * FAST_NS)

/* True if samples were denied: a busy host may have kept all from the child. */
static bool is_denied_once_hidden(struct table *table)
{
	__u64 counted;

	EXPECT_TRUE(ask(SHOW));
	take(table);
	EXPECT_TRUE(is_counted(table));
	EXPECT_TRUE(ask(HIDE));
	counted = table_counted(table);
	sleep_ns(WHILE_NS);
	EXPECT_EQ(counted, table_counted(table));
	take(table);
	return table->taken.denied;
}

/* The child has been hidden since before the last TAKE. */
static bool is_denied_alone(struct table *table)
{
	sleep_ns(WHILE_NS);
	take(table);
	EXPECT_EQ(0, table->taken.hits);
	EXPECT_EQ(0, table->taken.names);
	return table->taken.denied;
}

static bool is_counted_alone(struct table *table)
{
	sleep_ns(WHILE_NS);
	take(table);
	EXPECT_EQ(0, table->taken.denied);
	return table->taken.hits;
}

/* The process stays in the tree. */
static int check_hiding(const rights_data *self)
{
	struct table table;

	if (become_nobody() || !begin_obedient(self, &table))
		return 1;
	EXPECT_TRUE(EVENTUALLY(is_denied_once_hidden(&table), 0));
	EXPECT_TRUE(EVENTUALLY(is_denied_alone(&table), 0));
	EXPECT_TRUE(ask(SHOW));
	take(&table);
	EXPECT_TRUE(EVENTUALLY(is_counted_alone(&table), 0));
	EXPECT_TRUE(EVENTUALLY(is_denied_once_hidden(&table), 0));
	EXPECT_EQ(1, table.taken.running);
	EXPECT_EQ(0, table.taken.dropped);
	EXPECT_EQ(0, table_events(&table) & POLLHUP);
	return _metadata->exit_code;
}

#define EXPECT_IN_GROUP(status) EXPECT_EQ(0, wait_for_group(IN_GROUP(status)))

TEST_F(rights, program_is_denied_while_it_is_not_dumpable)
{
	EXPECT_IN_GROUP(check_hiding(self));
}

/* Nothing is denied: a program is counted after each deed. */
static int check_seen(const rights_data *self, int (*become)(void),
		      const enum deed *deeds, size_t nr)
{
	struct table table;

	if ((become && become()) || !begin_obedient(self, &table))
		return 1;
	EXPECT_TRUE(is_counted(&table));
	while (nr--) {
		EXPECT_TRUE(ask(*deeds++));
		EXPECT_TRUE(is_counted(&table));
	}
	take(&table);
	EXPECT_EQ(0, table.taken.denied);
	EXPECT_EQ(0, table.taken.dropped);
	EXPECT_EQ(1, table.taken.running);
	return _metadata->exit_code;
}

TEST_F(rights, opener_with_the_capability_sees_all_changes)
{
	static const enum deed deeds[] = { HIDE, CHANGE_GROUP,	  CHANGE_USER,
					   HIDE, ENTER_NAMESPACE, HIDE };

	if (access("/proc/self/ns/user", R_OK))
		SKIP(return, "the kernel has no user namespaces");
	EXPECT_IN_GROUP(check_seen(self, NULL, deeds, ARRAY_LENGTH(deeds)));
}

TEST_F(rights, opener_sees_a_program_in_its_own_namespace)
{
	static const enum deed deeds[] = { ENTER_NAMESPACE };

	if (access("/proc/self/ns/user", R_OK))
		SKIP(return, "the kernel has no user namespaces");
	EXPECT_IN_GROUP(check_seen(self, become_nobody, deeds, 1));
}

/*
 * The process is dropped before the next TAKE: the first sample after the change is
 * denied, and no other is taken.
 */
static int check_dropped(const rights_data *self, enum deed deed)
{
	struct table table;
	__u64 counted;

	if (give_up_ptrace() || !begin_obedient(self, &table))
		return 1;
	EXPECT_TRUE(is_counted(&table));
	EXPECT_EQ(0, table_events(&table) & POLLHUP);
	EXPECT_TRUE(ask(deed));
	counted = table_counted(&table);
	EXPECT_TRUE(WAIT_FOR(table_events(&table) & POLLHUP));
	if (deed != CHANGE_USER_OF_THREAD)
		EXPECT_EQ(counted, table_counted(&table));
	take(&table);
	EXPECT_EQ(1, table.taken.dropped);
	EXPECT_LE(1, table.taken.denied);
	EXPECT_EQ(1, table.taken.processes);
	EXPECT_EQ(0, table.taken.running);
	sleep_ns(WHILE_NS);
	take(&table);
	EXPECT_EQ(0, table.taken.ticks);
	EXPECT_EQ(1, table.taken.dropped);
	return _metadata->exit_code;
}

TEST_F(rights, process_with_other_credentials_is_dropped)
{
	EXPECT_IN_GROUP(check_dropped(self, CHANGE_USER));
	EXPECT_IN_GROUP(check_dropped(self, CHANGE_GROUP));
	EXPECT_IN_GROUP(check_dropped(self, CHANGE_USER_OF_THREAD));
}

/* A program that sets its user, in a child: it forks at SIGUSR1. */
static const char *program;

static int execute_program(unsigned long ns)
{
	sigset_t signals;
	char number[24];

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	snprintf(number, sizeof(number), "%lu", ns);
	execl(program, program, "branch", number, NULL);
	return 1;
}

static bool is_sampled(struct table *table, bool seen)
{
	take(table);
	return seen ? table->taken.hits : table->taken.dropped;
}

/* The program forks after it has been sampled. */
static int check_set_user(const rights_data *self, bool seen)
{
	struct table table;
	struct stat file;
	pid_t pid;

	if ((!seen && become_nobody()) || begin_tree(self, &table) ||
	    stat(program, &file))
		return 1;
	pid = child_that_waits(execute_program, WHILE_NS);
	EXPECT_OK(table_add(&table, pid,
			    PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC));
	kill(pid, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(is_sampled(&table, seen)));
	if (!seen)
		EXPECT_LE(1, table.sum.denied);
	EXPECT_OK(kill(pid, SIGUSR1));
	EXPECT_TRUE(exited_with(pid, 0));
	take(&table);
	EXPECT_EQ(seen ? 2 : 1, table.taken.processes);
	EXPECT_EQ(seen ? 0 : 1, table.taken.dropped);
	EXPECT_EQ(0, table.taken.running);
	EXPECT_EQ(0, table.taken.unfollowed);
	EXPECT_EQ(0, seen ? table.sum.denied : table.sum.hits);
	return _metadata->exit_code;
}

TEST_F(rights, program_that_sets_its_user_is_dropped)
{
	program = self->folder.program;
	ASSERT_OK(chown(program, OTHER_ID, OTHER_ID));
	ASSERT_OK(chmod(program, 04755));
	EXPECT_IN_GROUP(check_set_user(self, false));
	EXPECT_IN_GROUP(check_set_user(self, true));
}

TEST_HARNESS_MAIN
