// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#define LONGEST_NS NSEC_PER_SEC

#define FEW_SESSIONS 64

__u32 oracle_size(unsigned long command)
{
	switch (command) {
	case PROFIL_IOC_VERSION:
		return 64;
	case PROFIL_IOC_START:
		return 32;
	case PROFIL_IOC_STOP:
	case PROFIL_IOC_STATS:
		return 96;
	case PROFIL_IOC_TABLE:
		return 24;
	case PROFIL_TABLE_IOC_ADD:
		return 12;
	case PROFIL_TABLE_IOC_TAKE:
		return 288;
	case PROFIL_TABLE_IOC_TEXT:
		return 48;
	case PROFIL_TABLE_IOC_NAME:
		return 88;
	case PROFIL_TABLE_IOC_SYMBOL:
		return 272;
	case PROFIL_TABLE_IOC_WANTED:
		return 88;
	case PROFIL_TABLE_IOC_ROWS:
		return 56;
	default:
		return 0;
	}
}

static void read_memory(void *to, __u64 at, size_t bytes)
{
	memcpy(to, (const void *)(uintptr_t)at, bytes);
}

/*
 * The bytes from @at to @end, which are unknown to the driver. Of bytes that are
 * not zero, and bytes behind them that cannot be read, either may be reported.
 */
static results tail_results(__u64 at, __u64 end)
{
	bool readable = memory_reads(at, end - at);
	results found = readable ? 0 : ERROR(EFAULT);

	for (; at < end && memory_reads(at, 1); at++)
		if (*(const char *)(uintptr_t)at)
			return found | ERROR(E2BIG);
	return found;
}

/* "Sizes and extension": the errors of a structure, or 0 if it has none */
static results structure_results(__u64 at, __u32 known)
{
	results found;
	__u32 size;

	if (!memory_reads(at, sizeof(size)))
		return ERROR(EFAULT);
	read_memory(&size, at, sizeof(size));
	if (size < known)
		return ERROR(EINVAL);
	if (size > 4096)
		return ERROR(E2BIG);
	found = tail_results(at + known, at + size);
	if (found)
		return found;
	return memory_reads(at, known) ? 0 : ERROR(EFAULT);
}

bool oracle_takes(unsigned long command, __u64 at)
{
	return oracle_size(command) &&
	       !structure_results(at, oracle_size(command));
}

static bool is_off(const struct profil_region *region, __u32 width)
{
	return region->size < width ||
	       (region->scale <= 1 &&
		!(region->flags & PROFIL_REGION_OVERFLOW));
}

/*
 * Where user space ends depends on the kernel and the processor, between USER_END
 * and the middle of the address space: there is no memory in either case.
 */
static bool surely_outside(const struct profil_region *region)
{
	__u64 end;

	return __builtin_add_overflow(region->base, region->size, &end) ||
	       end > 1ULL << 63;
}

static results region_results(const struct profil_start *start,
			      const struct profil_region *region)
{
	if (region->flags & ~ORACLE_REGION_FLAGS)
		return ERROR(EINVAL);
	if (is_off(region, start->width))
		return 0;
	if (region->base % start->width)
		return ERROR(EINVAL);
	return surely_outside(region) ? ERROR(EFAULT) : 0;
}

static struct profil_region region_nr(const struct profil_start *start,
				      __u32 nr)
{
	struct profil_region region;

	read_memory(&region, start->regions + nr * sizeof(region),
		    sizeof(region));
	return region;
}

/*
 * The errors of the list, before any memory of counters is looked at. @perhaps gets
 * the error of an address that may or may not be one of user space.
 */
static results list_results(const struct profil_start *start, results *perhaps)
{
	results found = 0;

	if (!memory_reads(start->regions,
			  start->nr_regions * sizeof(struct profil_region)))
		return ERROR(EFAULT);
	for (__u32 i = 0; i < start->nr_regions && !found; i++) {
		struct profil_region region = region_nr(start, i);

		found = region_results(start, &region);
		if (!found && !is_off(&region, start->width) &&
		    region.base + region.size > USER_END)
			*perhaps = ERROR(EFAULT);
	}
	return found;
}

static bool counters_are_writable(const struct profil_start *start)
{
	for (__u32 i = 0; i < start->nr_regions; i++) {
		struct profil_region region = region_nr(start, i);

		if (!is_off(&region, start->width) &&
		    !memory_writes(region.base,
				   region.size - region.size % start->width))
			return false;
	}
	return true;
}

static results period_results(const struct world *world, __u64 period_ns)
{
	if (period_ns &&
	    (period_ns < world->min_period_ns || period_ns > LONGEST_NS))
		return ERROR(EINVAL);
	return period_ns && period_ns < world->tick_ns && world->restricted ?
		       ERROR(EACCES) :
		       0;
}

static results field_results(const struct world *world,
			     const struct profil_start *start)
{
	if (start->flags & ~ORACLE_START_FLAGS)
		return ERROR(EINVAL);
	if (start->width != 2 && start->width != 4 && start->width != 8)
		return ERROR(EINVAL);
	if (!start->nr_regions)
		return ERROR(EINVAL);
	if (start->nr_regions > PROFIL_MAX_REGIONS)
		return ERROR(E2BIG);
	return period_results(world, start->period_ns);
}

/* The program's session, and the table. More may be there, as those of forked children. */
static __u64 sessions_of(const struct world *world)
{
	return world->session.exists + world->tree_sessions;
}

/* The table itself may be charged as more sessions than that. */
bool oracle_has_low_limit(const struct world *world)
{
	return world->most_sessions < world->tree_sessions + FEW_SESSIONS;
}

/*
 * A session counts until it has ended, and those of forked children may end at any
 * time, so a low limit may have been reached.
 */
static results limit_results(const struct world *world)
{
	if (sessions_of(world) >= world->most_sessions)
		return ERROR(EAGAIN);
	return oracle_has_low_limit(world) ? ERROR(EAGAIN) | SUCCESS : SUCCESS;
}

/* What START finds in memory, or memory that it may lack */
static results memory_results(const struct world *world,
			      const struct profil_start *start, __u64 at)
{
	results limit = world->limited ? ERROR(ENOMEM) : 0;

	if (!counters_are_writable(start))
		return ERROR(EFAULT) | limit;
	return (memory_writes(at, sizeof(*start)) ? SUCCESS : ERROR(EFAULT)) |
	       limit;
}

/* An address that may or may not be one of user space fails here or later. */
static results start_results(const struct world *world,
			     const struct profil_start *start, __u64 at)
{
	results found = field_results(world, start), perhaps = 0;

	if (found)
		return found;
	found = list_results(start, &perhaps);
	if (found)
		return found | perhaps;
	found = limit_results(world);
	if (!(found & SUCCESS))
		return found | perhaps;
	return (found & ~SUCCESS) | memory_results(world, start, at);
}

static results stats_results(const struct expected *session,
			     const struct profil_stats *stats, __u64 at)
{
	__u32 nr = session->exists ? session->nr_regions : 0;

	if (nr > stats->nr_states)
		nr = stats->nr_states;
	if (stats->states && !memory_writes(stats->states, nr * sizeof(__u32)))
		return ERROR(EFAULT);
	return memory_writes(at, sizeof(*stats)) ? SUCCESS : ERROR(EFAULT);
}

static results peer_results(const struct world *world, unsigned int peer)
{
	if (world->peers[peer].ended)
		return ERROR(ESRCH);
	return world->peers[peer].added ? ERROR(EALREADY) : SUCCESS;
}

/* The program has no other descriptors of processes than those of peers.c. */
static results add_results(const struct world *world,
			   const struct profil_add *add)
{
	if (add->flags & ~ORACLE_ADD_FLAGS || world->last)
		return ERROR(EINVAL);
	if (add->pidfd == PIDFD_ENDED)
		return ERROR(ESRCH);
	if (add->pidfd == PIDFD_FORBIDDEN)
		return ERROR(EPERM);
	if (add->pidfd < PIDFD_PEER || add->pidfd >= PIDFD_PEER + NR_PEERS)
		return ERROR(EBADF);
	return peer_results(world, add->pidfd - PIDFD_PEER);
}

/* The program has no privileges. */
static results table_results(const struct world *world,
			     const struct profil_table *table)
{
	const __u32 both = PROFIL_TABLE_TREE | PROFIL_TABLE_CGROUP;
	results found;

	if (!(table->flags & PROFIL_TABLE_TREE) ||
	    table->flags & PROFIL_TABLE_KERNEL_PCS ||
	    table->counters_log2 > PROFIL_TREE_MAX_LOG2)
		return ERROR(EPERM);
	if (table->flags & ~ORACLE_TABLE_FLAGS ||
	    (table->flags & both) == both ||
	    table->counters_log2 < PROFIL_TABLE_MIN_LOG2 || table->cgroup != -1)
		return ERROR(EINVAL);
	found = period_results(world, table->period_ns);
	if (!found && table->flags & PROFIL_TABLE_CALLERS & ~ORACLE_CALLERS)
		found = ERROR(EOPNOTSUPP);
	return found ?: limit_results(world);
}

/* An argument that cannot be written is found last by TABLE, and first by TAKE. */
static results written_results(results found, __u64 at, __u32 known)
{
	if (!(found & SUCCESS) || memory_writes(at, known))
		return found;
	return (found & ~SUCCESS) | ERROR(EFAULT);
}

/* An entry of the half at rest, whose last ID is @last */
static results id_results(const struct world *world, __u32 id, __u32 last)
{
	if (world->unsummed)
		return SUCCESS | ERROR(EINVAL);
	return id && id <= last ? SUCCESS : ERROR(EINVAL);
}

__u32 oracle_room(const struct profil_name *name)
{
	if (!name->path)
		return 0;
	return name->room < LONGEST_PATH ? name->room : LONGEST_PATH;
}

/* What the path of an entry adds: its length is not known. */
static results path_results(const struct profil_name *name)
{
	__u32 room = oracle_room(name);
	results found = room < LONGEST_PATH ? ERROR(ENAMETOOLONG) : 0;

	if (!name->path)
		return SUCCESS;
	if (!room)
		return ERROR(ENAMETOOLONG);
	if (!memory_writes(name->path, room))
		found |= ERROR(EFAULT);
	return memory_writes(name->path, 1) ? found | SUCCESS : found;
}

static results name_results(const struct world *world,
			    const struct profil_name *name)
{
	results found = id_results(world, name->id, world->names);

	return found & SUCCESS ? (found & ~SUCCESS) | path_results(name) :
				 found;
}

static bool has_processes(const struct world *world)
{
	for (unsigned int i = 0; i < NR_PEERS; i++)
		if (world->peers[i].added)
			return true;
	return false;
}

/* Only a process in the table has files that are wanted. */
static results wanted_results(const struct world *world,
			      const struct profil_wanted *wanted)
{
	results found = ORACLE_CALLERS ? ERROR(EAGAIN) : ERROR(EINVAL);

	if (!ORACLE_CALLERS || !has_processes(world))
		return found;
	found |= SUCCESS;
	if (wanted->path)
		found |= ERROR(ENAMETOOLONG) | ERROR(EFAULT);
	return found;
}

/* "Rows": what a row has to be, beside its order */
static bool is_valid_row(const struct profil_row *row)
{
	int kind = row->rule & 7, n = (__s16)(row->rule & ~7);
	bool saves_none = kind == PROFIL_RULE_NONE || kind == PROFIL_RULE_END ||
			  kind == PROFIL_RULE_PLT || kind == PROFIL_RULE_SIGNAL;

	if (saves_none && (row->bp || row->bx))
		return false;
	if (row->bx > 0 || (row->bp > 0 && row->bp != PROFIL_ROW_AT_BP))
		return false;
	if (kind == PROFIL_RULE_NONE)
		return n == 0 || n == PROFIL_RULE_BY_RBP;
	if (kind == PROFIL_RULE_PLT)
		return n >= 0 && n <= 120;
	if (saves_none)
		return n == 0;
	return kind != PROFIL_RULE_SP || n > 0;
}

/* The rows at @at, up to the first wrong one */
static results list_of_rows_results(__u64 at, __u32 nr)
{
	struct profil_row row, last = { 0 };

	for (__u32 i = 0; i < nr; i++, last = row) {
		__u64 place = at + i * sizeof(row);

		if (!memory_reads(place, sizeof(row)))
			return ERROR(EFAULT);
		read_memory(&row, place, sizeof(row));
		if (!is_valid_row(&row) || (i && row.offset <= last.offset))
			return ERROR(EINVAL) |
			       (memory_reads(at, nr * sizeof(row)) ?
					0 :
					ERROR(EFAULT));
	}
	return SUCCESS;
}

static results key_results(const struct profil_rows *rows)
{
	if (rows->kind == PROFIL_NAME_FILE)
		return SUCCESS;
	if (rows->device || rows->file_size || rows->mtime_ns ||
	    rows->generation)
		return ERROR(EINVAL);
	if (rows->kind == PROFIL_ROWS_BY_FD)
		return SUCCESS | ERROR(EBADF);
	return rows->kind == PROFIL_NAME_SPECIAL ? SUCCESS : ERROR(EINVAL);
}

static bool is_same_file(const struct profil_rows *a,
			 const struct profil_rows *b)
{
	return a->kind == b->kind && a->device == b->device &&
	       a->inode == b->inode && a->file_size == b->file_size &&
	       a->mtime_ns == b->mtime_ns && a->generation == b->generation;
}

/* Index of the file in the table, or @nr_files */
static unsigned int file_of(const struct world *world,
			    const struct profil_rows *rows)
{
	unsigned int i = 0;

	while (i < world->nr_files && !is_same_file(&world->files[i], rows))
		i++;
	return i;
}

/* A file that is named by a descriptor may be one that is named by numbers, too. */
static results removal_results(const struct world *world,
			       const struct profil_rows *rows)
{
	if (world->are_unknown || rows->kind == PROFIL_ROWS_BY_FD)
		return SUCCESS | ERROR(ENOENT);
	return file_of(world, rows) < world->nr_files ? SUCCESS : ERROR(ENOENT);
}

/* "Rows take 16 MiB [...], with an eighth for an index; [...] 4 KiB at least" */
#define ROWS_BYTES (16ULL << 20)
/* What else the driver may keep of a file, and less than a word of its index */
#define OTHER_BYTES 256

static __u64 bytes_of(const struct profil_rows *rows, __u64 other)
{
	__u64 bytes = rows->nr_rows * sizeof(struct profil_row) * 9 / 8 + other;

	return bytes < 4096 ? 4096 : bytes;
}

/* Has the table room for the rows beside those that it has? "[...] both count" */
static results room_results(const struct world *world,
			    const struct profil_rows *rows)
{
	__u64 least = bytes_of(rows, 0), most = bytes_of(rows, OTHER_BYTES);
	results found = 0;

	if (least > ROWS_BYTES)
		return ERROR(EFBIG);
	if (most > ROWS_BYTES)
		found = ERROR(EFBIG);
	for (unsigned int i = 0; i < world->nr_files; i++) {
		least += bytes_of(&world->files[i], 0);
		most += bytes_of(&world->files[i], OTHER_BYTES);
	}
	if (least > ROWS_BYTES)
		return found | ERROR(ENOSPC);
	return most > ROWS_BYTES || world->are_unknown ?
		       found | SUCCESS | ERROR(ENOSPC) :
		       SUCCESS;
}

static results rows_results(const struct world *world,
			    const struct profil_rows *rows)
{
	bool is_wrong = !ORACLE_CALLERS || rows->nr_rows > PROFIL_MAX_ROWS;
	results found = is_wrong ? ERROR(EINVAL) : key_results(rows);

	if (!(found & SUCCESS))
		return found;
	found &= ~SUCCESS;
	if (!rows->nr_rows)
		return found | removal_results(world, rows);
	found |= room_results(world, rows);
	if (!(found & SUCCESS))
		return found;
	found &= ~SUCCESS;
	return found | list_of_rows_results(rows->rows, rows->nr_rows);
}

/* The table has the rows of the call, or no rows of this file any more. */
static void follow_rows(struct world *world, const struct profil_rows *rows)
{
	unsigned int at = file_of(world, rows);

	if (rows->kind == PROFIL_ROWS_BY_FD || at == STEPS_MAX) {
		world->are_unknown = true;
	} else if (rows->nr_rows) {
		world->nr_files += at == world->nr_files;
		world->files[at] = *rows;
	} else if (at < world->nr_files) {
		world->files[at] = world->files[--world->nr_files];
	}
}

static results tree_results(const struct world *world, unsigned long command,
			    __u64 at)
{
	union {
		struct profil_add add;
		struct profil_take take;
		struct profil_text text;
		struct profil_name name;
		struct profil_symbol symbol;
		struct profil_wanted wanted;
		struct profil_rows rows;
	} argument;
	__u32 known = oracle_size(command);

	read_memory(&argument, at, known);
	if (command == PROFIL_TABLE_IOC_ADD)
		return add_results(world, &argument.add);
	if (command == PROFIL_TABLE_IOC_ROWS)
		return rows_results(world, &argument.rows);
	if (!memory_writes(at, known))
		return ERROR(EFAULT);
	if (command == PROFIL_TABLE_IOC_TEXT)
		return id_results(world, argument.text.id, world->texts);
	if (command == PROFIL_TABLE_IOC_NAME)
		return name_results(world, &argument.name);
	if (command == PROFIL_TABLE_IOC_SYMBOL)
		return ERROR(EINVAL); /* no PROFIL_TABLE_KERNEL_PCS */
	if (command == PROFIL_TABLE_IOC_WANTED)
		return wanted_results(world, &argument.wanted);
	return argument.take.flags & ~PROFIL_TAKE_LAST ? ERROR(EINVAL) :
							 SUCCESS;
}

results oracle_allows(const struct world *world, unsigned int device,
		      unsigned long command, __u64 at)
{
	union {
		struct profil_start start;
		struct profil_stats stats;
		struct profil_table table;
	} argument;
	__u32 known = oracle_size(command);
	results found;

	if (!known || device != device_of(command))
		return ERROR(ENOTTY);
	if (command == PROFIL_IOC_STOP && !at)
		return SUCCESS;
	found = structure_results(at, known);
	if (found)
		return found;
	if (device == TREE)
		return tree_results(world, command, at);
	read_memory(&argument, at, known);
	if (command == PROFIL_IOC_START)
		return start_results(world, &argument.start, at);
	if (command == PROFIL_IOC_TABLE)
		return written_results(table_results(world, &argument.table),
				       at, known);
	if (command == PROFIL_IOC_VERSION)
		return memory_writes(at, known) ? SUCCESS : ERROR(EFAULT);
	return stats_results(&world->session, &argument.stats, at);
}

void oracle_follow(struct world *world, const struct called *called, int result)
{
	const struct profil_start *start = &called->start;

	if (called->device != device_of(called->command))
		return;
	if (called->command == PROFIL_IOC_STOP && called->valid)
		world->session.exists = false;
	if (result)
		return;
	if (called->command == PROFIL_IOC_START)
		world->session = (struct expected){
			.exists = true,
			.nr_regions = start->nr_regions,
			.flags = start->flags,
			.period_ns = start->period_ns ?: world->tick_ns,
			.apart = called->apart,
		};
	if (called->command == PROFIL_TABLE_IOC_ADD)
		world->peers[called->add.pidfd - PIDFD_PEER].added = true;
	if (called->command == PROFIL_TABLE_IOC_ROWS)
		follow_rows(world, &called->rows);
	if (called->command == PROFIL_TABLE_IOC_TAKE) {
		world->last |= called->take.flags & PROFIL_TAKE_LAST;
		world->takes++;
	}
}
