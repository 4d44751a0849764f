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

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/profil.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "names.h"

/* The rows of a file. Constant while walks find them */
struct file_rows {
	struct hlist_node node; /* in rows->files */
	struct name_key key; /* of the file */
	size_t bytes; /* memory that is charged */
	u32 nr; /* rows, at least one */
	u32 first; /* offset of the first row */
	u32 block_log2; /* binary logarithm of the size of a block of text */
	u32 blocks; /* from the one that begins at @first to that of the last row */
	/* of each block: the last row at or before its first byte; and the last row */
	u32 *index;
	struct profil_row rows[];
};

#define ROWS_BITS 10

/* Rows of files, and files whose rows are wanted */
struct rows {
	struct hlist_head
		files[1 << ROWS_BITS]; /* RCU lists of struct file_rows */
	struct hlist_head asked[1 << ROWS_BITS]; /* files that were asked for */
	struct list_head
		waiting; /* those that WANTED has not returned, oldest first */
	struct list_head returned; /* the others, oldest first */
	unsigned int nr_waiting; /* length of @waiting; read at any time */
	unsigned int nr_returned; /* length of @returned */
	spinlock_t
		lock; /* guards the writing of all above; process context only */
	atomic_t version; /* changes after the rows of a file have */
	atomic_long_t bytes; /* memory of rows, loaded or about to be */
	long max_bytes; /* the limit of @bytes. Constant, as is the next */
	u32 seed; /* of the hash: users choose keys */
};

/* A row without its offset, as profil_row.rule | bp << 16 | bx << 24 */
static __always_inline u32 row_packed(const struct profil_row *row)
{
	return row->rule | (u32)(u8)row->bp << 16 | (u32)(u8)row->bx << 24;
}

/*
 * The last row at or before @offset, packed; 0 when there is none, which is a row of
 * PROFIL_RULE_NONE. Any context.
 */
static inline u32 rows_rule(const struct file_rows *rows, u32 offset)
{
	u32 block, low, high, middle;

	if (offset < rows->first)
		return 0;
	block = min((offset - rows->first) >> rows->block_log2,
		    rows->blocks - 1);
	low = rows->index[block];
	high = rows->index[block + 1];
	while (low < high) {
		middle = low + (high - low + 1) / 2;
		if (rows->rows[middle].offset <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	return row_packed(&rows->rows[low]);
}

/* Read before profil_rows_find(), whose result is valid while this is the same. */
static inline int rows_version(const struct rows *rows)
{
	return atomic_read_acquire(&rows->version);
}

/* The rows of the file or mapping @key, or NULL. In an RCU section, any context. */
const struct file_rows *profil_rows_find(const struct rows *rows,
					 const struct name_key *key);

/*
 * Have WANTED return @name, of a file or a special mapping of current's, once. @readers:
 * who polls the table. Memory is charged to the active memory cgroup; without memory, or
 * with PROFIL_MAX_WANTED files that wait, nothing is done. Process context, also with
 * preemption off.
 */
void profil_rows_want(struct rows *rows, const struct name *name,
		      wait_queue_head_t *readers);

/*
 * Take the file that waits longest from the queue. The caller frees it by
 * profil_names_free_entry(). EAGAIN when none waits; ENAMETOOLONG when its path, with its
 * NUL, is longer than @room. Process context.
 */
struct name *profil_rows_wanted(struct rows *rows, u32 room);

/*
 * Load, replace, or remove the rows of a file, see struct profil_rows. EINVAL for a kind
 * that has none, a key of no file of that kind, or too many rows; ENOENT when there are
 * none to remove; ENOSPC at the limit of the table; ENOMEM; EFAULT; EINVAL for a row that
 * is out of order, or that no rule has; EINTR when a fatal signal is pending. Then nothing
 * has changed. Sleeps.
 */
int profil_rows_load(struct rows *rows, const struct profil_rows *given);

/* With a limit of @max_bytes for rows; NULL without memory. Free; NULL is fine. Sleep. */
struct rows *profil_rows_alloc(long max_bytes);
void profil_rows_free(struct rows *rows);

/* The memory of files that are wanted, in bytes */
size_t profil_rows_wanted_bytes(void);

#endif /* PROFIL_ROWS_H */
