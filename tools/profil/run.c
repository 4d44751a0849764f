// SPDX-License-Identifier: GPL-2.0-only
/* `profil run`: run a command, and print where it spent its time */
#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "include/reach.h"
#include "print/flat.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/notes.h"
#include "print/recording_rows.h"
#include "print/total.h"
#include "print/unprofiled.h"
#include "record/child.h"
#include "record/device.h"
#include "record/preload_check.h"
#include "record/recording.h"
#include "util/exit_status.h"
#include "util/interrupt.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/* A worker of the kernel adds sessions to the totals after a process ends. */
#define DRAIN_TIMEOUT_MS 1000
#define DRAIN_STEP_MS 5

/**
 * struct request - options and operands
 * @rate: samples a second of CPU time
 * @flat: form of the flat profile
 * @quiet: print neither heading nor hints
 * @verbose: print the files with samples, too
 * @output: file to print to, or NULL for stderr
 * @argv: the command
 */
struct request {
	struct option_rate rate;
	struct flat flat;
	bool quiet;
	bool verbose;
	const char *output;
	char **argv;
};

static void parse(int argc, char **argv, struct request *request)
{
	char path[REACH_PATH];

	*request = (struct request){ 0 };
	profil_option_parse(&profil_verb_run, argc, argv, request);
	request->argv = argv + optind;
	if (!*request->argv)
		errx(EXIT_PROFIL,
		     "run: name the command to run, as in profil run -- ls -l");
	if (profil_reach_find(*request->argv, path))
		profil_output_check_input(request->output, path);
}

static void wait_for_sessions(const struct run_file *file)
{
	struct timespec step = { .tv_nsec = DRAIN_STEP_MS * 1000000L };

	for (int waited = 0; waited < DRAIN_TIMEOUT_MS;
	     waited += DRAIN_STEP_MS) {
		struct profil_totals totals = profil_run_file_totals(file);

		if (totals.ended == totals.sessions)
			return;
		nanosleep(&step, NULL);
	}
}

/* Read all counters before anything that takes time or may fail. */
static void read_counts(struct recording *recording)
{
	const struct run_file *file = &recording->file;
	struct sample_table *table = &recording->table;

	if (!recording->result.running)
		wait_for_sessions(file);
	recording->totals = profil_run_file_totals(file);
	*table = (struct sample_table){
		.period_ns = file->run->true_period_ns,
		.outside = recording->totals.outside,
		.lost = recording->totals.lost,
	};
	profil_run_file_read(file, table);
	profil_sample_table_join_programs(table);
}

static void print_file(FILE *out, const char *path, uint64_t samples)
{
	char *name = profil_text_printable(path);

	fprintf(out, "%9llu samples in %s\n", (unsigned long long)samples,
		name);
	free(name);
}

static void print_files(FILE *out, const struct sample_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct code_object *object = &table->objects[i];
		uint64_t samples = 0;

		for (size_t j = 0; j < object->nr; j++)
			samples += sample_count(&object->samples[j]);
		if (samples && object->kind == CODE_FILE)
			print_file(out, object->path, samples);
	}
}

static void report(const struct request *request, struct recording *recording,
		   FILE *out)
{
	struct recording_rows rows;

	profil_interrupt_begin();
	read_counts(recording);
	profil_recording_rows_read(&rows, &recording->table);
	if (!request->quiet)
		profil_heading_print(out, recording);
	profil_flat_print(out, &request->flat, &rows.rows);
	profil_total_print_recording(out, &recording->table);
	profil_notes_print(out, recording);
	if (request->verbose)
		print_files(out, &recording->table);
	if (!request->quiet)
		profil_hints_print(out, &rows);
	profil_recording_rows_free(&rows);
}

static int run(int argc, char **argv)
{
	struct recording recording = { 0 };
	struct profil_version version;
	struct child child;
	struct request request;
	uint64_t period_ns = 0;
	char name[64];
	FILE *out;

	parse(argc, argv, &request);
	profil_device_require(&version);
	child.library = profil_preload_library();
	if (request.rate.is_set)
		period_ns = profil_device_period(&version, request.rate.hz);
	profil_run_file_create(&recording.file, period_ns);
	profil_unprofiled_note(&recording.file, request.argv[0]);
	out = profil_output_open(request.output, stderr);
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", getpid(),
		 recording.file.fd);
	recording.argv = request.argv;
	child.argv = request.argv;
	child.run = name;
	profil_child_run(&child, &recording.result);
	if (recording.result.begun)
		report(&request, &recording, out);
	profil_output_close(out, request.output);
	return recording.result.status;
}

#define AT(member) offsetof(struct request, member)

static const struct option_row options[] = {
	{ 'a', "all", OPTION_FLAG, AT(flat.all), NULL,
	  "list all functions, small ones as well" },
	{ 'F', "freq", OPTION_RATE, AT(rate), "HZ",
	  "take HZ samples a second of CPU time, instead of one\n"
	  "in each tick of the kernel" },
	{ 'g', "call-graph", OPTION_REFUSED, 0, NULL,
	  "there are no call stacks, only the function that runs; perf(1) has them" },
	OPTION_ROW_HELP,
	{ 'n', "show-nr-samples", OPTION_FLAG, AT(flat.samples), NULL,
	  "have a column with numbers of samples" },
	{ 'o', "output", OPTION_STRING, AT(output), "FILE",
	  "print to FILE, or with - to stdout, not to stderr" },
	{ 'q', "quiet", OPTION_FLAG, AT(quiet), NULL,
	  "leave out the head and the hints" },
	{ 'v', "verbose", OPTION_FLAG, AT(verbose), NULL,
	  "list the files with samples, too" },
	{ 0 }
};

const struct verb profil_verb_run = {
	.name = "run",
	.operands = "[--] COMMAND [ARGUMENT]...",
	.about =
		"profil run runs COMMAND and prints its flat profile: how much CPU time it\n"
		"spent in each function of its program and its shared libraries.\n",
	.example =
		"Example: profil run -F 1000 -- xz -9 -k -c big.tar >/dev/null\n",
	.operands_end_options = true,
	.options = options,
	.main = run,
	.completion = COMPLETE_COMMAND,
};
