// SPDX-License-Identifier: GPL-2.0-only
/* Reading processes from /proc */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/process_tree.h"
#include "util/memory.h"

#define SECOND 1000000000ULL

/* The name of the program, in parentheses, may contain any character. */
static bool parse(const char *line, struct process *process)
{
	unsigned long long user, kernel, child_user, child_kernel, start;
	const char *rest = strrchr(line, ')');

	if (!rest ||
	    sscanf(rest,
		   ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d %*d %*d %llu",
		   &process->parent, &user, &kernel, &child_user, &child_kernel,
		   &start) != 6)
		return false;
	process->user = user;
	process->kernel = kernel;
	process->child_user = child_user;
	process->child_kernel = child_kernel;
	process->start = start;
	return true;
}

bool profil_process_read(pid_t pid, struct process *process)
{
	char path[32], line[1024] = "";
	struct stat status;
	FILE *file;

	*process = (struct process){ .pid = pid };
	if (pid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fstat(fileno(file), &status))
		process->owner = status.st_uid;
	if (!fgets(line, sizeof(line), file))
		*line = '\0';
	fclose(file);
	return parse(line, process);
}

/* The line NSpid has the IDs in all namespaces, the innermost last. */
pid_t profil_process_inner_id(pid_t pid)
{
	char path[32], line[1024];
	pid_t inner = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	while (status && !inner && fgets(line, sizeof(line), status))
		if (!strncmp(line, "NSpid:", 6))
			inner = atoi(strrchr(line, '\t') ?: "");
	if (status)
		fclose(status);
	return inner > 0 ? inner : pid;
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

uint64_t profil_process_start(const struct process *process)
{
	uint64_t since_boot = process->start * (SECOND / sysconf(_SC_CLK_TCK));

	return nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_BOOTTIME) +
	       since_boot;
}

static struct process *read_all(size_t *nr)
{
	struct process *all = NULL, process;
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	*nr = 0;
	while (directory && (entry = readdir(directory))) {
		if (!profil_process_read(atoi(entry->d_name), &process))
			continue;
		all = profil_grow(all, *nr + 1, sizeof(*all));
		all[(*nr)++] = process;
	}
	if (directory)
		closedir(directory);
	return all;
}

/* Append to @tree of @nr elements the children of @parent among @all. */
static size_t add_children(struct process *tree, size_t nr, pid_t parent,
			   struct process *all, size_t nr_all)
{
	for (size_t i = 0; i < nr_all; i++) {
		if (all[i].parent != parent || all[i].is_in_tree)
			continue;
		all[i].is_in_tree = true;
		tree[nr++] = all[i];
	}
	return nr;
}

struct process *profil_process_tree(pid_t pid, size_t *nr)
{
	struct process *tree, *all;
	size_t nr_all;

	*nr = 0;
	all = read_all(&nr_all);
	tree = profil_grow(NULL, nr_all + 1, sizeof(*tree));
	for (size_t i = 0; i < nr_all; i++) {
		if (all[i].pid != pid)
			continue;
		all[i].is_in_tree = true;
		tree[(*nr)++] = all[i];
	}
	for (size_t i = 0; i < *nr; i++)
		*nr = add_children(tree, *nr, tree[i].pid, all, nr_all);
	free(all);
	return tree;
}
