// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
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
#include "rows.h"
#include "table.h"
#include "unwind.h"
#include "walk.h"

/* A writer of mmap_lock that runs on another CPU often releases it meanwhile. */
#define LOCK_TRIES 256

/* Mappings without text that are passed over for the text of a space */
#define SPACE_MAPPINGS 4096

/* Look-ups for the walk of one stack */
#define STACK_LOOK_UPS 8

/* What is mapped at a PC */
struct lookup {
	u64 pc; /* the PC */
	/* of the mapping, in the current program; without a text until that is known */
	struct text_range range;
	/* of PART_PROGRAM and PART_FILE, with references, or NULL */
	struct file *files[NR_PARTS];
	const struct table *table;
	bool by_address; /* memory without a file has a key for each PC */
	/* name of a mapping without a file that the kernel has made, or NULL */
	const char *special;
	/* of the names; the kind is 0 where there is none */
	struct name_key keys[NR_PARTS];
	struct text_key text; /* key of the text */
	struct entry *fresh_names[NR_PARTS]; /* names to be added */
	struct entry *fresh_text; /* a text to be added */
};

/* A range has no key for two places: the upper halves of all its PCs are the same. */
static void describe_addresses(struct mapped *mapped, u64 pc)
{
	u64 upper = pc & ~(u64)U32_MAX;
	u64 start = max(mapped->start, upper);
	u64 last = min(mapped->start + mapped->size - 1, upper | U32_MAX);

	mapped->start = start;
	mapped->size = last - start + 1;
	mapped->offset = start;
	mapped->mask = U32_MAX;
}

static void describe_mapping(struct lookup *lookup, struct vm_area_struct *vma)
{
	struct mapped *mapped = &lookup->range.mapped;

	mmap_assert_locked(vma->vm_mm);
	lookup->range.generation = space_generation(vma->vm_mm);
	mapped->start = vma->vm_start;
	mapped->size = vma->vm_end - vma->vm_start;
	if (vma->vm_file) {
		lookup->files[PART_FILE] = get_file(vma->vm_file);
		mapped->offset = vma->vm_pgoff << PAGE_SHIFT;
		mapped->mask = U32_MAX;
	} else if (vma->vm_ops && vma->vm_ops->name) {
		lookup->special = vma->vm_ops->name(vma);
		mapped->mask = lookup->special ? U32_MAX : 0;
	}
	if (lookup->by_address && !vma->vm_file && !lookup->special)
		describe_addresses(mapped, lookup->pc);
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

static void set_keys(struct lookup *lookup)
{
	const struct identity *identity = &lookup->range.identity;
	struct name_key *file = &lookup->keys[PART_FILE];
	int part;

	memcpy(lookup->text.thread, &identity->thread_begin, sizeof(u64));
	memcpy(lookup->text.thread + sizeof(u64), &identity->thread_end,
	       sizeof(u64));
	if (!(lookup->table->flags & PROFIL_TABLE_THREADS))
		get_task_comm(lookup->text.thread, current->group_leader);
	for (part = 0; part < NR_PARTS; part++)
		if (lookup->files[part])
			profil_names_file_key(&lookup->keys[part],
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
		file->device = lookup->range.mapped.start & ~(u64)U32_MAX;
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
	if (!lookup->table->has_cgroups)
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
		lookup->range.mapped.text = (u64)id << 32;
	return err;
}

/* Put a copy of the range into the cache; without memory it is not there. */
static void cache_range(struct half *half, const struct lookup *lookup)
{
	struct text_range *range =
		kmemdup(&lookup->range, sizeof(*range), NAMES_GFP);

	if (range)
		profil_range_add(&half->cache, range, lookup->pc);
}

static void lookup_release(struct lookup *lookup)
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
	lookup_release(lookup);
	return err;
}

/* While the mappings are being changed, the one that was at the PC before mostly stays. */
static bool use_stale_range(const struct half *half, struct lookup *lookup)
{
	const struct identity *identity = &lookup->range.identity;
	const struct text_range *range =
		range_find(&half->cache, identity, lookup->pc, true);

	if (range)
		lookup->range = *range;
	return range;
}

/* The same with callers */
static bool use_stale_space(const struct half *half, struct lookup *lookup)
{
	struct space *space = space_find(&half->cache, &lookup->range.identity);
	const struct space_range *range =
		space ? space_range(space, lookup->pc) : NULL;

	if (!range)
		return false;
	lookup->range.mapped = range->mapped;
	lookup->range.generation = space->generation;
	return true;
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

static struct lookup lookup_of(struct table *table,
			       const struct identity *identity, u64 pc)
{
	return (struct lookup){
		.pc = pc,
		.range.identity = *identity,
		.range.mapped.text = HALF_NO_TEXT,
		.table = table,
		.by_address = table->flags & PROFIL_TABLE_ADDRESSES &&
			      !profil_process_may_see(table->opener),
	};
}

/* The rows of the file that has been looked up, which is asked for if there are none */
static void set_rows(struct table *table, struct half *half,
		     const struct lookup *lookup, struct space_range *range)
{
	const struct name_key *key = &lookup->keys[PART_FILE];
	struct xarray *names = &half->names.ids[ENTRY_NAME];
	const struct name *name;

	range->rule = 0;
	range->rows = NULL;
	if (key->kind == PROFIL_NAME_MEMORY) {
		range->rule = UNWIND_BY_RBP;
		return;
	}
	range->rows = profil_rows_find(table->rows, key);
	name = xa_load(names, lookup->text.parts[PART_FILE]);
	if (!range->rows && name)
		profil_rows_want(table->rows, name, &table->readers);
}

/* Look up the text at @pc for @draft. *@next: behind it. As look_up() */
static int draft_range(struct table *table, struct half *half,
		       struct space *draft, u64 pc, u64 *next)
{
	struct lookup lookup = lookup_of(table, &draft->identity, pc);
	struct space_range *range = &draft->ranges[draft->nr];
	int err = look_up(half, &lookup);

	*next = lookup.range.mapped.start + lookup.range.mapped.size;
	if (err)
		return err;
	if (lookup.range.generation != draft->generation)
		return -EBUSY;
	range->mapped = lookup.range.mapped;
	set_rows(table, half, &lookup, range);
	draft->nr++;
	return 0;
}

/* The first text at or above *@at, of *@left mappings. 0; ENOENT; EBUSY */
static int find_next_text(u64 *at, unsigned int *left)
{
	VMA_ITERATOR(vmi, current->mm, *at);
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	int err = -ENOENT;

	if (!lock_mappings(mm))
		return -EBUSY;
	for_each_vma(vmi, vma) {
		if (!*left || vma->vm_flags & VM_EXEC)
			break;
		--*left;
	}
	if (vma && *left) {
		*at = max_t(u64, *at, vma->vm_start);
		err = 0;
	}
	mmap_read_unlock(mm);
	return err;
}

/* Is text mapped at @pc? 0; ENOENT; EBUSY */
static int find_text_at(u64 pc)
{
	unsigned int left = 1;
	u64 at = pc;
	int err = find_next_text(&at, &left);

	return err ?: at == pc ? 0 : -ENOENT;
}

/* The first text, and that at @pc; text without a name for lack of room is not in it. */
static int draft_all(struct table *table, struct half *half,
		     struct space *draft, u64 pc)
{
	unsigned int left = SPACE_MAPPINGS, looked_up;
	bool is_at_pc, has_pc = false;
	u64 at = 0, next;
	int err;

	for (looked_up = 1; looked_up < SPACE_MAX_RANGES; looked_up++) {
		err = find_next_text(&at, &left);
		if (err == -ENOENT)
			break;
		err = err ?: draft_range(table, half, draft, at, &next);
		if (err == -EBUSY || err == -ENOENT)
			return -EBUSY;
		is_at_pc = pc >= at && pc < next;
		if (err && is_at_pc)
			return err;
		has_pc |= is_at_pc;
		at = next;
	}
	return has_pc ? 0 : draft_range(table, half, draft, pc, &next);
}

/*
 * Text at @pc, for a draft without any: with all text of current, or, where that is more than
 * a space has, with the text in the space of now.
 */
static int draft_text(struct table *table, struct half *half,
		      struct space *draft, u64 pc)
{
	const struct space *old = space_find(&half->cache, &draft->identity);
	u64 next;
	int err;

	if (!space_is_full(old) || !space_is_valid(old, draft->rows_version))
		return draft_all(table, half, draft, pc);
	err = draft_range(table, half, draft, pc, &next);
	if (!err)
		profil_space_take_over(draft, old);
	return err;
}

/* Look up all text of current for its space. As look_up(); EBUSY if it is changing */
static int look_up_space(struct table *table, struct half *half,
			 const struct identity *identity, u64 pc)
{
	struct space *draft;
	int err = find_text_at(pc);

	if (err)
		return err;
	draft = kmalloc(struct_size(draft, ranges, SPACE_MAX_RANGES),
			NAMES_GFP);
	if (!draft)
		return -ENOMEM;
	*draft = (struct space){
		.identity = *identity,
		.generation = space_generation(current->mm),
		.rows_version = rows_last_version(table->rows),
	};
	err = draft_text(table, half, draft, pc) ?:
		      profil_space_add(&half->cache, draft);
	kfree(draft);
	return err;
}

static void set_hole(const struct half *half, const struct identity *identity,
		     u64 pc)
{
	struct space *space = space_find(&half->cache, identity);

	if (space)
		space_add_hole(space, pc);
}

/* Samples have been counted with their callers, or have no room. */
static void resolve_walked(struct half *half, enum walked walked, u64 mode,
			   u32 samples)
{
	if (walked == WALK_COUNTED) {
		half_resolve(half, OUTCOME_HITS, 0, 0, samples);
		half_count(half, OUTCOME_WALK_DEFERRED, samples);
	} else {
		half_resolve(half, OUTCOME_FULL, HALF_NO_TEXT, mode, samples);
	}
}

/* As profil_walk(); WALK_LACKS if text is not known, or changes too often */
static enum walked count_stacks(struct table *table, struct half *half,
				const struct identity *identity,
				const struct user_regs *regs, u64 mode,
				u32 samples, u64 *missing)
{
	enum walked walked;
	int tries, err;

	for (tries = 0; tries < STACK_LOOK_UPS; tries++) {
		walked = profil_walk(table, half, identity, regs, mode, samples,
				     WALK_MAX_FRAMES, missing);
		if (walked != WALK_LACKS)
			break;
		err = look_up_space(table, half, identity, *missing);
		if (err == -ENOENT && *missing != regs->pc)
			set_hole(half, identity, *missing);
		else if (err)
			break;
	}
	if (walked == WALK_COUNTED || walked == WALK_FULL)
		resolve_walked(half, walked, mode, samples);
	return walked;
}

/* A leaf whose callers are not known, since the mappings change, or memory lacks */
static void count_leaf_alone(struct half *half, u64 key, u32 samples)
{
	u32 slot, node, root = PROFIL_NODE_ROOT + PROFIL_WALK_UNMAPPED;

	half_count(half, OUTCOME_WALKS + PROFIL_WALK_UNMAPPED, samples);
	half_count(half, OUTCOME_WALK_DEFERRED, samples);
	if (half_find_slot(half, key, false, &slot) &&
	    half_find_node(half, root, slot, &node))
		half_add_at(half, node, samples);
	else
		half_count(half, OUTCOME_WALK_SHORTENED, samples);
}

static void count_text(struct table *table, struct half *half,
		       struct lookup *lookup, u64 mode, u32 samples, int err)
{
	u64 kernel_bit = mode & PROFIL_KEY_KERNEL;
	bool is_stale;
	u64 key;

	if (!err)
		err = look_up(half, lookup);
	if (!err && !table->rows)
		cache_range(half, lookup);
	is_stale = err == -EBUSY &&
		   (table->rows ? use_stale_space(half, lookup) :
				  use_stale_range(half, lookup));
	if (is_stale)
		err = 0;
	key = mapped_key(&lookup->range.mapped, lookup->pc) | kernel_bit;
	if (!err && !half_add(half, key, samples))
		err = -ENOSPC;
	half_resolve(half, outcome_of(err), lookup->range.mapped.text, mode,
		     samples);
	if (!err && table->rows)
		count_leaf_alone(half, key, samples);
	if (is_stale && !err && !range_is_valid(&lookup->range))
		half_count(half, OUTCOME_STALE, samples);
}

bool profil_lookup_count(struct table *table, const struct identity *identity,
			 const struct user_regs *regs, u64 mode, u32 samples,
			 u64 *absent)
{
	struct lookup lookup = lookup_of(table, identity, regs->pc);
	struct half *half = rcu_dereference(table->half);
	struct mem_cgroup *old = set_active_memcg(table->memcg);
	int err = table->flags & PROFIL_TABLE_TREE ? check_program(table) : 0;
	enum walked walked = WALK_LACKS;

	if (!err && table->rows)
		walked = count_stacks(table, half, identity, regs, mode,
				      samples, absent);
	if (walked == WALK_LACKS || walked == WALK_LONG)
		count_text(table, half, &lookup, mode, samples, err);
	set_active_memcg(old);
	return walked != WALK_ABSENT;
}
