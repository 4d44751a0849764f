// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/kdev_t.h>
#include <linux/limits.h>
#include <linux/memcontrol.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "build_id.h"
#include "compat.h"
#include "half.h"
#include "names.h"
#include "process.h"
#include "space.h"
#include "table.h"

/**
 * struct lookup - what is mapped at a PC
 * @identity: of current
 * @range: of the mapping; of its key the offset only
 * @files: of PART_PROGRAM and PART_FILE, with references, or NULL
 * @by_address: memory without a file has a key for each PC
 * @has_cgroups: who opened the table sees all cgroups
 * @special: name of a mapping without a file that the kernel has made, or NULL
 * @keys: of the names; the kind is 0 where there is none
 * @fresh: names that may have to be added
 */
struct lookup {
	const struct identity *identity;
	struct text_range range;
	struct file *files[NR_PARTS];
	bool by_address;
	bool has_cgroups;
	const char *special;
	struct name_key keys[NR_PARTS];
	struct name *fresh[NR_PARTS];
};

/* A range has no key for two places: the upper halves of all its PCs are the same. */
static void describe_addresses(struct text_range *range, u64 pc)
{
	u64 upper = pc & ~(u64)U32_MAX;

	range->start = max(range->start, upper);
	range->end = min(range->end - 1, upper | U32_MAX) + 1;
	range->key = (u32)range->start;
	range->mask = U32_MAX;
}

/* Under mmap_lock */
static void describe_mapping(struct lookup *lookup, struct vm_area_struct *vma,
			     u64 pc)
{
	struct text_range *range = &lookup->range;

	range->start = vma->vm_start;
	range->end = vma->vm_end;
	if (vma->vm_file) {
		lookup->files[PART_FILE] = get_file(vma->vm_file);
		range->key = (u32)(vma->vm_pgoff << PAGE_SHIFT);
		range->mask = U32_MAX;
	} else if (vma->vm_ops && vma->vm_ops->name) {
		lookup->special = vma->vm_ops->name(vma);
		range->mask = lookup->special ? U32_MAX : 0;
	}
	if (lookup->by_address && !vma->vm_file && !lookup->special)
		describe_addresses(range, pc);
}

/*
 * 0, EINTR for a fatal signal, or ENOENT if no text is mapped at @pc any more. A file
 * of memfd_secret(), whose pages the kernel cannot read, is never text.
 */
static int find_mapping(struct lookup *lookup, u64 pc)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	bool found;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	lookup->range.generation = space_generation(mm);
	vma = vma_lookup(mm, pc);
	found = vma && vma->vm_flags & VM_EXEC;
	if (found)
		describe_mapping(lookup, vma, pc);
	mmap_read_unlock(mm);
	if (!found)
		return -ENOENT;
	lookup->files[PART_PROGRAM] = compat_exe_file(mm);
	return 0;
}

static void set_file_key(struct name_key *key, const struct file *file)
{
	const struct inode *inode = file_inode(file);
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
	struct name_key *file = &lookup->keys[PART_FILE];
	int part;

	for (part = 0; part < NR_PARTS; part++)
		if (lookup->files[part])
			set_file_key(&lookup->keys[part], lookup->files[part]);
	lookup->keys[PART_CGROUP].kind = PROFIL_NAME_CGROUP;
	lookup->keys[PART_CGROUP].inode = lookup->identity->cgroup;
	if (file->kind)
		return;
	file->kind = PROFIL_NAME_MEMORY;
	if (lookup->special) {
		file->kind = PROFIL_NAME_SPECIAL;
		file->inode =
			jhash(lookup->special, strlen(lookup->special), 0);
	} else if (lookup->by_address) {
		file->device = (lookup->range.end - 1) & ~(u64)U32_MAX;
		file->inode = (unsigned long)task_tgid(current);
	}
}

/*
 * The path of a cgroup, of a file as its program has it, or a name. A cgroup that
 * current has left since has no path, nor has one that who opened the table may not see.
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
	if (cgroup_id(cgroup) == lookup->identity->cgroup)
		cgroup_path(cgroup, room, PATH_MAX);
	rcu_read_unlock();
	return room;
}

static struct name *make_name(const struct lookup *lookup, enum part part,
			      char *room)
{
	const char *path = path_of(lookup, part, room);
	struct file *file = lookup->files[part];
	struct name *name;
	size_t size;

	if (IS_ERR(path))
		path = ""; /* longer than PATH_MAX */
	size = strlen(path) + 1;
	name = kzalloc(struct_size(name, path, size), NAME_GFP);
	if (!name)
		return NULL;
	name->key = lookup->keys[part];
	name->path_size = size;
	memcpy(name->path, path, size);
	if (file)
		name->build_id_size =
			profil_build_id(file, name->build_id, BUILD_ID_MAX);
	return name;
}

static void make_names(struct lookup *lookup)
{
	char *room = kmalloc(PATH_MAX, NAME_GFP);
	int part;

	for (part = 0; room && part < NR_PARTS; part++)
		if (lookup->keys[part].kind)
			lookup->fresh[part] = make_name(lookup, part, room);
	kfree(room);
}

/*
 * Find the text, under the lock of the half. EAGAIN if a name is missing, and is
 * not to be added.
 */
static int find_text(struct half *half, struct lookup *lookup, bool add,
		     u32 *id)
{
	struct text_key key = {};
	int part, err;

	memcpy(key.thread, &lookup->identity->thread_begin, sizeof(u64));
	memcpy(key.thread + sizeof(u64), &lookup->identity->thread_end,
	       sizeof(u64));
	for (part = 0; part < NR_PARTS; part++) {
		if (!lookup->keys[part].kind)
			continue;
		err = profil_name_id(half, &lookup->keys[part],
				     add ? &lookup->fresh[part] : NULL,
				     &key.parts[part]);
		if (err)
			return err;
		if (!key.parts[part])
			return half->names_full ? -ENOSPC : -EAGAIN;
	}
	return profil_text_id(half, &key, id);
}

/* Complete the key of the range, and put the range into the cache. */
static int find_key(struct half *half, struct lookup *lookup, bool add)
{
	u32 id;
	int err;

	spin_lock(&half->lock);
	err = find_text(half, lookup, add, &id);
	if (!err) {
		lookup->range.key = (u32)lookup->range.key | (u64)id << 32;
		profil_spaces_add(half->sets, lookup->identity, &lookup->range);
	}
	spin_unlock(&half->lock);
	return err;
}

static enum outcome outcome_of(int err)
{
	switch (err) {
	case -EINTR:
		return OUTCOME_GONE;
	case -ENOENT:
		return OUTCOME_UNMAPPED;
	case -EPERM:
		return OUTCOME_DENIED;
	case -ENOSPC:
		return OUTCOME_FULL;
	default:
		return OUTCOME_NO_MEMORY;
	}
}

/* False if a name is missing, and is not to be added. */
static bool count(struct table *table, struct lookup *lookup, u64 pc,
		  u64 kernel_bit, u32 samples, bool add)
{
	struct half *half;
	int err;

	rcu_read_lock();
	half = rcu_dereference(table->half);
	err = find_key(half, lookup, add);
	if (!err &&
	    !half_add(half, space_range_key(&lookup->range, pc) | kernel_bit,
		      samples))
		err = -ENOSPC;
	if (err != -EAGAIN)
		table_half_resolved(half, err ? outcome_of(err) : OUTCOME_HITS,
				    samples);
	rcu_read_unlock();
	return err != -EAGAIN;
}

static void release(struct lookup *lookup)
{
	int part;

	for (part = 0; part < NR_PARTS; part++) {
		kfree(lookup->fresh[part]);
		if (lookup->files[part])
			fput(lookup->files[part]);
	}
}

static bool may_look_up(const struct table *table)
{
	return !(table->flags & PROFIL_TABLE_TREE) ||
	       profil_process_may_see(table->opener);
}

void profil_lookup_count(struct table *table, const struct identity *identity,
			 u64 pc, bool kernel, u32 samples)
{
	struct lookup lookup = {
		.identity = identity,
		.by_address = table->flags & PROFIL_TABLE_ADDRESSES &&
			      profil_process_may_see(table->opener),
		.has_cgroups = table->has_cgroups,
	};
	struct mem_cgroup *old = set_active_memcg(table->memcg);
	u64 kernel_bit = kernel ? PROFIL_KEY_KERNEL : 0;
	int err = may_look_up(table) ? find_mapping(&lookup, pc) : -EPERM;

	if (err) {
		profil_table_resolved(table, outcome_of(err), samples);
	} else {
		set_keys(&lookup);
		if (!count(table, &lookup, pc, kernel_bit, samples, false)) {
			make_names(&lookup);
			count(table, &lookup, pc, kernel_bit, samples, true);
		}
		release(&lookup);
	}
	set_active_memcg(old);
}
