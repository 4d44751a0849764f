/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of the flat profile of a recording */
#ifndef PROFIL_RECORDING_ROWS_H
#define PROFIL_RECORDING_ROWS_H

#include <stdbool.h>

#include "elf/symbols.h"
#include "print/rows.h"
#include "record/sample_table.h"

/**
 * struct name_source - file that the names of functions come from
 * @object: file with samples
 * @status: result of reading the file
 * @named: some function with samples has a symbol
 * @nameless: samples in functions without a symbol
 * @skipped: the file was not read, because of an interrupt
 */
struct name_source {
	const struct code_object *object;
	enum symbols_status status;
	bool named;
	uint64_t nameless;
	bool skipped;
};

/**
 * struct recording_rows - rows, and the files that their names come from
 * @rows: the rows
 * @sources: one for each file with samples
 * @nr_sources: elements of @sources
 */
struct recording_rows {
	struct rows rows;
	struct name_source *sources;
	size_t nr_sources;
};

/*
 * Make sorted rows of the samples in @table, which are sorted, too. Reads the
 * files for names; after an interrupt no more file is read, and rows have
 * offsets in place of names.
 */
void profil_recording_rows_read(struct recording_rows *rows,
				const struct sample_table *table);
void profil_recording_rows_free(struct recording_rows *rows);

#endif
