/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fixture for tests of tables: the device, and one table. Needs root.
 */
#ifndef PROFIL_TEST_ONE_TABLE_H
#define PROFIL_TEST_ONE_TABLE_H

#include "harness.h"
#include "program.h"
#include "table.h"

FIXTURE(one_table)
{
	int fd;
	struct table table;
};

FIXTURE_SETUP(one_table)
{
	SKIP_UNLESS_COUNTING();
	self->fd = open_device(_metadata);
	SKIP_UNLESS_ROOT();
	SKIP_UNLESS_FAST(self->fd);
}

#define one_table_data FIXTURE_DATA(one_table)

static inline void end_table(one_table_data *self)
{
	if (self->table.counters)
		table_end(&self->table);
	self->table.counters = NULL;
}

FIXTURE_TEARDOWN(one_table)
{
	end_table(self);
	close(self->fd);
}

/* Begin the table, in place of the one before. */
static inline struct table *begin_with(one_table_data *self,
				       struct profil_table args)
{
	end_table(self);
	ASSERT_OK(table_begin(&self->table, self->fd, args));
	return &self->table;
}

static inline struct table *begin(one_table_data *self, __u32 flags,
				  __u64 period_ns)
{
	return begin_with(self, table_args(flags, period_ns));
}

static inline void take(struct table *table, __u32 flags)
{
	const struct profil_take *sum = &table->sum;

	ASSERT_OK(table_take(table, flags));
	EXPECT_TRUE(table_adds_up(table))
	{
		TH_LOG("%llu ticks, %llu hits, %llu waiting, %u counters",
		       sum->ticks, sum->hits, sum->waiting,
		       table->taken.counters);
	}
	EXPECT_TRUE(table_has_all_takes(table));
}

/* The same with PROFIL_TAKE_LAST: nothing waits. */
static inline void take_last(struct table *table)
{
	const struct profil_take *sum = &table->sum;

	take(table, PROFIL_TAKE_LAST);
	EXPECT_EQ(0, table->taken.waiting);
	TH_LOG("%llu ticks: %llu hits, %llu idle, %llu kernel threads, %llu filtered",
	       sum->ticks, sum->hits, sum->idle, sum->kernel_threads,
	       sum->filtered);
	TH_LOG("%llu starting, %llu exiting, %llu unmapped, %llu denied, %llu cancelled",
	       sum->starting, sum->exiting, sum->unmapped, sum->denied,
	       sum->cancelled);
	TH_LOG("%llu without item, %llu without memory, %llu full, %llu busy",
	       sum->no_item, sum->no_memory, sum->full, sum->busy);
	TH_LOG("%llu stale, %llu kernel PCs", sum->stale, sum->kernel_pcs);
}

/* TAKE. True if it has a row that @wanted is true of; the row is in @row. */
static inline bool find_row(struct table *table, struct table_row *row,
			    bool (*wanted)(const struct table_row *row,
					   const void *argument),
			    const void *argument)
{
	take(table, 0);
	FOR_EACH_ROW(table, row)
	{
		EXPECT_OK(row->error);
		if (wanted(row, argument))
			return true;
	}
	return false;
}

/* Nine of ten samples of code that is executed for @used are its own, at FAST_NS. */
static inline void expect_share(__u64 samples, __u64 used)
{
	__u64 due = used / FAST_NS;

	TH_LOG("%llu samples, %llu due", samples, due);
	EXPECT_LE(due / 10 * 9, samples);
	EXPECT_GE(due * 21 / 20 + 2, samples);
}

/* A place in a file, in user mode or in kernel mode */
struct place {
	struct stat file;
	__u64 offset;
	bool kernel;
};

static inline bool is_at(const struct table_row *row, const void *argument)
{
	const struct place *place = argument;

	return !row->kernel_pc && row->kernel == place->kernel &&
	       row->file.inode == place->file.st_ino &&
	       row->file.kind == PROFIL_NAME_FILE &&
	       row->offset == place->offset;
}

static inline struct place own_place(const void *pc, bool kernel)
{
	struct place place = { .offset = offset_of(pc), .kernel = kernel };

	EXPECT_OK(stat("/proc/self/exe", &place.file));
	return place;
}

#endif /* PROFIL_TEST_ONE_TABLE_H */
