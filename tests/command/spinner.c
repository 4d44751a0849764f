// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that libprofil is not in, for it is linked in another way:
 *
 *	spinner [ARGUMENT]... MS STATUS
 *
 * It spends MS milliseconds of CPU time, prints a line, and exits with STATUS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 20000

__attribute__((noinline)) void heavy(unsigned long count);

void heavy(unsigned long count)
{
	while (count--)
		asm volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	clock_t ms = CLOCKS_PER_SEC / 1000;

	if (argc < 3)
		return 99;
	while (clock() < atol(argv[argc - 2]) * ms)
		heavy(ROUNDS);
	puts("foreign code ran");
	return atoi(argv[argc - 1]);
}
