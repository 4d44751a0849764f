// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <stdarg.h>

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

void work_in_cycles(__u64 begin, __u64 cycle_ns, __u64 work_ns,
		    unsigned int times)
{
	for (; times--; begin += cycle_ns) {
		struct timespec time = {
			.tv_sec = (time_t)(begin / NSEC_PER_SEC),
			.tv_nsec = (long)(begin % NSEC_PER_SEC),
		};

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time,
				       NULL))
			;
		work(work_ns);
	}
}

pid_t start_program(void (*begin)(void *data), void *data)
{
	pid_t program;
	int ready[2];
	char byte;

	if (pipe(ready))
		die("Cannot make a pipe.");
	program = fork();
	if (!program) {
		begin(data);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("Another program has not started.");
	close(ready[0]);
	return program;
}

extern const char stack_text[];

/* No-operations are cheap to emulate, and each counts as an instruction. */
__asm__(".pushsection .text\n"
	".balign 4096\n"
	".globl work_text\n"
	"work_text:\n"
	"1: .fill 998, 1, 0x90\n"
	"dec %rdi\n"
	"jnz 1b\n"
	"ret\n"
	".balign 4096\n"
	".globl wide_text\n"
	"wide_text:\n"
	"2: .fill 0x400000, 1, 0x90\n"
	"dec %rdi\n"
	"jnz 2b\n"
	"ret\n"
	".balign 4096\n"
	/* The base has no frame pointer, and the work is the innermost frame. */
	"stack_text:\n"
	"push %rbp\n"
	"xor %ebp, %ebp\n"
	"call 3f\n"
	"pop %rbp\n"
	"ret\n"
	"3: push %rbp\n"
	"mov %rsp, %rbp\n"
	"dec %rdi\n"
	"jz 4f\n"
	"call 3b\n"
	"pop %rbp\n"
	"ret\n"
	"4: mov %rsi, %rdi\n"
	"call work_text\n"
	"pop %rbp\n"
	"ret\n"
	".popsection\n");

void work(__u64 instructions)
{
	void (*loop)(__u64 count) = (void *)work_text;

	loop(instructions / WORK_UNIT);
}

void work_below(unsigned int frames, __u64 instructions)
{
	void (*stack)(__u64 callers, __u64 count) = (void *)stack_text;

	if (frames)
		stack(frames - 1, instructions / WORK_UNIT);
	else
		work(instructions);
}

void wide_work(unsigned int rounds)
{
	void (*loop)(__u64 count) = (void *)wide_text;

	loop(rounds);
}

double wide_time(unsigned int rounds)
{
	__u64 begin;

	settle(0);
	begin = wall_ns();
	wide_work(rounds);
	return (double)(wall_ns() - begin);
}

void settle(unsigned int phase)
{
	sleep_ns(NSEC_PER_SEC + phase * 1370 * NSEC_PER_USEC);
}

#define STOPWATCH "/proc/stopwatch"

double path(void)
{
	int fd = open(STOPWATCH, O_WRONLY | O_CLOEXEC);
	double median;
	FILE *file;

	if (fd < 0 || write(fd, "", 1) != 1)
		die("There is no %s: load the module stopwatch.", STOPWATCH);
	close(fd);
	work(2 * NSEC_PER_SEC);
	file = fopen(STOPWATCH, "re");
	if (!file || fscanf(file, "%*u %*u %lf", &median) != 1)
		die("The stopwatch has seen no interrupt.");
	fclose(file);
	return median;
}

void series_add(struct series *series, double value)
{
	if (series->nr == MAX_VALUES)
		die("More than %d values are more than a series takes.",
		    MAX_VALUES);
	series->values[series->nr++] = value;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double series_median(struct series *series)
{
	qsort(series->values, series->nr, sizeof(double), by_value);
	return series->nr ? series->values[series->nr / 2] : 0;
}

void series_print(struct series *series, const char *format, ...)
{
	double median = series_median(series);
	va_list arguments;

	printf("result ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf(" %.1f %.1f %.1f\n", median, series->values[0],
	       series->values[series->nr - 1]);
	fflush(stdout);
}
