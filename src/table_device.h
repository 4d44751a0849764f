/* SPDX-License-Identifier: GPL-2.0-only */
/* The descriptor of a table, and its commands */
#ifndef PROFIL_TABLE_DEVICE_H
#define PROFIL_TABLE_DEVICE_H

struct profil_table;
struct table;

/*
 * Make a table, see struct profil_table. EPERM without CAP_PERFMON in the initial user
 * namespace, or for PCs in the kernel when that is locked down; EINVAL for unknown flags,
 * a number of counters out of range, a cgroup without its flag, or a period out of range;
 * EOPNOTSUPP for callers on other processors than x86-64; EACCES for a period that is
 * restricted; EBADF for a descriptor that is no directory of cgroup2; EBUSY when
 * PROFIL_MAX_TABLES are open; ENOMEM; or an errno of profil_needs_attach(). Sleeps.
 */
struct table *profil_table_create(const struct profil_table *given);

/* Make a descriptor, and begin to take samples. Takes over @table. Sleeps. */
int profil_table_install(struct table *table);

#endif /* PROFIL_TABLE_DEVICE_H */
