// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/kdev_t.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "books.h"
#include "compat.h"
#include "names.h"

static const size_t key_sizes[] = {
	[ENTRY_NAME] = sizeof(struct name_key),
	[ENTRY_TEXT] = sizeof(struct text_key),
};

/* No key has holes, and each follows its entry. */
static_assert(sizeof(struct name_key) == 40);
static_assert(sizeof(struct text_key) == 12 + TASK_COMM_LEN);
static_assert(offsetof(struct name, key) == sizeof(struct entry));
static_assert(offsetof(struct text, key) == sizeof(struct entry));

void profil_names_init(struct names *names, size_t max_bytes,
		       struct irq_work *wake)
{
	int kind;

	spin_lock_init(&names->lock);
	names->seed = get_random_u32();
	names->max_bytes = max_bytes;
	names->wake = wake;
	for (kind = 0; kind < NR_ENTRY_KINDS; kind++)
		xa_init_flags(&names->ids[kind],
			      XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
}

void profil_names_file_key(struct name_key *key, const struct inode *inode)
{
	struct timespec64 mtime = inode_get_mtime(inode);

	key->kind = PROFIL_NAME_FILE;
	key->device = new_encode_dev(inode->i_sb->s_dev);
	key->inode = inode->i_ino;
	key->generation = inode->i_generation;
	key->size = i_size_read(inode);
	key->mtime_ns = timespec64_to_ns(&mtime);
}

void *profil_names_alloc(enum entry_kind kind, size_t bytes)
{
	struct entry *entry = kzalloc(bytes, NAMES_GFP);

	if (!entry)
		return NULL;
	book_add(BOOK_ENTRIES, 1);
	entry->kind = kind;
	entry->bytes = bytes;
	if (kind == ENTRY_TEXT)
		entry->process = book_get_pid(task_tgid(current));
	return entry;
}

void profil_names_free_entry(struct entry *entry)
{
	if (!entry)
		return;
	book_put_pid(entry->process);
	kfree(entry);
	book_add(BOOK_ENTRIES, -1);
}

void profil_names_clear(struct names *names)
{
	struct entry *entry;
	unsigned long id;
	int kind;

	for (kind = 0; kind < NR_ENTRY_KINDS; kind++) {
		xa_for_each(&names->ids[kind], id, entry) {
			profil_names_free_entry(entry);
			cond_resched();
		}
		xa_destroy(&names->ids[kind]);
		names->last_id[kind] = 0;
	}
	memset(names->hash, 0, sizeof(names->hash));
	names->bytes = 0;
	names->full = false;
}

/* Users choose sizes and times of files: the seed keeps them from long chains. */
static struct hlist_head *names_bucket(struct names *names,
				       enum entry_kind kind, const void *key)
{
	u32 hash = jhash(key, key_sizes[kind], names->seed + kind);

	return &names->hash[hash & ((1 << NAMES_BITS) - 1)];
}

static const struct entry *names_find(const struct hlist_head *bucket,
				      enum entry_kind kind, const void *key)
{
	const struct entry *entry;

	hlist_for_each_entry(entry, bucket, node)
		if (entry->kind == kind &&
		    !memcmp(entry + 1, key, key_sizes[kind]))
			return entry;
	return NULL;
}

/* IDs fit in the 29 bits of a key. */
static int names_add(struct names *names, struct hlist_head *bucket,
		     struct entry *entry)
{
	if (names->bytes + entry->bytes > names->max_bytes) {
		names->full = true;
		return -ENOSPC;
	}
	if (xa_alloc(&names->ids[entry->kind], &entry->id, entry,
		     XA_LIMIT(1, PROFIL_TEXT_GUEST - 1), NAMES_GFP))
		return -ENOMEM;
	names->last_id[entry->kind] = entry->id;
	hlist_add_head(&entry->node, bucket);
	WRITE_ONCE(names->bytes, names->bytes + entry->bytes);
	if (names_half_full(names))
		irq_work_queue(names->wake);
	return 0;
}

int profil_names_id(struct names *names, enum entry_kind kind, const void *key,
		    struct entry **fresh, u32 *id)
{
	struct hlist_head *bucket = names_bucket(names, kind, key);
	const struct entry *entry = names_find(bucket, kind, key);
	int err;

	lockdep_assert_held(&names->lock);
	*id = entry ? entry->id : 0;
	if (entry)
		return 0;
	if (!fresh)
		return names->full ? -ENOSPC : -EAGAIN;
	if (!*fresh)
		return -ENOMEM;
	memcpy(*fresh + 1, key, key_sizes[kind]);
	err = names_add(names, bucket, *fresh);
	if (err)
		return err;
	*id = (*fresh)->id;
	*fresh = NULL;
	return 0;
}
