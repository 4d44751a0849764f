/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of tables */
#ifndef PROFIL_TABLE_SAMPLE_H
#define PROFIL_TABLE_SAMPLE_H

#include "table.h"

/* The tick: sample current for each table, or tree that it is in. */
void profil_tables_tick(void);
void profil_members_tick(void);

/* Hard interrupt: sample current. False if it is idle, or not in the table's tree. */
bool profil_table_sample(struct table *table);

#endif /* PROFIL_TABLE_SAMPLE_H */
