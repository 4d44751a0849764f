/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names: what the samples in a half of a table belong to. A name is a file or a
 * cgroup; a text is a file in a program in a cgroup, and has the ID that the keys
 * of counters contain. IDs are those of one half.
 *
 * A name holds no reference to what it names: file systems can be unmounted, and
 * cgroups removed. A file whose size or modification time has changed has another
 * name, as inode numbers repeat and files can be overwritten.
 */
#ifndef PROFIL_NAMES_H
#define PROFIL_NAMES_H

#include <linux/limits.h>
#include <linux/list.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/types.h>

struct half;

/* Compared byte by byte, so all of it is initialised. */
struct name_key {
	u64 device;
	u64 inode;
	u64 size;
	u64 mtime_ns;
	u32 generation;
	u32 kind;
};

#define BUILD_ID_MAX 20

/* A sampled task neither reclaims memory of who opened the table nor ends a program. */
#define NAME_GFP (GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

/**
 * struct name - a file or a cgroup
 * @node: in half.name_hash
 * @key: what is named
 * @id: of the name
 * @build_id_size: bytes of @build_id
 * @build_id: of a file
 * @path_size: bytes of @path, with its NUL
 * @path: path or a name
 */
struct name {
	struct hlist_node node;
	struct name_key key;
	u32 id;
	u32 build_id_size;
	u8 build_id[BUILD_ID_MAX];
	u32 path_size;
	char path[];
};

/* The names that a text consists of */
enum part { PART_PROGRAM, PART_FILE, PART_CGROUP, NR_PARTS };

/* Compared byte by byte: zero behind the end of @thread. */
struct text_key {
	u32 parts[NR_PARTS];
	char thread[TASK_COMM_LEN];
};

/**
 * struct text - a text
 * @node: in half.text_hash
 * @key: its parts
 * @id: of the text
 * @process: a process in which it was sampled, with a reference
 */
struct text {
	struct hlist_node node;
	struct text_key key;
	u32 id;
	struct pid *process;
};

void profil_names_init(struct half *half);

/* Free all names and texts of a half at rest. */
void profil_names_clear(struct half *half);

/*
 * Find the ID of the name with @key. If there is none, take over *@fresh, if that
 * is not NULL, and set it to NULL. 0 and no error if @fresh is NULL; else
 * ENOMEM, or ENOSPC at the limit of the half. Under the lock of the half.
 */
int profil_name_id(struct half *half, const struct name_key *key,
		   struct name **fresh, u32 *id);

/* The same for a text of current. Makes it if there is none. */
int profil_text_id(struct half *half, const struct text_key *key, u32 *id);

#endif /* PROFIL_NAMES_H */
