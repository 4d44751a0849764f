// SPDX-License-Identifier: GPL-2.0-only
/* The lines above a profile, and the line of totals below */
#include "print/heading.h"
#include "profile/profile.h"
#include "util/clock.h"
#include "util/text.h"

/* Characters of a command line that are printed */
#define MAX_COMMAND 60

static void print_command(FILE *out, const struct profile_head *head)
{
	char *line = profil_head_command(head);
	char *name = profil_text_printable(line);
	int kept = profil_text_bytes(name, MAX_COMMAND);

	fprintf(out, "%.*s%s", kept, name,
		name[kept] ? profil_text_sign("…", "...") : "");
	free(name);
	free(line);
}

void profil_heading_print_status(FILE *out, const struct profile_head *head)
{
	const char *name = head->signal ? sigabbrev_np(head->signal) : NULL;

	if (head->is_orphan)
		fputs("profil was killed", out);
	else if (head->attached)
		fprintf(out, "attached to process %" PRIu64, head->attached);
	else if (head->running)
		fprintf(out, "process %" PRIu64 " is still running",
			head->running);
	else if (name)
		fprintf(out, "killed by SIG%s", name);
	else if (head->signal)
		fprintf(out, "killed by signal %" PRIu64, head->signal);
	else
		fprintf(out, "exit status %" PRIu64, head->status);
}

void profil_heading_print_subject(FILE *out, const struct profile_head *head)
{
	fputs(*head->cgroup ? "cgroup " : "all programs", out);
	profil_text_print(out, head->cgroup);
}

static void print_number(FILE *out, unsigned long long number, const char *what)
{
	fprintf(out, ", %llu %s%s", number, what, plural(number));
}

unsigned long long profil_heading_programs(const struct profile *profile)
{
	struct index_map paths = { 0 };
	unsigned long long nr;

	for (uint32_t i = 0; i < profile->nr_programs; i++) {
		const char *path = profile->programs[i].path;
		struct index_key key = { { (uintptr_t)path } };

		if (*path == '/')
			profil_index_map_set(&paths, key, i);
	}
	nr = paths.nr;
	profil_index_map_free(&paths);
	return nr;
}

static void print_processes(FILE *out, const struct profile *profile)
{
	uint64_t processes = profile->head.taken.processes;

	if (processes > 1)
		fprintf(out, ", %" PRIu64 " processes", processes);
	print_number(out, profil_heading_programs(profile), "program");
}

void profil_heading_print(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;

	if (head->table == TABLE_MACHINE)
		profil_heading_print_subject(out, head);
	if (head->table == TABLE_MACHINE && head->argc)
		fputs(" during ", out);
	print_command(out, head);
	fputs(": ", out);
	if (head->recordings > 1) {
		fprintf(out, "%" PRIu64 " recordings, ", head->recordings);
	} else if (head->table != TABLE_MACHINE) {
		profil_heading_print_status(out, head);
		fputs(", ", out);
	}
	fprintf(out, "%.2f s wall", head->wall_ns / 1e9);
	if (head->cpu_ns || !head->running)
		fprintf(out, ", %.2f s CPU (%.2f s in the kernel)",
			head->cpu_ns / 1e9, head->kernel_ns / 1e9);
	print_processes(out, profile);
	fputc('\n', out);
}

/* The time of this machine's time zone */
static void print_time(FILE *out, uint64_t nanoseconds)
{
	time_t seconds = nanoseconds / SECOND;
	char text[64] = "";
	struct tm time;

	if (localtime_r(&seconds, &time))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &time);
	fputs(text, out);
}

void profil_heading_print_origin(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	char *host = profil_text_printable(head->host);
	char *machine = profil_text_printable(head->machine);
	char *release = profil_text_printable(head->release);

	fputs("recorded ", out);
	print_time(out, head->begin_ns);
	fprintf(out, " on %s (%s, Linux %s)%s\n", host, machine, release,
		head->is_complete ? "" :
				    "; the command or the recording went on");
	free(host);
	free(machine);
	free(release);
}

/* Six digits of a fraction */
#define FRACTION 1000000

static void print_recording(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t samples = profil_profile_total(profile);

	fprintf(out, "%" PRIu64 " sample%s", samples, plural(samples));
	if (head->period_ns)
		fprintf(out, ", one each %.4g ms", head->period_ns / 1e6);
	if (head->lost)
		fprintf(out, "; %" PRIu64 " lost", head->lost);
	fputc('\n', out);
}

/*
 * Print @parts as samples, of which each has @unit, without zeros at the end of the
 * fraction.
 */
static void print_parts(FILE *out, uint64_t parts, uint64_t unit)
{
	char fraction[24];
	size_t length;

	length = snprintf(fraction, sizeof(fraction), ".%06" PRIu64,
			  parts % unit * FRACTION / unit);
	while (strchr("0.", fraction[length - 1]) && length-- > 1)
		;
	fprintf(out, "%" PRIu64 "%.*s", parts / unit, (int)length, fraction);
}

static void print_prof(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t samples = head->samples;

	fprintf(out, "total %" PRIu64 " sample%s", samples, plural(samples));
	if (head->rate)
		fprintf(out, " (%.3f s, %u a second%s)",
			(double)samples / head->rate, head->rate,
			head->is_rate_assumed ? " assumed" : "");
	if (head->outside) {
		fputs(", ", out);
		print_parts(out, head->outside, profile->unit);
		fputs(" outside of all code of the program", out);
	}
	fputc('\n', out);
}

void profil_total_print(FILE *out, const struct profile *profile)
{
	if (profile->head.format)
		print_prof(out, profile);
	else
		print_recording(out, profile);
}
