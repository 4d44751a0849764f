/* SPDX-License-Identifier: GPL-2.0-only */
/* A process and its descendants, as /proc has them */
#ifndef PROFIL_PROCESS_TREE_H
#define PROFIL_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct process - a process of the system
 * @pid: its ID
 * @parent: ID of its parent
 * @user: clock ticks in user mode
 * @kernel: clock ticks in kernel mode
 * @child_user: the same of children that it waited for
 * @child_kernel: the same of children that it waited for
 * @start: clock ticks from the start of the system to that of the process
 * @owner: its user; root if the process is not dumpable
 * @is_in_tree: the process is the root of the tree or a descendant
 */
struct process {
	pid_t pid;
	pid_t parent;
	uint64_t user;
	uint64_t kernel;
	uint64_t child_user;
	uint64_t child_kernel;
	uint64_t start;
	uid_t owner;
	bool is_in_tree;
};

/* Read the process @pid; false if there is none. */
bool profil_process_read(pid_t pid, struct process *process);

/* ID that the process @pid has for itself, in its PID namespace; @pid if not known */
pid_t profil_process_inner_id(pid_t pid);

/* Start of @process, in nanoseconds since 1970, or up to a clock tick earlier */
uint64_t profil_process_start(const struct process *process);

/*
 * The process @pid, if it exists, and its descendants: an array of @nr elements,
 * for free(3), in which each process follows its parent
 */
struct process *profil_process_tree(pid_t pid, size_t *nr);

#endif
