/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RUN_FILE_H
#define PROFIL_RUN_FILE_H

#include "include/run_layout.h"
#include "record/sample_table.h"

/**
 * struct run_file - file that the processes of a run count into
 * @fd: descriptor
 * @run: its head, mapped
 */
struct run_file {
	int fd;
	struct run *run;
};

/* Create the file, for samples of @period_ns, 0 for the tick; exits on failure. */
void profil_run_file_create(struct run_file *file, uint64_t period_ns);

/* Current totals; the driver may be changing them */
struct profil_totals profil_run_file_totals(const struct run_file *file);

/* Bytes of counters and of records of texts that take memory */
uint64_t profil_run_file_counter_bytes(const struct run_file *file);

/* Read all counters into @table, which has no objects, and sort it. */
void profil_run_file_read(const struct run_file *file,
			  struct sample_table *table);

#endif
