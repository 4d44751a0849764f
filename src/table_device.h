/* SPDX-License-Identifier: GPL-2.0-only */
/* The descriptor of a table, and its commands */
#ifndef PROFIL_TABLE_DEVICE_H
#define PROFIL_TABLE_DEVICE_H

struct profil_table;
struct table;

/* Make a table, see struct profil_table. An errno of those in profil.rst. Sleeps. */
struct table *profil_table_create(const struct profil_table *given);

/* Make a descriptor, and begin to take samples. Takes over @table. Sleeps. */
int profil_table_install(struct table *table);

#endif /* PROFIL_TABLE_DEVICE_H */
