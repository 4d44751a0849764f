// SPDX-License-Identifier: GPL-2.0-only
/*
 * operation NAME...: the cost that sessions add to operations of programs and
 * the kernel
 *
 * Rounds without and with a session alternate. The results are the time of one
 * operation without a session, and the time that a session adds.
 */
#include "bench.h"

#define BUFFER_BYTES (128 * 1024)

static const struct method *method;

static void await(pid_t child)
{
	if (child < 0 || waitpid(child, NULL, 0) != child)
		die("Cannot fork: %s.", strerror(errno));
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

/* A page of code of a file */
static void do_map_code(void)
{
	static int file = -1;
	void *page;

	if (file < 0)
		file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	if (page == MAP_FAILED)
		die("Cannot map a file: %s.", strerror(errno));
	munmap(page, 4096);
}

/* Two programs yield the CPU to each other: a round is two switches. */
static pid_t start_yielding(void)
{
	pid_t other = fork();

	while (!other)
		sched_yield();
	return other;
}

static void do_yield(void)
{
	sched_yield();
}

static char *buffer(void)
{
	static char *pages;

	if (!pages) {
		pages = new_reserved(BUFFER_BYTES);
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
		exit_time = new_shared(page_size());
	child = fork();
	if (!child) {
		*exit_time = wall_ns();
		_exit(0);
	}
	await(child);
	own_ns += wall_ns() - *exit_time;
}

/**
 * struct operation - an operation whose cost is measured
 * @name: its name in results
 * @method: the name of the session's method
 * @times: the number of operations in a round
 * @run: does the operation once
 * @run_with: does the operation once with a session; NULL for @run in a session
 */
static const struct operation {
	const char *name;
	const char *method;
	unsigned int times;
	void (*run)(void);
	void (*run_with)(void);
} operations[] = {
	{ "start-stop-for-lock-unlock", "tick", 200, do_lock, do_start_stop },
	{ "fork", "tick", 100, do_fork, NULL },
	{ "exit", "tick", 100, do_exit, NULL },
	{ "fork-exec", "tick", 50, do_fork_exec, NULL },
	{ "map-unmap", "tick", 500, do_map, NULL },
	{ "map-code", "tick", 500, do_map_code, NULL },
	{ "tree-fork-exec", "tick-tree", 50, do_fork_exec, NULL },
	{ "switch-tick-session", "tick", 5000, do_yield, NULL },
	{ "switch-fast-session", "1khz", 5000, do_yield, NULL },
	{ "switch-perf-session", "perf-1khz", 5000, do_yield, NULL },
};

/* The median of the times of an operation: ticks and kernel threads disturb few. */
static double median_time(unsigned int times, void (*run)(void))
{
	static struct series taken;

	taken.nr = 0;
	run();
	for (unsigned int i = 0; i < times; i++) {
		__u64 begin = wall_ns();

		own_ns = 0;
		run();
		series_add(&taken,
			   (double)(own_ns ? own_ns : wall_ns() - begin));
	}
	return series_median(&taken);
}

/* A round of the operation, by @run, in a session of this process if @start */
static double time_of(const struct operation *operation, void (*run)(void),
		      bool start)
{
	pid_t other = operation->run == do_yield ? start_yielding() : 0;
	double taken;

	if (start)
		method->start(method);
	settle(0);
	taken = median_time(operation->times, run);
	if (other)
		kill_child(other);
	if (start)
		method->stop(method);
	return taken;
}

/* Without a session the module has never had one, so its hooks are not attached. */
static double time_without(const struct operation *operation)
{
	driver_unload();
	driver_load();
	return time_of(operation, operation->run, false);
}

static void measure(const struct operation *operation)
{
	struct series without = { 0 }, more = { 0 };

	method = method_find(operation->method);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		double bare = time_without(operation);

		series_add(&without, bare);
		series_add(&more, time_of(operation,
					  operation->run_with ?: operation->run,
					  !operation->run_with) -
					  bare);
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

static void start_session(void *unused)
{
	(void)unused;
	method->start(method);
}

static void start_nothing(void *unused)
{
	(void)unused;
}

/* The time of an operation beside another program, which has called @start */
static double beside(const struct operation *operation, void (*start)(void *))
{
	pid_t elsewhere = start_program(start, NULL);
	double taken = time_of(operation, operation->run, false);

	kill_child(elsewhere);
	return taken;
}

static void measure_beside(const char *name, const char *sessions)
{
	const struct operation *operation = find_operation(name);
	struct series more = { 0 };

	method = method_find(sessions);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		double bare;

		driver_unload();
		driver_load();
		bare = beside(operation, start_nothing);
		series_add(&more, beside(operation, start_session) - bare);
	}
	series_print(&more, "beside-%s/%s", sessions, name);
}

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(name, argv[i]))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	static const char *const sessions[] = { "tick", "1khz", "1khz-tree" };
	static const char *const unprofiled[] = { "fork", "map-unmap",
						  "switch-tick-session",
						  "fork-exec", "map-code" };
	size_t i, j;

	for (i = 0; i < ARRAY_LENGTH(operations); i++)
		if (wanted(operations[i].name, argc, argv))
			measure(&operations[i]);
	for (i = 0; wanted("beside", argc, argv) && i < ARRAY_LENGTH(sessions);
	     i++)
		for (j = 0; j < 3; j++)
			measure_beside(unprofiled[j], sessions[i]);
	for (j = 0;
	     wanted("beside-table", argc, argv) && j < ARRAY_LENGTH(unprofiled);
	     j++)
		measure_beside(unprofiled[j], "tick-table");
	return 0;
}
