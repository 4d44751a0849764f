// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/jhash.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "rows.h"

/* A file whose rows were asked for */
struct asked {
	struct hlist_node node; /* in rows->asked */
	struct list_head queue; /* in rows->waiting or rows->returned */
	struct name_key key; /* of the file */
	struct name *name; /* what WANTED returns; NULL once it has */
};

/* Few rows of many files would make long lists of files. */
#define MIN_BYTES 4096

/* Rows of a block, on average, at least: an index is at most an eighth of its rows. */
#define BLOCK_ROWS 4

/* Rows that are copied in and checked at a time */
#define STEP_ROWS 4096

static u32 rows_bucket(const struct rows *rows, const struct name_key *key)
{
	return jhash(key, sizeof(*key), rows->seed) >> (32 - ROWS_BITS);
}

static struct file_rows *find(const struct rows *rows,
			      const struct name_key *key)
{
	const struct hlist_head *bucket = &rows->files[rows_bucket(rows, key)];
	struct file_rows *file;

	hlist_for_each_entry_rcu(file, bucket, node,
				 lockdep_is_held(&rows->lock))
		if (!memcmp(&file->key, key, sizeof(*key)))
			return file;
	return NULL;
}

const struct file_rows *profil_rows_find(const struct rows *rows,
					 const struct name_key *key)
{
	return find(rows, key);
}

static struct asked *find_asked(const struct rows *rows,
				const struct name_key *key)
{
	struct asked *asked;

	hlist_for_each_entry(asked, &rows->asked[rows_bucket(rows, key)], node)
		if (!memcmp(&asked->key, key, sizeof(*key)))
			return asked;
	return NULL;
}

static void free_asked(struct asked *asked)
{
	if (asked->name)
		profil_names_free_entry(&asked->name->entry);
	kfree(asked);
}

/* NULL without memory */
static struct asked *make_asked(const struct name *name)
{
	struct asked *asked = kzalloc(sizeof(*asked), NAMES_GFP);
	size_t bytes = struct_size(name, path, name->path_size);

	if (!asked)
		return NULL;
	asked->key = name->key;
	asked->name = kmemdup(name, bytes, NAMES_GFP);
	if (asked->name) {
		asked->name->entry.process = get_pid(task_tgid(current));
		return asked;
	}
	kfree(asked);
	return NULL;
}

static bool queue(struct rows *rows, struct asked *asked)
{
	if (rows->nr_waiting == PROFIL_MAX_WANTED ||
	    find_asked(rows, &asked->key) || find(rows, &asked->key))
		return false;
	hlist_add_head(&asked->node,
		       &rows->asked[rows_bucket(rows, &asked->key)]);
	list_add_tail(&asked->queue, &rows->waiting);
	WRITE_ONCE(rows->nr_waiting, rows->nr_waiting + 1);
	return true;
}

void profil_rows_want(struct rows *rows, const struct name *name,
		      wait_queue_head_t *readers)
{
	struct asked *asked;
	bool queued;

	spin_lock(&rows->lock);
	queued = find_asked(rows, &name->key) ||
		 rows->nr_waiting == PROFIL_MAX_WANTED;
	spin_unlock(&rows->lock);
	asked = queued ? NULL : make_asked(name);
	if (!asked)
		return;
	spin_lock(&rows->lock);
	queued = queue(rows, asked);
	spin_unlock(&rows->lock);
	if (queued)
		wake_up_interruptible_poll(readers, EPOLLPRI);
	else
		free_asked(asked);
}

/* Forget @asked, which is in @rows->returned. */
static void forget(struct rows *rows, struct asked *asked)
{
	hlist_del(&asked->node);
	list_del(&asked->queue);
	rows->nr_returned--;
	free_asked(asked);
}

/* @asked does not wait any more. Its name is that of the caller. */
static struct name *stop_waiting(struct rows *rows, struct asked *asked)
{
	struct name *name = asked->name;

	asked->name = NULL;
	WRITE_ONCE(rows->nr_waiting, rows->nr_waiting - 1);
	list_move_tail(&asked->queue, &rows->returned);
	if (++rows->nr_returned > PROFIL_MAX_ASKED)
		forget(rows,
		       list_first_entry(&rows->returned, struct asked, queue));
	return name;
}

struct name *profil_rows_wanted(struct rows *rows, u32 room)
{
	struct asked *asked;
	struct name *name;

	spin_lock(&rows->lock);
	asked = list_first_entry_or_null(&rows->waiting, struct asked, queue);
	if (!asked)
		name = ERR_PTR(-EAGAIN);
	else if (room < asked->name->path_size)
		name = ERR_PTR(-ENAMETOOLONG);
	else
		name = stop_waiting(rows, asked);
	spin_unlock(&rows->lock);
	return name;
}

static bool is_row(const struct profil_row *row)
{
	int n = PROFIL_RULE_N(row->rule);
	bool is_saved = row->bp || row->bx;

	if (row->bx > 0 || (row->bp > 0 && row->bp != PROFIL_ROW_AT_BP))
		return false;
	switch (PROFIL_RULE_KIND(row->rule)) {
	case PROFIL_RULE_NONE:
		return !is_saved && (!n || n == PROFIL_RULE_BY_RBP);
	case PROFIL_RULE_END:
	case PROFIL_RULE_SIGNAL:
		return !is_saved && !n;
	case PROFIL_RULE_PLT:
		return n >= 0 && n < 128;
	case PROFIL_RULE_SP:
		return n > 0;
	default:
		return true;
	}
}

/* Are the rows from @from up to @to in order, and such as walks know? */
static bool are_rows(const struct file_rows *file, u32 from, u32 to)
{
	const struct profil_row *rows = file->rows;
	u32 i;

	for (i = from; i < to; i++)
		if (!is_row(&rows[i]) ||
		    (i && rows[i].offset <= rows[i - 1].offset))
			return false;
	return true;
}

static int copy_rows(struct file_rows *file,
		     const struct profil_row __user *from)
{
	u32 at, end;

	for (at = 0; at < file->nr; at = end) {
		end = min_t(u32, file->nr, at + STEP_ROWS);
		if (copy_from_user(&file->rows[at], &from[at],
				   (end - at) * sizeof(*from)))
			return -EFAULT;
		if (!are_rows(file, at, end))
			return -EINVAL;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static u32 max_blocks(u32 nr)
{
	return nr / BLOCK_ROWS + 2;
}

static size_t bytes_of(u32 nr)
{
	size_t index = sizeof(u32) * (max_blocks(nr) + 1);

	return struct_size((struct file_rows *)NULL, rows, nr) + index;
}

/* The smallest blocks whose index there is room for; of 2 GiB, if need be. */
static void index_rows(struct file_rows *file)
{
	u32 span = file->rows[file->nr - 1].offset - file->rows[0].offset;
	u32 i, block = 0;

	file->first = file->rows[0].offset;
	file->index = (u32 *)&file->rows[file->nr];
	while (span >> file->block_log2 >= max_blocks(file->nr))
		file->block_log2++;
	file->blocks = (span >> file->block_log2) + 1;
	for (i = 1; i < file->nr; i++)
		for (; (u64)block << file->block_log2 <
		       file->rows[i].offset - file->first;
		     block++)
			file->index[block] = i - 1;
	while (block <= file->blocks)
		file->index[block++] = file->nr - 1;
}

/* Charge @bytes to the table. */
static bool charge(struct rows *rows, size_t bytes)
{
	if (atomic_long_add_return(bytes, &rows->bytes) <= rows->max_bytes)
		return true;
	atomic_long_sub(bytes, &rows->bytes);
	return false;
}

static void free_rows(struct rows *rows, struct file_rows *file)
{
	if (!file)
		return;
	atomic_long_sub(file->bytes, &rows->bytes);
	kvfree(file);
}

static struct file_rows *alloc_rows(struct rows *rows,
				    const struct name_key *key, u32 nr)
{
	size_t bytes = max_t(size_t, bytes_of(nr), MIN_BYTES);
	struct file_rows *file;

	if (!charge(rows, bytes))
		return ERR_PTR(-ENOSPC);
	file = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!file) {
		atomic_long_sub(bytes, &rows->bytes);
		return ERR_PTR(-ENOMEM);
	}
	file->key = *key;
	file->nr = nr;
	file->bytes = bytes;
	return file;
}

static struct file_rows *make_rows(struct rows *rows,
				   const struct name_key *key,
				   const struct profil_rows *given)
{
	struct file_rows *file = alloc_rows(rows, key, given->nr_rows);
	int err;

	if (IS_ERR(file))
		return file;
	err = copy_rows(file, (const void __user *)(uintptr_t)given->rows);
	if (err) {
		free_rows(rows, file);
		return ERR_PTR(err);
	}
	index_rows(file);
	return file;
}

/* A file that has rows need not be asked for. */
static void stop_asking(struct rows *rows, const struct name_key *key)
{
	struct asked *asked = find_asked(rows, key);

	if (asked && asked->name)
		profil_names_free_entry(&stop_waiting(rows, asked)->entry);
}

/* Put @file, or nothing, in the place of the rows of @key, which are returned. */
static struct file_rows *exchange(struct rows *rows, const struct name_key *key,
				  struct file_rows *file)
{
	struct file_rows *old;

	spin_lock(&rows->lock);
	old = find(rows, key);
	if (file) {
		hlist_add_head_rcu(&file->node,
				   &rows->files[rows_bucket(rows, key)]);
		stop_asking(rows, key);
	}
	if (old)
		hlist_del_rcu(&old->node);
	atomic_inc_return_release(&rows->version);
	spin_unlock(&rows->lock);
	return old;
}

static bool is_key(const struct name_key *key)
{
	return key->kind == PROFIL_NAME_FILE ||
	       (key->kind == PROFIL_NAME_SPECIAL && !key->device &&
		!key->size && !key->mtime_ns && !key->generation);
}

int profil_rows_load(struct rows *rows, const struct profil_rows *given)
{
	const struct name_key key = {
		.device = given->device,
		.inode = given->inode,
		.size = given->file_size,
		.mtime_ns = given->mtime_ns,
		.generation = given->generation,
		.kind = given->kind,
	};
	struct file_rows *file = NULL, *old;

	if (!is_key(&key) || given->nr_rows > PROFIL_MAX_ROWS)
		return -EINVAL;
	if (given->nr_rows)
		file = make_rows(rows, &key, given);
	if (IS_ERR(file))
		return PTR_ERR(file);
	old = exchange(rows, &key, file);
	if (old)
		synchronize_rcu();
	free_rows(rows, old);
	return file || old ? 0 : -ENOENT;
}

struct rows *profil_rows_alloc(long max_bytes)
{
	struct rows *rows = kvzalloc(sizeof(*rows), GFP_KERNEL_ACCOUNT);

	if (!rows)
		return NULL;
	INIT_LIST_HEAD(&rows->waiting);
	INIT_LIST_HEAD(&rows->returned);
	spin_lock_init(&rows->lock);
	rows->max_bytes = max_bytes;
	rows->seed = get_random_u32();
	return rows;
}

static void free_all_asked(struct list_head *queue)
{
	struct asked *asked, *next;

	list_for_each_entry_safe(asked, next, queue, queue)
		free_asked(asked);
}

void profil_rows_free(struct rows *rows)
{
	struct file_rows *file;
	struct hlist_node *next;
	int i;

	if (!rows)
		return;
	for (i = 0; i < ARRAY_SIZE(rows->files); i++)
		hlist_for_each_entry_safe(file, next, &rows->files[i], node)
			free_rows(rows, file);
	free_all_asked(&rows->waiting);
	free_all_asked(&rows->returned);
	kvfree(rows);
}

size_t profil_rows_wanted_bytes(void)
{
	size_t name = sizeof(struct name) + PATH_MAX;

	return sizeof(struct rows) + PROFIL_MAX_WANTED * name +
	       (PROFIL_MAX_WANTED + PROFIL_MAX_ASKED) * sizeof(struct asked);
}
