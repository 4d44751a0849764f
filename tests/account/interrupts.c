// SPDX-License-Identifier: GPL-2.0-only
#include "interrupts.h"

#include <stdio.h>
#include <string.h>

#include "common.h"

#define EVENT "/sys/kernel/tracing/events/timer/hrtimer_expire_entry/"
#define HISTOGRAM "hist:keys=function.sym,common_pid:size=4096"

bool interrupts_begin(void)
{
	return !write_text(EVENT "trigger", HISTOGRAM);
}

void interrupts_end(void)
{
	write_text(EVENT "trigger", "!" HISTOGRAM);
}

/* The number behind @name in @line, or -1. */
static long long number_behind(const char *line, const char *name)
{
	const char *found = strstr(line, name);
	long long number;

	if (!found || sscanf(found + strlen(name), "%lld", &number) != 1)
		return -1;
	return number;
}

__u64 interrupts_of(const char *function, pid_t first, pid_t last)
{
	FILE *file = fopen(EVENT "hist", "r");
	char line[512];
	__u64 sum = 0;

	while (file && fgets(line, sizeof(line), file)) {
		long long thread = number_behind(line, "common_pid:");

		if (strstr(line, function) && thread >= first && thread <= last)
			sum += (__u64)number_behind(line, "hitcount:");
	}
	if (file)
		fclose(file);
	return sum;
}
