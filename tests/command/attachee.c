// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that profil is attached to while it runs:
 *
 *	attachee GO DONE VERB [ARGUMENT]...
 *
 * The verb's work begins when the file GO exists. Then the file DONE gets a line
 * with the CPU time, in nanoseconds, that the work has taken, and the program waits
 * until GO is gone.
 */
#include <dlfcn.h>
#include <sys/epoll.h>

#include "../selftests/profil/common.h"
#include "work.h"

#define MAX_WORKERS 16

WORK_FUNCTION(heavy, "")
WORK_FUNCTION(light, "nop")

static const char *go, *done;

static void wait_while(bool exists)
{
	while (!access(go, F_OK) == exists)
		usleep(2000);
}

static void report(unsigned long long number)
{
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s.new", done);
	file = fopen(name, "w");
	if (!file)
		exit(98);
	fprintf(file, "%llu\n", number);
	fclose(file);
	rename(name, done);
}

static unsigned long long number(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* busy NS: spend NS in heavy(). */
static unsigned long long do_busy(char **argv)
{
	return work_for(heavy, number(argv[0]));
}

/*
 * share NS: spend NS in heavy() and as much in light(), by turns. A turn that took too
 * long shortens the next one of the function.
 */
static unsigned long long do_share(char **argv)
{
	unsigned long long ns = number(argv[0]), in_heavy = 0, in_light = 0;

	for (int i = 1; i <= 20; i++) {
		in_heavy += work_for(heavy, ns / 20 * i - in_heavy);
		in_light += work_for(light, ns / 20 * i - in_light);
	}
	return in_heavy + in_light;
}

static work_fn function_in(const char *path, const char *function)
{
	void *library = dlopen(path, RTLD_NOW);
	work_fn work = library ? (work_fn)dlsym(library, function) : NULL;

	if (!work)
		exit(97);
	return work;
}

/* dlopen LIBRARY FUNCTION NS: open a library, and spend NS in its function. */
static unsigned long long do_dlopen(char **argv)
{
	return work_for(function_in(argv[0], argv[1]), number(argv[2]));
}

/* Bytes that the function heavy() has at most */
#define FUNCTION_SIZE 64

/* jit NS: spend NS in a copy of heavy(), in memory that is no file's. */
static unsigned long long do_jit(char **argv)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		exit(92);
	memcpy(code, heavy, FUNCTION_SIZE);
	__builtin___clear_cache(code, code + FUNCTION_SIZE);
	return work_for((work_fn)(void *)code, number(argv[0]));
}

/* epoll MS: wait for MS milliseconds; the number of interrupted calls */
static unsigned long long do_epoll(char **argv)
{
	struct epoll_event event;

	if (epoll_wait(epoll_create1(0), &event, 1, number(argv[0])) < 0)
		return errno == EINTR;
	return 0;
}

/* exec PROGRAM [ARGUMENT]... */
static unsigned long long do_exec(char **argv)
{
	execv(argv[0], argv);
	exit(96);
}

/* later NUMBER NS: fork processes that spend NS each; the sum of their time */
static unsigned long long do_later(char **argv)
{
	int pipes[2], nr = number(argv[0]);
	unsigned long long used, sum = 0;

	if (pipe(pipes))
		exit(95);
	for (int i = 0; i < nr; i++) {
		if (fork())
			continue;
		used = work_for(heavy, number(argv[1]));
		_exit(write(pipes[1], &used, sizeof(used)) < 0);
	}
	for (int i = 0; i < nr; i++) {
		if (read(pipes[0], &used, sizeof(used)) != sizeof(used))
			exit(94);
		sum += used;
	}
	while (wait(NULL) > 0)
		;
	return sum;
}

/* A profile of the program's own, and the device */
static struct {
	unsigned short counters[4096];
	int fd;
} own;

static void begin_own(void)
{
	struct profil_region region =
		region_of(own.counters, sizeof(own.counters),
			  (void *)((unsigned long)heavy & -2), 0x10000);

	own.fd = device_open();
	if (own.fd < 0 || start_one(own.fd, region, 2, 0, 0))
		exit(93);
}

/*
 * own NS: spend NS in heavy() with a profile of its own, begun before GO; its
 * samples in heavy()
 */
static unsigned long long do_own(char **argv)
{
	work_for(heavy, number(argv[0]));
	stop(own.fd, NULL);
	/* A counter is for 2 bytes, and the function is shorter than 64. */
	return counters_sum(own.counters, 2, 32);
}

static const struct {
	const char *name;
	unsigned long long (*work)(char **argv);
} verbs[] = {
	{ "busy", do_busy },   { "share", do_share }, { "dlopen", do_dlopen },
	{ "epoll", do_epoll }, { "exec", do_exec },   { "later", do_later },
	{ "own", do_own },     { "jit", do_jit },
};

static void run(char **argv)
{
	if (!strcmp(argv[0], "own"))
		begin_own();
	if (strcmp(argv[0], "epoll"))
		wait_while(false);
	for (size_t i = 0; i < ARRAY_LENGTH(verbs); i++)
		if (!strcmp(argv[0], verbs[i].name))
			report(verbs[i].work(argv + 1));
	wait_while(true);
}

/* A worker spends @ns in @work, and its line is in DONE.NUMBER. */
static void run_worker(int i, work_fn work, unsigned long long ns)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s.%d", done, i);
	done = name;
	wait_while(false);
	report(work_for(work, ns));
	wait_while(true);
	_exit(0);
}

/*
 * workers NS NUMBER: processes that exist before GO, as of a server; each spends NS.
 * workers NS LIBRARY FUNCTION...: one for each library, which it has opened.
 */
static void run_workers(char **argv)
{
	unsigned long long ns = number(argv[0]);
	int nr = atoi(argv[1]);

	for (int i = 0; nr ? i < nr : !!argv[2 * i + 1]; i++) {
		work_fn work = heavy;

		if (fork())
			continue;
		if (!nr)
			work = function_in(argv[2 * i + 1], argv[2 * i + 2]);
		run_worker(i, work, ns);
	}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 99;
	go = argv[1];
	done = argv[2];
	if (!strcmp(argv[3], "workers"))
		run_workers(argv + 4);
	else
		run(argv + 3);
	return 7;
}
