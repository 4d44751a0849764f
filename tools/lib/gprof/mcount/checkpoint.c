// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A program that a signal kills runs no code at its end, and a signal handler or
 * a thread of the library would disturb the program. So mcount() writes the
 * files now and then. A program that makes no calls for a long time gets its
 * checkpoint late.
 *
 * As code within mcount(), this uses no vector register and no libc function.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gprof/mcount/arcs.h"
#include "gprof/mcount/checkpoint.h"

#define SECOND 1000UL

static struct gmon *_Atomic watched;
static unsigned long period;

/*
 * Milliseconds, of which 32 bits are enough: only differences are used. 0 does not
 * occur.
 */
static unsigned long now(void)
{
	struct timespec time = { 0 };

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC_COARSE, &time);
	return ((unsigned long)time.tv_sec * SECOND + time.tv_nsec / 1000000) |
	       1;
}

/* In a forked child the time starts at its first call, or later. */
static bool is_due(struct gmon_process *process, unsigned long time)
{
	unsigned long due = __atomic_load_n(&process->due, __ATOMIC_ACQUIRE);

	if (due)
		return (long)(time - due) >= 0;
	process->begun = time;
	due = time + (period ? period : SECOND);
	__atomic_store_n(&process->due, due | 1, __ATOMIC_RELEASE);
	return false;
}

/* Errors are ignored: the final write reports them. */
static void write_all(struct gmon *gmon)
{
	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		profil_gmon_replace(gmon, &gmon->interim, &gmon->objects[i]);
}

static unsigned long next_due(const struct gmon_process *process)
{
	unsigned long time = now();

	return (time + (period ? period : time - process->begun)) | 1;
}

/* A file beyond RLIMIT_FSIZE would send the program a signal. */
static bool is_limited(void)
{
	struct rlimit limit = { 0 };

	return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) < 0 ||
	       limit.rlim_cur != RLIM_INFINITY;
}

static void write_when_due(struct gmon *gmon)
{
	struct gmon_process *process = gmon->process;

	if (!is_due(process, now()) || is_limited() ||
	    __atomic_exchange_n(&process->writing, true, __ATOMIC_ACQUIRE))
		return;
	/* The profile may have ended meanwhile. */
	if (atomic_load(&watched)) {
		write_all(gmon);
		__atomic_store_n(&process->due, next_due(process),
				 __ATOMIC_RELEASE);
	}
	__atomic_store_n(&process->writing, false, __ATOMIC_RELEASE);
}

static void watch(void)
{
	struct gmon *gmon = atomic_load(&watched);
	int saved = errno;

	if (gmon)
		write_when_due(gmon);
	errno = saved;
}

void profil_checkpoint_begin(struct gmon *gmon, unsigned long seconds)
{
	if (!seconds)
		return;
	period = seconds == CHECKPOINT_DOUBLING ? 0 : seconds * SECOND;
	is_due(gmon->process, now());
	atomic_store(&watched, gmon);
	profil_arcs_watch(watch);
}

/*
 * The wait has a limit: the writer may be the code that a signal handler has
 * interrupted, and the handler has called exit().
 */
void profil_checkpoint_end(struct gmon *gmon)
{
	struct timespec moment = { .tv_nsec = 1000000 };

	profil_arcs_watch(NULL);
	atomic_store(&watched, NULL);
	for (int i = 0; i < 1000; i++) {
		if (!__atomic_load_n(&gmon->process->writing, __ATOMIC_ACQUIRE))
			return;
		syscall(SYS_nanosleep, &moment, NULL);
	}
}
