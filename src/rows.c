// SPDX-License-Identifier: GPL-2.0-only
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "books.h"
#include "half.h"
#include "quota.h"
#include "rows.h"
#include "table.h"

/* Few rows of many files would make long lists of files. */
#define MIN_BYTES 4096

/* Rows that are copied in and checked at a time */
#define STEP_ROWS 4096

static u64 hash_of(const struct rows *rows, const struct name_key *key)
{
	return siphash(key, sizeof(*key), &rows->seed);
}

struct file_rows *profil_rows_find(const struct rows *rows,
				   const struct name_key *key)
{
	struct file_rows *file;

	hash_for_each_possible_rcu(rows->files, file, node, hash_of(rows, key),
				   lockdep_is_held(&rows->lock) ||
					   lockdep_is_held(&rows->changes))
		if (!memcmp(&file->key, key, sizeof(*key)))
			return file;
	return NULL;
}

/* NULL without memory */
static struct name *copy_name(const struct name *name)
{
	size_t bytes = name->entry.bytes;
	struct name *copy = profil_names_alloc(ENTRY_NAME, bytes);

	if (!copy)
		return NULL;
	memcpy(copy, name, bytes);
	copy->entry.process = book_get_pid(task_tgid(current));
	return copy;
}

static u64 *asked_place(struct rows *rows, u64 hash)
{
	return &rows->asked[hash >> (64 - ASKED_BITS)];
}

static bool rows_have_room(const struct rows *rows, kuid_t user)
{
	unsigned int i, of_user = 0;

	lockdep_assert_held(&rows->lock);
	for (i = 0; i < rows->nr_waiting; i++)
		of_user += uid_eq(rows->waiting[i].user, user);
	return i < PROFIL_MAX_WANTED && of_user < WANTED_OF_USER;
}

/* Has @name been added? */
static bool add_waiting(struct rows *rows, const struct name *name)
{
	u64 hash = hash_of(rows, &name->key);
	u64 *asked = asked_place(rows, hash);
	struct wanted wanted = { .user = profil_quota_uid() };

	if (*asked == hash || !rows_have_room(rows, wanted.user))
		return false;
	wanted.name = copy_name(name);
	if (!wanted.name)
		return false;
	*asked = hash;
	rows->waiting[rows->nr_waiting] = wanted;
	WRITE_ONCE(rows->nr_waiting, rows->nr_waiting + 1);
	return true;
}

void profil_rows_want(struct rows *rows, const struct name *name,
		      wait_queue_head_t *readers)
{
	bool added;

	spin_lock(&rows->lock);
	added = add_waiting(rows, name);
	spin_unlock(&rows->lock);
	if (added)
		wake_up_interruptible_poll(readers, EPOLLPRI);
}

/* Which file WANTED returns, if one waits: users whose files wait have turns. */
static struct wanted *next_wanted(struct rows *rows)
{
	unsigned int i;

	lockdep_assert_held(&rows->lock);
	for (i = 0; i < rows->nr_waiting; i++)
		if (!uid_eq(rows->waiting[i].user, rows->last_user))
			return &rows->waiting[i];
	return rows->waiting;
}

static struct name *take_waiting(struct rows *rows, struct wanted *wanted)
{
	struct wanted *last = &rows->waiting[rows->nr_waiting - 1];
	struct name *name = wanted->name;

	rows->last_user = wanted->user;
	memmove(wanted, wanted + 1, (void *)last - (void *)wanted);
	WRITE_ONCE(rows->nr_waiting, rows->nr_waiting - 1);
	return name;
}

struct name *profil_rows_wanted(struct rows *rows, u32 room)
{
	struct wanted *wanted;
	struct name *name;

	spin_lock(&rows->lock);
	wanted = next_wanted(rows);
	if (!rows->nr_waiting)
		name = ERR_PTR(-EAGAIN);
	else if (room < wanted->name->path_size)
		name = ERR_PTR(-ENAMETOOLONG);
	else
		name = take_waiting(rows, wanted);
	spin_unlock(&rows->lock);
	return name;
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
		if (!rows_are_valid(file->rows, at, end))
			return -EINVAL;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static size_t bytes_of(u32 nr)
{
	return max_t(size_t, MIN_BYTES,
		     struct_size((struct file_rows *)NULL, rows, nr) +
			     sizeof(u32) * row_index_words(nr));
}

/* Charge @bytes to the table, or uncharge them, if less than 0. */
static bool rows_charge(struct rows *rows, long bytes)
{
	bool has_room;

	spin_lock(&rows->lock);
	has_room = bytes <= rows->max_bytes - rows->bytes;
	if (has_room)
		rows->bytes += bytes;
	spin_unlock(&rows->lock);
	return has_room;
}

static void free_rows(struct rows *rows, struct file_rows *file)
{
	if (!file)
		return;
	rows_charge(rows, -file->bytes);
	kvfree(file);
}

static struct file_rows *alloc_rows(struct table *table,
				    const struct name_key *key, u32 nr)
{
	struct rows *rows = table->rows;
	long bytes = bytes_of(nr);
	struct file_rows *file;
	struct mem_cgroup *old;

	if (bytes > rows->max_bytes)
		return ERR_PTR(-EFBIG);
	if (!rows_charge(rows, bytes))
		return ERR_PTR(-ENOSPC);
	old = set_active_memcg(table->memcg);
	file = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	set_active_memcg(old);
	if (!file) {
		rows_charge(rows, -bytes);
		return ERR_PTR(-ENOMEM);
	}
	file->key = *key;
	file->nr = nr;
	file->bytes = bytes;
	return file;
}

/* What the copy brings into memory is charged to the caller. */
static struct file_rows *make_rows(struct table *table,
				   const struct name_key *key,
				   const struct profil_rows *given)
{
	struct file_rows *file = alloc_rows(table, key, given->nr_rows);
	int err;

	if (IS_ERR(file))
		return file;
	err = copy_rows(file, (const void __user *)(uintptr_t)given->rows);
	if (err) {
		free_rows(table->rows, file);
		return ERR_PTR(err);
	}
	row_index_make(&file->index, file->rows, file->nr,
		       (u32 *)&file->rows[file->nr]);
	return file;
}

/*
 * Put @file, or nothing, in the place of the rows of @key, which are returned. Without rows,
 * the file is asked for again.
 */
static struct file_rows *rows_exchange(struct rows *rows,
				       const struct name_key *key,
				       struct file_rows *file)
{
	u64 hash = hash_of(rows, key);
	struct file_rows *old;

	spin_lock(&rows->lock);
	old = profil_rows_find(rows, key);
	if (file)
		hash_add_rcu(rows->files, &file->node, hash);
	else
		*asked_place(rows, hash) = 0;
	if (old)
		hash_del_rcu(&old->node);
	spin_unlock(&rows->lock);
	return old;
}

/* No walk uses what the table has not, nor rules of it beside counters. */
static void wait_for_walks(struct table *table)
{
	synchronize_rcu();
	profil_half_forget_rules(&table->halves[0]);
	profil_half_forget_rules(&table->halves[1]);
}

/*
 * rows_exchange(), and forget what was returned. Walks that begin meanwhile are deferred:
 * the rules that they would find beside counters may be those of either rows.
 */
static struct file_rows *rows_replace(struct table *table,
				      const struct name_key *key,
				      struct file_rows *file)
{
	struct rows *rows = table->rows;
	struct file_rows *old;

	lockdep_assert_held(&rows->changes);
	WRITE_ONCE(rows->version, rows->version + 1);
	old = rows_exchange(rows, key, file);
	if (old)
		wait_for_walks(table);
	/* Pairs with rows_version(): what the lists and rules were has another one. */
	smp_store_release(&rows->version, rows->version + 1);
	return old;
}

/* Mappings of a file in overlayfs are of the file in its layer. */
static int key_by_fd(struct name_key *key, unsigned int fd)
{
	struct file *file = fget(fd);

	if (!file)
		return -EBADF;
	profil_names_file_key(key, d_real_inode(file->f_path.dentry));
	fput(file);
	return 0;
}

/* @key is zero. */
static int set_key(struct name_key *key, const struct profil_rows *given)
{
	bool is_file = given->kind == PROFIL_NAME_FILE;

	if (!is_file && (given->device || given->file_size || given->mtime_ns ||
			 given->generation))
		return -EINVAL;
	if (given->kind == PROFIL_ROWS_BY_FD)
		return given->inode == (u32)given->inode ?
			       key_by_fd(key, given->inode) :
			       -EBADF;
	if (!is_file && given->kind != PROFIL_NAME_SPECIAL)
		return -EINVAL;
	key->device = given->device;
	key->inode = given->inode;
	key->size = given->file_size;
	key->mtime_ns = given->mtime_ns;
	key->generation = given->generation;
	key->kind = given->kind;
	return 0;
}

int profil_rows_load(struct table *table, const struct profil_rows *given)
{
	struct file_rows *file = NULL, *old = NULL;
	struct rows *rows = table->rows;
	struct name_key key = { 0 };
	int err;

	if (given->nr_rows > PROFIL_MAX_ROWS)
		return -EINVAL;
	err = set_key(&key, given);
	if (err)
		return err;
	if (given->nr_rows)
		file = make_rows(table, &key, given);
	if (IS_ERR(file))
		return PTR_ERR(file);
	/* Each change waits for RCU: many threads make the last one wait for minutes. */
	if (mutex_lock_killable(&rows->changes)) {
		free_rows(rows, file);
		return -EINTR;
	}
	if (file || profil_rows_find(rows, &key))
		old = rows_replace(table, &key, file);
	mutex_unlock(&rows->changes);
	free_rows(rows, old);
	return file || old ? 0 : -ENOENT;
}

struct rows *profil_rows_alloc(long max_bytes)
{
	struct rows *rows = kvzalloc(sizeof(*rows), GFP_KERNEL_ACCOUNT);

	if (!rows)
		return NULL;
	spin_lock_init(&rows->lock);
	mutex_init(&rows->changes);
	rows->max_bytes = max_bytes;
	get_random_bytes(&rows->seed, sizeof(rows->seed));
	return rows;
}

void profil_rows_free(struct rows *rows)
{
	struct file_rows *file;
	struct hlist_node *next;
	int i;

	if (!rows)
		return;
	hash_for_each_safe(rows->files, i, next, file, node)
		free_rows(rows, file);
	for (i = 0; i < rows->nr_waiting; i++)
		profil_names_free_entry(&rows->waiting[i].name->entry);
	kvfree(rows);
}
