/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RECORDING_H
#define PROFIL_RECORDING_H

#include "record/child.h"
#include "record/run_file.h"
#include "record/sample_table.h"

/**
 * struct recording - all that is known when a run has ended
 * @argv: the command
 * @result: how it ended
 * @file: the run's file
 * @totals: the driver's sums
 * @table: the samples
 */
struct recording {
	char **argv;
	struct child_result result;
	struct run_file file;
	struct profil_totals totals;
	struct sample_table table;
};

#endif
