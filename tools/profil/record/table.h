/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples by the table of the driver: of the machine, of the programs in a cgroup, or
 * of processes and their children
 */
#ifndef PROFIL_TABLE_H
#define PROFIL_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/profil.h>

#include "record/growing.h"

/**
 * struct table - a table of the driver
 * @fd: its descriptor
 * @counters: counters of both halves, mapped
 * @cgroup: path of the cgroup below the root of cgroup2, or ""
 * @period_ns: nanoseconds between two samples
 * @is_tick: samples are taken at the kernel's tick
 * @kind: the programs in it
 * @booted_idle_ns: idle time of all CPUs before the table was opened
 * @take_ns: time of profil_child_now() when the table is due to be taken
 * @is_gone: the cgroup has been removed
 * @has_failed: the table could not be taken, and is not taken again
 */
struct table {
	int fd;
	const struct profil_counter *counters;
	char *cgroup;
	uint64_t period_ns;
	bool is_tick;
	enum profile_table kind;
	uint64_t booted_idle_ns;
	uint64_t take_ns;
	bool is_gone;
	bool has_failed;
};

struct record_request;

/*
 * Open a table of the driver, which begins to count. Exits with a message if that is
 * refused.
 */
struct table *profil_table_open(const struct record_request *request);
void profil_table_close(struct table *table);

/* Add the process of @pidfd by PROFIL_ADD_* flags: 0 or -errno. */
int profil_table_add(const struct table *table, int pidfd, uint32_t flags);

/* All processes that were added have ended. */
bool profil_table_has_ended(const struct table *table);

/* The table was taken ten seconds ago, or half of it is in use. */
bool profil_table_is_due(const struct table *table);

/*
 * Add to @growing what was counted since the last time. With @is_last no samples are
 * taken from now on.
 */
void profil_table_take(struct table *table, struct growing *growing,
		       bool is_last);

/* Set the numbers of @head to those from @then to @now. */
void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now,
			   struct profile_head *head);

/* Counters of a half: 1 MiB. gcc has about 7,000 different PCs in 10,000 samples. */
#define TABLE_COUNTERS_LOG2 16
#define TABLE_COUNTERS ((size_t)1 << TABLE_COUNTERS_LOG2)

/*
 * Add the samples of the half that the driver has given as @take. Code that it cannot
 * name is "[unknown]".
 */
void profil_table_read_half(const struct table *table,
			    const struct profil_take *take,
			    struct growing *growing);

#endif
