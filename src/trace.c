// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "trace.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tracepoint, void *priv)
{
	struct search *search = priv;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

struct tracepoint *trace_find(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(compare, &search);
	return search.found;
}
