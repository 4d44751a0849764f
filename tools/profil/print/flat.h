/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_FLAT_H
#define PROFIL_FLAT_H

#include <stdbool.h>
#include <stdio.h>

#include "print/rows.h"
#include "record/sample_table.h"

/* No more lines than these are shown, unless each has 5 % of the samples. */
#define FLAT_ROWS 40

/**
 * struct flat - how a flat profile is printed
 * @all: no line is left out
 * @samples: there is a column with the number of samples
 */
struct flat {
	bool all;
	bool samples;
};

/*
 * Print the flat profile: @rows of @table, the heaviest first, and the
 * number of samples.
 */
void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct sample_table *table,
		       const struct rows *rows);

#endif
