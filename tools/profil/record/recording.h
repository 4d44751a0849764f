/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RECORDING_H
#define PROFIL_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "attach/machine.h"
#include "profile/profile.h"
#include "record/child.h"
#include "record/cpu_time.h"
#include "record/run_file.h"
#include "record/sample_table.h"
#include "record/save.h"

/**
 * struct baseline - what was counted before the recording began
 * @table: samples in counters
 * @totals: totals of the driver
 * @taken: numbers of a table of the driver
 * @idle_ns: idle time of the machine
 * @cpu: CPU time of the command
 */
struct baseline {
	struct sample_table table;
	struct profil_totals totals;
	struct profil_take taken;
	uint64_t idle_ns;
	struct cpu_time cpu;
};

/**
 * struct recording - a recording of a command, a process or the machine
 * @argv: the command, or that of the process
 * @file: the run's file, unless there is a @machine
 * @machine: samples of all programs, which run beside the command; or NULL
 * @delay_ns: time before the recording begins, or 0
 * @duration_ns: time after which the recording ends, or 0
 * @begin_ns: start of the recording, after a delay, in nanoseconds since 1970
 * @start_ns: the same moment, of profil_child_now()
 * @end_ns: end of the recording, of profil_child_now(), or CHILD_NEVER
 * @wall_ns: nanoseconds of the recording so far
 * @cpu: CPU time of the command so far, with the time before a delay
 * @result: exit status of the command
 * @pid: process of the command, 0 before it was executed; or the attached process
 * @is_attached: @pid was attached while it ran
 * @with_children: its children were attached, too
 * @cpu_before: CPU time of the attached process before
 * @is_complete: the command has ended
 * @is_orphan: profil was killed while the command ran
 * @is_guarded: the profile has to be saved if profil is killed
 * @save: where the profile is saved
 *
 * A recording is in memory that profil shares with its guardian, but for @machine,
 * which has none.
 */
struct recording {
	char **argv;
	struct run_file file;
	struct machine *machine;
	uint64_t delay_ns;
	uint64_t duration_ns;
	uint64_t begin_ns;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t wall_ns;
	struct cpu_time cpu;
	struct child_result result;
	pid_t pid;
	bool is_attached;
	bool with_children;
	struct cpu_time cpu_before;
	bool is_complete;
	bool is_orphan;
	bool is_guarded;
	struct save save;
};

/*
 * CPU time so far of the processes that @recording is about, by /proc, without that
 * before they were attached
 */
struct cpu_time profil_recording_cpu(const struct recording *recording);

/* Let @recording begin now: @begin_ns, @start_ns and @end_ns are set. */
void profil_recording_begin(struct recording *recording);

#endif
