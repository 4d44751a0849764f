// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "stuck.h"
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

struct tracepoint *profil_trace_find(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(compare, &search);
	return search.found;
}

int profil_trace_attach(struct tracepoint *tracepoint, void *probe)
{
	return tracepoint_probe_register(tracepoint, probe, NULL);
}

void profil_trace_detach(struct tracepoint *tracepoint, void *probe)
{
	int err = tracepoint_probe_unregister(tracepoint, probe, NULL);

	if (err)
		profil_stuck(tracepoint->name, err);
}
