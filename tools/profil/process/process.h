/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes, their descendants and their CPU time, as /proc has them */
#ifndef PROFIL_PROCESS_H
#define PROFIL_PROCESS_H

#include "util/index_map.h"

/* CPU time of processes in nanoseconds, and the part of it in kernel mode */
struct cpu_time {
	uint64_t all_ns;
	uint64_t kernel_ns;
};

/*
 * A process with its start, in nanoseconds since the boot, and its CPU time, alone and with
 * the children that it waited for
 */
struct process {
	pid_t pid;
	pid_t parent;
	uint64_t begin_ns;
	struct cpu_time alone;
	struct cpu_time waited;
};

/* Path of the file @name of proc(5) about the process @pid */
struct process_path {
	char text[40];
};
struct process_path profil_process_path(pid_t pid, const char *name);

/*
 * The last number to @base in the line @name of the status of the process @pid; 0 if it
 * cannot be read
 */
uint64_t profil_process_status(pid_t pid, const char *name, int base);

/* User of the process @pid; root if the process is not dumpable, -1 if it has ended */
uid_t profil_process_owner(pid_t pid);

/* Start of the process @pid, in nanoseconds since the boot; 0 if it has ended */
uint64_t profil_process_begin_ns(pid_t pid);

/*
 * Number of what the process @pid has executed last: another execve(2) has another one,
 * also of the same program, and a forked child has that of its parent. 0 if it cannot be
 * read
 */
uint64_t profil_process_image(pid_t pid);

/* Read @size bytes at @address in the process @pid; the number of those that were read */
size_t profil_process_memory(pid_t pid, uint64_t address, void *bytes,
			     size_t size);

/*
 * A mapping of a process: @path is that of the file for this process, with a mark if it
 * was deleted; the name of other memory, or ""
 */
struct process_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	bool is_code;
	char *path;
};

/* The mappings of the process @pid, ascending; none if they cannot be read */
struct process_mapping *profil_process_mappings(pid_t pid, size_t *nr);
void profil_process_mappings_free(struct process_mapping *mappings, size_t nr);

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

/*
 * Time of all CPUs since the boot, in nanoseconds: that in which they had no task to run,
 * and that which the host of a virtual machine took
 */
struct machine_time {
	uint64_t idle_ns;
	uint64_t stolen_ns;
};

/* The time by /proc; 0 if the file cannot be read */
struct machine_time profil_machine_time(void);

/*
 * Root directories of processes
 *
 * The driver has the path of a file as the program has it, from the root directory
 * of the program, in its mount namespace. The descriptors keep the files after the end
 * of the process.
 */

/*
 * Root directories, each of them once; all 0 if there are none
 * @fds: their descriptors; -1: that of this process
 * @indices: indices of @fds by device, inode and inode of the mount namespace
 */
struct roots {
	int *fds;
	size_t nr;
	struct index_map indices;
};

/* Index of the root directory of the process @pid; INDEX_NONE if it has ended */
uint32_t profil_roots_add(struct roots *roots, pid_t pid);

/* Close all. */
void profil_roots_free(struct roots *roots);

#endif
