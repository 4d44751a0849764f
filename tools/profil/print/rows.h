/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a flat profile: functions, and what else samples fell on */
#ifndef PROFIL_ROWS_H
#define PROFIL_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include "elf/symbols.h"
#include "record/sample_table.h"

/**
 * struct row - one function, or all that is no function
 * @symbol: its name, as object+0xaddress without a symbol, or as [lost]
 * @object: the last part of the path of its file, or ""
 * @address: where it begins
 * @samples: samples in it
 * @other: it is no function, and is never left out
 */
struct row {
	char *symbol;
	char *object;
	uint64_t address;
	uint64_t samples;
	bool other;
};

/**
 * struct name_source - where the names of an object's lines come from
 * @object: the object
 * @state: whether its file was read
 * @named: some of its functions have a symbol
 * @nameless: samples in its functions that have no symbol
 * @skipped: names were not looked up, because of an interrupt
 */
struct name_source {
	const struct code_object *object;
	enum symbols_status state;
	bool named;
	uint64_t nameless;
	bool skipped;
};

/**
 * struct rows - all lines of a profile
 * @array: the lines, those with the most samples first
 * @nr: elements of @array
 * @room: allocated elements of @array
 * @sources: an origin for each object of the profile that has samples in files
 * @nr_sources: elements of @sources
 */
struct rows {
	struct row *array;
	size_t nr;
	size_t room;
	struct name_source *sources;
	size_t nr_sources;
};

/*
 * Make the lines of @table, whose samples are sorted. Files are read for the
 * names; after an interrupt they are not, and places have their address.
 */
void profil_rows_read(struct rows *rows, const struct sample_table *table);
void profil_rows_free(struct rows *rows);

#endif
