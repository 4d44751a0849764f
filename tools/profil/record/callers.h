/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of files, for a table that counts callers */
#ifndef PROFIL_RECORD_CALLERS_H
#define PROFIL_RECORD_CALLERS_H

#include <linux/profil.h>

#include "elf/confined.h"
#include "util/option.h"

struct table;

/* A file whose rows the driver has asked for, and when they were loaded */
struct loaded_file {
	struct profil_rows key;
	uint64_t since_ns;
};

/**
 * struct compiling - rows that a child compiles
 * @is_busy: there is one, or rows that wait for room
 * @child: the child, without a socket if it has ended
 * @key: the file
 * @end_ns: the child is ended at this time, or there is room
 * @loaded: the files that have rows, those loaded first before others
 * @nr_loaded: their number
 */
struct compiling {
	bool is_busy;
	struct confined child;
	struct profil_rows key;
	uint64_t end_ns;
	struct loaded_file *loaded;
	size_t nr_loaded;
};

/*
 * Load rows of files into @table, if it counts callers: those of the command @name, of its
 * libraries and of the vDSO.
 */
void profil_callers_load(const struct table *table, const char *name);

/* The same of the processes @pids, which are about to be recorded */
void profil_callers_attach(const struct table *table,
			   const struct option_numbers *pids);

/*
 * Load those that the driver asks for, of a file at a time, without waiting: a recorder
 * has to see young processes meanwhile. Where the table has no room, they take that of
 * rows loaded some seconds before, for which the driver asks again if need be, and wait
 * until there are such. To be called again when
 * the socket of the child is readable, and else when the driver asks.
 */
void profil_callers_serve(const struct table *table,
			  struct compiling *compiling);

/* End the child, if there is one, and free the list. */
void profil_callers_end(struct compiling *compiling);

#endif
