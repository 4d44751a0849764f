// SPDX-License-Identifier: GPL-2.0-only

#include "profile/head.h"

#define FIELD(line, member, sum, most, is_optional)                     \
	{                                                               \
		line, sum, most, offsetof(struct profile_head, member), \
			is_optional                                     \
	}
#define NUMBER(line, member, sum, most) FIELD(line, member, sum, most, false)
#define COUNT(line, member) NUMBER(line, member, HEAD_SUM, UINT64_MAX)
#define UNUSED(line) NUMBER(line, unused, HEAD_FIRST, UINT64_MAX)
#define OPTIONAL(line, member, sum, most) FIELD(line, member, sum, most, true)
#define TAKEN(line, member, class, text)                                   \
	{                                                                  \
		line, HEAD_SUM, UINT64_MAX,                                \
			offsetof(struct profile_head, taken.member), true, \
			class, #member, text                               \
	}

/* The fields of a line stay as they are. A number of a later driver has its own line. */
const struct head_field profil_head_fields[] = {
	NUMBER("time", begin_ns, HEAD_LEAST, UINT64_MAX),
	COUNT("time", wall_ns),
	COUNT("time", cpu_ns),
	COUNT("time", kernel_ns),
	NUMBER("clock", period_ns, HEAD_SET, UINT64_MAX),
	NUMBER("clock", is_tick, HEAD_FIRST, 1),
	NUMBER("end", is_complete, HEAD_LEAST, 1),
	NUMBER("end", status, HEAD_FIRST, 255),
	NUMBER("end", signal, HEAD_FIRST, 127),
	NUMBER("end", running, HEAD_FIRST, INT32_MAX),
	COUNT("totals", samples),
	COUNT("totals", hits),
	COUNT("totals", outside),
	COUNT("totals", lost),
	COUNT("totals", saturated),
	COUNT("totals", kernel_samples),
	COUNT("totals", sessions),
	COUNT("totals", ended),
	UNUSED("totals"),
	UNUSED("processes"),
	UNUSED("processes"),
	UNUSED("processes"),
	UNUSED("processes"),
	UNUSED("processes"),
	UNUSED("processes"),
	UNUSED("processes"),
	COUNT("processes", recordings),
	UNUSED("memory"),
	UNUSED("memory"),
	OPTIONAL("orphan", is_orphan, HEAD_MOST, 1),
	OPTIONAL("attached", attached, HEAD_FIRST, INT32_MAX),
	OPTIONAL("machine", table, HEAD_MOST, TABLE_TREE),
	TAKEN("machine", ticks, TAKEN_SUM, NULL),
	TAKEN("machine", hits, TAKEN_SUM, NULL),
	TAKEN("machine", idle, TAKEN_AWAY, NULL),
	TAKEN("machine", kernel_threads, TAKEN_KERNEL, "in kernel threads"),
	TAKEN("machine", filtered, TAKEN_AWAY, "in other cgroups"),
	TAKEN("machine", starting, TAKEN_KERNEL, "in execve()"),
	TAKEN("machine", exiting, TAKEN_KERNEL, "in exit"),
	UNUSED("machine"),
	TAKEN("machine", unmapped, TAKEN_SUM, NULL),
	TAKEN("machine", cancelled, TAKEN_LOST,
	      "in code that was not looked up"),
	TAKEN("machine", no_item, TAKEN_LOST,
	      "beyond the samples that may wait"),
	TAKEN("machine", no_memory, TAKEN_LOST, "without memory for a name"),
	TAKEN("machine", full, TAKEN_LOST, "without room in the table"),
	TAKEN("machine", kernel_pcs, TAKEN_SUM, NULL),
	TAKEN("machine", kernel_full, TAKEN_SUM, NULL),
	OPTIONAL("machine", idle_ns, HEAD_SUM, UINT64_MAX),
	TAKEN("tree", processes, TAKEN_NOW, NULL),
	TAKEN("tree", running, TAKEN_NOW, NULL),
	TAKEN("tree", unfollowed, TAKEN_NOW, NULL),
	TAKEN("denied", denied, TAKEN_SUM, NULL),
	TAKEN("busy", busy, TAKEN_LOST,
	      "while the program changed its mappings"),
	TAKEN("stale", stale, TAKEN_SUM, NULL),
	TAKEN("dropped", dropped, TAKEN_NOW, NULL),
	OPTIONAL("cpus", busy_ns, HEAD_SUM, UINT64_MAX),
	OPTIONAL("stolen", stolen_ns, HEAD_SUM, UINT64_MAX),
	OPTIONAL("virtual", is_virtual, HEAD_MOST, 1),
	TAKEN("walks", walk_base, TAKEN_WALK, NULL),
	TAKEN("walks", walk_depth, TAKEN_WALK,
	      "deeper than the driver follows"),
	TAKEN("walks", walk_fault, TAKEN_WALK,
	      "with a stack that was not in memory"),
	TAKEN("walks", walk_bad, TAKEN_WALK, "with a stack that is none"),
	TAKEN("walks", walk_unmapped, TAKEN_WALK,
	      "called from where no code is"),
	TAKEN("walks", walk_no_rows, TAKEN_WALK,
	      "in code without unwind tables, or before these were read"),
	TAKEN("walks", walk_narrow, TAKEN_WALK, "in 32-bit code"),
	TAKEN("walks", walk_by_rbp, TAKEN_WALK, "by frame pointers"),
	TAKEN("walks", walk_shortened, TAKEN_WALK, NULL),
	TAKEN("walks", walk_deferred, TAKEN_WALK, NULL),
	{ NULL },
};

/* A number that is added to struct profil_take, behind the last one, needs a row. */
_Static_assert(sizeof(struct profil_take) ==
		       offsetof(struct profil_take, walk_deferred) +
			       sizeof(__u64),
	       "rows for all numbers of a take");

static uint64_t add(enum head_sum sum, uint64_t one, uint64_t other)
{
	switch (sum) {
	case HEAD_FIRST:
		return one;
	case HEAD_SET:
		return one ? one : other;
	case HEAD_SUM:
		return one + other;
	case HEAD_LEAST:
		return one < other ? one : other;
	case HEAD_MOST:
		return one > other ? one : other;
	}
	return one;
}

void profil_head_add(struct profile_head *sum, const struct profile_head *other)
{
	const struct head_field *field = profil_head_fields;

	for (; field->line; field++) {
		uint64_t *number = profil_head_number(sum, field);

		*number = add(field->sum, *number,
			      *profil_head_number(other, field));
	}
}

/* The number of @taken that is the one of @field in a head */
static __u64 *taken_number(const struct profil_take *taken,
			   const struct head_field *field)
{
	return (__u64 *)((char *)taken + field->offset -
			 offsetof(struct profile_head, taken));
}

void profil_taken_add(struct profil_take *sum, const struct profil_take *taken,
		      int times)
{
	const struct head_field *field = profil_head_fields;

	for (; field->line; field++)
		if (field->class)
			*taken_number(sum, field) +=
				times * *taken_number(taken, field);
}

uint64_t profil_taken_sum(const struct profil_take *taken,
			  enum taken_class class)
{
	const struct head_field *field = profil_head_fields;
	uint64_t sum = 0;

	for (; field->line; field++)
		if (field->class == class)
			sum += *taken_number(taken, field);
	return sum;
}

void profil_taken_clear(struct profil_take *taken, enum taken_class class)
{
	const struct head_field *field = profil_head_fields;

	for (; field->line; field++)
		if (field->class == class)
			*taken_number(taken, field) = 0;
}
