// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/limits.h>
#include <linux/memcontrol.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "books.h"
#include "build_id.h"
#include "compat.h"
#include "half.h"
#include "lookup.h"
#include "process.h"
#include "table.h"

/* A writer of mmap_lock that runs on another CPU often releases it meanwhile. */
#define LOCK_TRIES 256

/* What is mapped at a PC */
struct lookup {
	u64 pc; /* the PC */
	/* of the mapping, in the current program; without a text until that is known */
	struct text_range range;
	/* of PART_PROGRAM and PART_FILE, with references, or NULL */
	struct file *files[NR_PARTS];
	bool by_address; /* memory without a file has a key for each PC */
	bool by_thread; /* the range has the name of the thread, not of the process */
	bool has_cgroups; /* who opened the table sees all cgroups */
	/* name of a mapping without a file that the kernel has made, or NULL */
	const char *special;
	/* of the names; the kind is 0 where there is none */
	struct name_key keys[NR_PARTS];
	struct text_key text; /* key of the text */
	struct entry *fresh_names[NR_PARTS]; /* names to be added */
	struct entry *fresh_text; /* a text to be added */
};

/* A range has no key for two places: the upper halves of all its PCs are the same. */
static void describe_addresses(struct text_range *range, u64 pc)
{
	u64 upper = pc & ~(u64)U32_MAX;
	u64 start = max(range->start, upper);
	u64 last = min(range->start + range->size - 1, upper | U32_MAX);

	range->start = start;
	range->size = last - start + 1;
	range->offset = start;
	range->mask = U32_MAX;
}

static void describe_mapping(struct lookup *lookup, struct vm_area_struct *vma)
{
	struct text_range *range = &lookup->range;

	mmap_assert_locked(vma->vm_mm);
	range->generation = space_generation(vma->vm_mm);
	range->start = vma->vm_start;
	range->size = vma->vm_end - vma->vm_start;
	if (vma->vm_file) {
		lookup->files[PART_FILE] = get_file(vma->vm_file);
		range->offset = vma->vm_pgoff << PAGE_SHIFT;
		range->mask = U32_MAX;
	} else if (vma->vm_ops && vma->vm_ops->name) {
		lookup->special = vma->vm_ops->name(vma);
		range->mask = lookup->special ? U32_MAX : 0;
	}
	if (lookup->by_address && !vma->vm_file && !lookup->special)
		describe_addresses(range, lookup->pc);
}

/* No task waits for the lock: its holder may be a thread that gets no CPU. */
static bool lock_mappings(struct mm_struct *mm)
{
	int tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (mmap_read_trylock(mm))
			return true;
		cpu_relax();
	}
	return false;
}

/*
 * 0; EBUSY if the lock of the mappings is taken; ENOENT if no text is mapped at the PC
 * any more. A file of memfd_secret(), whose pages the kernel cannot read, is never text.
 */
static int find_mapping(struct lookup *lookup)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	bool found;

	if (!lock_mappings(mm))
		return -EBUSY;
	vma = vma_lookup(mm, lookup->pc);
	found = vma && vma->vm_flags & VM_EXEC;
	if (found)
		describe_mapping(lookup, vma);
	mmap_read_unlock(mm);
	if (!found)
		return -ENOENT;
	lookup->files[PART_PROGRAM] = compat_exe_file(mm);
	return 0;
}

void profil_lookup_file_key(struct name_key *key, const struct inode *inode)
{
	struct timespec64 mtime = inode_get_mtime(inode);

	key->kind = PROFIL_NAME_FILE;
	key->device = new_encode_dev(inode->i_sb->s_dev);
	key->inode = inode->i_ino;
	key->generation = inode->i_generation;
	key->size = i_size_read(inode);
	key->mtime_ns = timespec64_to_ns(&mtime);
}

static void set_keys(struct lookup *lookup)
{
	const struct identity *identity = &lookup->range.identity;
	struct name_key *file = &lookup->keys[PART_FILE];
	int part;

	memcpy(lookup->text.thread, &identity->thread_begin, sizeof(u64));
	memcpy(lookup->text.thread + sizeof(u64), &identity->thread_end,
	       sizeof(u64));
	if (!lookup->by_thread)
		get_task_comm(lookup->text.thread, current->group_leader);
	for (part = 0; part < NR_PARTS; part++)
		if (lookup->files[part])
			profil_lookup_file_key(&lookup->keys[part],
					       file_inode(lookup->files[part]));
	lookup->keys[PART_CGROUP].kind = PROFIL_NAME_CGROUP;
	lookup->keys[PART_CGROUP].inode = identity->cgroup;
	if (file->kind)
		return;
	file->kind = PROFIL_NAME_MEMORY;
	if (lookup->special) {
		file->kind = PROFIL_NAME_SPECIAL;
		memcpy(&file->inode, lookup->special,
		       strnlen(lookup->special, sizeof(file->inode)));
	} else if (lookup->by_address) {
		file->device = lookup->range.start & ~(u64)U32_MAX;
		file->inode = (unsigned long)task_tgid(current);
	}
}

/*
 * The path of a file as its program has it, a name, or the path of a cgroup, but of none
 * that current has left, or that who opened the table may not see
 */
static const char *path_of(const struct lookup *lookup, enum part part,
			   char *room)
{
	const struct file *file = lookup->files[part];
	struct cgroup *cgroup;

	if (file)
		return d_path(file_user_path(file), room, PATH_MAX);
	if (part == PART_FILE)
		return lookup->special ?: "";
	*room = 0;
	if (!lookup->has_cgroups)
		return room;
	rcu_read_lock();
	cgroup = task_dfl_cgroup(current);
	if (cgroup_id(cgroup) == lookup->range.identity.cgroup)
		cgroup_path(cgroup, room, PATH_MAX);
	rcu_read_unlock();
	return room;
}

/* @room: PATH_MAX bytes */
static struct entry *make_name(const struct lookup *lookup, enum part part,
			       char *room)
{
	const char *path = path_of(lookup, part, room);
	struct file *file = lookup->files[part];
	struct name *name;
	size_t size;

	if (IS_ERR(path))
		path = ""; /* longer than PATH_MAX */
	size = strlen(path) + 1;
	name = profil_names_alloc(ENTRY_NAME, struct_size(name, path, size));
	if (!name)
		return NULL;
	name->path_size = size;
	memcpy(name->path, path, size);
	if (file)
		name->build_id_size =
			profil_build_id(file, room, PATH_MAX, name->build_id);
	/* The key has the address of the process, which is not to be reused. */
	if (lookup->by_address && part == PART_FILE && !file)
		name->entry.process = book_get_pid(task_tgid(current));
	return &name->entry;
}

/* What is missing: names without an ID, and the text */
static void make_entries(struct lookup *lookup)
{
	char *room = kmalloc(PATH_MAX, NAMES_GFP);
	int part;

	for (part = 0; room && part < NR_PARTS; part++)
		if (lookup->keys[part].kind && !lookup->text.parts[part])
			lookup->fresh_names[part] =
				make_name(lookup, part, room);
	kfree(room);
	lookup->fresh_text =
		profil_names_alloc(ENTRY_TEXT, sizeof(struct text));
	if (lookup->fresh_text)
		lookup->fresh_text->process = book_get_pid(task_tgid(current));
}

/* Set the text of the range. EAGAIN if an entry is missing, and not to be added. */
static int find_text(struct names *names, struct lookup *lookup, bool add)
{
	int part, err = 0;
	u32 id = 0;

	spin_lock(&names->lock);
	for (part = 0; part < NR_PARTS; part++) {
		if (!lookup->keys[part].kind)
			continue;
		err = profil_names_id(names, ENTRY_NAME, &lookup->keys[part],
				      add ? &lookup->fresh_names[part] : NULL,
				      &lookup->text.parts[part]) ?:
			      err;
	}
	if (!err)
		err = profil_names_id(names, ENTRY_TEXT, &lookup->text,
				      add ? &lookup->fresh_text : NULL, &id);
	spin_unlock(&names->lock);
	if (!err)
		lookup->range.text = (u64)id << 32;
	return err;
}

/* Put a copy of the range into the cache; without memory it is not there. */
static void cache_range(struct half *half, const struct lookup *lookup)
{
	struct text_range *range =
		kmemdup(&lookup->range, sizeof(*range), NAMES_GFP);

	if (range)
		profil_ranges_add(&half->ranges, range, lookup->pc);
}

static void release(struct lookup *lookup)
{
	int part;

	for (part = 0; part < NR_PARTS; part++) {
		profil_names_free_entry(lookup->fresh_names[part]);
		if (lookup->files[part])
			fput(lookup->files[part]);
	}
	profil_names_free_entry(lookup->fresh_text);
}

/* Find what is mapped at the PC, and its key. 0 or an errno of outcome_of() */
static int look_up(struct half *half, struct lookup *lookup)
{
	int err = find_mapping(lookup);

	if (err)
		return err;
	set_keys(lookup);
	err = find_text(&half->names, lookup, false);
	if (err == -EAGAIN) {
		make_entries(lookup);
		err = find_text(&half->names, lookup, true);
	}
	if (!err)
		cache_range(half, lookup);
	release(lookup);
	return err;
}

/* While the mappings are being changed, the one that was at the PC before mostly stays. */
static bool use_stale_range(const struct half *half, struct lookup *lookup)
{
	const struct identity *identity = &lookup->range.identity;
	const struct text_range *range =
		range_find(&half->ranges, identity, lookup->pc, true);

	if (range)
		lookup->range = *range;
	return range;
}

static enum outcome outcome_of(int err)
{
	switch (err) {
	case 0:
		return OUTCOME_HITS;
	case -EBUSY:
		return OUTCOME_BUSY;
	case -ENOENT:
		return OUTCOME_UNMAPPED;
	case -EPERM:
	case -EACCES:
		return OUTCOME_DENIED;
	case -ENOSPC:
		return OUTCOME_FULL;
	default:
		return OUTCOME_NO_MEMORY;
	}
}

/*
 * May who opened @table see the current program? 0, EACCES, or EPERM: a process that may
 * not be traced any more leaves a tree. Samples see a later change of what is compared.
 */
static int check_program(struct table *table)
{
	int err = profil_process_may_see(table->opener);

	if (!err)
		profil_tree_set_checked(&table->tree);
	else if (err == -EPERM)
		profil_tree_drop(&table->tree);
	return err;
}

void profil_lookup_count(struct table *table, const struct identity *identity,
			 u64 pc, u64 mode, u32 samples)
{
	struct lookup lookup = {
		.pc = pc,
		.range.identity = *identity,
		.range.text = HALF_NO_TEXT,
		.by_address = table->flags & PROFIL_TABLE_ADDRESSES &&
			      !profil_process_may_see(table->opener),
		.by_thread = table->flags & PROFIL_TABLE_THREADS,
		.has_cgroups = table->has_cgroups,
	};
	struct half *half = rcu_dereference(table->half);
	struct mem_cgroup *old = set_active_memcg(table->memcg);
	bool is_tree = table->flags & PROFIL_TABLE_TREE, is_stale;
	u64 kernel_bit = mode & PROFIL_KEY_KERNEL;
	int err = is_tree ? check_program(table) : 0;

	if (!err)
		err = look_up(half, &lookup);
	is_stale = err == -EBUSY && use_stale_range(half, &lookup);
	if (is_stale)
		err = 0;
	if (!err &&
	    !half_add(half, range_key(&lookup.range, pc) | kernel_bit, samples))
		err = -ENOSPC;
	half_resolve(half, outcome_of(err), lookup.range.text, mode, samples);
	if (is_stale && !err && !range_is_valid(&lookup.range))
		half_count(half, OUTCOME_STALE, samples);
	set_active_memcg(old);
}
