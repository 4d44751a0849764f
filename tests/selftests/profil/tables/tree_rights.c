// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may open a table of a tree, who may add which process, the order of errors, the
 * limits, and which programs are denied. Needs root, which becomes others.
 */
#include "harness.h"
#include "helpers.h"
#include "program.h"
#include "table.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define SITE 5

/* Time between two looks at a table */
#define STEP_NS NSEC_PER_MSEC

FIXTURE(rights)
{
	int fd;
	struct folder folder;
	char saved[32];
};

#define rights_data FIXTURE_DATA(rights)

FIXTURE_SETUP(rights)
{
	self->fd = open_device(_metadata);
	if (geteuid())
		SKIP(return, "needs root");
	SKIP_UNLESS_FAST(self->fd);
	self->folder = folder_new();
	ASSERT_OK(chmod(self->folder.path, 0755));
	ASSERT_OK(program_copy(self->folder.program));
	ASSERT_OK(param_read("max_sessions", self->saved, sizeof(self->saved)));
}

FIXTURE_TEARDOWN(rights)
{
	param_write("max_sessions", self->saved);
	folder_end(&self->folder);
	close(self->fd);
}

static struct profil_table tree_args(__u32 flags)
{
	return table_args(PROFIL_TABLE_TREE | flags, FAST_NS);
}

static int begin_tree(const rights_data *self, struct table *table)
{
	return table_begin(table, self->fd, tree_args(0));
}

/* A change of user makes a process undumpable, and the children that it forks. */
static int become_nobody(void)
{
	int error = become_user(new_user(), 0);

	return error ?: prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

static int set_capabilities(__u32 dropped, bool permitted)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[dropped / 32].effective &= ~(1U << dropped % 32);
	if (!permitted)
		data[dropped / 32].permitted &= ~(1U << dropped % 32);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int give_up_ptrace(void)
{
	return set_capabilities(CAP_SYS_PTRACE, false);
}

/*
 * A child that becomes another user does not take its children with it when it ends: it
 * has a group of its own. The status of the child
 */
#define IN_GROUP(status) IN_CHILD((setpgid(0, 0), status))

static int wait_for_group(pid_t child)
{
	int status = -1;

	EXPECT_EQ(child, waitpid(child, &status, 0));
	kill(-child, SIGKILL);
	return status;
}

/*
 * TABLE. An ordinary user has no more than the smaller trees.
 */
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
	pid_t child = fork();

	if (!child) {
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
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_OK(result_of_table(self->fd, tree | PROFIL_TABLE_KERNEL_PCS,
				  most + 1));
	EXPECT_EQ(-EINVAL,
		  result_of_table(self->fd, tree | PROFIL_TABLE_CGROUP, most));
}

/*
 * ADD. EOPNOTSUPP if the kernel cannot do what is tried.
 */
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

static int enter_namespace(void)
{
	return unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0;
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

static int spin_at_site(unsigned long nr)
{
	return spin_forever(nr);
}

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
		pid = child_that_waits(spin_at_site, SITE);
		if (write(ends[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		for (;;)
			pause();
	}
	return read(ends[0], &pid, sizeof(pid)) == sizeof(pid) ? pid : -1;
}

/* The first process of a namespace ignores SIGSTOP. */
static pid_t spinning_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		spin_forever(SITE);
	}
	return pid;
}

static bool is_traced(enum relation relation)
{
	return relation == TRACED || relation == TRACED_BY_OTHER;
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
		return spinning_child();
	default:
		pid = fork_grandchild();
		if (is_traced(relation) &&
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
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(attempts); i++) {
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

static void trace_repeatedly(pid_t pid, volatile bool *over)
{
	int i;

	for (i = 0; i < TRACINGS; i++)
		if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) ||
		    waitpid(pid, NULL, __WALL) != pid ||
		    ptrace(PTRACE_DETACH, pid, NULL, NULL))
			_exit(1);
	*over = true;
	_exit(0);
}

TEST_F(rights, tracing_of_another_gives_no_right)
{
	volatile bool *over = new_shared(page_size());
	pid_t pid = fork_grandchild(), tracer;
	struct table table;
	int pidfd = pidfd_of(pid), result = -EPERM;

	ASSERT_OK(begin_tree(self, &table));
	tracer = fork();
	if (!tracer)
		trace_repeatedly(pid, over);
	while (!*over && result == -EPERM)
		result = table_add_by(&table, pidfd, 0);
	EXPECT_EQ(-EPERM, result);
	EXPECT_TRUE(exited_with(tracer, 0));
	table_end(&table);
}

/*
 * Errors in their order: each fault alone and with each later one
 */
struct add_fault {
	const char *name;
	size_t at;
	size_t bytes;
	__u64 value;
	int error;
};

#define AT(member)                                 \
	.at = offsetof(struct profil_add, member), \
	.bytes = sizeof(((struct profil_add *)0)->member)

static const struct add_fault add_faults[] = {
	{ "size short", AT(size), 15, EINVAL },
	{ "size huge", AT(size), 0x80000000, E2BIG },
	{ "tail", .at = sizeof(struct profil_add), .bytes = 1, 1, E2BIG },
	{ "flag", AT(flags), 0x4, EINVAL },
	{ "highest flag", AT(flags), 1U << 31, EINVAL },
	{ "reserved", AT(reserved), 1, EINVAL },
	{ "no descriptor", AT(pidfd), -1U, EBADF },
	{ "descriptor of another kind", AT(pidfd), 0, EBADF },
};

union add_attempt {
	struct profil_add add;
	char bytes[64];
};

static bool overlap(const struct add_fault *a, const struct add_fault *b)
{
	return a != b && a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

static void apply(union add_attempt *attempt, const struct add_fault *fault)
{
	memcpy(attempt->bytes + fault->at, &fault->value, fault->bytes);
}

/* What is beside the faults is EPERM: the process is this one. */
static void check_order(const struct table *table)
{
	int self = pidfd_of(getpid());
	size_t i, j;

	for (i = 0; i < ARRAY_LENGTH(add_faults); i++)
		for (j = i; j < ARRAY_LENGTH(add_faults); j++) {
			union add_attempt attempt = { .bytes = "" };

			if (overlap(&add_faults[i], &add_faults[j]))
				continue;
			attempt.add.size = sizeof(attempt);
			attempt.add.pidfd = self;
			apply(&attempt, &add_faults[j]);
			apply(&attempt, &add_faults[i]);
			EXPECT_EQ(-add_faults[i].error,
				  call(table->fd, PROFIL_TABLE_IOC_ADD,
				       &attempt))
			{
				TH_LOG("faults: %s, %s", add_faults[i].name,
				       add_faults[j].name);
			}
		}
	EXPECT_EQ(-EFAULT, call(table->fd, PROFIL_TABLE_IOC_ADD, NULL));
	close(self);
}

TEST_F(rights, errors_of_add_come_in_order)
{
	struct table table, machine;
	pid_t pid = child_that_waits(spin_at_site, SITE), ended = fork();
	int pidfd;

	if (!ended)
		_exit(0);
	pidfd = pidfd_of(ended);
	ASSERT_OK(begin_tree(self, &table));
	ASSERT_OK(table_begin(&machine, self->fd, table_args(0, FAST_NS)));
	check_order(&table);
	EXPECT_EQ(-EINVAL, table_add_by(&machine, -1, 0));
	/* A zombie, then a process that is no more */
	ASSERT_OK(waitid(P_PID, ended, &(siginfo_t){ 0 }, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, table_add_by(&table, pidfd, 0));
	waitpid(ended, NULL, 0);
	EXPECT_EQ(-ESRCH, table_add_by(&table, pidfd, 0));
	EXPECT_EQ(-EPERM, table_add(&table, 2, 0)); /* a kernel thread */
	EXPECT_OK(table_add(&table, pid, 0));
	EXPECT_EQ(-EALREADY, table_add(&table, pid, 0));
	table_end(&machine);
	table_end(&table);
	kill_child(pid);
}

/*
 * Limits
 */

/* The process is in as many tables as it may, of a user; root may add it to more. */
TEST_F(rights, process_is_in_some_tables_at_most)
{
	struct table tables[PROFIL_MAX_TREES], table;
	pid_t child = child_that_waits(spin_at_site, SITE), user;
	int i;

	for (i = 0; i < PROFIL_MAX_TREES; i++) {
		ASSERT_OK(begin_tree(self, &tables[i]));
		ASSERT_OK(table_add(&tables[i], child, 0));
	}
	ASSERT_OK(begin_tree(self, &table));
	ASSERT_OK(table_add(&table, child, 0));
	table_end(&table);
	user = fork();
	if (!user) {
		pid_t own;

		ASSERT_OK(become_nobody());
		own = child_that_waits(spin_at_site, SITE);
		for (i = 0; i < PROFIL_MAX_TREES; i++) {
			ASSERT_OK(begin_tree(self, &tables[i]));
			ASSERT_OK(table_add(&tables[i], own, 0));
		}
		ASSERT_OK(begin_tree(self, &table));
		EXPECT_EQ(-EBUSY, table_add(&table, own, 0));
		EXPECT_EQ(-EALREADY, table_add(&tables[0], own, 0));
		table_end(&tables[3]);
		EXPECT_OK(table_add(&table, own, 0));
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(user, 0));
	kill_child(child);
	for (i = 0; i < PROFIL_MAX_TREES; i++)
		table_end(&tables[i]);
}

static int fork_children(unsigned long nr)
{
	close_range(3, ~0U, 0); /* the table's descriptor */
	while (nr--)
		if (!fork())
			pause();
	for (;;)
		pause();
	return 0;
}

static int spin_apart(unsigned long nr)
{
	close_range(3, ~0U, 0);
	return spin_forever(nr);
}

static bool has_forked(struct table *table, __u64 processes, __u64 unfollowed)
{
	EXPECT_OK(table_take(table, 0));
	EXPECT_EQ(table->taken.running, table->taken.processes);
	return table->taken.processes == processes &&
	       table->taken.unfollowed == unfollowed;
}

/* Without a mapping, which children would inherit. Its counters count as a session. */
static int open_tree(const rights_data *self, struct table *table)
{
	struct profil_table args = tree_args(0);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	memset(table, 0, sizeof(*table));
	table->fd = table_open(self->fd, &args);
	return table->fd < 0 ? table->fd : 0;
}

/* Of a large tree, each 256 KiB of counters count as a session. */
TEST_F(rights, trees_are_limited_by_size)
{
	struct profil_table args = tree_args(0);
	int small, large;
	pid_t user;

	ASSERT_OK(set_max_sessions(5));
	user = fork();
	if (user) {
		EXPECT_TRUE(exited_with(user, 0));
		return;
	}
	ASSERT_OK(become_nobody());
	args.counters_log2 = 16; /* 2 MiB */
	EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
	args.counters_log2 = 15; /* 4 sessions */
	large = table_open(self->fd, &args);
	ASSERT_LE(0, large);
	EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
	args.counters_log2 = 13;
	small = table_open(self->fd, &args);
	ASSERT_LE(0, small);
	EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
	close(large);
	args.counters_log2 = 15;
	EXPECT_TRUE(EVENTUALLY((large = table_open(self->fd, &args)) >= 0,
			       sleep_ns(STEP_NS)));
	EXIT_CHILD();
}

/* A tree and each process in it count as a session; what has ended does not. */
TEST_F(rights, trees_and_members_are_limited)
{
	struct table table, other;
	pid_t user, pid, first;

	ASSERT_OK(set_max_sessions(4));
	user = fork();
	if (user) {
		EXPECT_TRUE(exited_with(user, 0));
		return;
	}
	ASSERT_OK(become_nobody());
	ASSERT_OK(open_tree(self, &table));
	first = child_that_waits(fork_children, 3);
	ASSERT_OK(table_add(&table, first, PROFIL_ADD_CHILDREN));
	kill(first, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(has_forked(&table, 3, 1), sleep_ns(STEP_NS)));
	EXPECT_EQ(-EAGAIN, open_tree(self, &other));
	kill_child(first);
	EXPECT_OK(table_take(&table, 0));
	EXPECT_EQ(2, table.taken.running); /* so that one is free */
	ASSERT_OK(open_tree(self, &other));
	pid = child_that_waits(spin_apart, SITE);
	kill(pid, SIGCONT);
	EXPECT_EQ(-EAGAIN, table_add(&other, pid, 0));
	close(table.fd);
	EXPECT_TRUE(EVENTUALLY(!table_add(&other, pid, 0),
			       sleep_ns(NSEC_PER_MSEC)));
	EXIT_CHILD();
}

/*
 * Programs that are denied
 */

/**
 * struct denial - a program of a child
 * @name: what the program is
 * @opener: what the test becomes before it opens the table; or NULL
 * @child: what the child becomes before it spins; or NULL
 * @sets_user: the child executes a program that sets its user
 * @denied: its samples are denied
 */
struct denial {
	const char *name;
	int (*opener)(void);
	int (*child)(void);
	bool sets_user;
	bool denied;
};

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

static int change_group(void)
{
	return setresgid(4242, 4242, 4242) || prctl(PR_SET_DUMPABLE, 1) ?
		       -errno :
		       0;
}

static int change_saved_user(void)
{
	return setresuid(-1, -1, 4242) || prctl(PR_SET_DUMPABLE, 1) ? -errno :
								      0;
}

static int keep_all_but_ptrace(void)
{
	return give_up_ptrace();
}

static const struct denial denials[] = {
	{ "own program", become_nobody, NULL, false, false },
	{ "set-uid program", become_nobody, NULL, true, true },
	{ "set-uid program, by root", NULL, NULL, true, false },
	{ "not dumpable", become_nobody, become_undumpable, false, true },
	{ "not dumpable, by root", NULL, become_undumpable, false, false },
	{ "dumpable again", become_nobody, become_dumpable_again, false,
	  false },
	{ "other group", keep_all_but_ptrace, change_group, false, true },
	{ "other group, by root", NULL, change_group, false, false },
	{ "other saved user", keep_all_but_ptrace, change_saved_user, false,
	  true },
	{ "other user, by root", NULL, become_nobody, false, false },
	{ "fewer capabilities", keep_all_but_ptrace, NULL, false, false },
	/* The opener's user owns the namespace. */
	{ "own namespace", become_nobody, enter_namespace, false, false },
	/* The program was executed outside of the namespace. */
	{ "own namespace, not dumpable", become_nobody,
	  enter_namespace_undumpable, false, true },
};

static const struct denial *denial;
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

/* Those before the child has become what it shall are of the own program. */
static bool is_denied(struct table *table, bool wanted)
{
	__u64 hits = 0, denied = 0;
	int rounds = 0;

	(void)EVENTUALLY((rounds = has_samples(table, &hits, &denied) &&
						   !!denied == wanted &&
						   !!hits != wanted ?
					   rounds + 1 :
					   0) == 3,
			 sleep_ns(20 * NSEC_PER_MSEC));
	return rounds == 3;
}

static int check_denial(const rights_data *self)
{
	struct table table;
	pid_t pid;

	if (denial->opener && denial->opener())
		return -EOPNOTSUPP;
	if (begin_tree(self, &table))
		return -1;
	pid = child_that_waits(be_denied, SITE);
	if (table_add(&table, pid, 0))
		return -2;
	kill(pid, SIGCONT);
	if (waitpid(pid, NULL, WNOHANG))
		return -EOPNOTSUPP;
	return is_denied(&table, denial->denied) ? 0 : -3;
}

TEST_F(rights, programs_that_may_not_be_traced_are_denied)
{
	size_t i;

	set_user_program = self->folder.program;
	ASSERT_OK(chown(self->folder.program, 4242, 4242));
	ASSERT_OK(chmod(self->folder.program, 06755));
	for (i = 0; i < ARRAY_LENGTH(denials); i++) {
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
	pid_t child;

	set_user_program = self->folder.program;
	ASSERT_OK(begin_tree(self, &table));
	child = fork();
	if (!child) {
		static const struct denial other = {
			.child = become_undumpable
		};
		pid_t pid;

		denial = &other;
		ASSERT_OK(become_nobody());
		pid = child_that_waits(be_denied, SITE);
		ASSERT_OK(table_add(&table, pid, 0));
		kill(pid, SIGCONT);
		EXPECT_TRUE(is_denied(&table, false));
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(child, 0));
	table_end(&table);
}

/* Two users: the parent, and root, who traces the process to add it. */
TEST_F(rights, two_users_sample_one_process)
{
	struct table *told = new_shared(page_size()), table;
	volatile pid_t *pid = new_shared(page_size());
	pid_t user = fork();

	if (!user) {
		pid_t own;

		ASSERT_OK(become_nobody());
		ASSERT_OK(begin_tree(self, told));
		own = child_that_waits(spin_at_site, SITE);
		ASSERT_OK(table_add(told, own, 0));
		kill(own, SIGCONT);
		EXPECT_TRUE(is_denied(told, false));
		*pid = own;
		while (*pid)
			sleep_ns(NSEC_PER_MSEC);
		EXPECT_TRUE(is_denied(told, false));
		EXIT_CHILD();
	}
	ASSERT_TRUE(EVENTUALLY(*pid, sleep_ns(NSEC_PER_MSEC)));
	ASSERT_OK(begin_tree(self, &table));
	EXPECT_EQ(-EPERM, table_add(&table, *pid, 0));
	ASSERT_OK(ptrace(PTRACE_SEIZE, *pid, NULL, NULL));
	EXPECT_OK(table_add(&table, *pid, 0));
	EXPECT_TRUE(is_denied(&table, false));
	*pid = 0;
	EXPECT_TRUE(exited_with(user, 0));
	table_end(&table);
}

int main(int argc, char **argv)
{
	program_main(argc, argv);
	return test_harness_run(argc, argv);
}
