/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of the driver: what it has counted is added to a profile */
#ifndef PROFIL_RECORD_TABLE_H
#define PROFIL_RECORD_TABLE_H

#include "record/growing.h"
#include "util/clock.h"

/*
 * Counters of a half: 1 MiB. gcc has about 7,000 different PCs in 10,000 samples, and
 * 40,000 with their callers.
 */
#define TABLE_COUNTERS_LOG2 16
#define TABLE_CALLERS_LOG2 18

/*
 * Time after which a table is taken. The first takes are earlier: after the second one,
 * and after twice that of the one before, up to a second. Samples of a system call that
 * sleeps are lost by takes that follow each other soon.
 */
#define TABLE_TAKE_NS (10 * SECOND)
#define TABLE_FIRST_NS (SECOND / 10)

/*
 * A table of the driver
 * @counters: counters of both halves, mapped
 * @nr_counters: counters of a half
 * @cgroup: path of the cgroup below the root of cgroup2, or ""
 * @is_tick: samples are taken at the kernel's tick
 * @has_callers: it counts callers
 * @booted: time of all CPUs before the table was opened
 * @taken_ns: time of profil_now() of the last take, up to which samples are counted
 * @take_ns: time of profil_now() when the table is due to be taken, with all numbers
 * @see_ns: the same for its counters alone, so that processes are seen while they run
 * @interval_ns: time between the last take and @see_ns
 * @is_gone: the cgroup has been removed
 * @has_failed: the table could not be taken, and is not taken again
 * @is_unknown: a warning was printed that counters have keys of unknown kinds
 * @is_shared: a warning was printed that others take the table, too
 */
struct table {
	int fd;
	const struct profil_counter *counters;
	size_t nr_counters;
	char *cgroup;
	uint64_t period_ns;
	bool is_tick;
	bool has_callers;
	enum profile_table kind;
	struct machine_time booted;
	uint64_t taken_ns;
	uint64_t take_ns;
	uint64_t see_ns;
	uint64_t interval_ns;
	bool is_gone;
	bool has_failed;
	bool is_unknown;
	bool is_shared;
};

/* Add the process of @pidfd by PROFIL_ADD_* flags: 0 or -errno. */
int profil_table_add(const struct table *table, int pidfd, uint32_t flags);

/* All processes that were added have ended, or have been dropped. */
bool profil_table_has_ended(const struct table *table);

/* Half of the table is in use. */
bool profil_table_is_full(const struct table *table);

/* Add to @growing the counters since the last time, without the numbers beside them. */
void profil_table_see(struct table *table, struct growing *growing);

/* Add to @growing what was counted since the last time. */
void profil_table_take(struct table *table, struct growing *growing);

/* Take no samples from now on, and add to @growing those since the last time. */
void profil_table_end(struct table *table, struct growing *growing);

/* Set the numbers of @head, which are 0, to those from @then to @now. */
void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now,
			   struct profile_head *head);

#endif
