// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may attach: the thread that traces the process at that moment, root's, too;
 * to a program that is not dumpable, with CAP_SYS_PTRACE only.
 */
#include "harness.h"

#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracee.h"

static unsigned int spin_site = 5;

/* A change of user makes a process undumpable, and the children it forks. */
static int become_nobody(void)
{
	int error = become_user(new_user(), 1000);

	if (error)
		return error;
	return prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

static pid_t untraced(void)
{
	pid_t pid = tracee_that_spins(&spin_site);

	tracee_release(pid);
	return pid;
}

/* Run @attempt in a child and return its negative errno, or 0. */
static int in_child(int (*attempt)(int fd, pid_t target), int fd, pid_t target)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(-attempt(fd, target));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int attach_as_nobody(int fd, pid_t target)
{
	int error = become_nobody();

	return error ? error : attach_to(fd, target, 0);
}

TEST_F(profil, other_users_process_is_refused)
{
	pid_t pid = untraced();

	EXPECT_EQ(-EPERM, in_child(attach_as_nobody, self->fd, pid));
	kill_child(pid);
}

/* A process of the same user is refused as long as it is not traced. */
static int attach_to_own_child(int fd, pid_t trace)
{
	pid_t pid;
	int error = become_nobody();

	if (error)
		return error;
	pid = trace ? tracee_that_spins(&spin_site) : untraced();
	error = attach_to(fd, pid, 0);
	kill_child(pid);
	return error;
}

TEST_F(profil, own_process_needs_to_be_traced)
{
	EXPECT_EQ(-EPERM, in_child(attach_to_own_child, self->fd, false));
	EXPECT_EQ(0, in_child(attach_to_own_child, self->fd, true));
}

/* The kernel ties a tracee to a thread. */
struct attempt {
	int fd;
	pid_t target;
	int result;
};

static void *attach_in_thread(void *argument)
{
	struct attempt *attempt = argument;

	attempt->result = attach_to(attempt->fd, attempt->target, 0);
	return NULL;
}

static int attach_from_other_thread(int fd, pid_t unused)
{
	struct attempt attempt = { .fd = fd };
	pthread_t thread;

	(void)unused;
	if (become_nobody())
		return -ECHILD;
	attempt.target = tracee_that_spins(&spin_site);
	if (pthread_create(&thread, NULL, attach_in_thread, &attempt))
		return -ECHILD;
	pthread_join(thread, NULL);
	kill_child(attempt.target);
	return attempt.result;
}

TEST_F(profil, only_the_tracing_thread_may_attach)
{
	EXPECT_EQ(-EPERM, in_child(attach_from_other_thread, self->fd, 0));
}

static int attach_to_parent(int fd, pid_t unused)
{
	(void)unused;
	return attach_as_nobody(fd, getppid());
}

TEST_F(profil, roots_process_is_refused)
{
	EXPECT_EQ(-EPERM, in_child(attach_to_parent, self->fd, 0));
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
		_exit(spin_forever(&spin_site));
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

	ASSERT_NE(NULL, parent);
	pid = fork();
	if (!pid)
		_exit(-attach_until_over(self->fd, parent));
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
 * Tracers that are not what they were when the tracing began
 */
static int attach_after(int fd, int (*change)(void))
{
	pid_t pid = tracee_that_spins(&spin_site);
	int error;

	/* Another user may not kill it: it ends with this process. */
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL))
		return -ECHILD;
	error = change();
	return error ? error : attach_to(fd, pid, 0);
}

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

static int enter_namespace(void)
{
	return unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0;
}

static int attach_as_other_user(int fd, pid_t unused)
{
	(void)unused;
	return attach_after(fd, change_user_only);
}

static int attach_with_fewer_capabilities(int fd, pid_t unused)
{
	(void)unused;
	return attach_after(fd, give_up_ptrace);
}

static int attach_with_idle_capability(int fd, pid_t unused)
{
	(void)unused;
	return attach_after(fd, drop_ptrace);
}

static int attach_from_new_namespace(int fd, pid_t unused)
{
	int error = become_nobody();

	(void)unused;
	return error ? error : attach_after(fd, enter_namespace);
}

TEST_F(profil, tracer_that_has_changed_is_refused)
{
	int inside;

	EXPECT_EQ(-EPERM, in_child(attach_as_other_user, self->fd, 0));
	EXPECT_EQ(-EPERM,
		  in_child(attach_with_fewer_capabilities, self->fd, 0));
	EXPECT_EQ(0, in_child(attach_with_idle_capability, self->fd, 0));
	inside = in_child(attach_from_new_namespace, self->fd, 0);
	if (inside != -EOPNOTSUPP)
		EXPECT_EQ(-EPERM, inside);
}

/*
 * Capabilities
 */
TEST_F(profil, capability_lets_trace_and_not_attach)
{
	pid_t pid = untraced();

	EXPECT_EQ(-EPERM, attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EPERM, attach_to(self->fd, getpid(), 0));
	EXPECT_OK(attach_untraced(self->fd, pid, 0));
	EXPECT_EQ(-EPERM, attach_to(self->fd, pid, 0));
	kill_child(pid);
}

/* Not dumpable, as a program is after setuid(), or one that cannot be read. */
static int stop_undumpable(void *site)
{
	if (prctl(PR_SET_DUMPABLE, 0))
		return 1;
	raise(SIGSTOP);
	return spin_forever(site);
}

static int attach_to_undumpable(int fd, pid_t unused)
{
	pid_t pid = tracee_new(stop_undumpable, &spin_site);
	int error;

	(void)unused;
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, NULL, 0);
	error = attach_to(fd, pid, 0);
	kill_child(pid);
	return error;
}

static int attach_to_undumpable_as_nobody(int fd, pid_t unused)
{
	int error = become_nobody();

	return error ? error : attach_to_undumpable(fd, unused);
}

TEST_F(profil, tracer_may_not_attach_to_a_program_that_is_not_dumpable)
{
	EXPECT_EQ(-EPERM,
		  in_child(attach_to_undumpable_as_nobody, self->fd, 0));
	EXPECT_EQ(0, in_child(attach_to_undumpable, self->fd, 0));
}

/*
 * User namespaces: all capabilities there, and none outside.
 */
static int attach_from_namespace(int fd, pid_t undumpable)
{
	pid_t pid;
	int error = become_nobody();

	if (!error)
		error = enter_namespace();
	if (error)
		return error;
	if (undumpable)
		return attach_to_undumpable(fd, 0);
	pid = tracee_that_spins(&spin_site);
	error = attach_to(fd, pid, 0);
	kill_child(pid);
	return error;
}

/* The program was executed outside of the namespace. */
TEST_F(profil, capability_counts_in_its_user_namespace_only)
{
	int inside = in_child(attach_from_namespace, self->fd, false);

	if (inside == -EOPNOTSUPP)
		SKIP(return, "no user namespaces");
	EXPECT_EQ(0, inside);
	EXPECT_EQ(-EPERM, in_child(attach_from_namespace, self->fd, true));
}

/* A pidfd names a process whatever the pid namespace of the caller. */
static int attach_in_pid_namespace(int fd, pid_t unused)
{
	pid_t pid;
	int error;

	(void)unused;
	if (unshare(CLONE_NEWPID))
		return -EOPNOTSUPP;
	pid = tracee_that_spins(&spin_site);
	error = attach_to(fd, pid, 0);
	kill_child(pid);
	return error;
}

TEST_F(profil, process_of_another_pid_namespace_can_be_attached)
{
	EXPECT_EQ(0, in_child(attach_in_pid_namespace, self->fd, 0));
}

TEST_HARNESS_MAIN
