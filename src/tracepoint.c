// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "stuck.h"
#include "tracepoint.h"

struct name_match {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tracepoint, void *priv)
{
	struct name_match *match = priv;

	if (!strcmp(tracepoint->name, match->name))
		match->found = tracepoint;
}

struct tracepoint *profil_tracepoint_find(const char *name)
{
	struct name_match match = { .name = name };

	for_each_kernel_tracepoint(compare, &match);
	return match.found;
}

int profil_tracepoint_attach(struct tracepoint *tracepoint, void *probe)
{
	return tracepoint_probe_register(tracepoint, probe, NULL);
}

void profil_tracepoint_detach(struct tracepoint *tracepoint, void *probe)
{
	int err = tracepoint_probe_unregister(tracepoint, probe, NULL);

	if (err)
		profil_stuck_report(tracepoint->name, err);
}
