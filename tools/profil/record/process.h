/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes, their descendants and their CPU time, as /proc has them */
#ifndef PROFIL_PROCESS_H
#define PROFIL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct cpu_time - CPU time of processes
 * @all_ns: nanoseconds in user and kernel mode
 * @kernel_ns: part of @all_ns in kernel mode
 */
struct cpu_time {
	uint64_t all_ns;
	uint64_t kernel_ns;
};

/**
 * struct process - a process of the system
 * @pid: its ID
 * @parent: ID of its parent
 * @alone: its CPU time
 * @waited: the same with that of children that it waited for
 * @is_in_tree: the process is the root of the tree or a descendant
 */
struct process {
	pid_t pid;
	pid_t parent;
	struct cpu_time alone;
	struct cpu_time waited;
	bool is_in_tree;
};

/*
 * The last number to @base in the line @name of the status of the process @pid; 0 if it
 * cannot be read
 */
uint64_t profil_process_status(pid_t pid, const char *name, int base);

/* User of the process @pid; root if the process is not dumpable, or has ended */
uid_t profil_process_owner(pid_t pid);

/*
 * Arguments of the process @pid, ended by NULL, for the life of the command; its
 * name if it has overwritten them, and none if there is no such process
 */
char **profil_process_command(pid_t pid);

/*
 * The process @pid, if it exists, and its descendants: an array of @nr elements,
 * for free(3), in which each process follows its parent
 */
struct process *profil_process_tree(pid_t pid, size_t *nr);

/*
 * CPU time of the process @pid, and with @children of its running descendants, and of
 * those that were waited for, by /proc; 0 if there is no such process
 */
struct cpu_time profil_cpu_time(pid_t pid, bool children);

/* Nanoseconds since the boot in which CPUs had no task to run, of all CPUs, by /proc */
uint64_t profil_cpu_idle_ns(void);

#endif
