// SPDX-License-Identifier: GPL-2.0-only
/* Who may open a table of a tree, and who may add which process. */
#include "rights.h"

#include <sys/ptrace.h>

/* TABLE. An ordinary user has no more than the smaller trees. */
static int result_of_table(int fd, __u32 flags, __u32 log2)
{
	struct profil_table args = table_args(flags, FAST_NS);
	int table;

	args.counters_log2 = log2;
	table = table_open(fd, &args);
	if (table >= 0)
		close(table);
	return table < 0 ? table : 0;
}

TEST_F(rights, any_user_may_open_a_tree)
{
	const __u32 most = PROFIL_TREE_MAX_LOG2, tree = PROFIL_TABLE_TREE;

	EXPECT_TRUE(PASSES_IN_CHILD(({
		ASSERT_OK(become_nobody());
		EXPECT_OK(result_of_table(self->fd, tree, most));
		EXPECT_OK(result_of_table(self->fd,
					  tree | PROFIL_TABLE_THREADS |
						  PROFIL_TABLE_ADDRESSES,
					  PROFIL_TABLE_MIN_LOG2));
		EXPECT_EQ(-EPERM, result_of_table(self->fd, tree, most + 1));
		EXPECT_EQ(-EPERM,
			  result_of_table(self->fd,
					  tree | PROFIL_TABLE_KERNEL_PCS,
					  most));
		EXPECT_EQ(-EPERM,
			  result_of_table(self->fd, PROFIL_TABLE_ADDRESSES,
					  most));
		EXPECT_EQ(-EINVAL,
			  result_of_table(self->fd, tree | PROFIL_TABLE_CGROUP,
					  most));
	})));
	EXPECT_OK(result_of_table(self->fd, tree | PROFIL_TABLE_KERNEL_PCS,
				  most + 1));
	EXPECT_EQ(-EINVAL,
		  result_of_table(self->fd, tree | PROFIL_TABLE_CGROUP, most));
}

/* ADD. EOPNOTSUPP if the kernel cannot do what is tried. */
static int change_user_only(void)
{
	if (prctl(PR_SET_KEEPCAPS, 1) || setresuid(4242, 4242, 4242))
		return -ECHILD;
	return 0;
}

static int drop_ptrace(void)
{
	return set_capabilities(CAP_SYS_PTRACE, true);
}

static int fork_in_pid_namespace(void)
{
	return unshare(CLONE_NEWPID) ? -EOPNOTSUPP : 0;
}

enum relation {
	CHILD,
	CHILD_OF_THREAD,
	GRANDCHILD,
	TRACED,
	TRACED_BY_OTHER,
	PARENT,
	ITSELF
};

/**
 * struct attempt - an ADD by a child of the test
 * @name: what is tried
 * @before: what the child becomes before it forks the process; or NULL
 * @after: what it becomes then; or NULL
 * @relation: of the process to who adds it
 * @result: of ADD
 */
struct attempt {
	const char *name;
	int (*before)(void);
	int (*after)(void);
	enum relation relation;
	int result;
};

static const struct attempt attempts[] = {
	{ "own child", become_nobody, NULL, CHILD, 0 },
	{ "child of another thread", become_nobody, NULL, CHILD_OF_THREAD, 0 },
	{ "root's own child", NULL, NULL, CHILD, 0 },
	/* The program of the child may then be denied. */
	{ "own child, as another user", NULL, change_user_only, CHILD, 0 },
	{ "own child, in a pid namespace", fork_in_pid_namespace, NULL, CHILD,
	  0 },
	{ "grandchild", become_nobody, NULL, GRANDCHILD, -EPERM },
	{ "root's grandchild", NULL, NULL, GRANDCHILD, -EPERM },
	{ "parent", become_nobody, NULL, PARENT, -EPERM },
	{ "root's parent", NULL, NULL, PARENT, -EPERM },
	{ "itself", become_nobody, NULL, ITSELF, -EPERM },
	{ "traced", become_nobody, NULL, TRACED, 0 },
	/* The kernel ties a tracee to a thread. */
	{ "traced by another thread", become_nobody, NULL, TRACED_BY_OTHER,
	  -EPERM },
	{ "traced, as another user", NULL, change_user_only, TRACED, -EPERM },
	{ "traced, with fewer capabilities", NULL, give_up_ptrace, TRACED,
	  -EPERM },
	{ "traced, capability idle", NULL, drop_ptrace, TRACED, 0 },
	{ "traced, in another namespace", become_nobody, enter_namespace,
	  TRACED, -EPERM },
};

/* Fork a process that has a child, whose ID is in the pipe. */
static pid_t fork_grandchild(void)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pid = child_that_spins(SITE);
		if (write(ends[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		for (;;)
			pause();
	}
	return read(ends[0], &pid, sizeof(pid)) == sizeof(pid) ? pid : -1;
}

/* The process that is traced is no child of who traces it. */
static pid_t process_of(enum relation relation)
{
	pid_t pid;

	switch (relation) {
	case PARENT:
		return getppid();
	case ITSELF:
		return getpid();
	case CHILD:
	case CHILD_OF_THREAD:
		/* The first process of a namespace ignores SIGSTOP. */
		return IN_CHILD(({
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			spin_forever(SITE);
		}));
	default:
		pid = fork_grandchild();
		if ((relation == TRACED || relation == TRACED_BY_OTHER) &&
		    ptrace(PTRACE_SEIZE, pid, NULL, NULL))
			return -1;
		return pid;
	}
}

struct added {
	const struct table *table;
	pid_t pid;
};

static void *add_in_thread(void *argument)
{
	const struct added *added = argument;

	return (void *)(intptr_t)table_add(added->table, added->pid, 0);
}

static int add_by_thread(const struct table *table, pid_t pid)
{
	struct added added = { table, pid };
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, add_in_thread, &added) ||
	    pthread_join(thread, &result))
		return -ECHILD;
	return (int)(intptr_t)result;
}

static int result_of(const rights_data *self, const struct attempt *attempt)
{
	enum relation relation = attempt->relation;
	int error = attempt->before ? attempt->before() : 0;
	struct table table;
	pid_t pid;

	error = error ?: begin_tree(self, &table);
	if (error)
		return error;
	pid = process_of(relation);
	if (pid < 0)
		return -ENOEXEC;
	error = attempt->after ? attempt->after() : 0;
	if (error)
		return error;
	return relation == CHILD_OF_THREAD || relation == TRACED_BY_OTHER ?
		       add_by_thread(&table, pid) :
		       table_add(&table, pid, 0);
}

TEST_F(rights, only_parent_and_tracer_may_add)
{
	for (size_t i = 0; i < ARRAY_LENGTH(attempts); i++) {
		pid_t child = IN_GROUP(-result_of(self, &attempts[i]));
		int status = wait_for_group(child);

		if (status == EOPNOTSUPP << 8) {
			TH_LOG("%s: not supported", attempts[i].name);
			continue;
		}
		EXPECT_EQ(-attempts[i].result << 8, status)
		{
			TH_LOG("%s", attempts[i].name);
		}
	}
}

/*
 * While a process is being traced by another, its parent looks like the tracer for a
 * moment. The grandparent of the process is no parent.
 */
#define TRACINGS 1000

static int trace_repeatedly(pid_t pid, volatile bool *over)
{
	for (int i = 0; i < TRACINGS; i++)
		if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) ||
		    waitpid(pid, NULL, __WALL) != pid ||
		    ptrace(PTRACE_DETACH, pid, NULL, NULL))
			return 1;
	*over = true;
	return 0;
}

TEST_F(rights, tracing_of_another_gives_no_right)
{
	volatile bool *over = new_shared(page_size());
	pid_t pid = fork_grandchild(), tracer;
	struct table table;
	int pidfd = pidfd_of(pid), result = -EPERM;

	ASSERT_OK(begin_tree(self, &table));
	tracer = IN_CHILD(trace_repeatedly(pid, over));
	while (!*over && result == -EPERM)
		result = table_add_by(&table, pidfd, 0);
	EXPECT_EQ(-EPERM, result);
	EXPECT_TRUE(exited_with(tracer, 0));
	table_end(&table);
}

TEST_HARNESS_MAIN
