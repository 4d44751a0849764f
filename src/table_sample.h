/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of tables. */
#ifndef PROFIL_TABLE_SAMPLE_H
#define PROFIL_TABLE_SAMPLE_H

#include <linux/types.h>

struct table;

/* The tick: sample current for each table that the tick of this CPU serves. */
void profil_tables_tick(void);

/* The tick: sample current for each table that its process is in. The same. */
void profil_members_tick(void);

/*
 * Hard interrupt: sample current for @table. False if current is idle, or in no process
 * of the table's tree.
 */
bool profil_table_sample(struct table *table);

#endif /* PROFIL_TABLE_SAMPLE_H */
