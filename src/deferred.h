/* SPDX-License-Identifier: GPL-2.0-only */
/* Deferred samples of tables: see item.h. */
#ifndef PROFIL_DEFERRED_H
#define PROFIL_DEFERRED_H

#include <linux/types.h>

struct half;
struct identity;
struct table;

/*
 * Hard interrupt: have current look up a sample at @pc, and count it for @table in
 * the end. In @half the sample is counted as deferred, or by the reason for which
 * it cannot be.
 */
void profil_sample_defer(struct table *table, struct half *half,
			 const struct identity *identity, u64 pc, bool kernel);

/*
 * Take back the works of tasks that have not begun with them. No sample of @table
 * is taken any more. Sleeps.
 */
void profil_deferred_cancel(struct table *table);

#endif /* PROFIL_DEFERRED_H */
