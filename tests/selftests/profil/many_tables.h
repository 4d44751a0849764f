/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixture for tests of as many tables as there may be. Needs root. */
#ifndef PROFIL_TEST_MANY_TABLES_H
#define PROFIL_TEST_MANY_TABLES_H

#include "harness.h"
#include "table.h"

FIXTURE(tables)
{
	int fd;
	int open[PROFIL_MAX_TABLES];
	unsigned int nr;
};

FIXTURE_SETUP(tables)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_ROOT();
	SKIP_UNLESS_FAST(self->fd);
}

FIXTURE_TEARDOWN(tables)
{
	while (self->nr)
		close(self->open[--self->nr]);
	close(self->fd);
}

/* Open a table; its descriptor. One that has been closed gives its place back at once. */
static inline int open_one(FIXTURE_DATA(tables) * self, __u32 flags)
{
	struct profil_table args = table_args(flags, 0);
	int table = table_open(self->fd, &args);

	ASSERT_LE(0, table);
	self->open[self->nr++] = table;
	return table;
}

/* Open tables until no other one may be. */
static inline void fill_up(FIXTURE_DATA(tables) * self)
{
	while (self->nr < PROFIL_MAX_TABLES)
		open_one(self, 0);
}

#endif /* PROFIL_TEST_MANY_TABLES_H */
