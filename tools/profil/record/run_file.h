/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RUN_FILE_H
#define PROFIL_RUN_FILE_H

#include "include/run_layout.h"
#include "record/sample_table.h"

/**
 * struct runfile - the file that the processes of a run count into
 * @fd: it
 * @run: its head, mapped
 */
struct runfile {
	int fd;
	struct run *run;
};

/* Make one, for samples of @period_ns, 0 for the tick; exits if it cannot. */
void profil_runfile_make(struct runfile *file, uint64_t period_ns);

/* The totals as they are now, which the driver may be changing */
struct profil_totals profil_runfile_totals(const struct runfile *file);

/* Bytes of the counters, and of the texts' records, that take memory */
uint64_t profil_runfile_counters(const struct runfile *file);

/* Read all counters into an empty @profile. */
void profil_runfile_read(const struct runfile *file, struct profile *profile);

#endif
