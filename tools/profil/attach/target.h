/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that an attached descriptor samples
 *
 * The program has one layout: it is that of one process, and of processes that
 * were forked from it, and have executed no program and opened no library since.
 */
#ifndef PROFIL_TARGET_H
#define PROFIL_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/run_file.h"

struct layout;

/**
 * struct target - a program
 * @device: descriptor of the driver, or -1
 * @pid: process whose mappings are read
 * @image: hash of what distinguishes the program in memory from all others
 * @code: hash of the process's mappings with code, when it was attached
 * @layout: its mappings and their counters
 * @outside: samples in no text at the last look at the mappings
 * @look_ns: time of the next look at the counters, of profil_child_now()
 * @interval_ns: time between two looks
 * @maps_ns: time of the next look at the mappings, whatever the counters are
 */
struct target {
	int device;
	pid_t pid;
	uint64_t image;
	uint64_t code;
	struct layout *layout;
	uint64_t outside;
	uint64_t look_ns;
	uint64_t interval_ns;
	uint64_t maps_ns;
};

/* What distinguishes the program of process @pid from others; 0 if not known */
uint64_t profil_target_image(pid_t pid);

/* The process @pid has the layout that @target had when it was attached. */
bool profil_target_matches(const struct target *target, pid_t pid);

/*
 * Attach @target to the process @pid, with @children to those that it forks later,
 * and begin to count into @file: 0 or -errno. @target is closed after a failure.
 */
int profil_target_begin(struct target *target, const struct run_file *file,
			pid_t pid, bool children);

/* Attach a further process with the same layout: 0 or -errno. */
int profil_target_add(const struct target *target, pid_t pid, bool children);

/* Read the mappings again if that is due; the time of the next call */
uint64_t profil_target_look(struct target *target);

/* No process has the program any more. */
bool profil_target_is_gone(const struct target *target);

/* End the session, and close the descriptor. */
void profil_target_end(struct target *target);

#endif
