/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of files, for a table that counts callers */
#ifndef PROFIL_RECORD_CALLERS_H
#define PROFIL_RECORD_CALLERS_H

struct table;

/*
 * Load rows of files into @table, if it counts callers: those of the command @name, its
 * libraries and the vDSO; and those that the driver asks for.
 */
void profil_callers_load(const struct table *table, const char *name);
void profil_callers_serve(const struct table *table);

#endif
