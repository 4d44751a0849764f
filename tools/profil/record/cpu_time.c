// SPDX-License-Identifier: GPL-2.0-only
/* CPU time of a command that is still running */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/cpu_time.h"
#include "util/memory.h"

#define SECOND 1000000000ULL

/**
 * struct process - a process of the system
 * @pid: its ID
 * @parent: ID of its parent
 * @user: clock ticks in user mode, with children that were waited for
 * @kernel: the same in kernel mode
 * @is_counted: the process is a descendant of the command
 */
struct process {
	pid_t pid;
	pid_t parent;
	uint64_t user;
	uint64_t kernel;
	bool is_counted;
};

/* The name of the program, in parentheses, may contain any character. */
static bool parse(const char *line, struct process *process)
{
	unsigned long long user, kernel, child_user, child_kernel;
	const char *rest = strrchr(line, ')');

	if (!rest ||
	    sscanf(rest,
		   ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
		   &process->parent, &user, &kernel, &child_user,
		   &child_kernel) != 5)
		return false;
	process->user = user + child_user;
	process->kernel = kernel + child_kernel;
	return true;
}

static bool read_process(const char *name, struct process *process)
{
	char path[300], line[1024] = "";
	FILE *file;

	*process = (struct process){ .pid = atoi(name) };
	if (!process->pid)
		return false;
	snprintf(path, sizeof(path), "/proc/%s/stat", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		*line = '\0';
	fclose(file);
	return parse(line, process);
}

static struct process *read_all(size_t *nr)
{
	struct process *all = NULL, process;
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	*nr = 0;
	while (directory && (entry = readdir(directory))) {
		if (!read_process(entry->d_name, &process))
			continue;
		all = profil_grow(all, *nr + 1, sizeof(*all));
		all[(*nr)++] = process;
	}
	if (directory)
		closedir(directory);
	return all;
}

static bool is_counted(const struct process *all, size_t nr, pid_t pid)
{
	for (size_t i = 0; i < nr; i++)
		if (all[i].pid == pid)
			return all[i].is_counted;
	return false;
}

/* Mark the descendants of @pid, generation by generation. */
static void mark(struct process *all, size_t nr, pid_t pid)
{
	bool more = true;

	for (size_t i = 0; i < nr; i++)
		all[i].is_counted = all[i].pid == pid;
	while (more) {
		more = false;
		for (size_t i = 0; i < nr; i++) {
			if (all[i].is_counted ||
			    !is_counted(all, nr, all[i].parent))
				continue;
			all[i].is_counted = true;
			more = true;
		}
	}
}

struct cpu_time profil_cpu_time(pid_t pid)
{
	uint64_t tick = SECOND / sysconf(_SC_CLK_TCK);
	struct cpu_time time = { 0 };
	struct process *all;
	size_t nr;

	all = read_all(&nr);
	mark(all, nr, pid);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].is_counted)
			continue;
		time.all_ns += tick * (all[i].user + all[i].kernel);
		time.kernel_ns += tick * all[i].kernel;
	}
	free(all);
	return time;
}
