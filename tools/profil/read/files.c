// SPDX-License-Identifier: GPL-2.0-only
/* The sum of files of one kind */
#include <elf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "profile/data_file.h"
#include "profile/kernel.h"
#include "profile/sum.h"
#include "read/cpuprof.h"
#include "read/files.h"
#include "read/import.h"
#include "resolve/resolve.h"
#include "util/clock.h"
#include "util/output.h"

/* Rate of profil() in C libraries */
#define DEFAULT_HZ 100

/* A pipe may have no end, and its content takes memory. */
#define MAX_PIPE_MIB 256

static const char stale[] =
	"%s is newer than %s: it may not be the program that wrote it";

/* A FIFO is not opened: closing it would end the process that writes to it. */
enum file_kind profil_files_kind(const char *path)
{
	int fd = path ? profil_regular_file_open(path) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	enum file_kind kind = FILE_OTHER;
	char mark[DATA_MARK] = "";
	bool is_whole;

	if (!file)
		return kind;
	is_whole = fread(mark, sizeof(mark), 1, file);
	rewind(file);
	if (!memcmp(mark, ELFMAG, SELFMAG))
		kind = FILE_PROGRAM;
	else if (is_whole && profil_data_is(mark, sizeof(mark)))
		kind = FILE_DATA;
	else if (profil_cpuprof_is(file))
		kind = FILE_CPUPROF;
	fclose(file);
	return kind;
}

/* The name profil.data is often not the user's, but the preset of an option. */
static void __attribute__((noreturn)) refuse(const char *path)
{
	if (errno == ENOENT && !strcmp(path, DATA_NAME))
		die_err("no profil.data in this directory: profil record writes one, as in profil record -- make");
	die_errno("cannot read %s", path);
}

/* Other kinds of files, such as devices, may have no end. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	path = profil_file_name(path);
	if (fd < 0 || fstat(fd, &status))
		refuse(path);
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		die_err("%s is not a file: name a profil.data, gmon.out or mon.out",
			path);
	return fd;
}

static FILE *open_stream(const char *path)
{
	FILE *stream = fdopen(open_file(path), "r");

	if (!stream)
		profil_memory_exhausted();
	return stream;
}

void profil_files_check(const char *path)
{
	close(open_file(path));
}

static bool is_gprof(const char *path)
{
	struct stat status;
	struct input input;
	bool is;

	if (profil_files_kind(path) == FILE_DATA || stat(path, &status) ||
	    !S_ISREG(status.st_mode) || access(path, R_OK))
		return false;
	profil_input_begin(&input, open_stream(path));
	is = profil_gprof_is(&input);
	fclose(input.file);
	return is || profil_files_kind(path) == FILE_CPUPROF;
}

/* A file in memory with the content of the pipe @path: a pipe is read once. */
static int copy_pipe(FILE *from, const char *path)
{
	int to = memfd_create("profil-report", MFD_CLOEXEC);
	char bytes[4096];
	size_t size = 0, got;

	if (to < 0)
		die_errno("cannot create a file in memory");
	while ((got = fread(bytes, 1, sizeof(bytes), from))) {
		size += got;
		if (size > (size_t)MAX_PIPE_MIB << 20)
			die_err("%s: more than %d MiB from a pipe: write them to a file, and name the file",
				path, MAX_PIPE_MIB);
		if (write(to, bytes, got) != (ssize_t)got)
			die_errno("cannot write a file in memory");
	}
	if (ferror(from))
		die_errno("cannot read %s", path);
	return to;
}

/* Name of a file with the content of @path, which is a pipe or -, or of @path */
static char *as_file(char *path)
{
	const char *name = profil_file_name(path);
	struct stat status;
	FILE *pipe;

	profil_file_name_check(path);
	if (!strcmp(path, "-")) {
		path = (char *)"/dev/stdin";
		profil_file_name_set(path, name);
	}
	if (stat(path, &status) || !S_ISFIFO(status.st_mode))
		return path;
	pipe = open_stream(path);
	path = profil_format("/proc/self/fd/%d", copy_pipe(pipe, name));
	fclose(pipe);
	profil_file_name_set(path, name);
	return path;
}

void profil_files_copy_pipes(char **paths)
{
	for (; *paths; paths++)
		*paths = as_file(*paths);
}

static void read_data(const char *path, struct profile *profile)
{
	char text[DATA_ERROR_TEXT];
	int fd = open_file(path);

	profil_profile_init(profile);
	if (profil_data_read(profile, fd, text))
		die_err("%s: %s", profil_file_name(path), text);
	close(fd);
	if (profile->dropped_frames)
		warnx("%s: %llu inlined calls are left out: an instruction has %d at most",
		      profil_file_name(path),
		      (unsigned long long)profile->dropped_frames,
		      PROFILE_FRAMES - 1);
}

/* Add @profile, of the file or program @path, to @sum, and free it. */
static void add_profile(struct profile *sum, struct profile *profile,
			const char *path)
{
	switch (profil_profile_add(sum, profile)) {
	case SUM_OK:
		break;
	case SUM_PERIOD:
		die_err("%s: cannot be added up: a sample stands for %.4g ms, and for %.4g ms before: record with the same -F",
			path, profile->head.period_ns / 1e6,
			sum->head.period_ns / 1e6);
	case SUM_MANY:
		die_err("%s: cannot be added up: too many samples to add up",
			path);
	}
	profil_profile_free(profile);
}

static void read_data_files(char **paths, struct profile *sum)
{
	struct profile profile;

	read_data(*paths, sum);
	while (*++paths) {
		read_data(*paths, &profile);
		add_profile(sum, &profile, profil_file_name(*paths));
	}
}

void profil_files_read_data(char **paths, struct profile *sum)
{
	profil_files_copy_pipes(paths);
	read_data_files(paths, sum);
}

/* Read a file on top of @data, those of the files before, and import it. */
static void read_gprof(const char *path, struct gprof_data *data,
		       struct import *import)
{
	struct input input;
	bool good;

	profil_input_begin(&input, open_stream(path));
	good = profil_gprof_check(&input, data);
	if (good && !import->symbols)
		profil_import_begin(import, data->word);
	if (!good || !profil_gprof_read(&input, data, import))
		die_err("%s: %s", profil_file_name(path), input.wrong);
	fclose(input.file);
	/* Bins of all files at one address become one place. */
	if (import->lines)
		profil_profile_sort(import->profile);
}

/* Ticks a second, rounded; 0 without a driver */
static unsigned int tick_hz(void)
{
	int fd = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);
	struct profil_version version = { .size = sizeof(version) };
	unsigned int hz = 0;

	if (fd < 0)
		return 0;
	if (!ioctl(fd, PROFIL_IOC_VERSION, &version) && version.tick_ns)
		hz = (SECOND + version.tick_ns / 2) / version.tick_ns;
	close(fd);
	return hz;
}

/* A mon.out is usually sampled at the tick. True if the rate is assumed. */
static bool assume_rate(struct gprof_data *data, unsigned int rate)
{
	if (data->rate || strcmp(data->kind, "mon.out"))
		return false;
	data->rate = rate;
	if (!data->rate)
		data->rate = tick_hz();
	if (!data->rate)
		data->rate = DEFAULT_HZ;
	return !rate;
}

static bool is_newer(const struct stat *one, const struct stat *other)
{
	const struct timespec *a = &one->st_mtim, *b = &other->st_mtim;

	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec :
					a->tv_nsec > b->tv_nsec;
}

/* A program that was linked after a file was written did not write it. */
static void warn_newer_program(const char *program, char **paths, size_t nr)
{
	struct stat linked, written;

	if (stat(program, &linked))
		return;
	for (size_t i = 0; i < nr; i++)
		if (!stat(paths[i], &written) && S_ISREG(written.st_mode) &&
		    is_newer(&linked, &written))
			warnx(stale, program, profil_file_name(paths[i]));
}

/* Read the @nr files at @paths, which @program has written. */
static void import(const struct files *files, const char *program, char **paths,
		   size_t nr, struct profile *profile)
{
	struct gprof_data data = { 0 };
	struct import import = {
		.profile = profile,
		.path = program,
		.how = files->how,
		.lines = files->lines,
	};

	profil_profile_init(profile);
	for (size_t i = 0; i < nr; i++)
		read_gprof(paths[i], &data, &import);
	profile->head.is_rate_assumed = assume_rate(&data, files->rate);
	warn_newer_program(program, paths, nr);
	profil_import_end(&import, &data);
	profile->head.recordings = nr;
	free(data.histograms);
}

/* Read the @nr files of gperftools at @paths; @program may be NULL. */
static void read_cpuprof(const char *program, char **paths, size_t nr,
			 struct profile *sum)
{
	char *real = program ? realpath(program, NULL) : NULL;

	for (size_t i = 0; i < nr; i++) {
		FILE *file = open_stream(paths[i]);
		struct profile profile, *to = i ? &profile : sum;
		char wrong[CPUPROF_WRONG];

		if (!profil_cpuprof_is(file))
			die_err("%s: cannot be added up: %s",
				profil_file_name(paths[i]),
				profil_gprof_other_kind);
		profil_profile_init(to);
		if (!profil_cpuprof_read(file, real, to, wrong))
			die_err("%s: %s", profil_file_name(paths[i]), wrong);
		fclose(file);
		if (i)
			add_profile(sum, to, profil_file_name(paths[i]));
	}
	free(real);
}

/* Number of files before the next program, which is not the last one of @paths */
static size_t files_of_program(char **paths)
{
	size_t nr = 1;

	while (paths[nr] &&
	       !(paths[nr + 1] && profil_files_kind(paths[nr]) == FILE_PROGRAM))
		nr++;
	return nr;
}

/* Files of two programs have a sum if they are of one kind, and of one rate. */
static void add_program(struct profile *sum, struct profile *profile,
			const char *program)
{
	if (strcmp(sum->head.format, profile->head.format))
		die_err("%s: cannot be added up: %s", program,
			profil_gprof_other_kind);
	add_profile(sum, profile, program);
}

static void read_gprof_files(const struct files *files, struct profile *sum)
{
	const char *program = files->program;
	struct profile *to = sum, profile;
	char **paths = files->paths;

	while (*paths) {
		size_t nr;

		if (paths[1] && profil_files_kind(*paths) == FILE_PROGRAM)
			program = *paths++;
		nr = files_of_program(paths);
		if (profil_files_kind(*paths) == FILE_CPUPROF)
			read_cpuprof(program, paths, nr, to);
		else
			import(files, program ?: "./a.out", paths, nr, to);
		if (to != sum)
			add_program(sum, to, program ?: *paths);
		to = &profile;
		paths += nr;
	}
}

void profil_files_read_exact(const struct files *files, struct profile *sum)
{
	if (files->is_gprof)
		read_gprof_files(files, sum);
	else
		read_data_files(files->paths, sum);
}

void profil_files_enter_kernel(struct profile *profile)
{
	if (profil_profile_enter_kernel(profile))
		return;
	if (!profile->nr_kernel)
		die_err("-k: the profile has no functions of the kernel: record it as root, as in sudo profil record");
	die_err("-k: some of the recordings have no functions of the kernel: leave those out that root has not recorded");
}

void profil_files_read(struct files *files, struct profile *sum)
{
	profil_files_copy_pipes(files->paths);
	files->lines = true;
	files->is_gprof = is_gprof(*files->paths) ||
			  (files->paths[1] &&
			   profil_files_kind(*files->paths) == FILE_PROGRAM);
	profil_files_read_exact(files, sum);
	profil_profile_round(sum);
	if (!files->is_gprof)
		profil_resolve_again(sum);
	if (files->kernel)
		profil_files_enter_kernel(sum);
}
