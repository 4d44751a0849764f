// SPDX-License-Identifier: GPL-2.0-only
/* The line above the profile of a recording */
#include <stdlib.h>
#include <string.h>

#include "print/heading.h"
#include "util/memory.h"
#include "util/output.h"
#include "util/text.h"

/* Characters of a command line that are printed */
#define MAX_COMMAND 60

static void print_command(FILE *out, char **argv)
{
	char *line = NULL, *name;
	size_t size;
	FILE *text = open_memstream(&line, &size);

	if (!text)
		return;
	for (size_t i = 0; argv[i]; i++)
		fprintf(text, "%s%s", i ? " " : "", argv[i]);
	if (fclose(text))
		return;
	name = profil_text_printable(line);
	if (profil_text_width(name) > MAX_COMMAND)
		fprintf(out, "%.*s%s",
			(int)profil_text_bytes(name, MAX_COMMAND), name,
			profil_output_sign("…", "..."));
	else
		fputs(name, out);
	free(name);
	free(line);
}

static void print_status(FILE *out, const struct child_result *result)
{
	const char *name = result->signal ? sigabbrev_np(result->signal) : NULL;

	if (result->running)
		fprintf(out, "process %d is still running", result->running);
	else if (name)
		fprintf(out, "killed by SIG%s", name);
	else if (result->signal)
		fprintf(out, "killed by signal %d", result->signal);
	else
		fprintf(out, "exit status %d", result->status);
}

static void print_number(FILE *out, unsigned long long number, const char *what)
{
	fprintf(out, ", %llu %s%s", number, what, number == 1 ? "" : "s");
}

/*
 * The driver counts all sessions, the library those that it started: the others
 * are sessions of forked children.
 */
static void print_processes(FILE *out, const struct recording *recording)
{
	const struct run *run = recording->file.run;
	unsigned long long sessions = recording->totals.sessions;

	print_number(out, run->processes, "program");
	if (sessions > run->starts)
		print_number(out, sessions - run->starts, "fork");
}

void profil_heading_print(FILE *out, const struct recording *recording)
{
	const struct child_result *result = &recording->result;

	print_command(out, recording->argv);
	fputs(": ", out);
	print_status(out, result);
	fprintf(out, ", %.2f s wall", result->wall);
	if (!result->running)
		fprintf(out, ", %.2f s CPU (%.2f s in the kernel)", result->cpu,
			result->kernel);
	print_processes(out, recording);
	fputc('\n', out);
}
