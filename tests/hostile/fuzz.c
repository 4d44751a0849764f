// SPDX-License-Identifier: GPL-2.0-only
/*
 * Coverage-guided inputs for the verbs that read files of others
 *
 * The first byte of an input chooses a command line, and the rest is the file in it:
 * a profil.data; a gmon.out, mon.out or file of gperftools; or an ELF file with DWARF, by
 * the environment variable TARGET. The linker replaces exit(), so that an error ends the command
 * line and not the fuzzer, and profil_confine().
 */
#include <fcntl.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/row_index.h"
#include "elf/frame_rows.h"
#include "fuzz.h"
#include "profile/data_file.h"
#include "resolve/source_lines.h"
#include "sound.h"
#include "verbs.h"

#define MAX_WORDS 12
#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/*
 * The words of a command line: FILE is the input; OTHER, a sound file, and PROGRAM,
 * which has written a gmon.out, are environment variables.
 */
typedef const char *const words[MAX_WORDS];

static const words data_lines[] = {
	{ "report", "FILE" },
	{ "report", "-a", "-n", "-b", "program,object,line", "FILE" },
	{ "report", "-b", "address", "-l", "0", "FILE", "FILE" },
	{ "report", "-j", "FILE" },
	{ "report", "-j", "-b", "object", "--function=a", "FILE", "OTHER" },
	{ "report", "--html", "-o", "/dev/null", "FILE" },
	{ "annotate", "-i", "FILE" },
	{ "annotate", "-s", "-i", "FILE", "a" },
	{ "diff", "FILE", "OTHER" },
	{ "diff", "-s", "-b", "object", "FILE", "FILE" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "pprof" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "perf" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "callgrind" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "gmon" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "llvm" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "gcc" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "bolt" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "folded" },
	{ "export", "-i", "FILE", "-o", "/dev/null", "-f", "otlp" },
};

static const words gmon_lines[] = {
	{ "report", "PROGRAM", "FILE" },
	{ "report", "-c", "-a", "PROGRAM", "FILE" },
	{ "report", "-j", "PROGRAM", "FILE" },
	{ "report", "-c", "PROGRAM", "FILE", "OTHER" },
	{ "report", "-F", "250", "PROGRAM", "FILE" },
	{ "report", "-b", "line,address", "PROGRAM", "FILE", "PROGRAM",
	  "OTHER" },
	{ "report", "--html", "-o", "/dev/null", "PROGRAM", "FILE" },
	{ "annotate", "-s", "-e", "PROGRAM", "-i", "FILE" },
	{ "export", "-e", "PROGRAM", "-i", "FILE", "-o", "/dev/null" },
};

static const words elf_lines[] = {
	{ "report", "FILE", "OTHER" },
	{ "report", "-c", "-a", "FILE", "OTHER" },
	{ "annotate", "-e", "FILE", "-i", "OTHER" },
};

/**
 * struct target - a kind of input
 * @name: value of TARGET
 * @lines: the command lines
 * @nr_lines: elements of @lines
 * @call: what else is called with the path of the input, or NULL
 */
struct target {
	const char *name;
	const words *lines;
	size_t nr_lines;
	void (*call)(const char *path);
};

/* The verbs run in this process, not in a child. */
bool __wrap_profil_confine(void)
{
	return true;
}

/* What the verbs rely on: every index of a profile that was read is sound. */
static void read_data(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	profil_profile_init(&profile);
	if (!profil_data_read(&profile, fd, text) && !is_sound(&profile))
		abort();
	profil_profile_free(&profile);
	close(fd);
}

/* The names of code in each 64 bytes of the file */
static void resolve(const char *path)
{
	struct profile_object object = { .kind = PROFILE_FILE, .path = path };
	struct profile_program program = { .path = path };
	struct resolve_names names = { 0 };
	struct profile profile;
	struct stat status;

	if (stat(path, &status))
		abort();
	profil_profile_init(&profile);
	profile.head.machine = profil_profile_string(&profile, "x86_64");
	profil_profile_add_program(&profile, &program);
	profil_profile_add_object(&profile, &object);
	for (off_t offset = 0; offset < status.st_size; offset += 64) {
		struct profile_place place = { .offset = offset };
		struct profile_sample sample = { .user = 1 };

		place.function = PROFILE_NONE;
		sample.place = profil_profile_add_place(&profile, &place);
		profil_profile_add_sample(&profile, &sample);
	}
	profil_profile_sort(&profile);
	profil_resolve(&profile, &names, 0, NULL);
	if (!is_sound(&profile))
		abort();
	profil_resolve_names_free(&names);
	profil_profile_free(&profile);
}

/* How to go from each function to its caller: rows that the driver takes */
static void compile_rows(const char *path)
{
	struct symbols *symbols = profil_symbols_open(path, NULL);
	struct frame_rows rows;

	profil_frame_rows_read(&rows, symbols->elf, NATIVE_MACHINE);
	for (size_t i = 0; i < rows.nr; i++)
		if (!row_is_valid(&rows.array[i]) ||
		    (i && rows.array[i - 1].offset >= rows.array[i].offset))
			abort();
	profil_frame_rows_free(&rows);
	profil_symbols_close(symbols);
}

static void read_elf(const char *path)
{
	compile_rows(path);
	resolve(path);
}

static const struct target targets[] = {
	{ "data", data_lines, ELEMENTS(data_lines), read_data },
	{ "gmon", gmon_lines, ELEMENTS(gmon_lines), NULL },
	{ "elf", elf_lines, ELEMENTS(elf_lines), read_elf },
};

static jmp_buf end;
static bool is_running;

void __wrap_exit(int status)
{
	if (is_running)
		longjmp(end, 1);
	__real_exit(status);
}

static const char *required(const char *name)
{
	const char *value = getenv(name);

	if (!value) {
		fprintf(stderr, "the environment has no %s\n", name);
		abort();
	}
	return value;
}

static const struct target *find_target(void)
{
	const char *name = required("TARGET");

	for (size_t i = 0; i < ELEMENTS(targets); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	abort();
}

static const char *path_of_input(void)
{
	static char path[4096];

	if (!*path)
		snprintf(path, sizeof(path), "%s/input-%d", required("WORK"),
			 (int)getpid());
	return path;
}

/* The word as the command gets it: the path of a file in place of its name here */
static const char *replace(const char *word)
{
	if (!strcmp(word, "FILE"))
		return path_of_input();
	return !strcmp(word, "OTHER") || !strcmp(word, "PROGRAM") ?
		       required(word) :
		       word;
}

static void run(const words *line, int first_fd)
{
	char *argv[MAX_WORDS + 1] = { NULL };
	int argc = 0;

	while (argc < MAX_WORDS && (*line)[argc]) {
		argv[argc] = strdup(replace((*line)[argc]));
		argc++;
	}
	optind = 0; /* getopt_long() begins again */
	is_running = true;
	if (!setjmp(end))
		profil_verb_require((*line)[0])->main(argc, argv);
	is_running = false;
	/* A command line that ended in an error has closed no file. */
	close_range(first_fd, ~0U, 0);
	for (int i = 0; i < MAX_WORDS; i++)
		free(argv[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct target *target;
	static int first_fd;
	FILE *out;

	if (!target) {
		target = find_target();
		first_fd = dup(STDERR_FILENO);
	}
	if (!size)
		return 0;
	out = fopen(path_of_input(), "we");
	if (!out || fwrite(bytes + 1, 1, size - 1, out) != size - 1 ||
	    fclose(out))
		abort();
	if (target->call)
		target->call(path_of_input());
	run(&target->lines[bytes[0] % target->nr_lines], first_fd + 1);
	return 0;
}
