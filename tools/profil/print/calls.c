// SPDX-License-Identifier: GPL-2.0-only
/* Calls by caller and callee */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/calls.h"
#include "util/memory.h"

/**
 * struct pair - calls of one function by another
 * @caller: function that calls
 * @callee: function that is called
 * @calls: number of calls
 */
struct pair {
	const struct function *caller;
	const struct function *callee;
	uint64_t calls;
};

/* Functions of the same name differ by their address. */
static int compare(const struct function *one, const struct function *other)
{
	int names = strcmp(one->name, other->name);

	return names ? names : (one > other) - (one < other);
}

static int by_functions(const void *a, const void *b)
{
	const struct pair *one = a;
	const struct pair *other = b;
	int callers = compare(one->caller, other->caller);

	return callers ? callers : compare(one->callee, other->callee);
}

static int by_calls(const void *a, const void *b)
{
	const struct pair *one = a;
	const struct pair *other = b;

	if (one->calls != other->calls)
		return one->calls < other->calls ? 1 : -1;
	return by_functions(a, b);
}

/* Merge arcs between the same functions: each call site has an arc. */
static size_t join(struct pair *pairs, size_t nr)
{
	size_t last = 0;

	qsort(pairs, nr, sizeof(*pairs), by_functions);
	for (size_t i = 1; i < nr; i++) {
		if (by_functions(&pairs[i], &pairs[last]))
			pairs[++last] = pairs[i];
		else
			pairs[last].calls += pairs[i].calls;
	}
	return last + 1;
}

static size_t find_pairs(struct attribution *attribution,
			 const struct gprof_data *data, struct pair *pairs)
{
	for (size_t i = 0; i < data->nr_arcs; i++) {
		const struct gprof_arc *arc = &data->arcs[i];

		pairs[i] = (struct pair){
			.caller = profil_attribute_at(attribution, arc->from),
			.callee = profil_attribute_at(attribution, arc->self),
			.calls = arc->count,
		};
	}
	return data->nr_arcs ? join(pairs, data->nr_arcs) : 0;
}

void profil_calls_print(FILE *out, struct attribution *attribution,
			const struct gprof_data *data)
{
	struct pair *pairs =
		profil_grow(NULL, data->nr_arcs + 1, sizeof(*pairs));
	size_t nr = find_pairs(attribution, data, pairs);

	qsort(pairs, nr, sizeof(*pairs), by_calls);
	fprintf(out, "\n%10s  %s\n", "calls", "caller -> callee");
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%10" PRIu64 "  %s -> %s\n", pairs[i].calls,
			pairs[i].caller->name, pairs[i].callee->name);
	free(pairs);
}
