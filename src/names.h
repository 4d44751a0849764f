/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names: what the samples in a half of a table belong to. A name is a file or a
 * cgroup; a text is a file in a program in a cgroup, and has the ID that the keys
 * of counters contain. Both are entries, with IDs of their own from 1 on.
 *
 * A name holds no reference to what it names: file systems can be unmounted, and
 * cgroups removed. A file whose size or modification time has changed has another
 * name, as inode numbers repeat and files can be overwritten.
 */
#ifndef PROFIL_NAMES_H
#define PROFIL_NAMES_H

#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>

enum entry_kind { ENTRY_NAME, ENTRY_TEXT, NR_ENTRY_KINDS };

/**
 * struct entry - a name or a text, whose key follows
 * @node: in names->hash
 * @kind: which of the two
 * @id: of the entry among those of its kind
 * @bytes: memory of the entry
 * @process: a process in which a text was sampled, or the one that a name of memory
 *	belongs to, with a reference; else NULL
 */
struct entry {
	struct hlist_node node;
	enum entry_kind kind;
	u32 id;
	size_t bytes;
	struct pid *process;
};

/* Keys are compared byte by byte, so all of them is initialised. */
struct name_key {
	u64 device;
	u64 inode;
	u64 size;
	u64 mtime_ns;
	u32 generation;
	u32 kind;
};

#define BUILD_ID_MAX 20

/**
 * struct name - a file or a cgroup
 * @entry: the entry
 * @key: what is named
 * @build_id_size: bytes of @build_id
 * @build_id: of a file
 * @path_size: bytes of @path, with its NUL
 * @path: path or a name
 */
struct name {
	struct entry entry;
	struct name_key key;
	u32 build_id_size;
	u8 build_id[BUILD_ID_MAX];
	u32 path_size;
	char path[];
};

/* The names that a text consists of */
enum part { PART_PROGRAM, PART_FILE, PART_CGROUP, NR_PARTS };

/* Zero behind the end of @thread */
struct text_key {
	u32 parts[NR_PARTS];
	char thread[TASK_COMM_LEN];
};

/**
 * struct text - a text
 * @entry: the entry
 * @key: its parts
 */
struct text {
	struct entry entry;
	struct text_key key;
};

#define NAMES_BITS 10

/**
 * struct names - the names and texts of a half
 * @lock: guards the writing of all below; process context only
 * @ids: entries of each kind by their ID
 * @last_id: the last ID of each kind
 * @hash: all entries by their key
 * @seed: of the hash
 * @bytes: memory of the entries
 * @max_bytes: the limit of @bytes. Constant, as is the next
 * @wake: queued when half of @max_bytes is used
 * @full: there was no room for an entry
 */
struct names {
	spinlock_t lock; /* of the rest */
	struct xarray ids[NR_ENTRY_KINDS];
	u32 last_id[NR_ENTRY_KINDS];
	struct hlist_head hash[1 << NAMES_BITS];
	u32 seed;
	size_t bytes;
	size_t max_bytes;
	struct irq_work *wake;
	bool full;
};

/* A sampled task neither reclaims memory of who opened the table nor ends a program. */
#define NAMES_GFP (GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

void profil_names_init(struct names *names, size_t max_bytes,
		       struct irq_work *wake);

/* Free all entries; nothing uses them. Sleeps. */
void profil_names_clear(struct names *names);

static inline bool names_half_full(const struct names *names)
{
	return READ_ONCE(names->bytes) >= names->max_bytes / 2;
}

/* An entry of @bytes with room for the key, to be added; NULL without memory */
void *profil_names_alloc(enum entry_kind kind, size_t bytes);

/* Free an entry that has not been added; NULL is fine. */
void profil_names_free_entry(struct entry *entry);

/*
 * Find the entry of @kind with @key, and set @id. If there is none, add *@fresh, which
 * gets the key, and set it to NULL. EAGAIN if @fresh is NULL; ENOMEM if *@fresh is NULL,
 * or there is no memory; ENOSPC at the limit. Under the lock.
 */
int profil_names_id(struct names *names, enum entry_kind kind, const void *key,
		    struct entry **fresh, u32 *id);

#endif /* PROFIL_NAMES_H */
