// SPDX-License-Identifier: GPL-2.0-only
/*
 * The note of a restriction by seccomp(2), after calls that the kernel of this
 * host has answered
 */
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/real_symbol.h"
#include "core/sandbox.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
static const struct sock_fprog filter = { 1, &allow };

static int ready[2];
static long (*unnoticed)(long number, ...);

void *profil_real_symbol(void **slot, const char *name)
{
	*slot = dlsym(RTLD_NEXT, name);
	return *slot;
}

static long restrict_by(unsigned int flags)
{
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

/* A thread with a filter of its own, which the library has not noticed */
static void *diverge(void *data)
{
	pid_t self = gettid();

	(void)data;
	if (unnoticed(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter))
		self = -1;
	if (write(ready[1], &self, sizeof(self)) != sizeof(self))
		return NULL;
	for (;;)
		pause();
}

static bool notes_no_thread_that_differs(void)
{
	pthread_t thread;
	pid_t other;

	CHECK(!pipe(ready));
	CHECK(!pthread_create(&thread, NULL, diverge, NULL));
	CHECK(read(ready[0], &other, sizeof(other)) == sizeof(other));
	CHECK(other > 0);
	CHECK_EQUAL(other, restrict_by(SECCOMP_FILTER_FLAG_TSYNC));
	CHECK(!profil_sandbox_is_on());
	CHECK_EQUAL(0, restrict_by(0));
	CHECK(profil_sandbox_is_on());
	CHECK_EQUAL(other, restrict_by(SECCOMP_FILTER_FLAG_TSYNC));
	CHECK(profil_sandbox_is_on());
	return true;
}

static bool notes_a_listener(void)
{
	CHECK(restrict_by(SECCOMP_FILTER_FLAG_NEW_LISTENER) > 0);
	CHECK(profil_sandbox_is_on());
	return true;
}

static bool notes_all_threads(void)
{
	CHECK_EQUAL(0, restrict_by(SECCOMP_FILTER_FLAG_TSYNC));
	CHECK(profil_sandbox_is_on());
	return true;
}

/* A filter stays: each test has a process. */
static bool in_child(bool (*test)(void))
{
	pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (!child)
		_exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		      profil_sandbox_is_on() || !test());
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(0, status);
	return true;
}

TEST("a filter that another thread cannot get is no restriction")
{
	return in_child(notes_no_thread_that_differs);
}

TEST("a filter with a listener is one")
{
	return in_child(notes_a_listener);
}

TEST("a filter of all threads is one")
{
	return in_child(notes_all_threads);
}

int main(void)
{
	unnoticed = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return tap_run();
}
