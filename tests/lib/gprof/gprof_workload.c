// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for gcc -pg with known numbers of calls:
 *
 *	gprof_workload VERB [ARGUMENT]...
 *
 * The program is built in each way that gcc -pg has, and does not include a
 * header of libprofil.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gprof_workload.h"
#include "work.h"

#define NOINLINE __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))

#define THREADS 8
#define NS_PER_MS 1000000ULL

NOINLINE void leaf(void)
{
	asm volatile("" ::: "memory");
}

NOINLINE void middle(void)
{
	leaf();
	leaf();
	asm volatile("" ::: "memory");
}

/* With 1000 for @calls, middle() is called 1000 times and leaf() 2000 times. */
NOINLINE void once(int calls)
{
	for (int i = 0; i < calls; i++)
		middle();
}

WORK_FUNCTION(heavy, "")
WORK_FUNCTION(light, "nop")

static QUIET int fail(const char *what)
{
	fprintf(stderr, "gprof_workload: %s\n", what);
	return 99;
}

static QUIET void spend_ms(work_fn work, unsigned long ms)
{
	work_for(work, ms * NS_PER_MS);
}

NOINLINE void *worker(void *calls)
{
	for (long i = 0; i < (long)calls; i++)
		leaf();
	return NULL;
}

static QUIET int run_threads(long calls)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)calls))
			return fail("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

NOINLINE int compare(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

/* Calls of compare(), whose number depends on qsort() */
static int comparisons;

NOINLINE int counted(const void *one, const void *other)
{
	comparisons++;
	return compare(one, other);
}

static QUIET int sort(void)
{
	int numbers[100];

	for (int i = 0; i < 100; i++)
		numbers[i] = i * 37 % 101;
	qsort(numbers, 100, sizeof(*numbers), counted);
	printf("%d\n", comparisons);
	return 0;
}

/* Two functions that call each other, @calls times in all */
NOINLINE int first(long calls)
{
	return calls > 1 ? second(calls - 1) + 1 : 1;
}

NOINLINE int second(long calls)
{
	return calls > 1 ? first(calls - 1) + 1 : 1;
}

/* Arguments in each register, and on the stack */
NOINLINE double mix(int a, double b, long c, float d, void *e, double f, int g,
		    double h, long i, double j, int k, double l, double m,
		    double n, int o)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * (double)(intptr_t)e + 6 * f +
	       7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
	       14 * n + 15 * o;
}

/* Sum of @count doubles, in vector registers, whose number is in al */
NOINLINE int sum(int count, ...)
{
	double all = 0;
	va_list list;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		all += va_arg(list, double);
	va_end(list);
	return all;
}

/* Value of r10, the static chain register of nested functions */
NOINLINE long chain(void)
{
	long value = 1;

#ifdef __x86_64__
	asm volatile("mov %%r10, %0" : "=r"(value));
#endif
	return value;
}

static QUIET long call_chained(long seed)
{
	long (*volatile call)(void) = chain;

	return __builtin_call_with_static_chain(call(), (void *)seed);
}

static volatile int one = 1;

/* Call for @ms, so that files are written between calls. */
static QUIET int try_arguments(unsigned long ms)
{
	unsigned long long end = work_ns() + ms * NS_PER_MS;

	do {
		for (int i = 0; i < 1000; i++) {
			int x = one;

			if (mix(x, 2, 3, 4, (void *)5, 6, 7, 8, 9, 10, 11, 12,
				13, 14, 15) != 1240)
				return fail("wrong arguments");
			if (sum(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.) != 45)
				return fail("wrong variable arguments");
			if (call_chained(x) != 1)
				return fail("wrong static chain");
		}
	} while (work_ns() < end);
	return 0;
}

static volatile sig_atomic_t handled;

NOINLINE void handler(int signal)
{
	(void)signal;
	leaf();
	handled = 1;
}

/*
 * Take signals at any instruction of mcount(), with a handler that makes calls.
 */
static QUIET int take_signals(long calls)
{
	struct sigaction action = { .sa_handler = handler };
	timer_t timer;
	struct itimerspec often = {
		.it_interval.tv_nsec = 200000,
		.it_value.tv_nsec = 200000,
	};

	sigaction(SIGALRM, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, NULL, &timer) ||
	    timer_settime(timer, 0, &often, NULL))
		return fail("no timer");
	worker((void *)calls);
	while (!handled)
		; /* a busy machine may be late with the first signal */
	timer_delete(timer);
	return 0;
}

/*
 * The child calls middle() 7 times, its parent 5 times before and once after.
 */
static QUIET int fork_once(void)
{
	pid_t child;
	int status;

	once(5);
	child = fork();
	if (!child) {
		once(7);
		spend_ms(heavy, 200);
		exit(0);
	}
	waitpid(child, &status, 0);
	once(1);
	printf("%d\n", child);
	return status;
}

/*
 * Fork two children that call monstartup(), as servers do: middle() is called
 * 20 and 21 times in the children, and 5 times in the parent. With @end_first,
 * a child writes the inherited profile first, and later overwrites the file
 * with its own.
 */
static QUIET int profile_again(int calls, bool end_first)
{
	once(3);
	if (end_first)
		_mcleanup();
	monstartup((uintptr_t)leaf & ~15UL, (uintptr_t)etext);
	once(calls);
	spend_ms(heavy, 200);
	if (end_first)
		_mcleanup();
	return 0;
}

static QUIET int fork_and_profile_again(bool end_first)
{
	int status = 0;

	once(5);
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (!child)
			exit(profile_again(20 + i, end_first));
		printf("%d\n", child);
		fflush(stdout);
		if (waitpid(child, &status, 0) != child || status)
			return fail("the child failed");
	}
	return 0;
}

static QUIET int fork_and_vfork(void)
{
	pid_t child = vfork();

	if (!child) {
		once(3);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	once(1);
	return 0;
}

static QUIET bool has_file(void)
{
	struct stat status;

	return !lstat("gmon.out", &status) && S_ISREG(status.st_mode);
}

/* Call until the first file is there, or for three seconds if none comes. */
static QUIET int end_by(int signal)
{
	unsigned long long end = work_ns() + 3000 * NS_PER_MS;

	/* The time of the system calls is the kernel's, and in no sample. */
	while (work_ns() < end && !has_file())
		once(1000);
	raise(signal);
	return 99;
}

/* Calls and samples between moncontrol(0) and moncontrol(1) do not count. */
static QUIET int pause_and_resume(void)
{
	once(10);
	moncontrol(0);
	once(100);
	spend_ms(heavy, 200);
	moncontrol(1);
	once(1000);
	spend_ms(light, 200);
	return 0;
}

static unsigned short counters[64];

static QUIET unsigned int sum_of_counters(void)
{
	unsigned int sum = 0;

	for (int i = 0; i < 64; i++)
		sum += counters[i];
	return sum;
}

/* Whether heavy() gets a sample in some seconds */
static QUIET bool gets_samples(void)
{
	unsigned int before = sum_of_counters();

	for (int i = 0; i < 300 && sum_of_counters() == before; i++)
		spend_ms(heavy, 10);
	return sum_of_counters() > before;
}

/* A profile by profil(), which _mcleanup() does not stop */
static QUIET int profile_itself(void)
{
	bool before;

	once(1000);
	if (profil(counters, sizeof(counters), (size_t)heavy, 0x10000))
		return fail("no profile");
	before = gets_samples();
	_mcleanup();
	printf("%d %d\n", before, gets_samples());
	return 0;
}

/* Return @result, an expression, if the verb is @word. */
#define VERB(word, result)               \
	do {                             \
		if (!strcmp(verb, word)) \
			return result;   \
	} while (0)

static QUIET int run_verb(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	long number = argc > 2 ? atol(argv[2]) : 0;

	VERB("calls", (once(1000), 0));
	VERB("quick_exit", (once(1000), quick_exit(0), 0));
	VERB("threads", run_threads(number));
	VERB("sort", sort());
	VERB("recurse", first(number) != number);
	VERB("arguments", try_arguments(number));
	VERB("signals", take_signals(number));
	VERB("shares",
	     (spend_ms(heavy, 3 * number), spend_ms(light, number), 0));
	VERB("fork", fork_once());
	VERB("anew", fork_and_profile_again(false));
	VERB("ended", fork_and_profile_again(true));
	VERB("vfork", fork_and_vfork());
	VERB("chdir", (once(1000), chdir(argv[2])));
	VERB("chroot", (once(1000),
			chroot(argv[2]) || chdir("/") ? fail("no chroot") : 0));
	VERB("kill", end_by(number));
	VERB("twice", (once(1000), _mcleanup(), once(1000), _mcleanup(), 0));
	VERB("pause", pause_and_resume());
	VERB("itself", profile_itself());
	VERB("again",
	     (once(10), monstartup((uintptr_t)leaf & ~15UL, (uintptr_t)etext),
	      once(1000), 0));
	return fail("no such verb");
}

int main(int argc, char **argv)
{
	return run_verb(argc, argv);
}
