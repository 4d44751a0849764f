/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of all programs of the machine, or of those in a cgroup, by the table of the
 * driver
 */
#ifndef PROFIL_MACHINE_H
#define PROFIL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/profil.h>

#include "attach/origins.h"
#include "profile/profile.h"
#include "record/sample_table.h"

/**
 * struct machine - a table of the driver, and the sum of all that was taken from it
 * @fd: its descriptor
 * @counters: counters of both halves, mapped
 * @cgroup: path of the cgroup below the root of cgroup2, or ""
 * @period_ns: nanoseconds between two samples
 * @is_tick: samples are taken at the kernel's tick
 * @taken: sums of the numbers; @waiting is the last one
 * @table: samples by code, sorted
 * @booted_idle_ns: idle time of all CPUs before the table was opened
 * @idle_ns: idle time of all CPUs since
 * @take_ns: time of profil_child_now() when the table is due to be taken
 * @is_gone: the cgroup has been removed
 */
struct machine {
	int fd;
	const struct profil_counter *counters;
	char *cgroup;
	uint64_t period_ns;
	bool is_tick;
	struct profil_take taken;
	struct sample_table table;
	uint64_t booted_idle_ns;
	uint64_t idle_ns;
	uint64_t take_ns;
	bool is_gone;
};

/**
 * struct machine_request - what is profiled
 * @cgroup: path of a cgroup, also below the root of cgroup2; NULL: the machine
 * @has_threads: code of threads of different names is distinguished
 * @period_ns: nanoseconds between two samples, 0 for the tick
 */
struct machine_request {
	const char *cgroup;
	bool has_threads;
	uint64_t period_ns;
};

/*
 * Open a table of a driver with @version, which begins to count. Exits with a message
 * if that is refused.
 */
struct machine *profil_machine_open(const struct profil_version *version,
				    const struct machine_request *request);
void profil_machine_close(struct machine *machine);

/* The table was taken ten seconds ago, or half of it is in use. */
bool profil_machine_is_due(const struct machine *machine);

/*
 * Add to @machine what was counted since the last time. @origins gets the root
 * directories of the processes of which new code was sampled. With @is_last no
 * samples are taken from now on.
 */
void profil_machine_take(struct machine *machine, struct origins *origins,
			 bool is_last);

/* Set the numbers of @head to what was @taken by @machine since @then. */
void profil_machine_set_head(const struct machine *machine,
			     const struct profil_take *then,
			     struct profile_head *head);

#endif
