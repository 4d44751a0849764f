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
#include "run/file_identity.h"
#include "run/jit.h"
#include "run/proc_maps.h"
#include "run/recorder.h"
#include "run/segments.h"

/* Reads of the mappings for code in memory, which a program may write endlessly */
#define MAX_LOOKS_FOR_CODE 1024

/* A segment whose counters, of @size bytes, this process has mapped */
struct mine {
	uint64_t key;
	uint64_t counters;
	uint64_t size;
};

/**
 * struct recorder - what this process keeps for a run
 * @run: head of the run's file
 * @path: path of the run's file, since the program may clear its environment
 * @fd: descriptor of the run's file while the mappings are read
 * @text_bytes: bytes of text for each counter
 * @program: path of the program
 * @outside: address of the counters for code in no file, or 0
 * @nr_texts: elements of @texts
 * @texts: texts whose counters are mapped; they stay so, but for mlockall()
 * @nr_regions: elements of the list in use of @regions
 * @current: which of @regions the session runs with
 * @regions: the session's list and the next one
 * @jit: texts of code in anonymous memory, those of parents included
 * @dropped: texts without counters at the last look, or more at an earlier one
 * @looks_for_code: times that the mappings were read for such code
 * @buffer: buffer for /proc/self/maps
 */
struct recorder {
	struct run *run;
	char path[64];
	int fd;
	uint32_t text_bytes;
	char program[4096];
	uint64_t outside;
	uint32_t nr_texts;
	struct mine texts[PROFIL_MAX_REGIONS];
	uint32_t nr_regions[2];
	int current;
	struct profil_region regions[2][PROFIL_MAX_REGIONS];
	struct jit jit;
	uint32_t dropped;
	uint32_t looks_for_code;
	char buffer[32768];
};

/* Parameters of reading the mappings, and the number of texts without counters */
struct look {
	struct recorder *recorder;
	uint32_t dropped;
	struct jit_scan scan;
};

/* Set by the constructor, and never again; the pages are touched as needed. */
static struct recorder *recorder;

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
	struct recorder *c = recorder;

	if (!c)
		return NULL;
	*path = c->path;
	return c->run;
}

/* O_NONBLOCK: the environment may name any file, such as a FIFO. */
static int open_run(const char *path)
{
	return syscall(SYS_openat, AT_FDCWD, path,
		       O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

static uint64_t counters_of(struct recorder *c, const struct segment *text)
{
	uint64_t key = profil_segments_key(text);
	void *counters;

	for (uint32_t i = 0; i < c->nr_texts; i++)
		if (c->texts[i].key == key)
			return c->texts[i].counters;
	if (c->nr_texts == PROFIL_MAX_REGIONS)
		return 0;
	counters = profil_segments_map(c->run, c->fd, text, key);
	if (!counters)
		return 0;
	c->texts[c->nr_texts++] = (struct mine){
		.key = key,
		.counters = (uintptr_t)counters,
		.size = profil_segments_size(text),
	};
	return (uintptr_t)counters;
}

static struct profil_region *new_region(struct recorder *c)
{
	int next = !c->current;

	return &c->regions[next][c->nr_regions[next]++];
}

/* Counters for code from @range->start on, or 0 */
static uint64_t jit_counters(const struct jit_range *range, void *data)
{
	struct recorder *c = data;
	struct map map = {
		.start = range->start,
		.end = range->end,
		.offset = range->start,
		.path = c->program,
	};
	struct segment text = {
		.map = &map,
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_JIT,
		.pid = getpid(),
	};

	return counters_of(c, &text);
}

/* A text stays in the list when its memory is not executable at the moment. */
static void take_jit(struct look *look)
{
	struct recorder *c = look->recorder;

	for (uint32_t i = 0; i < c->jit.nr; i++) {
		const struct jit_text *text = &c->jit.texts[i];
		uint64_t length = text->range.end - text->range.start;

		if (!length)
			continue;
		if (!text->counters ||
		    c->nr_regions[!c->current] == PROFIL_MAX_REGIONS - 1) {
			look->dropped++;
			continue;
		}
		*new_region(c) = (struct profil_region){
			.base = text->counters,
			.size = 2 * run_counters_size(RUN_TEXT_JIT, length,
						      c->text_bytes),
			.offset = text->range.start,
			.scale = RUN_COUNTER * 0x10000 / c->text_bytes,
			.flags = PROFIL_REGION_SPLIT,
		};
	}
}

/* A segment without room counts as outside. */
static void take_file(struct look *look, const struct map *map)
{
	struct recorder *c = look->recorder;
	struct segment text = {
		.map = map,
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_FILE,
	};
	uint64_t counters = 0;

	profil_file_identity(map->path, &text.identity);
	if (c->nr_regions[!c->current] < PROFIL_MAX_REGIONS - 1)
		counters = counters_of(c, &text);
	if (!counters) {
		look->dropped++;
		return;
	}
	*new_region(c) = (struct profil_region){
		.base = counters,
		.size = profil_segments_size(&text),
		.offset = map->start,
		.scale = RUN_COUNTER * 0x10000 / c->text_bytes,
		.flags = PROFIL_REGION_SPLIT,
	};
}

static void take_map(const struct map *map, void *data)
{
	struct jit_range range = { map->start, map->end };
	struct look *look = data;

	if (!*map->path) {
		profil_jit_take(&look->scan, map);
		return;
	}
	profil_jit_take_file(&look->scan, range);
	take_file(look, map);
}

/* A text is without counters at each look, and is counted once. */
static void note_dropped(struct recorder *c, uint32_t dropped)
{
	if (dropped <= c->dropped)
		return;
	__atomic_fetch_add(&c->run->dropped, dropped - c->dropped,
			   __ATOMIC_RELAXED);
	c->dropped = dropped;
}

/* One counter of each mode counts the samples in none of the program's files. */
static void take_outside(struct recorder *c)
{
	struct map map = { .path = c->program };
	struct segment text = {
		.map = &map,
		.program = c->program,
		.text_bytes = c->text_bytes,
		.kind = RUN_TEXT_OUTSIDE,
	};

	if (!c->outside)
		c->outside = counters_of(c, &text);
	if (!c->outside)
		return;
	*new_region(c) = (struct profil_region){
		.base = c->outside,
		.size = 2 * RUN_COUNTER,
		.flags = PROFIL_REGION_OVERFLOW | PROFIL_REGION_SPLIT,
	};
}

static bool is_news(struct recorder *c)
{
	uint32_t nr = c->nr_regions[0];

	return nr != c->nr_regions[1] ||
	       memcmp(c->regions[0], c->regions[1], nr * sizeof(**c->regions));
}

static int start(struct recorder *c, int next)
{
	struct profil_start args = {
		.size = sizeof(args),
		.flags = PROFIL_F_BYTES,
		.width = RUN_COUNTER,
		.nr_regions = c->nr_regions[next],
		.regions = (uintptr_t)c->regions[next],
		.period_ns = c->run->period_ns,
		.totals = (uintptr_t)&c->run->totals,
	};
	int ret = profil_device(PROFIL_IOC_START, &args);

	if (ret)
		return ret;
	c->run->true_period_ns = args.period_ns;
	__atomic_fetch_add(&c->run->starts, 1, __ATOMIC_RELAXED);
	return 0;
}

static int look(struct recorder *c)
{
	struct look look = {
		.recorder = c,
		.scan = { .jit = &c->jit, .counters = jit_counters, .data = c },
	};
	int next = !c->current;
	int ret;

	c->nr_regions[next] = 0;
	ret = profil_proc_maps(take_map, &look, c->buffer, sizeof(c->buffer));
	if (ret)
		return ret;
	profil_jit_end(&look.scan);
	take_jit(&look);
	take_outside(c);
	note_dropped(c, look.dropped + look.scan.missed);
	if (!is_news(c))
		return 0;
	ret = start(c, next);
	if (!ret)
		c->current = next;
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
	struct recorder *c = recorder;
	int ret;

	c->fd = open_run(c->path);
	if (c->fd >= 0) {
		ret = look(c);
		syscall(SYS_close, c->fd);
	} else {
		ret = -errno;
	}
	if (ret)
		note_failure(c->run, -ret);
}

void profil_recorder_refresh(void)
{
	int saved = errno;

	if (profil_owner_is_run() && !profil_sandbox_is_on())
		profil_coalesce(&refreshes, look_again);
	errno = saved;
}

/* Whether another read of the mappings for new code is due */
static bool wants_code(struct recorder *c, struct jit_range range)
{
	return !profil_jit_covers(&c->jit, range) &&
	       __atomic_fetch_add(&c->looks_for_code, 1, __ATOMIC_RELAXED) <
		       MAX_LOOKS_FOR_CODE;
}

void profil_recorder_code(const void *address, size_t length)
{
	struct jit_range range = { (uintptr_t)address,
				   (uintptr_t)address + length };

	if (profil_owner_is_run() && !profil_sandbox_is_on() &&
	    wants_code(recorder, range))
		profil_recorder_refresh();
}

/*
 * End the session, and unmap all counters. Another thread may fork meanwhile:
 * the child finds no counters that are unmapped.
 */
static void drop_counters(struct recorder *c)
{
	profil_device(PROFIL_IOC_STOP, NULL);
	c->outside = 0;
	c->nr_regions[0] = 0;
	c->nr_regions[1] = 0;
	for (uint32_t i = 0; i < c->jit.nr; i++)
		c->jit.texts[i].counters = 0;
	while (c->nr_texts) {
		const struct mine *text = &c->texts[--c->nr_texts];

		profil_segments_unmap((void *)(uintptr_t)text->counters,
				      text->size);
	}
}

/* Map the counters again; the run's file has them still. */
static void renew_counters(struct recorder *c)
{
	c->fd = open_run(c->path);
	for (uint32_t i = 0; i < c->jit.nr; i++) {
		struct jit_text *text = &c->jit.texts[i];

		if (text->range.start < text->range.end)
			text->counters = jit_counters(&text->range, c);
	}
	if (c->fd >= 0)
		syscall(SYS_close, c->fd);
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
	struct recorder *c = recorder;

	if (!wanted) {
		look_again();
		return;
	}
	drop_counters(c);
	wanted->ret = wanted->call(wanted->flags);
	wanted->error = errno;
	atomic_store(&wanted->is_made, true);
	syscall(SYS_munlock, c->run, sizeof(*c->run));
	syscall(SYS_munlock, c, sizeof(*c));
	renew_counters(c);
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
	__atomic_fetch_add(&recorder->run->yielded, 1, __ATOMIC_RELAXED);
}

static const struct owner run_owner = { .stop = stop, .is_run = true };

/* Many processes at once lock much memory, all on the account of one user. */
static uint32_t choose_text_bytes(const struct run *run)
{
	const struct profil_totals *totals = &run->totals;
	uint64_t ended = __atomic_load_n(&totals->ended, __ATOMIC_ACQUIRE);
	uint64_t sessions =
		__atomic_load_n(&totals->sessions, __ATOMIC_ACQUIRE) - ended;

	return run->crowd && sessions >= run->crowd ? 4 : 1;
}

static struct recorder *new_recorder(struct run *run, const char *path, int fd)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	struct recorder *c = profil_map(sizeof(*c), flags, -1, 0);

	if (c == MAP_FAILED) {
		note_failure(run, errno);
		return NULL;
	}
	c->run = run;
	c->fd = fd;
	c->text_bytes = choose_text_bytes(run);
	snprintf(c->path, sizeof(c->path), "%s", path);
	/* A path that does not fit is cut; the zero after it is there already. */
	syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", c->program,
		sizeof(c->program) - 1);
	return c;
}

static void begin(const char *path, int fd)
{
	struct run *run = profil_segments_open(fd);
	int ret;

	if (!run)
		return;
	__atomic_fetch_add(&run->processes, 1, __ATOMIC_RELAXED);
	recorder = new_recorder(run, path, fd);
	if (!recorder)
		return;
	ret = look(recorder);
	if (ret)
		note_failure(run, -ret);
	else
		profil_owner_set(&run_owner);
}

__attribute__((constructor)) void profil_preload(void)
{
	const char *path = secure_getenv(RUN_ENVIRONMENT);
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
	struct recorder *c = recorder;
	uint32_t *counters = (uint32_t *)(uintptr_t)c->outside;
	bool found = false;

	if (!counters || !(__atomic_load_n(&counters[0], __ATOMIC_RELAXED) ||
			   __atomic_load_n(&counters[1], __ATOMIC_RELAXED)))
		return;
	profil_proc_maps(look_for_code, &found, c->buffer, sizeof(c->buffer));
	if (found)
		profil_segments_note_jit(counters);
}

/*
 * A process that does not call exit() leaves no note, nor does one in which
 * another thread reads the mappings at that moment: mlockall() may have unmapped
 * the counters.
 */
__attribute__((destructor)) static void note_jit(void)
{
	int saved = errno;

	if (recorder && !profil_sandbox_is_on())
		profil_coalesce(&refreshes, note_code);
	errno = saved;
}
