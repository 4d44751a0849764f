// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One profile for gmon.out, from start to finish
 *
 * A forked child has zeroed counters, an empty table of calls and a running
 * session of the driver; only the names of its files change.
 *
 * As with every monstartup(), the program has to start profiles from one thread
 * at a time. Any thread may end one.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/env.h"
#include "core/log.h"
#include "core/pages.h"
#include "gprof/gmon.h"
#include "gprof/gmon_objects.h"
#include "gprof/histogram.h"
#include "gprof/mcount/arcs.h"
#include "gprof/mcount/checkpoint.h"

/* Memory of the profile, kept after it ends; active from start to finish, going
 * unless paused
 */
static struct gmon *memory;
static atomic_bool active;
static atomic_bool going;
static atomic_bool with_libraries;

/*
 * Requests to read the list of libraries, in the lower half, and the process ID in
 * the upper half
 */
static _Atomic uint64_t requests;

static struct gmon *get_memory(void)
{
	if (!memory)
		memory = profil_pages(sizeof(*memory));
	if (memory && !memory->process) {
		memory->process = profil_pages(sizeof(*memory->process));
		if (memory->process)
			madvise(memory->process, sizeof(*memory->process),
				MADV_WIPEONFORK);
	}
	return memory && memory->process ? memory : NULL;
}

static void read_settings(struct gmon *gmon)
{
	const char *prefix = secure_getenv("GMON_OUT_PREFIX");
	const char *format = secure_getenv("PROFIL_GMON_FORMAT");

	gmon->numbered = prefix && *prefix;
	profil_output_path_set(&gmon->output,
			       gmon->numbered ? prefix : "gmon.out");
	gmon->format = format && !strcmp(format, "bsd") ? GMON_BSD : GMON_GNU;
	with_libraries = gmon->all || profil_env_is_on("PROFIL_GMON_OBJECTS");
}

static void end_counting(struct gmon *gmon)
{
	atomic_store(&going, false);
	profil_arcs_switch(false);
	profil_histogram_stop();
	profil_checkpoint_end(gmon);
}

static int start_counting(struct gmon *gmon, uint64_t low, uint64_t high)
{
	int ret = profil_gmon_objects_program(gmon, low, high);

	if (ret)
		return ret;
	if (with_libraries)
		profil_gmon_objects_libraries(gmon);
	ret = profil_histogram_start(gmon);
	if (ret)
		return ret;
	profil_arcs_reset();
	return profil_arcs_switch(true);
}

static int start(struct gmon *gmon, uint64_t low, uint64_t high)
{
	int ret;

	if (atomic_exchange(&active, false))
		end_counting(gmon);
	profil_gmon_objects_forget(gmon);
	read_settings(gmon);
	gmon->width = 0;
	*gmon->process = (struct gmon_process){ .pid = getpid() };
	ret = start_counting(gmon, low, high);
	if (ret) {
		end_counting(gmon);
		return ret;
	}
	atomic_store(&going, true);
	atomic_store(&active, true);
	profil_checkpoint_begin(gmon, profil_env_number("PROFIL_GMON_EVERY",
							CHECKPOINT_DOUBLING));
	return 0;
}

/*
 * Wipe what MADV_WIPEONFORK has left, as in a user-mode emulator, which ignores
 * the advice.
 */
static void wipe_in_child(void)
{
	if (!atomic_load(&active) || !memory->process->pid)
		return;
	profil_arcs_wipe();
	profil_gmon_objects_wipe(memory);
	memset(memory->process, 0, sizeof(*memory->process));
}

/* quick_exit() does not call the atexit() function of gcrt1.o. */
static bool register_functions(void)
{
	return !pthread_atfork(NULL, NULL, wipe_in_child) &&
	       !at_quick_exit(profil_gmon_finish);
}

static int start_and_register(uint64_t low, uint64_t high, bool all)
{
	static bool registered;
	struct gmon *gmon = get_memory();
	int saved = errno;
	int ret = -ENOMEM;

	if (gmon) {
		gmon->all = all;
		ret = start(gmon, low, high);
	}
	if (!ret && !registered)
		registered = register_functions();
	errno = saved;
	return ret;
}

int profil_gmon_start(uint64_t low, uint64_t high)
{
	return start_and_register(low, high, false);
}

static void take_program(const struct object *object, void *data)
{
	struct object *program = data;

	if (!program->high)
		*program = *object;
}

int profil_gmon_start_all(void)
{
	struct object program = { 0 };

	profil_objects(take_program, &program);
	return start_and_register(program.low, program.high, true);
}

bool profil_gmon_switch(bool on)
{
	bool was = atomic_load(&going);
	int saved = errno;

	if (!atomic_load(&active) || was == on)
		return was;
	profil_arcs_switch(on);
	if (on)
		profil_histogram_start(memory);
	else
		profil_histogram_stop();
	atomic_store(&going, on);
	errno = saved;
	return was;
}

bool profil_gmon_wants_libraries(void)
{
	return atomic_load_explicit(&active, memory_order_relaxed) &&
	       atomic_load_explicit(&with_libraries, memory_order_relaxed);
}

static void look_again(void)
{
	if (profil_gmon_objects_libraries(memory))
		profil_histogram_renew(memory);
}

/*
 * Count a request: true if this thread has to look. If a thread of the parent was
 * looking at the fork, the copied count is above 0 in the child, where no thread
 * lowers it. The process ID differs there: the count restarts.
 */
static bool is_first(uint64_t pid)
{
	uint64_t old = atomic_load(&requests);
	uint64_t next;

	do {
		next = old >> 32 == pid ? old + 1 : pid << 32 | 1;
	} while (!atomic_compare_exchange_weak(&requests, &old, next));
	return (uint32_t)next == 1;
}

/* A thread that is looking looks once more for all requests made meanwhile. */
static void look_for_all(uint64_t pid)
{
	uint64_t seen;

	do {
		seen = atomic_load(&requests);
		look_again();
	} while (!atomic_compare_exchange_strong(&requests, &seen, pid << 32));
}

void profil_gmon_refresh(void)
{
	int saved = errno;
	uint64_t pid = getpid();

	if (profil_gmon_wants_libraries() && is_first(pid))
		look_for_all(pid);
	errno = saved;
}

static void write_text(struct gmon *gmon, const struct gmon_object *text)
{
	static const char sentence[] =
		"%s cannot be written: %s: set GMON_OUT_PREFIX to another path";
	int ret = profil_gmon_write(gmon, &gmon->final, text);

	if (ret)
		profil_log(sentence, gmon->final.path, strerror(-ret));
}

static void write_all(struct gmon *gmon)
{
	static const char sentence[] =
		"%llu calls are missing in gmon.out: no memory for the table of calls";
	unsigned long long lost = profil_arcs_lost();

	for (uint32_t i = 0; i < gmon->nr_objects; i++)
		write_text(gmon, &gmon->objects[i]);
	if (lost)
		profil_log(sentence, lost);
}

void profil_gmon_finish(void)
{
	int saved = errno;

	if (atomic_exchange(&active, false)) {
		end_counting(memory);
		write_all(memory);
	}
	errno = saved;
}

void profil_gmon_forget(void)
{
	int saved = errno;

	if (atomic_exchange(&active, false))
		end_counting(memory);
	errno = saved;
}
