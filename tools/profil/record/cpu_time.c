// SPDX-License-Identifier: GPL-2.0-only
/* CPU time of processes that are still running */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/cpu_time.h"
#include "record/process_tree.h"

#define SECOND 1000000000ULL

static uint64_t tick_ns(void)
{
	return SECOND / sysconf(_SC_CLK_TCK);
}

struct cpu_time profil_cpu_time(pid_t pid)
{
	struct cpu_time time = { 0 };
	struct process *tree;
	size_t nr;

	tree = profil_process_tree(pid, &nr);
	for (size_t i = 0; i < nr; i++) {
		uint64_t kernel = tree[i].kernel + tree[i].child_kernel;
		uint64_t user = tree[i].user + tree[i].child_user;

		time.all_ns += tick_ns() * (user + kernel);
		time.kernel_ns += tick_ns() * kernel;
	}
	free(tree);
	return time;
}

struct cpu_time profil_cpu_time_alone(pid_t pid)
{
	struct process process;

	if (!profil_process_read(pid, &process))
		return (struct cpu_time){ 0 };
	return (struct cpu_time){
		.all_ns = tick_ns() * (process.user + process.kernel),
		.kernel_ns = tick_ns() * process.kernel,
	};
}

uint64_t profil_cpu_idle_ns(void)
{
	unsigned long long idle = 0, waiting = 0;
	FILE *file = fopen("/proc/stat", "re");

	if (!file)
		return 0;
	if (fscanf(file, "cpu %*u %*u %*u %llu %llu", &idle, &waiting) != 2)
		idle = 0;
	fclose(file);
	return tick_ns() * (idle + waiting);
}
