/* SPDX-License-Identifier: GPL-2.0-only */
/* A half of a table of the driver, which has been taken */
#ifndef PROFIL_TABLE_HALF_H
#define PROFIL_TABLE_HALF_H

#include <stddef.h>

#include <linux/profil.h>

#include "attach/origins.h"
#include "record/sample_table.h"

/**
 * struct table_half - a half that was taken, and what it is added to
 * @fd: descriptor of the table
 * @counters: counters of the half
 * @nr: elements of @counters
 * @take: what the driver has told of the half
 * @samples: gets the samples by code; sorted afterwards
 * @origins: gets the root directories of processes that run
 */
struct table_half {
	int fd;
	const struct profil_counter *counters;
	size_t nr;
	const struct profil_take *take;
	struct sample_table *samples;
	struct origins *origins;
};

/* Add the samples of @half. Code that the driver cannot name is "[unknown]". */
void profil_table_half_read(const struct table_half *half);

#endif
