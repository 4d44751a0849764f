/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixture for tests of rows: a tree with callers. Needs root, and x86-64. */
#ifndef PROFIL_TEST_ROWS_TABLE_H
#define PROFIL_TEST_ROWS_TABLE_H

#include "rights.h"

FIXTURE(rows)
{
	int fd;
	int program; /* a descriptor of this program */
	struct table table;
};

#define rows_data FIXTURE_DATA(rows)

static inline struct profil_table callers_args(__u32 flags)
{
	return table_args(PROFIL_TABLE_CALLERS | flags, FAST_NS);
}

FIXTURE_SETUP(rows)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_ROOT();
	SKIP_UNLESS_FAST(self->fd);
	self->program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->program);
#if !defined(__x86_64__) && !defined(__aarch64__)
	EXPECT_EQ(-EOPNOTSUPP, table_begin(&self->table, self->fd,
					   callers_args(PROFIL_TABLE_TREE)));
	SKIP(return, "callers are found on x86-64 and arm64 alone");
#endif
	ASSERT_OK(table_begin(&self->table, self->fd,
			      callers_args(PROFIL_TABLE_TREE)));
}

FIXTURE_TEARDOWN(rows)
{
	if (self->table.counters && self->table.counters != MAP_FAILED)
		table_end(&self->table);
	close(self->program);
	EXPECT_TRUE(wait_for_nothing_left(1));
	close(self->fd);
}

/* A rule, and one with a frame pointer that was saved; with 0 it is not valid. */
#ifdef __aarch64__
#define SP_SAVED(n) PROFIL_RULE_RECORD
#define SP(n) ((__u16)((n) ? PROFIL_RULE_LR : PROFIL_RULE_SP))
#else
#define SP_SAVED(n) SP(n)
#define SP(n) ((__u16)((n) | PROFIL_RULE_SP))
#endif

/* Rows that are in order; not freed */
static inline struct profil_row *some_rows(__u32 nr)
{
	struct profil_row *rows = calloc(nr, sizeof(*rows));

	for (__u32 i = 0; i < nr; i++)
		rows[i] = (struct profil_row){ i * 16, SP(8), 0, 0 };
	return rows;
}

/* Load @nr rows of the file that @load names. */
static inline int load_key(const struct table *table, struct profil_rows load,
			   __u32 nr)
{
	load.size = sizeof(load);
	load.rows = (uintptr_t)some_rows(nr);
	load.nr_rows = nr;
	return call(table->fd, PROFIL_TABLE_IOC_ROWS, &load);
}

#endif /* PROFIL_TEST_ROWS_TABLE_H */
