// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include "table.h"

#define ANY ((struct request *)0)

/* The elements of a struct field, for a place of struct request */
#define PLACE(place, address)                                  \
	.name = #place, .at = offsetof(struct request, place), \
	.bytes = sizeof(ANY->place), .is_address = (address)

/* The same of a field that is only out */
#define OUT(place) PLACE(place, false), .is_out = true

/* A part of an array that is only out */
#define OUT_AT(place, offset, size)                                       \
	.name = #place, .at = offsetof(struct request, place) + (offset), \
	.bytes = (size), .is_out = true

/* The same of a period */
#define PERIOD(place) PLACE(place, false), .is_period = true

/* What lies behind a structure, where a longer one has a field */
#define TAIL(size)                                                      \
	.name = "tail", .at = offsetof(struct request, bytes) + (size), \
	.bytes = 8

static const struct field version_fields[] = {
	{ PLACE(version.size, false) },
	{ OUT(version.abi) },
	{ OUT(version.max_regions) },
	{ OUT(version.start_flags) },
	{ OUT(version.clock) },
	{ OUT(version.region_flags) },
	{ OUT(version.tick_ns) },
	{ OUT(version.min_period_ns) },
	{ OUT(version.table_flags) },
	{ OUT(version.add_flags) },
	{ OUT(version.max_sessions) },
	{ OUT(version.max_tables) },
	{ OUT(version.max_trees) },
	{ OUT(version.max_tree_log2) },
	{ TAIL(sizeof(struct profil_version)) },
	{ PLACE(at, true) },
};

static const struct field start_fields[] = {
	{ PLACE(start.size, false) },
	{ PLACE(start.flags, false) },
	{ PLACE(start.width, false) },
	{ PLACE(start.nr_regions, false) },
	{ PLACE(start.regions, true) },
	{ PERIOD(start.period_ns) },
	{ TAIL(sizeof(struct profil_start)) },
	{ PLACE(at, true) },
	{ PLACE(regions[0].base, true) },
	{ PLACE(regions[0].size, false) },
	{ PLACE(regions[0].offset, true) },
	{ PLACE(regions[0].scale, false) },
	{ PLACE(regions[0].flags, false) },
	{ PLACE(regions[1].base, true) },
	{ PLACE(regions[1].size, false) },
	{ PLACE(regions[1].offset, true) },
	{ PLACE(regions[1].scale, false) },
	{ PLACE(regions[1].flags, false) },
};

static const struct field stats_fields[] = {
	{ PLACE(stats.size, false) },
	{ OUT(stats.flags) },
	{ PLACE(stats.nr_states, false) },
	{ OUT(stats.nr_regions) },
	{ PLACE(stats.states, true) },
	{ OUT(stats.period_ns) },
	{ OUT(stats.samples) },
	{ OUT(stats.hits) },
	{ OUT(stats.outside) },
	{ OUT(stats.lost) },
	{ OUT(stats.saturated) },
	{ OUT(stats.kernel_samples) },
	{ OUT(stats.pinned_pages) },
	{ OUT(stats.unprofiled_children) },
	{ TAIL(sizeof(struct profil_stats)) },
	{ PLACE(at, true) },
};

static const struct field table_fields[] = {
	{ PLACE(table.size, false) },
	{ PLACE(table.flags, false) },
	{ PLACE(table.cgroup, false) },
	{ PLACE(table.counters_log2, false) },
	{ PERIOD(table.period_ns) },
	{ TAIL(sizeof(struct profil_table)) },
	{ PLACE(at, true) },
};

static const struct field add_fields[] = {
	{ PLACE(add.size, false) },  { PLACE(add.flags, false) },
	{ PLACE(add.pidfd, false) }, { TAIL(sizeof(struct profil_add)) },
	{ PLACE(at, true) },
};

static const struct field take_fields[] = {
	{ PLACE(take.size, false) }, { PLACE(take.flags, false) },
	{ OUT(take.half) },	     { OUT(take.counters) },
	{ OUT(take.texts) },	     { OUT(take.names) },
	{ OUT(take.ticks) },	     { OUT(take.hits) },
	{ OUT(take.idle) },	     { OUT(take.kernel_threads) },
	{ OUT(take.filtered) },	     { OUT(take.starting) },
	{ OUT(take.exiting) },	     { OUT(take.unmapped) },
	{ OUT(take.denied) },	     { OUT(take.cancelled) },
	{ OUT(take.no_item) },	     { OUT(take.no_memory) },
	{ OUT(take.full) },	     { OUT(take.busy) },
	{ OUT(take.waiting) },	     { OUT(take.stale) },
	{ OUT(take.kernel_pcs) },    { OUT(take.kernel_full) },
	{ OUT(take.processes) },     { OUT(take.running) },
	{ OUT(take.unfollowed) },    { OUT(take.dropped) },
	{ OUT(take.sequence) },	     { OUT(take.walk_base) },
	{ OUT(take.walk_depth) },    { OUT(take.walk_fault) },
	{ OUT(take.walk_bad) },	     { OUT(take.walk_unmapped) },
	{ OUT(take.walk_no_rows) },  { OUT(take.walk_narrow) },
	{ OUT(take.walk_by_rbp) },   { OUT(take.walk_shortened) },
	{ OUT(take.walk_deferred) }, { TAIL(sizeof(struct profil_take)) },
	{ PLACE(at, true) },
};

static const struct field text_fields[] = {
	{ PLACE(text.size, false) }, { PLACE(text.id, false) },
	{ OUT(text.program) },	     { OUT(text.file) },
	{ OUT(text.cgroup) },	     { OUT(text.pid) },
	{ OUT(text.thread) },	     { OUT(text.begin_ns) },
	{ PLACE(at, true) },	     { TAIL(sizeof(struct profil_text)) },
};

/* NAME reads the room, and writes it. */
static const struct field name_fields[] = {
	{ PLACE(name.size, false) },
	{ PLACE(name.id, false) },
	{ OUT(name.kind) },
	{ OUT(name.room) },
	{ PLACE(name.path, true) },
	{ OUT(name.device) },
	{ OUT(name.inode) },
	{ OUT(name.file_size) },
	{ OUT(name.mtime_ns) },
	{ OUT(name.generation) },
	{ OUT(name.build_id_size) },
	{ OUT(name.build_id) },
	{ OUT(name.reserved) },
	{ PLACE(at, true) },
	{ TAIL(sizeof(struct profil_name)) },
};

static const struct field symbol_fields[] = {
	{ PLACE(symbol.size, false) },
	{ PLACE(symbol.offset, false) },
	{ OUT(symbol.start) },
	{ OUT(symbol.reserved) },
	{ OUT(symbol.name) },
	{ PLACE(at, true) },
	{ TAIL(sizeof(struct profil_symbol)) },
};

static const struct field wanted_fields[] = {
	{ PLACE(wanted.size, false) },
	{ OUT(wanted.kind) },
	{ OUT(wanted.pid) },
	{ OUT(wanted.room) },
	{ PLACE(wanted.path, true) },
	{ OUT(wanted.device) },
	{ OUT(wanted.inode) },
	{ OUT(wanted.file_size) },
	{ OUT(wanted.mtime_ns) },
	{ OUT(wanted.generation) },
	{ OUT(wanted.build_id_size) },
	{ OUT_AT(wanted.build_id, 0, 8) },
	{ OUT_AT(wanted.build_id, 8, 8) },
	{ OUT_AT(wanted.build_id, 16, 4) },
	{ OUT(wanted.reserved) },
	{ TAIL(sizeof(struct profil_wanted)) },
	{ PLACE(at, true) },
};

static const struct field rows_fields[] = {
	{ PLACE(rows.size, false) },
	{ PLACE(rows.kind, false) },
	{ PLACE(rows.device, false) },
	{ PLACE(rows.inode, false) },
	{ PLACE(rows.file_size, false) },
	{ PLACE(rows.mtime_ns, false) },
	{ PLACE(rows.generation, false) },
	{ PLACE(rows.nr_rows, false) },
	{ PLACE(rows.rows, true) },
	{ TAIL(sizeof(struct profil_rows)) },
	{ PLACE(at, true) },
	{ PLACE(row_list[0], false) },
	{ PLACE(row_list[1], false) },
};

#define STRUCTURE(command, name)                                              \
	{                                                                     \
		PROFIL_##command, name##_fields, ARRAY_LENGTH(name##_fields), \
			sizeof(struct profil_##name)                          \
	}

static const struct {
	unsigned long command;
	const struct field *fields;
	unsigned int nr;
	size_t size;
} structures[] = {
	STRUCTURE(IOC_VERSION, version),
	STRUCTURE(IOC_START, start),
	STRUCTURE(IOC_STATS, stats),
	STRUCTURE(IOC_STOP, stats),
	STRUCTURE(IOC_TABLE, table),
	STRUCTURE(TABLE_IOC_ADD, add),
	STRUCTURE(TABLE_IOC_TAKE, take),
	STRUCTURE(TABLE_IOC_TEXT, text),
	STRUCTURE(TABLE_IOC_NAME, name),
	STRUCTURE(TABLE_IOC_SYMBOL, symbol),
	STRUCTURE(TABLE_IOC_WANTED, wanted),
	STRUCTURE(TABLE_IOC_ROWS, rows),
};

/* That of VERSION for commands which the driver does not know */
static unsigned int structure_of(unsigned long command)
{
	unsigned int i = ARRAY_LENGTH(structures);

	while (--i && structures[i].command != command)
		;
	return i;
}

const struct field *fields_of(unsigned long command, unsigned int *nr)
{
	unsigned int i = structure_of(command);

	*nr = structures[i].nr;
	return structures[i].fields;
}

static bool is_in_field(unsigned long command, size_t at)
{
	unsigned int i, nr;
	const struct field *fields = fields_of(command, &nr);

	for (i = 0; i < nr; i++)
		if (at >= fields[i].at && at < fields[i].at + fields[i].bytes)
			return true;
	return false;
}

static bool are_in_fields(unsigned long command, size_t at, size_t bytes)
{
	size_t end = at + bytes;

	for (; at < end; at++)
		if (!is_in_field(command, at))
			return false;
	return true;
}

bool fields_are_complete(unsigned long command)
{
	return are_in_fields(command, offsetof(struct request, bytes),
			     structures[structure_of(command)].size) &&
	       (command != PROFIL_IOC_START ||
		are_in_fields(command, offsetof(struct request, regions),
			      2 * sizeof(struct profil_region)));
}

static size_t value_bytes(const struct field *field)
{
	return field->bytes < sizeof(__u64) ? field->bytes : sizeof(__u64);
}

/* The machine is little-endian. */
__u64 field_get(const struct request *request, const struct field *field)
{
	__u64 value = 0;

	memcpy(&value, (const char *)request + field->at, value_bytes(field));
	return value;
}

void field_set(struct request *request, const struct field *field, __u64 value)
{
	if (field->is_address)
		value = memory_harmless(value);
	memcpy((char *)request + field->at, &value, value_bytes(field));
}

/* clang-format off */
/* arm64 ignores the highest byte of an address. */
const __u64 boundary_values[] = {
	0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 15, 16, 17, 31, 32, 33, 47, 48, 49,
	55, 56, 63, 64, 65, 87, 88, 89, 95, 96, 97, 104, 127, 128, 207, 208, 209, 271,
	272, 273, 287, 288, 289, PIDFD_PEER, PIDFD_PEER + 1, PIDFD_FORBIDDEN, PIDFD_ENDED,
	NO_PIDFD, 4095, 4096, 4097, 9999, 10000, 32767, 65535, 65536, 65537,
	99999, 100000, 3999999, 4000000, 999999999, 1000000000, 1000000001,
	1ULL << 20, (1ULL << 31) - 1, 1ULL << 31, (1ULL << 32) - 1, 1ULL << 32,
	ARENA - 1, COUNTERS, COUNTERS + 1, COUNTERS + 2, COUNTERS + 64,
	READONLY - 8, READONLY, REGIONS, REGIONS + 8, STATES, STATES - 2,
	SHARED, ARGUMENT, HOLE - 272, HOLE - 208, HOLE - 128, HOLE - 96,
	HOLE - 88, HOLE - 64, HOLE - 48, HOLE - 32, HOLE - 31, HOLE - 16,
	HOLE - 12, HOLE - 4, HOLE - 2, HOLE, ABOVE_4_GIB + SHARED,
	USER_END - 4096, USER_END - 1, USER_END, (1ULL << 47),
	(1ULL << 63) - 1, 1ULL << 63 | 1ULL << 55, KERNEL, -4096ULL, -128ULL,
	-8ULL, -1ULL,
};
/* clang-format on */

const unsigned int nr_boundary_values = ARRAY_LENGTH(boundary_values);

static struct profil_table valid_table(void)
{
	struct profil_table table = table_args(PROFIL_TABLE_TREE, FAST_NS);

	table.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return table;
}

/* Two rows, in the order of a little-endian machine: rsp + 8, and rsp + 16 */
static void set_rows(struct request *request)
{
	request->rows = (struct profil_rows){
		.size = sizeof(request->rows),
		.kind = PROFIL_NAME_FILE,
		.nr_rows = 2,
		.rows = REGIONS,
	};
	memset(request->regions, 0, sizeof(request->regions));
	request->row_list[0] = (8ULL | PROFIL_RULE_SP) << 32;
	request->row_list[1] = 64 | (16ULL | PROFIL_RULE_SP) << 32;
}

void request_init(struct request *request, unsigned long command)
{
	memset(request, 0, sizeof(*request));
	request->command = command;
	request->at = ARGUMENT;
	for (unsigned int i = 0; i < REGIONS_MAX; i++)
		request->regions[i] =
			region_of((void *)(uintptr_t)(COUNTERS + i * 0x1000),
				  0x400, profil_sites, SITE_SCALE(4));
	if (command == PROFIL_IOC_VERSION)
		request->version = version_blank();
	else if (command == PROFIL_IOC_START)
		request->start = start_of((void *)REGIONS, 2, 4, FAST_NS);
	else if (command == PROFIL_IOC_TABLE)
		request->table = valid_table();
	else if (command == PROFIL_TABLE_IOC_ADD)
		request->add =
			(struct profil_add){ .size = sizeof(request->add),
					     .pidfd = PIDFD_PEER };
	else if (command == PROFIL_TABLE_IOC_TAKE)
		request->take = (struct profil_take){
			.size = sizeof(request->take),
		};
	else if (command == PROFIL_TABLE_IOC_TEXT)
		request->text = (struct profil_text){
			.size = sizeof(request->text),
			.id = 1,
		};
	else if (command == PROFIL_TABLE_IOC_NAME)
		request->name = (struct profil_name){
			.size = sizeof(request->name),
			.id = 1,
			.room = 0x1000,
			.path = SHARED,
		};
	else if (command == PROFIL_TABLE_IOC_SYMBOL)
		request->symbol = (struct profil_symbol){
			.size = sizeof(request->symbol),
		};
	else if (command == PROFIL_TABLE_IOC_WANTED)
		request->wanted = (struct profil_wanted){
			.size = sizeof(request->wanted),
			.room = 256,
			.path = STATES,
		};
	else if (command == PROFIL_TABLE_IOC_ROWS)
		set_rows(request);
	else
		request->stats = stats_blank((void *)STATES, 3);
}

static void place_regions(const struct request *request)
{
	size_t unit = sizeof(request->regions[0]);
	__u32 i, nr = request->start.nr_regions;

	if (nr > PROFIL_MAX_REGIONS)
		nr = REGIONS_MAX;
	for (i = 0; i < nr; i++)
		memory_write(request->start.regions + i * unit,
			     &request->regions[i % REGIONS_MAX], unit);
}

/* The argument is written last: the list may overlap it. */
void request_place(const struct request *request)
{
	if (request->command == PROFIL_IOC_START)
		place_regions(request);
	if (request->command == PROFIL_TABLE_IOC_ROWS)
		memory_write(request->rows.rows, request->row_list,
			     sizeof(request->row_list));
	memory_write(request->at, request->bytes, sizeof(request->bytes));
}
