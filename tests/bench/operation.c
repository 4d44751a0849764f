// SPDX-License-Identifier: GPL-2.0-only
/*
 * operation NAME...: the cost that sessions add to operations of programs and
 * the kernel
 *
 * Rounds without and with a session alternate. The results are the time of one
 * operation without a session, and the time that a session adds.
 */
#include "bench.h"
#include "method.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER_BYTES (128 * 1024)

static const struct method *method;
static pid_t other, elsewhere;

static void start(void)
{
	method->start(method);
}

static void stop(void)
{
	method->stop(method);
}

static void noop(void)
{
}

static void await(pid_t child)
{
	if (child < 0 || waitpid(child, NULL, 0) != child)
		die("Cannot fork: %s.", strerror(errno));
}

/* Start another program that has a session, and sleeps. */
static void start_elsewhere(void)
{
	int ready[2];
	char byte;

	if (pipe(ready))
		die("Cannot make a pipe: %s.", strerror(errno));
	elsewhere = fork();
	if (!elsewhere) {
		start();
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	if (read(ready[0], &byte, 1) != 1)
		die("The other program has not started.");
	close(ready[0]);
	close(ready[1]);
}

static void stop_elsewhere(void)
{
	kill(elsewhere, SIGKILL);
	await(elsewhere);
}

static void do_fork(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	await(child);
}

static void do_fork_exec(void)
{
	pid_t child = fork();

	if (!child) {
		execl("/bench/noop", "noop", NULL);
		_exit(1);
	}
	await(child);
}

static void do_map(void)
{
	char *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("Cannot map a page: %s.", strerror(errno));
	pages[0] = 1;
	munmap(pages, 4096);
}

/* Two programs yield the CPU to each other: a round is two switches. */
static void begin_yielding(void)
{
	other = fork();
	if (!other)
		for (;;)
			sched_yield();
}

static void yielding_and_session(void)
{
	begin_yielding();
	start();
}

static void end_yielding(void)
{
	kill(other, SIGKILL);
	await(other);
}

static void end_yielding_and_session(void)
{
	end_yielding();
	stop();
}

static void do_yield(void)
{
	sched_yield();
}

static char *buffer(void)
{
	static char *pages;

	if (!pages) {
		pages = new_pages(BUFFER_BYTES);
		madvise(pages, BUFFER_BYTES, MADV_NOHUGEPAGE);
		memset(pages, 1, BUFFER_BYTES);
	}
	return pages;
}

static void do_lock(void)
{
	if (mlock(buffer(), BUFFER_BYTES) || munlock(buffer(), BUFFER_BYTES))
		die("Cannot lock memory: %s.", strerror(errno));
}

static void do_start_stop(void)
{
	driver_cycle(buffer(), BUFFER_BYTES);
}

/* The time of the operation proper, if run() does more. */
static __u64 own_ns;

/*
 * The time of an exit is from the child's last instruction to the parent's
 * return from the wait. The child stores the beginning in shared memory.
 */
static void do_exit(void)
{
	static __u64 *exit_time;
	pid_t child;

	if (!exit_time)
		exit_time = shared_page();
	child = fork();
	if (!child) {
		*exit_time = now_ns();
		_exit(0);
	}
	await(child);
	own_ns += now_ns() - *exit_time;
}

/**
 * struct operation - an operation whose cost is measured
 * @name: its name in results
 * @method: the name of the session's method
 * @times: the number of operations in a round
 * @begin: called before a round without a session
 * @end: called after a round without a session
 * @begin_with: called before a round with a session
 * @end_with: called after a round with a session
 * @run: does the operation once, without a session
 * @run_with: does the operation once, with a session
 */
static const struct operation {
	const char *name;
	const char *method;
	unsigned int times;
	void (*begin)(void);
	void (*end)(void);
	void (*begin_with)(void);
	void (*end_with)(void);
	void (*run)(void);
	void (*run_with)(void);
} operations[] = {
	{ "start-stop-for-lock-unlock", "tick", 200, noop, noop, noop, noop,
	  do_lock, do_start_stop },
	{ "fork", "tick", 100, noop, noop, start, stop, do_fork, do_fork },
	{ "exit", "tick", 100, noop, noop, start, stop, do_exit, do_exit },
	{ "fork-exec", "tick", 50, noop, noop, start, stop, do_fork_exec,
	  do_fork_exec },
	{ "map-unmap", "tick", 500, noop, noop, start, stop, do_map, do_map },
	{ "switch-tick-session", "tick", 5000, begin_yielding, end_yielding,
	  yielding_and_session, end_yielding_and_session, do_yield, do_yield },
	{ "switch-fast-session", "1khz", 5000, begin_yielding, end_yielding,
	  yielding_and_session, end_yielding_and_session, do_yield, do_yield },
	{ "switch-perf-session", "perf-1khz", 5000, begin_yielding,
	  end_yielding, yielding_and_session, end_yielding_and_session,
	  do_yield, do_yield },
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The median of the times of an operation: ticks and kernel threads disturb few. */
static double median_time(const struct operation *operation, bool with)
{
	void (*run)(void) = with ? operation->run_with : operation->run;
	static double taken[5000];
	unsigned int i;

	run();
	for (i = 0; i < operation->times; i++) {
		__u64 begin = now_ns();

		own_ns = 0;
		run();
		taken[i] = (double)(own_ns ? own_ns : now_ns() - begin);
	}
	qsort(taken, operation->times, sizeof(*taken), by_value);
	return taken[operation->times / 2];
}

/* Without a session the module has never had one, so its hooks are not attached. */
static double round_of(const struct operation *operation, bool with)
{
	double taken;

	if (!with) {
		driver_unload();
		driver_load();
	}
	(with ? operation->begin_with : operation->begin)();
	settle(0);
	taken = median_time(operation, with);
	(with ? operation->end_with : operation->end)();
	return taken;
}

static void measure(const struct operation *operation)
{
	struct series without = { 0 }, more = { 0 };
	unsigned int i;

	method = method_find(operation->method);
	for (i = 0; i < ROUNDS; i++) {
		double bare = round_of(operation, false);

		series_add(&without, bare);
		series_add(&more, round_of(operation, true) - bare);
	}
	series_print(&without, "%s/without", operation->name);
	series_print(&more, "%s/more", operation->name);
}

static const struct operation *find_operation(const char *name)
{
	const struct operation *operation = operations;

	while (strcmp(operation->name, name))
		operation++;
	return operation;
}

/* The time of an operation without a session, while another program has one */
static double beside(const struct operation *operation)
{
	double taken;

	start_elsewhere();
	operation->begin();
	settle(0);
	taken = median_time(operation, false);
	operation->end();
	stop_elsewhere();
	return taken;
}

static void measure_beside(const char *name, const char *sessions)
{
	const struct operation *operation = find_operation(name);
	struct series more = { 0 };
	unsigned int i;

	method = method_find(sessions);
	for (i = 0; i < ROUNDS; i++) {
		double bare = round_of(operation, false);

		series_add(&more, beside(operation) - bare);
	}
	series_print(&more, "beside-%s/%s", sessions, name);
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(name, argv[i]))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	static const char *const sessions[] = { "tick", "1khz" };
	static const char *const unprofiled[] = { "fork", "map-unmap",
						  "switch-tick-session" };
	size_t i, j;

	for (i = 0; i < ARRAY_LENGTH(operations); i++)
		if (wanted(operations[i].name, argc, argv))
			measure(&operations[i]);
	for (i = 0; wanted("beside", argc, argv) && i < 2; i++)
		for (j = 0; j < ARRAY_LENGTH(unprofiled); j++)
			measure_beside(unprofiled[j], sessions[i]);
	return 0;
}
