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

#include "print/flat.h"
#include "print/heading.h"
#include "print/hints.h"
#include "print/notes.h"
#include "print/profile_rows.h"
#include "print/total.h"
#include "include/reach.h"
#include "resolve/resolve.h"
#include "tap.h"
#include "util/interrupt.h"
#include "util/text.h"

/* Offset of the text in the file layout */
#define TEXT 0x1000

#define MS 1000000ULL
#define ROOM 16384

static char layout[2 * PATH_MAX];
static struct profile profile;
static struct resolve_origin origins[4];
static struct profile_head *const head = &profile.head;
static const char *const argv[] = { "./layout", "--with", "words" };

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

static uint32_t add_object(enum profile_kind kind, const char *path,
			   const struct run_identity *identity)
{
	struct profile_object object = { .kind = kind, .path = path };
	uint32_t index = profil_profile_add_object(&profile, &object);

	if (identity)
		origins[index].identity = *identity;
	return index;
}

static void add_samples(uint32_t object, uint64_t offset, uint64_t user,
			uint64_t kernel)
{
	struct profile_place place = {
		.object = object,
		.offset = offset,
		.program = profil_profile_add_program(&profile, "/bin/program"),
		.function = PROFILE_NONE,
		.user = user,
		.kernel = kernel,
	};

	profil_profile_add_place(&profile, &place);
}

/* Begin a recording with a period of 4 ms and exit status 0. */
static void begin(void)
{
	if (profile.strings)
		profil_profile_free(&profile);
	profil_profile_init(&profile);
	memset(origins, 0, sizeof(origins));
	profil_profile_set_command(&profile, 3, argv);
	head->wall_ns = 4020 * MS;
	head->cpu_ns = 3610 * MS;
	head->kernel_ns = 440 * MS;
	head->period_ns = 4 * MS;
	head->sessions = 1;
	head->ended = 1;
	head->processes = 1;
	head->starts = 1;
}

/* Set the totals to the samples. */
static void settle(void)
{
	head->samples = profil_profile_total(&profile);
	head->hits += head->samples - head->outside - head->lost;
}

static bool print_choice(const struct flat *flat,
			 const struct row_choice *choice)
{
	struct rows rows;
	FILE *out = fmemopen(printed, sizeof(printed), "w");

	CHECK(out);
	settle();
	profil_profile_sort(&profile);
	profil_resolve(&profile, origins, NULL);
	profil_profile_rows_read(&rows, &profile, choice);
	profil_heading_print(out, &profile);
	profil_flat_print(out, flat, &rows);
	profil_total_print_profile(out, &profile);
	profil_notes_print(out, &profile);
	profil_hints_print(out, &profile);
	fclose(out);
	profil_rows_free(&rows);
	return true;
}

static const struct row_choice by_function = {
	.printable = profil_text_printable,
};

static bool print(const struct flat *flat)
{
	return print_choice(flat, &by_function);
}

static const struct flat plain, all = { .all = true },
				numbers = { .samples = true };

static const char table[] =
	"./layout --with words: exit status 0, 4.02 s wall, 3.61 s CPU (0.44 s in the kernel), 1 program\n"
	"   self   +-   seconds  object  function\n"
	" 50.0 %  1.6     2.000  layout  third\n"
	" 20.0 %  1.3     0.800  mono    [jit: mono]\n"
	" 20.0 %  1.3     0.800  layout  first\n"
	"  9.4 %  0.9     0.376          [lost]\n"
	"  0.1 %  0.1     0.004  cat     [outside]\n"
	"  0.5 %          0.020  2 functions below 0.5 % (-a lists them)\n"
	"1000 samples, one each 4 ms; 94 lost\n"
	"code that mono has generated has no names from /tmp/perf-PID.map\n";

static const char options_of_java[] =
	", which java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit writes\n";

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
	"./layout --with words: killed by SIGSEGV, 4.02 s wall, 0.00 s CPU (0.44 s in the kernel), 0 programs\n"
	"0 samples\n"
	"the command did not load libprofil: it is not in the profile\n";

static const char gaps[] =
	"8 samples, one each 4 ms\n"
	"6 processes were not counted to the end (No such device): they need a /dev/profil\n"
	"2 forked processes were not counted: the kernel had no memory\n"
	"5 processes called profil() and were not counted further\n"
	"3 processes are still running and will not be counted further\n"
	"too many ranges of code: samples in the last ones are [outside]\n";

/* Two processes of java have one line. */
static bool names_the_options_of_a_compiler(void)
{
	const char *said;

	begin();
	add_samples(add_object(PROFILE_JIT, "/jdk/bin/java", NULL), 0, 2, 0);
	add_samples(add_object(PROFILE_JIT, "/jdk/bin/java", NULL), 0, 2, 0);
	add_samples(add_object(PROFILE_FILE, "/nowhere/lib", NULL), 0, 90, 0);
	CHECK(print(&plain));
	said = strstr(printed, options_of_java);
	CHECK(said);
	CHECK(!strstr(said, "\ncode that"));
	return true;
}

static bool is_a_table(void)
{
	struct run_identity identity;
	uint32_t object;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(PROFILE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 500, 0);
	add_samples(object, TEXT, 100, 0);
	add_samples(object, TEXT + 4, 100, 0);
	add_samples(object, TEXT + 0x10, 3, 0);
	add_samples(object, TEXT + 0x44, 2, 0);
	add_samples(add_object(PROFILE_JIT, "/usr/bin/mono", NULL), 0, 200, 0);
	add_samples(add_object(PROFILE_OUTSIDE, "/usr/bin/cat", NULL), 0, 1, 0);
	head->lost = 94;
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
	uint32_t object;

	begin();
	object = add_object(PROFILE_FILE, "/nowhere/lib", NULL);
	for (int i = 0; i < 50; i++)
		add_samples(object, 0x100 * i, 1, 0);
	add_samples(object, 0x8000, 50, 0);
	CHECK(print(&plain));
	CHECK(strstr(printed, rest));
	CHECK(strstr(printed, "\nlib can no longer be read: "));
	return true;
}

static bool names_the_sign_by_the_locale(void)
{
	begin();
	head->outside = 4;
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
		add_samples(add_object(PROFILE_FILE, layout, &others[i]), TEXT,
			    9, 0);
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
	uint32_t object;

	begin();
	identity.build_id_size = 20;
	object = add_object(PROFILE_FILE, "/proc/self/exe", &identity);
	add_samples(object, 0x5000, 9, 0);
	CHECK(print(&plain));
	CHECK(strstr(printed, "\nexe was replaced after it was run: "));
	return true;
}

static bool prints_without_names_if_interrupted(void)
{
	struct run_identity identity;

	begin();
	CHECK(find_layout(&identity));
	add_samples(add_object(PROFILE_FILE, layout, &identity), TEXT, 9, 0);
	head->cpu_ns = 40 * MS;
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
	head->period_ns = 1000 * MS;
	head->cpu_ns = 200 * MS;
	head->status = 3;
	head->starts = 1;
	head->sessions = 3;
	head->ended = 3;
	CHECK(print(&plain));
	CHECK(is_printed(nothing));
	begin();
	head->period_ns = 0;
	head->cpu_ns = 0;
	head->processes = 0;
	head->starts = 0;
	head->sessions = 0;
	head->ended = 0;
	head->signal = SIGSEGV;
	CHECK(print(&plain));
	CHECK(is_printed(no_library));
	return true;
}

static bool says_what_is_missing(void)
{
	begin();
	head->unprofiled_children = 2;
	head->sessions = 4;
	head->yielded = 5;
	head->dropped = 1;
	head->failed = 6;
	head->error = ENODEV;
	head->outside = 8;
	CHECK(print(&plain));
	CHECK(strstr(printed, gaps));
	return true;
}

static bool names_the_limit_of_the_recording(void)
{
	begin();
	head->failed = 1;
	head->error = ENOMEM;
	head->memlock = 65536;
	head->counter_bytes = 16 * 1024 * 1024;
	CHECK(print(&plain));
	CHECK(strstr(printed, ": the limit is 64 KiB: ulimit -l 32776, or "));
	return true;
}

static bool prints_no_control_characters(void)
{
	struct profile_unseen unseen = { .path = "/tmp/\x1b[2Jgo\n",
					 .reach = REACH_STATIC,
					 .processes = 1 };

	begin();
	profil_profile_add_unseen(&profile, &unseen);
	CHECK(print(&plain));
	CHECK(strstr(printed,
		     "\n1 process of /tmp/\\x1b[2Jgo\\x0a (static) is not"));
	return true;
}

static const char kernel_table[] =
	"   self   +-   seconds  object  function\n"
	" 60.0 %  4.9     0.240  layout  third     (90 % in the kernel)\n"
	" 35.0 %  4.8     0.140  layout  second\n"
	"  5.0 %  2.2     0.020  layout  first     (100 % in the kernel)\n";

/* A note needs 5 samples in the kernel, and a tenth of the row. */
static bool marks_functions_in_the_kernel(void)
{
	struct run_identity identity;
	uint32_t object;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(PROFILE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 6, 54);
	add_samples(object, TEXT + 0x10, 32, 3);
	add_samples(object, TEXT, 0, 5);
	CHECK(print(&plain));
	CHECK(strstr(printed, kernel_table));
	return true;
}

static bool has_the_columns_asked_for(void)
{
	struct row_choice choice = by_function;
	struct run_identity identity;
	uint32_t object;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(PROFILE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 60, 0);
	add_samples(object, TEXT + 0x28, 20, 0);
	add_samples(object, TEXT, 20, 0);
	choice.by[choice.nr_by++] = ROW_PROGRAM;
	choice.by[choice.nr_by++] = ROW_OBJECT;
	CHECK(print_choice(&plain, &choice));
	CHECK(strstr(printed, "seconds  program  object\n"
			      "100.0 %  0.0     0.400  program  layout\n"
			      "100 samples"));
	choice.by[0] = ROW_ADDRESS;
	choice.nr_by = 1;
	CHECK(print_choice(&plain, &choice));
	CHECK(strstr(printed,
		     "  object  function  address\n"
		     " 60.0 %  4.9     0.240  layout  third     0x401024\n"
		     " 20.0 %  4.0     0.080  layout  first     0x401000\n"
		     " 20.0 %  4.0     0.080  layout  third     0x401028\n"
		     "100 samples"));
	choice.by[0] = ROW_LINE;
	CHECK(print_choice(&plain, &choice));
	CHECK(strstr(printed, "100.0 %  0.0     0.400  layout  [no line]\n"));
	return true;
}

static const char left_out[] =
	" 30.0 %  4.6     0.120  layout  first\n"
	" 70.0 %          0.280  left out by --object or --function\n"
	"100 samples";

static bool leaves_out_the_other_functions(void)
{
	struct row_choice choice = by_function;
	struct run_identity identity;
	uint32_t object;
	regex_t regex;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(PROFILE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 60, 0);
	add_samples(object, TEXT, 30, 0);
	head->lost = 10;
	CHECK(!regcomp(&regex, "^(first|second)$", REG_EXTENDED | REG_NOSUB));
	choice.function = &regex;
	CHECK(print_choice(&plain, &choice));
	regfree(&regex);
	CHECK(strstr(printed, left_out));
	return true;
}

static bool has_the_limit_asked_for(void)
{
	static const struct flat half = { .limit = 50 };
	struct run_identity identity;
	uint32_t object;

	begin();
	CHECK(find_layout(&identity));
	object = add_object(PROFILE_FILE, layout, &identity);
	add_samples(object, TEXT + 0x24, 50, 0);
	add_samples(object, TEXT, 30, 0);
	add_samples(object, TEXT + 0x10, 20, 0);
	CHECK(print(&half));
	CHECK(strstr(printed,
		     "  third\n"
		     " 50.0 %          0.200  2 functions below 50 % (-a"));
	return true;
}

/* Numbers that are wider than their columns */
static bool separates_columns(void)
{
	static const struct flat report = { .layout = FLAT_REPORT,
					    .all = true };
	struct rows wide = { .total = 2e10,
			     .period = 10,
			     .heads = { "symbol" },
			     .nr_names = 1 };
	FILE *out = fmemopen(printed, sizeof(printed), "w");
	struct row *row;

	CHECK(out);
	row = profil_rows_add(&wide);
	row->names[0] = strdup("busy");
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
	{ "the options by which a compiler names its code are in a hint",
	  names_the_options_of_a_compiler },
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
	{ "the limit of locked memory is that of the recording",
	  names_the_limit_of_the_recording },
	{ "functions in the kernel are marked", marks_functions_in_the_kernel },
	{ "rows have the columns asked for", has_the_columns_asked_for },
	{ "other functions are left out", leaves_out_the_other_functions },
	{ "the limit of rows is the one asked for", has_the_limit_asked_for },
	{ "control characters in a path are escaped",
	  prints_no_control_characters },
	{ "a space separates columns of any width", separates_columns },
};

int main(void)
{
	return tap_run(tests, sizeof(tests) / sizeof(*tests));
}
