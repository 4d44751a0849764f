// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * prctl() and syscall(), to find that a program restricts its system calls
 *
 * libseccomp and programs without it call one of the two. Both have a variable
 * number of arguments, all in registers but for one, and the kernel ignores those
 * that were not passed. With a fixed number, a call in tail position is a jump,
 * which leaves the stack as the caller has made it. The headers that declare the
 * functions are not included.
 *
 * As in mappings.c, the functions look up no symbol: the constructor does, and
 * until then they are system calls.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/real_symbol.h"
#include "core/sandbox.h"

#if defined(__x86_64__) || defined(__aarch64__)

#define EXPORT __attribute__((visibility("default")))

typedef long (*syscall_fn)(long number, long a, long b, long c, long d, long e,
			   long f);
typedef int (*prctl_fn)(int option, long a, long b, long c, long d);

static void *next_syscall;
static void *next_prctl;

__attribute__((constructor)) static void find_next(void)
{
	profil_real_symbol(&next_syscall, "syscall");
	profil_real_symbol(&next_prctl, "prctl");
}

#ifdef __x86_64__

static long call_kernel(long number, long a, long b, long c, long d, long e,
			long f)
{
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;
	long ret;

	asm volatile("syscall"
		     : "=a"(ret)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
		       "r"(r9)
		     : "rcx", "r11", "memory");
	return ret;
}

#else

static long call_kernel(long number, long a, long b, long c, long d, long e,
			long f)
{
	register long x8 asm("x8") = number;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;
	register long x4 asm("x4") = e;
	register long x5 asm("x5") = f;

	asm volatile("svc #0"
		     : "+r"(x0)
		     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
		     : "memory");
	return x0;
}

#endif

static long call_directly(long number, long a, long b, long c, long d, long e,
			  long f)
{
	long ret = call_kernel(number, a, b, c, d, e, f);

	if (ret >= 0 || ret < -4095)
		return ret;
	errno = -ret;
	return -1;
}

static bool restricts(long number, long a)
{
	if (number == __NR_prctl)
		return a == PR_SET_SECCOMP;
	return number == __NR_seccomp &&
	       (a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER);
}

/*
 * A positive number is a descriptor with SECCOMP_FILTER_FLAG_NEW_LISTENER, and
 * otherwise a thread that cannot get the filter of SECCOMP_FILTER_FLAG_TSYNC.
 */
static bool has_failed(long ret, long number, long a, long flags)
{
	if (ret <= 0)
		return ret < 0;
	return number == __NR_seccomp && a == SECCOMP_SET_MODE_FILTER &&
	       !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

/* The note precedes the call: another thread may run between the two. */
static long restrict_calls(syscall_fn call, long number, long a, long b, long c,
			   long d, long e)
{
	bool was_on = profil_sandbox_enter();
	long ret = call(number, a, b, c, d, e, 0);

	if (has_failed(ret, number, a, b) && !was_on)
		profil_sandbox_leave();
	return ret;
}

EXPORT long syscall(long number, long a, long b, long c, long d, long e, long f)
{
	syscall_fn next = next_syscall ? (syscall_fn)next_syscall :
					 call_directly;

	if (restricts(number, a))
		return restrict_calls(next, number, a, b, c, d, e);
	return next(number, a, b, c, d, e, f);
}

EXPORT int prctl(int option, long a, long b, long c, long d)
{
	prctl_fn next = (prctl_fn)next_prctl;

	if (option == PR_SET_SECCOMP || !next)
		return syscall(__NR_prctl, option, a, b, c, d, 0);
	return next(option, a, b, c, d);
}

#endif
