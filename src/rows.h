/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows: how to go from each PC of a file to its caller (struct profil_row), for tables with
 * PROFIL_TABLE_CALLERS. Who opened the table loads them, when a walk has asked for those of
 * a file or before. They belong to the table, and not to a half.
 *
 * Walks are RCU readers. Who keeps a struct file_rows beyond an RCU section also keeps
 * the version from before the search, and searches anew when that has changed.
 */
#ifndef PROFIL_ROWS_H
#define PROFIL_ROWS_H

#include <linux/hashtable.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/profil.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "names.h"
#include "row_index.h"

struct table;

/* The rows of a file. Constant while walks find them */
struct file_rows {
	struct hlist_node node; /* in rows->files */
	struct name_key key; /* of the file */
	long bytes; /* memory that is charged */
	u32 nr; /* rows, at least one */
	struct row_index index; /* of the rows; its words follow them */
	struct profil_row rows[];
};

/* A file that waits for WANTED. @name: a copy; @user: whose program maps it */
struct wanted {
	struct name *name;
	kuid_t user;
};

#define ROWS_BITS 10
#define ASKED_BITS 12

/* Of a user's programs: who maps one new file after the other leaves room for others. */
#define WANTED_OF_USER (PROFIL_MAX_WANTED / 2)

/* Rows of files, and files whose rows are wanted */
struct rows {
	/* lists of struct file_rows by their key; RCU */
	DECLARE_HASHTABLE(files, ROWS_BITS);
	/* files that have waited, by their hash; the last ones, if several have a place */
	u64 asked[1 << ASKED_BITS];
	struct wanted waiting[PROFIL_MAX_WANTED]; /* the oldest first */
	unsigned int nr_waiting; /* their number; read at any time */
	kuid_t last_user; /* whose file WANTED has returned last */
	long bytes; /* memory of rows, loaded or about to be */
	/* guards the writing of all above; process context only */
	spinlock_t lock;
	struct mutex changes; /* of rows, one at a time; guards the next */
	/* raised before and after each change: odd meanwhile, when no walk is by rows */
	unsigned long version;
	long max_bytes; /* the limit of @bytes. Constant, as is the next */
	siphash_key_t seed; /* users choose keys */
};

/*
 * That of rows which were found before, in the same RCU section; rows of another version may
 * be freed. Any context.
 */
static inline unsigned long rows_version(const struct rows *rows)
{
	return smp_load_acquire(&rows->version); /* pairs with rows_replace() */
}

/* Read before profil_rows_find(); while rows change, one that is never that of now. */
static inline unsigned long rows_last_version(const struct rows *rows)
{
	return rows_version(rows) & ~1UL;
}

/* The rows of the file or mapping @key, or NULL. In an RCU section, any context. */
struct file_rows *profil_rows_find(const struct rows *rows,
				   const struct name_key *key);

/*
 * Have WANTED return @name, of a file or a special mapping of current's, once. @readers:
 * who polls the table. Memory is charged to the active memory cgroup; without memory, or
 * with PROFIL_MAX_WANTED files that wait, or WANTED_OF_USER of current's user, nothing is
 * done. Process context, also with preemption off.
 */
void profil_rows_want(struct rows *rows, const struct name *name,
		      wait_queue_head_t *readers);

/*
 * Take the file that waits longest from the queue, of another user than the last one if
 * there is one. The caller frees it by profil_names_free_entry(). EAGAIN when none waits;
 * ENAMETOOLONG when its path, with its NUL, is longer than @room. Process context.
 */
struct name *profil_rows_wanted(struct rows *rows, u32 room);

/*
 * Load, replace, or remove the rows of a file, see struct profil_rows. An errno of those in
 * profil.rst: nothing has changed. On return no walk uses rows that were replaced. Sleeps.
 */
int profil_rows_load(struct table *table, const struct profil_rows *given);

/* The most memory of all but the rows, in bytes */
#define ROWS_OTHER_BYTES       \
	(sizeof(struct rows) + \
	 PROFIL_MAX_WANTED * (sizeof(struct name) + PATH_MAX))

/* With a limit of @max_bytes for rows; NULL without memory. Free; NULL is fine. Sleep. */
struct rows *profil_rows_alloc(long max_bytes);
void profil_rows_free(struct rows *rows);

#endif /* PROFIL_ROWS_H */
