/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interrupts of each CPU, which the kernel counts.
 */
#ifndef PROFIL_TEST_INTERRUPTS_H
#define PROFIL_TEST_INTERRUPTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in column @cpu of a row behind its name; 0 without that column. */
static inline long column_of(const char *row, unsigned int cpu)
{
	char *next;
	long seen;

	for (;; row = next) {
		seen = strtol(row, &next, 10);
		if (next == row)
			return 0;
		if (!cpu--)
			return seen;
	}
}

/*
 * The number of interrupts that CPU @cpu has had, of the row @name of
 * /proc/interrupts, such as "CAL:", or of all rows with "". -1 if there is no
 * such row. All CPUs below @cpu are online.
 */
static inline long interrupts_of(const char *name, unsigned int cpu)
{
	char line[4096];
	long sum = -1;

	FOR_EACH_LINE("/proc/interrupts", line)
	{
		char *colon = strchr(line, ':');

		if (!colon || !strstr(line, name))
			continue;
		sum = (sum < 0 ? 0 : sum) + column_of(colon + 1, cpu);
	}
	return sum;
}

#endif /* PROFIL_TEST_INTERRUPTS_H */
