// SPDX-License-Identifier: GPL-2.0-only
/*
 * Output of `profil run` for a given recording, compared as text. The recording
 * is made here, with samples in layout.S.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/types.h>

#include "include/unseen.h"
#include "print/flat.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/notes.h"
#include "print/recording_rows.h"
#include "print/total.h"
#include "tap.h"
#include "util/interrupt.h"

/* Offset of the text in the file layout */
#define TEXT 0x1000

#define MS 1000000ULL
#define ROOM 16384

static char layout[2 * PATH_MAX];
static struct recording recording;
static struct recording_rows rows;
static struct run run;
static char *argv[] = { "./layout", "--with", "words", NULL };

/* Printed text */
static char printed[ROOM];

static bool is_printed(const char *expected)
{
	if (!strcmp(printed, expected))
		return true;
	printf("# printed:\n%s\n# expected:\n%s\n", printed, expected);
	return false;
}

/* Identity of layout, in the directory of this program */
static bool find_layout(struct run_identity *identity)
{
	char self[PATH_MAX] = "";
	struct stat status;

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(layout, sizeof(layout), "%s/layout", dirname(self));
	CHECK(!stat(layout, &status));
	*identity = (struct run_identity){
		.device = (__u64)major(status.st_dev) << 32 |
			  minor(status.st_dev),
		.inode = status.st_ino,
		.size = status.st_size,
		.mtime_ns = status.st_mtim.tv_sec * 1000 * MS +
			    status.st_mtim.tv_nsec,
	};
	return true;
}

static struct code_object *add_object(enum code_kind kind, const char *path,
				      const struct run_identity *identity)
{
	struct code_object object = {
		.kind = kind,
		.path = (char *)path,
		.program = "/bin/program",
	};

	if (identity)
		object.identity = *identity;
	return profil_sample_table_object(&recording.table, &object);
}

static void add_samples(struct code_object *object, __u64 offset, __u64 count)
{
	struct sample sample = {
		.offset = offset,
		.user = count / 3,
		.kernel = count - count / 3,
	};

	profil_sample_table_add(&recording.table, object, &sample);
}

static void forget(struct sample_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		free(table->objects[i].path);
		free(table->objects[i].program);
		free(table->objects[i].samples);
	}
	free(table->objects);
}

/* Begin a recording with a period of 4 ms and exit status 0. */
static void begin(void)
{
	forget(&recording.table);
	recording = (struct recording){
		.argv = argv,
		.result = { true, 0, 0, 0, 4.02, 3.61, 0.44 },
		.file.run = &run,
		.file.fd = -1,
		.totals = { .sessions = 1, .ended = 1 },
		.table.period_ns = 4 * MS,
	};
	run = (struct run){ .processes = 1, .starts = 1 };
}

/* Set the totals to the samples. */
static void settle(void)
{
	struct sample_table *table = &recording.table;

	recording.totals.hits = table->counted;
	recording.totals.outside = table->outside;
	recording.totals.lost = table->lost;
	recording.totals.samples = profil_sample_table_total(table);
}

static bool print(const struct flat *flat)
{
	FILE *out = fmemopen(printed, sizeof(printed), "w");

	CHECK(out);
	settle();
	profil_sample_table_sort(&recording.table);
	profil_recording_rows_read(&rows, &recording.table);
	profil_heading_print(out, &recording);
	profil_flat_print(out, flat, &rows.rows);
	profil_total_print_recording(out, &recording.table);
	profil_notes_print(out, &recording);
	profil_hints_print(out, &rows);
	fclose(out);
	profil_recording_rows_free(&rows);
	return true;
}

static const struct flat plain, all = { .all = true },
				numbers = { .samples = true };

static const char table[] =
	"./layout --with words: exit status 0, 4.02 s wall, 3.61 s CPU (0.44 s in the kernel), 1 program\n"
	"   self   +-   seconds  object  function\n"
	" 50.0 %  1.6     2.000  layout  third\n"
	" 20.0 %  1.3     0.800  node    [jit: node]\n"
	" 20.0 %  1.3     0.800  layout  first\n"
	"  9.4 %  0.9     0.376          [lost]\n"
	"  0.1 %  0.1     0.004  cat     [outside]\n"
	"  0.5 %          0.020  2 functions below 0.5 % (-a lists them)\n"
	"1000 samples, one each 4 ms; 94 lost\n";

static const char rest[] =
	"\n 50.0 %  5.0     0.200  lib     lib+0x8000\n"
	" 50.0 %          0.200  50 functions below 2 % (-a lists them)\n"
	"100 samples";

static const char wide_row[] =
	"\n 100.00 200000000000.000 200000000000.000 12345678901234    16.2000  busy\n";

static const char nothing[] =
	"./layout --with words: exit status 3, 4.02 s wall, 0.20 s CPU (0.44 s in the kernel), 1 program, 2 forks\n"
	"0 samples, one each 1000 ms\n"
	"the command took 0.200 s of CPU time, and a sample stands for 1 s: give a higher -F\n";

static const char no_library[] =
	"./layout --with words: killed by SIGSEGV, 4.02 s wall, 3.61 s CPU (0.44 s in the kernel), 0 programs\n"
	"0 samples\n"
	"the command did not load libprofil: it is not in the profile\n";

static const char gaps[] =
	"8 samples, one each 4 ms\n"
	"6 processes were not counted to the end (No such device): they need a /dev/profil\n"
	"2 forked processes were not counted: the kernel had no memory\n"
	"5 processes called profil() and were not counted further\n"
	"3 processes are still running and will not be counted further\n"
	"too many files of code: samples in the last ones are [outside]\n";

static bool is_a_table(void)
{
	struct run_identity identity;
	struct code_object *object;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(CODE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 500);
	add_samples(object, TEXT, 100);
	add_samples(object, TEXT + 4, 100);
	add_samples(object, TEXT + 0x10, 3);
	add_samples(object, TEXT + 0x44, 2);
	add_samples(add_object(CODE_JIT, "/usr/bin/node", NULL), 0, 200);
	add_samples(add_object(CODE_OUTSIDE, "/usr/bin/cat", NULL), 0, 1);
	recording.table.lost = 94;
	CHECK(print(&plain));
	CHECK(is_printed(table));
	CHECK(print(&all));
	CHECK(strstr(printed, "\n  0.3 %  0.2     0.012  layout  second\n"
			      "  0.2 %  0.1     0.008  layout  last\n"));
	CHECK(!strstr(printed, "below"));
	CHECK(print(&numbers));
	CHECK(strstr(printed, "   self   +-   seconds  samples  object"));
	CHECK(strstr(printed,
		     "\n 50.0 %  1.6     2.000      500  layout  third\n"));
	return true;
}

/* 50 functions have one sample of 100 each, and one function the rest. */
static bool has_no_more_lines_than_are_read(void)
{
	struct code_object *object;

	begin();
	object = add_object(CODE_FILE, "/nowhere/lib", NULL);
	for (int i = 0; i < 50; i++)
		add_samples(object, 0x100 * i, 1);
	add_samples(object, 0x8000, 50);
	CHECK(print(&plain));
	CHECK(strstr(printed, rest));
	CHECK(strstr(printed, "\nlib can no longer be read: "));
	return true;
}

static bool names_the_sign_by_the_locale(void)
{
	begin();
	recording.table.outside = 4;
	CHECK(setlocale(LC_CTYPE, "C.UTF-8"));
	CHECK(print(&plain));
	CHECK(strstr(printed, "\n   self    ±   seconds  object  function\n"
			      "100.0 %  0.0     0.016          [outside]\n"));
	return true;
}

/* Symbols of another file in the place of layout are not used. */
static bool takes_no_name_of_another_file(void)
{
	struct run_identity identity, others[4];

	CHECK(find_layout(&identity));
	for (int i = 0; i < 4; i++)
		others[i] = identity;
	others[0].device++;
	others[1].inode++;
	others[2].size++;
	others[3].mtime_ns++;
	for (int i = 0; i < 4; i++) {
		begin();
		add_samples(add_object(CODE_FILE, layout, &others[i]), TEXT, 9);
		CHECK(print(&plain));
		CHECK(strstr(printed, "layout  layout+0x1000\n"));
		CHECK(strstr(printed,
			     "\nlayout was replaced after it was run: "));
	}
	return true;
}

/* Any build ID but the program's own, which is unknown here, is wrong. */
static bool goes_by_the_build_id(void)
{
	struct run_identity identity = { .device = 1, .inode = 1 };
	struct code_object *object;

	begin();
	identity.build_id_size = 20;
	object = add_object(CODE_FILE, "/proc/self/exe", &identity);
	add_samples(object, 0x5000, 9);
	CHECK(print(&plain));
	CHECK(strstr(printed, "\nexe was replaced after it was run: "));
	return true;
}

static bool prints_without_names_if_interrupted(void)
{
	struct run_identity identity;

	begin();
	CHECK(find_layout(&identity));
	add_samples(add_object(CODE_FILE, layout, &identity), TEXT, 9);
	profil_interrupt_begin();
	raise(SIGINT);
	CHECK(print(&plain));
	CHECK(strstr(printed, "100.0 %  0.0     0.036  layout  layout+0x1000\n"
			      "9 samples, one each 4 ms\n"
			      "interrupted: the names of 1 file were not"));
	return true;
}

static bool says_why_there_is_nothing(void)
{
	begin();
	recording.table.period_ns = 1000 * MS;
	recording.result.cpu = 0.2;
	recording.result.status = 3;
	run.starts = 1;
	recording.totals.sessions = 3;
	recording.totals.ended = 3;
	CHECK(print(&plain));
	CHECK(is_printed(nothing));
	begin();
	recording.table.period_ns = 0;
	run.processes = 0;
	run.starts = 0;
	recording.totals.sessions = 0;
	recording.totals.ended = 0;
	recording.result.signal = SIGSEGV;
	CHECK(print(&plain));
	CHECK(is_printed(no_library));
	return true;
}

static bool says_what_is_missing(void)
{
	begin();
	recording.totals.unprofiled_children = 2;
	recording.totals.sessions = 4;
	run.yielded = 5;
	run.dropped = 1;
	run.failed = 6;
	run.error = ENODEV;
	recording.table.outside = 1;
	recording.table.counted = 7;
	CHECK(print(&plain));
	recording.totals.hits = 7;
	CHECK(strstr(printed, gaps));
	return true;
}

static bool prints_no_control_characters(void)
{
	begin();
	CHECK(profil_unseen_add(&run, "/tmp/\x1b[2Jgo\n", REACH_STATIC));
	CHECK(print(&plain));
	run.nr_unseen = 0;
	CHECK(strstr(printed,
		     "\n1 process of /tmp/\\x1b[2Jgo\\x0a (static) is not"));
	return true;
}

/* Numbers that are wider than their columns */
static bool separates_columns(void)
{
	static const struct flat report = { .layout = FLAT_REPORT,
					    .all = true };
	struct rows wide = { .total = 2e10, .period = 10 };
	FILE *out = fmemopen(printed, sizeof(printed), "w");
	struct row *row;

	CHECK(out);
	row = profil_rows_add(&wide, strdup("busy"), strdup("layout"));
	row->samples = 2e10;
	row->calls = 12345678901234;
	profil_rows_sort(&wide);
	profil_flat_print(out, &report, &wide);
	fclose(out);
	profil_rows_free(&wide);
	CHECK(strstr(printed, wide_row));
	return true;
}

static const struct tap_test tests[] = {
	{ "a profile has a head, a table and a total", is_a_table },
	{ "functions below the limit are summed in one line",
	  has_no_more_lines_than_are_read },
	{ "the locale selects the sign", names_the_sign_by_the_locale },
	{ "symbols of a replaced file are not used",
	  takes_no_name_of_another_file },
	{ "a build ID identifies a file", goes_by_the_build_id },
	{ "an interrupt drops only names",
	  prints_without_names_if_interrupted },
	{ "a profile without samples prints the reason",
	  says_why_there_is_nothing },
	{ "missing samples are reported", says_what_is_missing },
	{ "control characters in a path are escaped",
	  prints_no_control_characters },
	{ "a space separates columns of any width", separates_columns },
};

int main(void)
{
	return tap_run(tests, sizeof(tests) / sizeof(*tests));
}
