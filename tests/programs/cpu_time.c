// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpu_time PID...: prints the CPU time that the processes have used together, in
 * nanoseconds, by the kernel's clock of each process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	unsigned long long sum = 0;

	for (int i = 1; i < argc; i++) {
		struct timespec now;
		clockid_t clock;

		if (clock_getcpuclockid(atoi(argv[i]), &clock) ||
		    clock_gettime(clock, &now)) {
			fprintf(stderr, "process %s has no clock\n", argv[i]);
			return 1;
		}
		sum += now.tv_sec * 1000000000ULL + now.tv_nsec;
	}
	printf("%llu\n", sum);
	return argc < 2;
}
