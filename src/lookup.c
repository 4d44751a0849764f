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

/* What is mapped at a PC of current */
struct lookup {
	struct table *table;
	struct half *half; /* the one in use */
	u64 pc; /* the PC */
	bool by_address; /* memory without a file has a key for each PC */
	/* of the mapping, in the current program; without a text until that is known */
	struct text_range range;
	/* of PART_PROGRAM, with a reference, and of PART_FILE, under mmap_lock; or NULL */
	struct file *files[NR_PARTS];
	/* name of a mapping without a file that the kernel has made, or NULL */
	const char *special;
	/* of the names; the kind is 0 where there is none */
	struct name_key keys[NR_PARTS];
	struct text_key text; /* key of the text */
	char *room; /* for names that are made: PATH_MAX bytes; NULL before the first one */
};

/* A range has no key for two places: the upper halves of all its PCs are the same. */
static void describe_addresses(struct lookup *lookup, u64 pc)
{
	struct name_key *key = &lookup->keys[PART_FILE];
	struct mapped *mapped = &lookup->range.mapped;
	u64 upper = pc & ~(u64)U32_MAX;
	u64 start = max(mapped->start, upper);
	u64 last = min(mapped->start + mapped->size - 1, upper | U32_MAX);

	mapped->start = start;
	mapped->size = last - start + 1;
	mapped->offset = start;
	mapped->mask = U32_MAX;
	key->device = upper;
	key->inode = (unsigned long)task_tgid(current);
}

static const char *special_name(struct vm_area_struct *vma)
{
	return vma->vm_ops && vma->vm_ops->name ? vma->vm_ops->name(vma) : NULL;
}

/* The mapping of @pc, and the key of its name */
static void describe_mapping(struct lookup *lookup, struct vm_area_struct *vma,
			     u64 pc)
{
	struct name_key *key = &lookup->keys[PART_FILE];
	struct mapped *mapped = &lookup->range.mapped;
	struct file *file = vma->vm_file;
	const char *special = file ? NULL : special_name(vma);

	mmap_assert_locked(vma->vm_mm);
	*key = (struct name_key){ .kind = PROFIL_NAME_MEMORY };
	*mapped = (struct mapped){
		.start = vma->vm_start,
		.size = vma->vm_end - vma->vm_start,
		.text = HALF_NO_TEXT,
		.mask = file || special ? U32_MAX : 0,
	};
	lookup->text.parts[PART_FILE] = 0;
	lookup->files[PART_FILE] = file;
	lookup->special = special;
	if (file) {
		mapped->offset = vma->vm_pgoff << PAGE_SHIFT;
		profil_names_file_key(key, file_inode(file));
	} else if (special) {
		key->kind = PROFIL_NAME_SPECIAL;
		memcpy(&key->inode, special,
		       strnlen(special, sizeof(key->inode)));
	} else if (lookup->by_address) {
		describe_addresses(lookup, pc);
	}
}

/* What all text of current has in its key */
static void set_program_keys(struct lookup *lookup)
{
	const struct identity *identity = &lookup->range.identity;
	struct file **program = &lookup->files[PART_PROGRAM];

	memcpy(lookup->text.thread, &identity->thread_begin, sizeof(u64));
	memcpy(lookup->text.thread + sizeof(u64), &identity->thread_end,
	       sizeof(u64));
	if (!(lookup->table->flags & PROFIL_TABLE_THREADS))
		get_task_comm(lookup->text.thread, current->group_leader);
	lookup->keys[PART_CGROUP].kind = PROFIL_NAME_CGROUP;
	lookup->keys[PART_CGROUP].inode = identity->cgroup;
	*program = compat_exe_file(current->mm);
	if (*program)
		profil_names_file_key(&lookup->keys[PART_PROGRAM],
				      file_inode(*program));
}

/*
 * The path of a file as its program has it, a name, or the path of a cgroup, but of none
 * that current has left, or that who opened the table may not see
 */
static const char *path_of(const struct lookup *lookup, enum part part)
{
	const struct file *file = lookup->files[part];
	char *room = lookup->room;
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

/* NULL without memory */
static struct entry *make_name(struct lookup *lookup, enum part part)
{
	struct file *file = lookup->files[part];
	struct name *name;
	const char *path;
	size_t size;

	lookup->room = lookup->room ?: kmalloc(PATH_MAX, NAMES_GFP);
	if (!lookup->room)
		return NULL;
	path = path_of(lookup, part);
	if (IS_ERR(path))
		path = ""; /* longer than PATH_MAX */
	size = strlen(path) + 1;
	name = profil_names_alloc(ENTRY_NAME, struct_size(name, path, size));
	if (!name)
		return NULL;
	name->path_size = size;
	memcpy(name->path, path, size);
	if (file)
		name->build_id_size = profil_build_id(file, lookup->room,
						      PATH_MAX, name->build_id);
	/* The key has the address of the process, which is not to be reused. */
	if (lookup->by_address && part == PART_FILE && !file)
		name->entry.process = book_get_pid(task_tgid(current));
	return &name->entry;
}

/* As profil_names_id() */
static int find_id(struct lookup *lookup, enum part part, struct entry **fresh,
		   u32 *id)
{
	struct names *names = &lookup->half->names;
	int err;

	spin_lock(&names->lock);
	if (part == NR_PARTS)
		err = profil_names_id(names, ENTRY_TEXT, &lookup->text, fresh,
				      id);
	else
		err = profil_names_id(names, ENTRY_NAME, &lookup->keys[part],
				      fresh, id);
	spin_unlock(&names->lock);
	return err;
}

/* Set the ID of a name, or with NR_PARTS of the text. It is added if need be. */
static int set_id(struct lookup *lookup, enum part part, u32 *id)
{
	struct entry *fresh;
	int err = find_id(lookup, part, NULL, id);

	if (err != -EAGAIN)
		return err;
	fresh = part == NR_PARTS ?
			profil_names_alloc(ENTRY_TEXT, sizeof(struct text)) :
			make_name(lookup, part);
	err = find_id(lookup, part, &fresh, id);
	profil_names_free_entry(fresh);
	return err;
}

/* Set the text of the range. */
static int set_text(struct lookup *lookup)
{
	u32 *ids = lookup->text.parts, id;
	int part, err = 0;

	for (part = 0; !err && part < NR_PARTS; part++)
		if (lookup->keys[part].kind && !ids[part])
			err = set_id(lookup, part, &ids[part]);
	err = err ?: set_id(lookup, NR_PARTS, &id);
	if (!err)
		lookup->range.mapped.text = (u64)id << 32;
	return err;
}

/* Put a copy of the range into the cache; without memory it is not there. */
static void cache_range(const struct lookup *lookup)
{
	struct text_range *range =
		kmemdup(&lookup->range, sizeof(*range), NAMES_GFP);

	if (range)
		profil_range_add(&lookup->half->cache, range, lookup->pc);
}

static void lookup_release(struct lookup *lookup)
{
	if (lookup->files[PART_PROGRAM])
		fput(lookup->files[PART_PROGRAM]);
	kfree(lookup->room);
}

/* Find the key of the text at @pc, in @vma. 0 or an errno of outcome_of() */
static int look_up_at(struct lookup *lookup, struct vm_area_struct *vma, u64 pc)
{
	describe_mapping(lookup, vma, pc);
	return set_text(lookup);
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
 * Call @find with the mapping of the PC: its result; EBUSY if the lock of the mappings is
 * taken; ENOENT if no text is mapped there any more. A file of memfd_secret(), whose pages
 * the kernel cannot read, is never text.
 */
static int look_up(struct lookup *lookup,
		   int (*find)(struct lookup *, struct vm_area_struct *))
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	int err = -ENOENT;

	if (!lock_mappings(mm))
		return -EBUSY;
	vma = vma_lookup(mm, lookup->pc);
	if (vma && vma->vm_flags & VM_EXEC) {
		lookup->range.generation = space_generation(mm);
		if (!lookup->keys[PART_CGROUP].kind)
			set_program_keys(lookup);
		err = find(lookup, vma);
	}
	mmap_read_unlock(mm);
	return err;
}

static int find_range(struct lookup *lookup, struct vm_area_struct *vma)
{
	return look_up_at(lookup, vma, lookup->pc);
}

/* While the mappings are being changed, the one that was at the PC before mostly stays. */
static bool use_stale_range(struct lookup *lookup)
{
	const struct text_range *range = range_find(&lookup->half->cache,
						    &lookup->range.identity,
						    lookup->pc, true);

	if (range)
		lookup->range = *range;
	return range;
}

/* The same with callers */
static bool use_stale_space(struct lookup *lookup)
{
	struct space *space =
		space_find(&lookup->half->cache, &lookup->range.identity);
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
		.table = table,
		.half = rcu_dereference(table->half),
		.pc = pc,
		.by_address = table->flags & PROFIL_TABLE_ADDRESSES &&
			      !profil_process_may_see(table->opener),
		.range.identity = *identity,
	};
}

/* The rows of the file that has been looked up, which is asked for if there are none */
static void set_rows(const struct lookup *lookup, struct space_range *range)
{
	struct xarray *names = &lookup->half->names.ids[ENTRY_NAME];
	const struct name_key *key = &lookup->keys[PART_FILE];
	struct table *table = lookup->table;
	const struct name *name;

	range->rule = 0;
	range->rows = NULL;
	if (key->kind == PROFIL_NAME_MEMORY) {
		range->rule = UNWIND_BY_RBP;
		return;
	}
	range->rows = profil_rows_find(table->rows, key);
	name = range->rows ? NULL :
			     xa_load(names, lookup->text.parts[PART_FILE]);
	if (name)
		profil_rows_want(table->rows, name, &table->readers);
}

/* Look up the text at @pc, in @vma, for @draft. As look_up_at() */
static int draft_range(struct lookup *lookup, struct space *draft,
		       struct vm_area_struct *vma, u64 pc)
{
	struct space_range *range = &draft->ranges[draft->nr];
	int err = look_up_at(lookup, vma, pc);

	if (err)
		return err;
	range->mapped = lookup->range.mapped;
	set_rows(lookup, range);
	draft->nr++;
	return 0;
}

/* All text of @vma, of *@left ranges. *@err: the result for that of the PC, if it is there */
static void draft_mapping(struct lookup *lookup, struct space *draft,
			  struct vm_area_struct *vma, unsigned int *left,
			  int *err)
{
	const struct mapped *mapped = &lookup->range.mapped;
	u64 at = vma->vm_start;
	int result;

	for (; *left && at < vma->vm_end; at = mapped->start + mapped->size) {
		result = draft_range(lookup, draft, vma, at);
		if (mapped_has(mapped, lookup->pc))
			*err = result;
		--*left;
	}
}

/*
 * The first text, @left ranges of it, and that of the PC, in @vma; text without a name for
 * lack of room is not in it.
 */
static int draft_all(struct lookup *lookup, struct space *draft,
		     struct vm_area_struct *vma, unsigned int left)
{
	VMA_ITERATOR(vmi, vma->vm_mm, 0);
	unsigned int others = SPACE_MAPPINGS;
	struct vm_area_struct *each;
	int err = -ENOENT;

	for_each_vma(vmi, each) {
		if (each->vm_flags & VM_EXEC)
			draft_mapping(lookup, draft, each, &left, &err);
		else
			others--;
		if (!left || !others)
			break;
	}
	return err == -ENOENT ? draft_range(lookup, draft, vma, lookup->pc) :
				err;
}

/* Room for all text, and for one more range */
static unsigned int ranges_of(const struct lookup *lookup,
			      const struct mm_struct *mm)
{
	/* A mapping of memory may be several ranges. */
	if (lookup->by_address || mm->map_count >= SPACE_MAX_RANGES)
		return SPACE_MAX_RANGES;
	return mm->map_count + 1;
}

/*
 * Look up all text for the space of current; or, if that is more than a space has, the text of
 * the PC for the space of now. As look_up_at()
 */
static int find_space(struct lookup *lookup, struct vm_area_struct *vma)
{
	const struct identity *identity = &lookup->range.identity;
	struct text_cache *cache = &lookup->half->cache;
	const struct space *old = space_find(cache, identity);
	unsigned long version = rows_last_version(lookup->table->rows);
	bool is_full = space_is_full(old) && space_is_valid(old, version);
	unsigned int ranges = is_full ? SPACE_MAX_RANGES :
					ranges_of(lookup, vma->vm_mm);
	struct space *draft =
		kmalloc(struct_size(draft, ranges, ranges), NAMES_GFP);
	int err;

	if (!draft)
		return -ENOMEM;
	*draft = (struct space){
		.identity = *identity,
		.generation = lookup->range.generation,
		.rows_version = version,
	};
	err = is_full ? draft_range(lookup, draft, vma, lookup->pc) :
			draft_all(lookup, draft, vma, ranges - 1);
	if (!err && is_full)
		profil_space_take_over(draft, old);
	err = err ?: profil_space_add(cache, draft);
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
static enum walked count_stacks(struct lookup *lookup,
				const struct user_regs *regs, u64 mode,
				u32 samples, u64 *missing)
{
	const struct identity *identity = &lookup->range.identity;
	struct half *half = lookup->half;
	enum walked walked;
	int tries, err;

	for (tries = 0; tries < STACK_LOOK_UPS; tries++) {
		walked = profil_walk(lookup->table, half, identity, regs, mode,
				     samples, WALK_MAX_FRAMES, missing);
		if (walked != WALK_LACKS)
			break;
		lookup->pc = *missing;
		err = look_up(lookup, find_space);
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

/* A sample at @pc, without callers */
static void count_text(struct lookup *lookup, u64 pc, u64 mode, u32 samples,
		       int err)
{
	bool has_callers = lookup->table->rows;
	struct half *half = lookup->half;
	bool is_stale;
	u64 key;

	lookup->pc = pc;
	lookup->range.mapped.text = HALF_NO_TEXT;
	if (!err)
		err = look_up(lookup, find_range);
	if (!err && !has_callers)
		cache_range(lookup);
	is_stale = err == -EBUSY && (has_callers ? use_stale_space(lookup) :
						   use_stale_range(lookup));
	if (is_stale)
		err = 0;
	key = mapped_key(&lookup->range.mapped, pc) |
	      (mode & PROFIL_KEY_KERNEL);
	if (!err && !half_add(half, key, samples))
		err = -ENOSPC;
	half_resolve(half, outcome_of(err), lookup->range.mapped.text, mode,
		     samples);
	if (!err && has_callers)
		count_leaf_alone(half, key, samples);
	if (is_stale && !err && !range_is_valid(&lookup->range))
		half_count(half, OUTCOME_STALE, samples);
}

bool profil_lookup_count(struct table *table, const struct identity *identity,
			 const struct user_regs *regs, u64 mode, u32 samples,
			 u64 *absent)
{
	struct lookup lookup = lookup_of(table, identity, regs->pc);
	struct mem_cgroup *old = set_active_memcg(table->memcg);
	int err = table->flags & PROFIL_TABLE_TREE ? check_program(table) : 0;
	enum walked walked = WALK_LACKS;

	if (!err && table->rows)
		walked = count_stacks(&lookup, regs, mode, samples, absent);
	if (walked == WALK_LACKS || walked == WALK_LONG)
		count_text(&lookup, regs->pc, mode, samples, err);
	lookup_release(&lookup);
	set_active_memcg(old);
	return walked != WALK_ABSENT;
}
