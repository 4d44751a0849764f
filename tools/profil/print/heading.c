// SPDX-License-Identifier: GPL-2.0-only
/* The line above the profile of a run */
#include <stdlib.h>
#include <string.h>

#include "print/heading.h"
#include "util/memory.h"
#include "util/output.h"
#include "util/text.h"

/* Characters of a command line; what is longer is cut. */
#define MOST_COMMAND 60

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
	if (profil_text_width(name) > MOST_COMMAND)
		fprintf(out, "%.*s%s",
			(int)profil_text_bytes(name, MOST_COMMAND), name,
			profil_output_sign("…", "..."));
	else
		fputs(name, out);
	free(name);
	free(line);
}

static void print_status(FILE *out, const struct ending *ending)
{
	const char *name = ending->signal ? sigabbrev_np(ending->signal) : NULL;

	if (ending->running)
		fprintf(out, "process %d goes on", ending->running);
	else if (name)
		fprintf(out, "killed by SIG%s", name);
	else if (ending->signal)
		fprintf(out, "killed by signal %d", ending->signal);
	else
		fprintf(out, "exit status %d", ending->status);
}

static void print_number(FILE *out, unsigned long long number, const char *what)
{
	fprintf(out, ", %llu %s%s", number, what, number == 1 ? "" : "s");
}

/*
 * The driver counts sessions, and the library those that it has begun: what is
 * left began in children that were forked.
 */
static void print_processes(FILE *out, const struct recording *recording)
{
	const struct run *run = recording->file.run;
	unsigned long long sessions = recording->totals.sessions;

	print_number(out, run->processes, "program");
	if (sessions > run->starts)
		print_number(out, sessions - run->starts, "fork");
}

void profil_heading(FILE *out, const struct recording *recording)
{
	const struct ending *ending = &recording->ending;

	print_command(out, recording->argv);
	fputs(": ", out);
	print_status(out, ending);
	fprintf(out, ", %.2f s wall", ending->wall);
	if (!ending->running)
		fprintf(out, ", %.2f s CPU (%.2f s in the kernel)", ending->cpu,
			ending->kernel);
	print_processes(out, recording);
	fputc('\n', out);
}
