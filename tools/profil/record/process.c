// SPDX-License-Identifier: GPL-2.0-only
/* Processes, their descendants and their CPU time, as /proc has them */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/process.h"
#include "util/memory.h"

#define SECOND 1000000000ULL

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
	process->user = user;
	process->kernel = kernel;
	process->child_user = child_user;
	process->child_kernel = child_kernel;
	return true;
}

/* Read the process @pid; false if there is none. */
static bool read_process(pid_t pid, struct process *process)
{
	char path[32], line[1024] = "";
	FILE *file;

	*process = (struct process){ .pid = pid };
	if (pid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
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

uid_t profil_process_owner(pid_t pid)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return stat(path, &status) ? 0 : status.st_uid;
}

static struct process *read_all(size_t *nr)
{
	struct process *all = NULL, process;
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	*nr = 0;
	while (directory && (entry = readdir(directory))) {
		if (!read_process(atoi(entry->d_name), &process))
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

/* Command lines */

/* A program that sets its title fills the rest with blanks. */
static void trim(char *string)
{
	size_t length = strlen(string);

	while (length && string[length - 1] == ' ')
		string[--length] = '\0';
}

/* The strings of a file, each with a zero byte at its end */
static char **read_strings(const char *path, char end)
{
	FILE *file = fopen(path, "re");
	char **strings = profil_grow(NULL, 1, sizeof(*strings));
	char *string = NULL;
	size_t nr = 0, room = 0;

	while (file && getdelim(&string, &room, end, file) > 0) {
		string[strcspn(string, "\n")] = '\0';
		strings = profil_grow(strings, nr + 2, sizeof(*strings));
		strings[nr++] = profil_copy_string(string);
	}
	if (nr)
		trim(strings[nr - 1]);
	strings[nr] = NULL;
	free(string);
	if (file)
		fclose(file);
	return strings;
}

char **profil_process_command(pid_t pid)
{
	char path[32];
	char **argv;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	argv = read_strings(path, '\0');
	if (*argv && **argv)
		return argv;
	free(argv);
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	return read_strings(path, '\n');
}

/* CPU time */

static uint64_t tick_ns(void)
{
	return SECOND / sysconf(_SC_CLK_TCK);
}

/* The CPU clock has nanoseconds; /proc truncates both modes to clock ticks. */
static struct cpu_time own_cpu_time(const struct process *process)
{
	struct cpu_time cpu = {
		.all_ns = tick_ns() * (process->user + process->kernel),
		.kernel_ns = tick_ns() * process->kernel,
	};
	struct timespec used;
	clockid_t clock;

	if (!clock_getcpuclockid(process->pid, &clock) &&
	    !clock_gettime(clock, &used))
		cpu.all_ns = used.tv_sec * SECOND + used.tv_nsec;
	if (cpu.all_ns < cpu.kernel_ns)
		cpu.all_ns = cpu.kernel_ns;
	return cpu;
}

struct cpu_time profil_cpu_time(pid_t pid)
{
	struct cpu_time sum = { 0 };
	struct process *tree;
	size_t nr;

	tree = profil_process_tree(pid, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct cpu_time own = own_cpu_time(&tree[i]);
		uint64_t kernel = tree[i].child_kernel;

		sum.all_ns +=
			own.all_ns + tick_ns() * (tree[i].child_user + kernel);
		sum.kernel_ns += own.kernel_ns + tick_ns() * kernel;
	}
	free(tree);
	return sum;
}

struct cpu_time profil_cpu_time_alone(pid_t pid)
{
	struct process process;

	if (!read_process(pid, &process))
		return (struct cpu_time){ 0 };
	return own_cpu_time(&process);
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
