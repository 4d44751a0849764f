// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may attach: the thread that traces the process at that moment, root's, too;
 * to a program that is not dumpable, with CAP_SYS_PTRACE only. An ATTACH that fails
 * changes nothing. tests/fuzz has the errors of the structure.
 */
#include "harness.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "common.h"

#define SITE 5

/* A change of user makes a process undumpable, and the children it forks. */
static int become_nobody(void)
{
	int error = become_user(new_user(), 1000);

	if (error)
		return error;
	return prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

/*
 * What a tracer becomes. EOPNOTSUPP if the kernel cannot do it.
 */

/* The capabilities stay permitted, and are not in effect. */
static int change_user_only(void)
{
	if (prctl(PR_SET_KEEPCAPS, 1) || setresuid(4242, 4242, 4242))
		return -ECHILD;
	return 0;
}

static int set_ptrace(bool permitted)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[0].effective &= ~(1U << CAP_SYS_PTRACE);
	if (!permitted)
		data[0].permitted &= ~(1U << CAP_SYS_PTRACE);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int drop_ptrace(void)
{
	return set_ptrace(true);
}

static int give_up_ptrace(void)
{
	return set_ptrace(false);
}

/* All capabilities there, and none outside */
static int enter_namespace(void)
{
	return unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0;
}

static int become_nobody_in_namespace(void)
{
	return become_nobody() ?: enter_namespace();
}

static int fork_in_pid_namespace(void)
{
	return unshare(CLONE_NEWPID) ? -EOPNOTSUPP : 0;
}

enum manner { TRACED, UNTRACED, BY_OTHER_THREAD, UNDUMPABLE, PARENT };

/**
 * struct attempt - an ATTACH by a child of the test
 * @name: what is tried
 * @before: what the child becomes before it forks the process; or NULL
 * @after: what it becomes while it traces the process; or NULL
 * @manner: how the process is traced, or PARENT if it is root's
 * @result: of ATTACH
 */
struct attempt {
	const char *name;
	int (*before)(void);
	int (*after)(void);
	enum manner manner;
	int result;
};

static const struct attempt attempts[] = {
	{ "root's process", become_nobody, NULL, PARENT, -EPERM },
	/* A process of the same user is refused as long as it is not traced. */
	{ "own process", become_nobody, NULL, UNTRACED, -EPERM },
	{ "own tracee", become_nobody, NULL, TRACED, 0 },
	/* The kernel ties a tracee to a thread. */
	{ "other thread", become_nobody, NULL, BY_OTHER_THREAD, -EPERM },
	{ "changed user", NULL, change_user_only, TRACED, -EPERM },
	{ "fewer capabilities", NULL, give_up_ptrace, TRACED, -EPERM },
	{ "idle capability", NULL, drop_ptrace, TRACED, 0 },
	{ "changed namespace", become_nobody, enter_namespace, TRACED, -EPERM },
	{ "undumpable", become_nobody, NULL, UNDUMPABLE, -EPERM },
	{ "undumpable, by root", NULL, NULL, UNDUMPABLE, 0 },
	{ "in a namespace", become_nobody_in_namespace, NULL, TRACED, 0 },
	/* The program was executed outside of the namespace. */
	{ "undumpable, in a namespace", become_nobody_in_namespace, NULL,
	  UNDUMPABLE, -EPERM },
	/* A pidfd names a process whatever the pid namespace of the caller. */
	{ "other pid namespace", fork_in_pid_namespace, NULL, TRACED, 0 },
};

/* Not dumpable, as a program is after setuid(), or one that cannot be read. */
static int stop_undumpable(void *nothing)
{
	(void)nothing;
	if (prctl(PR_SET_DUMPABLE, 0))
		return 1;
	raise(SIGSTOP);
	return spin_forever(SITE);
}

/* The process ends with its tracer: another user may not kill it. */
static pid_t target_of(enum manner manner)
{
	pid_t pid;

	if (manner == PARENT)
		return getppid();
	pid = manner == UNDUMPABLE ? tracee_new(stop_undumpable, NULL) :
				     tracee_that_spins(SITE);
	if (manner == UNDUMPABLE) {
		ptrace(PTRACE_CONT, pid, NULL, NULL);
		waitpid(pid, NULL, 0);
	}
	if (manner == UNTRACED)
		tracee_release(pid);
	else
		ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);
	return pid;
}

struct call {
	int fd;
	pid_t target;
};

static void *attach(void *argument)
{
	const struct call *call = argument;

	return (void *)(intptr_t)attach_to(call->fd, call->target, 0);
}

static int attach_in_thread(struct call *call)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, attach, call) ||
	    pthread_join(thread, &result))
		return -ECHILD;
	return (int)(intptr_t)result;
}

static int result_of(int fd, const struct attempt *attempt)
{
	struct call call = { .fd = fd };
	int error = attempt->before ? attempt->before() : 0;

	if (error)
		return error;
	call.target = target_of(attempt->manner);
	error = attempt->after ? attempt->after() : 0;
	if (error)
		return error;
	return attempt->manner == BY_OTHER_THREAD ?
		       attach_in_thread(&call) :
		       attach_to(fd, call.target, 0);
}

TEST_F(profil, only_a_tracer_with_rights_may_attach)
{
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(attempts); i++) {
		pid_t child = IN_CHILD(-result_of(self->fd, &attempts[i]));
		int status;

		ASSERT_EQ(child, waitpid(child, &status, 0));
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

TEST_F(profil, capability_lets_trace_and_not_attach)
{
	pid_t pid = tracee_that_spins(SITE);

	tracee_release(pid);
	EXPECT_EQ(-EPERM, attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EPERM, attach_to(self->fd, getpid(), 0));
	EXPECT_OK(attach_untraced(self->fd, pid, 0));
	EXPECT_EQ(-EPERM, attach_to(self->fd, pid, 0));
	kill_child(pid);
}

/*
 * While a process is being attached or detached by a tracer, its parent looks
 * like the tracer for a moment.
 */
struct parent {
	volatile pid_t child;
	volatile bool over;
};

/* Become an ordinary user's parent of root's process, and try all the time. */
static int attach_until_over(int fd, struct parent *parent)
{
	pid_t child = fork();
	int pidfd, result = -EPERM;

	if (!child)
		_exit(spin_forever(SITE));
	pidfd = pidfd_of(child);
	if (become_nobody())
		return -ECHILD;
	parent->child = child;
	while (!parent->over && result == -EPERM)
		result = attach_by(fd, pidfd, 0);
	return result;
}

#define TRACINGS 2000

static bool trace_repeatedly(pid_t pid)
{
	int i;

	for (i = 0; i < TRACINGS; i++)
		if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) ||
		    waitpid(pid, NULL, __WALL) != pid ||
		    ptrace(PTRACE_DETACH, pid, NULL, NULL))
			return false;
	return true;
}

TEST_F(profil, parent_may_not_attach_while_another_traces)
{
	struct parent *parent = new_shared(page_size());
	int status;
	pid_t pid;

	pid = IN_CHILD(-attach_until_over(self->fd, parent));
	while (!parent->child && !waitpid(pid, NULL, WNOHANG))
		sleep_ns(NSEC_PER_MSEC);
	ASSERT_LT(0, parent->child);
	EXPECT_TRUE(trace_repeatedly(parent->child));
	parent->over = true;
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
	kill(parent->child, SIGKILL);
}

/*
 * Processes and descriptors that cannot be had
 */
/* Commands on the descriptor are about the caller's own session, as before. */
static bool is_unattached(const profil_data *self)
{
	bool own = !start_sites(self->fd, self->counters, 4, FAST_NS) &&
		   spin_until(8, self->counters, 4,
			      counter(self->counters, 4, 8) + 1);

	return own && !stop(self->fd, NULL) && !stats_now(self->fd).flags;
}

TEST_F(profil, other_descriptors_are_no_pidfds)
{
	int ends[2], fds[4], i;

	ASSERT_OK(pipe(ends));
	fds[0] = ends[0];
	fds[1] = self->fd;
	fds[2] = open("/proc/self", O_RDONLY | O_DIRECTORY);
	fds[3] = memfd_create("pidfd", 0);
	for (i = 0; i < 4; i++) {
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(-EBADF, attach_by(self->fd, fds[i], 0));
	}
	EXPECT_EQ(-EBADF, attach_by(self->fd, -1, 0));
	EXPECT_EQ(-EBADF, attach_by(self->fd, 1 << 20, 0));
	EXPECT_TRUE(is_unattached(self));
}

/* The process has ended; a parent that does not wait keeps its number. */
TEST_F(profil, process_without_memory_is_not_found)
{
	siginfo_t info;
	pid_t pid = fork();
	int pidfd;

	if (!pid)
		_exit(0);
	pidfd = pidfd_of(pid);
	ASSERT_LE(0, pidfd);
	ASSERT_OK(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, attach_by(self->fd, pidfd, 0));
	waitpid(pid, NULL, 0);
	EXPECT_EQ(-ESRCH, attach_by(self->fd, pidfd, 0));
	EXPECT_EQ(-ESRCH, attach_to(self->fd, 2, 0)); /* a kernel thread */
	EXPECT_TRUE(is_unattached(self));
}

TEST_F(profil, address_space_has_one_attached_descriptor)
{
	pid_t pid = tracee_that_spins(SITE);
	int other = device_open();

	ASSERT_OK(attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EALREADY, attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EBUSY, attach_to(other, pid, PROFIL_ATTACH_CHILDREN));
	/* A descriptor that is not attached is about this process. */
	EXPECT_OK(start_sites(other, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(SITE, self->counters, 4, 1));
	EXPECT_OK(stop(other, NULL));
	ASSERT_OK(close(self->fd));
	EXPECT_OK(attach_to(other, pid, 0));
	kill_child(pid);
	ASSERT_LE(0, dup2(other, self->fd));
}

/* START on an attached descriptor checks as START does, and keeps the session. */
TEST_F(profil, failed_start_keeps_the_attached_session)
{
	pid_t pid = tracee_that_spins(SITE);
	struct profil_region region;
	struct profil_start bad;

	ASSERT_OK(sample_tracee(self->fd, pid, 0, self->counters, FAST_NS));
	region = sites_region(self->counters + 1, 4);
	bad = start_of(&region, 1, 4, FAST_NS);
	EXPECT_EQ(-EINVAL, start(self->fd, &bad));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, SITE, 3));
	kill_child(pid);
}

TEST_HARNESS_MAIN
