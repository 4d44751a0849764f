// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a table of the driver that are not in places */
#include <inttypes.h>
#include <stddef.h>

#include "print/print.h"

/* A time that would be 0.00 s is not printed. */
#define LEAST_NS 5000000

/**
 * struct outcome - what may become of a sample
 * @name: word for it in JSON
 * @where: text behind its time
 * @at: offset of its number of samples in struct profil_take
 */
struct outcome {
	const char *name;
	const char *where;
	size_t at;
};

#define OUTCOME(name, where)                                     \
	{                                                        \
#name, where, offsetof(struct profil_take, name) \
	}

static const struct outcome elsewhere[] = {
	OUTCOME(filtered, "in other cgroups"),
	OUTCOME(kernel_threads, "in kernel threads"),
	OUTCOME(starting, "in execve()"),
	OUTCOME(exiting, "in exit"),
	{ NULL },
};

static const struct outcome denied[] = { OUTCOME(denied, ""), { NULL } };

static const struct outcome lost[] = {
	OUTCOME(gone, "of programs that were gone"),
	OUTCOME(full, "without room in the table"),
	OUTCOME(no_memory, "without memory for a name"),
	OUTCOME(no_item, "beyond the samples that may wait"),
	OUTCOME(cancelled, "at the end of the recording"),
	{ NULL },
};

static uint64_t samples_of(const struct profile_head *head,
			   const struct outcome *outcome)
{
	return *(const __u64 *)((const char *)&head->taken + outcome->at);
}

static int print_times(FILE *out, const struct profile_head *head,
		       const struct outcome *outcome)
{
	int parts = 0;

	for (; outcome->name; outcome++) {
		uint64_t time = samples_of(head, outcome) * head->period_ns;

		if (time >= LEAST_NS)
			fprintf(out, "%s%.2f s %s", parts++ ? ", " : "",
				time / 1e9, outcome->where);
	}
	return parts;
}

int profil_elsewhere_print(FILE *out, const struct profile_head *head)
{
	int parts = print_times(out, head, elsewhere);

	if (head->idle_ns >= LEAST_NS)
		fprintf(out, "%s%.2f s idle", parts++ ? ", " : "",
			head->idle_ns / 1e9);
	return parts;
}

int profil_elsewhere_print_lost(FILE *out, const struct profile_head *head)
{
	return print_times(out, head, lost);
}

static void print_numbers(FILE *out, const struct profile_head *head,
			  const struct outcome *outcome)
{
	for (; outcome->name; outcome++)
		fprintf(out, ", \"%s\": %" PRIu64, outcome->name,
			samples_of(head, outcome));
}

void profil_elsewhere_print_json(FILE *out, const struct profile_head *head)
{
	fprintf(out, "  \"table\": {\"ticks\": %" PRIu64 ", \"idle\": %" PRIu64,
		(uint64_t)head->taken.ticks, (uint64_t)head->taken.idle);
	print_numbers(out, head, elsewhere);
	print_numbers(out, head, denied);
	print_numbers(out, head, lost);
	fputs("},\n", out);
}
