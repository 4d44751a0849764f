// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Recording this process for `profil run`
 *
 * If the environment names a run's file, the constructor starts a session with
 * one region for each executable mapping of a file, and with the counters in the
 * run's file. When the program has opened a library, a session with a longer list
 * replaces it. The kernel gives a forked child a session over the same counters;
 * an executed program runs the constructor again.
 *
 * The program is not affected: no descriptor stays open, malloc() is not called,
 * errno is preserved, and errors are noted only in the run's file.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/coalesce.h"
#include "core/device.h"
#include "core/map.h"
#include "core/owner.h"
#include "core/sandbox.h"
#include "run/jit.h"
#include "run/layout.h"
#include "run/proc_maps.h"
#include "run/recorder.h"
#include "run/segments.h"

/* Reads of the mappings for code in memory, which a program may write endlessly */
#define MAX_LOOKS_FOR_CODE 1024

/**
 * struct recorder - what this process keeps for a run
 * @path: path of the run's file, since the program may clear its environment
 * @layout: its mappings and their counters
 * @looks_for_code: times that the mappings were read for code in memory
 */
struct recorder {
	char path[64];
	struct layout *layout;
	uint32_t looks_for_code;
};

/* Set by the constructor, and never again. @layout is set last. */
static struct recorder recorder;

static struct coalesce refreshes;

/* This note shows that a static program contains this code. */
static const struct {
	uint32_t name_size;
	uint32_t size;
	uint32_t type;
	char name[(sizeof(RUN_NOTE_NAME) + 3) / 4 * 4];
} note __attribute__((used, section(".note.profil"), aligned(4))) = {
	.name_size = sizeof(RUN_NOTE_NAME),
	.type = RUN_NOTE_TYPE,
	.name = RUN_NOTE_NAME,
};

struct run *profil_recorder_run(const char **path)
{
	if (!recorder.layout)
		return NULL;
	*path = recorder.path;
	return recorder.layout->run;
}

/* O_NONBLOCK: the environment may name any file, such as a FIFO. */
static int open_run(const char *path)
{
	return syscall(SYS_openat, AT_FDCWD, path,
		       O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

static int look(struct layout *layout)
{
	struct profil_start start;
	bool news;
	int ret;

	layout->pid = getpid();
	ret = profil_layout_read(layout, "/proc/self/maps", &news);
	if (ret || !news)
		return ret;
	profil_layout_start(layout, &start);
	ret = profil_device(PROFIL_IOC_START, &start);
	if (!ret)
		profil_layout_started(layout, &start);
	return ret;
}

static void note_failure(struct run *run, int error)
{
	uint32_t none = 0;

	__atomic_fetch_add(&run->failed, 1, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&run->error, &none, error, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void look_again(void)
{
	struct layout *layout = recorder.layout;
	int ret;

	layout->fd = open_run(recorder.path);
	if (layout->fd >= 0) {
		ret = look(layout);
		syscall(SYS_close, layout->fd);
	} else {
		ret = -errno;
	}
	if (ret)
		note_failure(layout->run, -ret);
}

void profil_recorder_refresh(void)
{
	int saved = errno;

	if (profil_owner_is_run() && !profil_sandbox_is_on())
		profil_coalesce(&refreshes, look_again);
	errno = saved;
}

/* Whether another read of the mappings for new code is due */
static bool wants_code(struct jit_range range)
{
	return !profil_jit_covers(&recorder.layout->jit, range) &&
	       __atomic_fetch_add(&recorder.looks_for_code, 1,
				  __ATOMIC_RELAXED) < MAX_LOOKS_FOR_CODE;
}

void profil_recorder_code(const void *address, size_t length)
{
	struct jit_range range = { (uintptr_t)address,
				   (uintptr_t)address + length };

	if (profil_owner_is_run() && !profil_sandbox_is_on() &&
	    wants_code(range))
		profil_recorder_refresh();
}

/* Map the counters again; the run's file has them still. */
static void renew_counters(struct layout *layout)
{
	layout->fd = open_run(recorder.path);
	layout->pid = getpid();
	profil_layout_renew(layout);
	if (layout->fd >= 0)
		syscall(SYS_close, layout->fd);
	look_again();
}

/**
 * struct lock_call - a call of mlockall()
 * @call: the function of the libc
 * @flags: argument
 * @is_made: the call has been made
 * @ret: result
 * @error: errno after it
 */
struct lock_call {
	int (*call)(int flags);
	int flags;
	atomic_bool is_made;
	int ret;
	int error;
};

static struct lock_call *_Atomic lock_call;

/* The memory of this process for the run is small, but for the counters. */
static void make_lock_call(void)
{
	struct lock_call *wanted = atomic_exchange(&lock_call, NULL);
	struct layout *layout = recorder.layout;

	if (!wanted) {
		look_again();
		return;
	}
	profil_device(PROFIL_IOC_STOP, NULL);
	profil_layout_drop(layout);
	wanted->ret = wanted->call(wanted->flags);
	wanted->error = errno;
	atomic_store(&wanted->is_made, true);
	syscall(SYS_munlock, layout->run, sizeof(*layout->run));
	syscall(SYS_munlock, layout, sizeof(*layout));
	renew_counters(layout);
}

/* Withdraw @mine, unless another thread has taken it and makes the call. */
static void withdraw(struct lock_call *mine)
{
	struct lock_call *expected = mine;

	if (atomic_compare_exchange_strong(&lock_call, &expected, NULL))
		return;
	while (!atomic_load(&mine->is_made))
		sched_yield();
}

/* If another thread is reading the mappings, the counters are locked, too. */
int profil_recorder_mlockall(int (*call)(int flags), int flags)
{
	struct lock_call mine = { .call = call, .flags = flags };
	struct lock_call *none = NULL;

	if (!profil_owner_is_run() || profil_sandbox_is_on() ||
	    !atomic_compare_exchange_strong(&lock_call, &none, &mine))
		return call(flags);
	profil_coalesce(&refreshes, make_lock_call);
	withdraw(&mine);
	if (!atomic_load(&mine.is_made))
		return call(flags);
	errno = mine.error;
	return mine.ret;
}

/* The program has started a profile of its own. */
static void stop(void)
{
	__atomic_fetch_add(&recorder.layout->run->yielded, 1, __ATOMIC_RELAXED);
}

static const struct owner run_owner = { .stop = stop, .is_run = true };

/* A path that does not fit is cut; the zero after it is there already. */
static struct layout *new_layout(struct run *run, int fd)
{
	struct layout *layout = profil_layout_new(run, fd);

	if (layout)
		syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe",
			layout->program, sizeof(layout->program) - 1);
	else
		note_failure(run, errno);
	return layout;
}

static void begin(const char *path, int fd)
{
	struct run *run = profil_segments_open(fd);
	int ret;

	if (!run)
		return;
	__atomic_fetch_add(&run->processes, 1, __ATOMIC_RELAXED);
	snprintf(recorder.path, sizeof(recorder.path), "%s", path);
	recorder.layout = new_layout(run, fd);
	if (!recorder.layout)
		return;
	ret = look(recorder.layout);
	if (ret)
		note_failure(run, -ret);
	else
		profil_owner_set(&run_owner);
}

/* The run's file is longer than the address space of a 32-bit program. */
__attribute__((constructor)) void profil_preload(void)
{
	const char *path = sizeof(void *) < sizeof(__u64) ?
				   NULL :
				   secure_getenv(RUN_ENVIRONMENT);
	int saved = errno;
	int fd = path ? open_run(path) : -1;

	if (fd >= 0) {
		begin(path, fd);
		syscall(SYS_close, fd);
	}
	errno = saved;
}

static void look_for_code(const struct map *map, void *data)
{
	if (map->executable && !*map->path)
		*(bool *)data = true;
}

/* If there are samples in no file: whether the program has code in such memory */
static void note_code(void)
{
	struct layout *layout = recorder.layout;
	bool found = false;

	if (!profil_layout_outside(layout))
		return;
	profil_proc_maps("/proc/self/maps", look_for_code, &found,
			 layout->buffer, sizeof(layout->buffer));
	if (found)
		profil_segments_note_jit((void *)(uintptr_t)layout->outside);
}

/*
 * A process that does not call exit() leaves no note, nor does one in which
 * another thread reads the mappings at that moment: mlockall() may have unmapped
 * the counters.
 */
__attribute__((destructor)) static void note_jit(void)
{
	int saved = errno;

	if (recorder.layout && !profil_sandbox_is_on())
		profil_coalesce(&refreshes, note_code);
	errno = saved;
}
