// SPDX-License-Identifier: GPL-2.0-only
#include "helpers.h"

#include "common.h"

#define INSTANCE "/sys/kernel/tracing/instances/profil-test"
#define EVENT INSTANCE "/events/workqueue/workqueue_queue_work"

static int make_instance(void)
{
	trace_end(); /* of a test that was killed */
	return mkdir(INSTANCE, 0700) ? -errno : 0;
}

int trace_works(void)
{
	int error = make_instance();

	error = error ?: write_text(EVENT "/filter", "workqueue == \"profil\"");
	return error ?: write_text(EVENT "/enable", "1");
}

int trace_calls(const char *function)
{
	int error = make_instance();

	error = error ?: write_text(INSTANCE "/set_ftrace_filter", function);
	return error ?: write_text(INSTANCE "/current_tracer", "function");
}

long traced(void)
{
	FILE *file = fopen(INSTANCE "/trace", "r");
	char line[512];
	long nr = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		nr += *line != '#';
	fclose(file);
	return nr;
}

void trace_end(void)
{
	rmdir(INSTANCE);
}
