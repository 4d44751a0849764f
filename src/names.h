/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names: what the samples in a half of a table belong to. A name is a file or a cgroup; a
 * text is a file in a program in a cgroup, and has the ID that the keys of counters
 * contain. Both are entries, with IDs of their own from 1 on.
 *
 * A name holds no reference to what it names: file systems can be unmounted. A file whose
 * size or modification time has changed has another name, as inode numbers repeat and files
 * can be overwritten.
 */
#ifndef PROFIL_NAMES_H
#define PROFIL_NAMES_H

#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct inode;

enum entry_kind { ENTRY_NAME, ENTRY_TEXT, NR_ENTRY_KINDS };

/* A name or a text, whose key follows */
struct entry {
	struct hlist_node node; /* in names->hash */
	enum entry_kind kind; /* which of the two */
	u32 id; /* of the entry among those of its kind */
	size_t bytes; /* memory of the entry */
	/*
	 * a process in which a text was sampled, or the one that a name of memory belongs to,
	 * with a reference; else NULL
	 */
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

/* A file or a cgroup. @path: with its NUL, of @path_size bytes */
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

/* The parts of a text, and the name of a thread, zero behind its end */
struct text_key {
	u32 parts[NR_PARTS];
	char thread[TASK_COMM_LEN];
};

struct text {
	struct entry entry;
	struct text_key key;
};

#define NAMES_BITS 10

/* The names and texts of a half */
struct names {
	/* guards the writing of all below; process context only */
	spinlock_t lock;
	struct xarray ids[NR_ENTRY_KINDS]; /* entries of each kind by their ID */
	u32 last_id[NR_ENTRY_KINDS]; /* the last ID of each kind */
	struct hlist_head hash[1 << NAMES_BITS]; /* all entries by their key */
	u32 seed; /* of the hash */
	size_t bytes; /* memory of the entries */
	size_t max_bytes; /* the limit of @bytes. Constant */
	/* queued when half of @max_bytes is used. Constant */
	struct irq_work *wake;
	bool full; /* there was no room for an entry */
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

/* Set @key, which is zero, to that of the file with @inode. Any context. */
void profil_names_file_key(struct name_key *key, const struct inode *inode);

/* An entry of @bytes with room for the key, to be added. A text is of current's process. */
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
