// SPDX-License-Identifier: GPL-2.0-only

#include "profile/head.h"

#define FIELD(line, member, sum, most, is_optional)                     \
	{                                                               \
		line, sum, most, offsetof(struct profile_head, member), \
			is_optional                                     \
	}
#define NUMBER(line, member, sum, most) FIELD(line, member, sum, most, false)
#define COUNT(line, member) NUMBER(line, member, HEAD_SUM, UINT64_MAX)
#define OPTIONAL(line, member, sum, most) FIELD(line, member, sum, most, true)
#define TAKEN(member) OPTIONAL("machine", taken.member, HEAD_SUM, UINT64_MAX)

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
	COUNT("totals", old[0]),
	COUNT("processes", processes),
	COUNT("processes", starts),
	COUNT("processes", old[1]),
	NUMBER("processes", old[2], HEAD_SET, 4095),
	COUNT("processes", old[3]),
	COUNT("processes", old[4]),
	COUNT("processes", old[5]),
	COUNT("processes", recordings),
	NUMBER("memory", old[6], HEAD_MOST, UINT64_MAX),
	NUMBER("memory", memlock, HEAD_LEAST, UINT64_MAX),
	OPTIONAL("sessions", old[7], HEAD_SUM, UINT64_MAX),
	OPTIONAL("sessions", old[8], HEAD_SUM, UINT64_MAX),
	OPTIONAL("orphan", is_orphan, HEAD_MOST, 1),
	OPTIONAL("attached", attached, HEAD_FIRST, INT32_MAX),
	OPTIONAL("machine", table, HEAD_MOST, TABLE_TREE),
	TAKEN(ticks),
	TAKEN(hits),
	TAKEN(idle),
	TAKEN(kernel_threads),
	TAKEN(filtered),
	TAKEN(starting),
	TAKEN(exiting),
	TAKEN(gone),
	TAKEN(unmapped),
	TAKEN(cancelled),
	TAKEN(no_item),
	TAKEN(no_memory),
	TAKEN(full),
	TAKEN(kernel_pcs),
	TAKEN(kernel_full),
	OPTIONAL("machine", idle_ns, HEAD_SUM, UINT64_MAX),
	OPTIONAL("tree", taken.processes, HEAD_SUM, UINT64_MAX),
	OPTIONAL("tree", taken.running, HEAD_SUM, UINT64_MAX),
	OPTIONAL("tree", taken.unfollowed, HEAD_SUM, UINT64_MAX),
	OPTIONAL("denied", taken.denied, HEAD_SUM, UINT64_MAX),
	{ NULL },
};

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
