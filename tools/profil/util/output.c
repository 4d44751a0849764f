// SPDX-License-Identifier: GPL-2.0-only
/* Output of the command */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/output.h"

static bool was_closed[3];
static struct sigaction too_large;

int profil_output_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	return fd < 0 ? memfd_create("null", MFD_CLOEXEC) : fd;
}

/* execve() closes them again: the command gets what the caller left open. */
void profil_output_begin(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int fd;

	for (int i = 0; i < 3; i++)
		was_closed[i] = fcntl(i, F_GETFD) < 0;
	do {
		fd = profil_output_null();
	} while (fd >= 0 && fd < 3);
	if (fd >= 0)
		close(fd);
	sigaction(SIGXFSZ, &ignore, &too_large);
}

void profil_output_undo(void)
{
	sigaction(SIGXFSZ, &too_large, NULL);
}

static bool is_closed(FILE *out)
{
	int fd = fileno(out);

	return fd >= 0 && fd < 3 && was_closed[fd];
}

FILE *profil_output_open(const char *path, FILE *usual)
{
	bool is_stdout = path && !strcmp(path, "-");
	FILE *out = usual;

	if (is_stdout)
		out = stdout;
	else if (path)
		out = fopen(path, "we");
	if (!out)
		err(EXIT_PROFIL, "cannot write to %s", path);
	if (is_closed(out))
		errx(EXIT_PROFIL, "%s is closed: name a file with -o",
		     out == stderr ? "stderr" : "stdout");
	return out;
}

FILE *profil_output_stdout(void)
{
	if (is_closed(stdout))
		errx(EXIT_PROFIL, "cannot write to stdout: it is closed");
	return stdout;
}

static int input_status(const char *input, struct stat *status)
{
	return strcmp(input, "-") ? stat(input, status) :
				    fstat(STDIN_FILENO, status);
}

void profil_output_check_input(const char *path, const char *input)
{
	struct stat output, other;

	if (!path || !strcmp(path, "-") || stat(path, &output) ||
	    input_status(input, &other) || !S_ISREG(output.st_mode))
		return;
	if (output.st_dev == other.st_dev && output.st_ino == other.st_ino)
		errx(EXIT_PROFIL, "-o %s would overwrite %s: name another file",
		     path, profil_file_name(input));
}

static const char *name_of(FILE *out, const char *path)
{
	if (out == stdout)
		return "stdout";
	return out == stderr ? "stderr" : path;
}

void profil_output_close(FILE *out, const char *path)
{
	bool is_file = out != stdout && out != stderr;
	const char *name = name_of(out, path);
	bool failed = ferror(out) || fflush(out);

	if ((is_file && fclose(out)) || failed)
		err(EXIT_PROFIL, "cannot write all of the output to %s", name);
}

bool profil_output_has_colours(FILE *out)
{
	const char *terminal = getenv("TERM");
	const char *without = getenv("NO_COLOR");

	return isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") &&
	       (!without || !*without);
}

size_t profil_output_columns(FILE *out)
{
	struct winsize size;

	return ioctl(fileno(out), TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

bool profil_output_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

const char *profil_output_sign(const char *utf8, const char *ascii)
{
	return profil_output_is_utf8() ? utf8 : ascii;
}
