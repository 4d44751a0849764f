/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RECORDING_H
#define PROFIL_RECORDING_H

#include "record/child.h"
#include "record/run_file.h"
#include "record/sample_table.h"

/**
 * struct recording - a run that has ended
 * @argv: the command
 * @result: its exit status and times
 * @file: the run's file
 * @totals: totals of the driver
 * @table: samples
 */
struct recording {
	char **argv;
	struct child_result result;
	struct run_file file;
	struct profil_totals totals;
	struct sample_table table;
};

#endif
