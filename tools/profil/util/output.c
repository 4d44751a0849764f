// SPDX-License-Identifier: GPL-2.0-only
/* Output of the command, and names of files in messages */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "util/output.h"
#include "util/replace.h"

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

/* Where the output goes in place of a file, or -1 */
static int redirected = -1;
static void (*when_written)(void);

void profil_output_redirect(int fd, void (*written)(void))
{
	redirected = fd;
	when_written = written;
}

/* The file that the output has no name for yet, and the name that it gets; or -1 */
static int nameless = -1;
static char target[PATH_MAX];

/*
 * A file is replaced only if that changes its content alone: a regular one of this
 * user, with one name, no link in its place and no ACL. Names in /dev and /proc may
 * stand for a file that is already open.
 */
static bool is_replaceable(const char *path, const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink == 1 &&
	       status->st_uid == geteuid() && !access(path, W_OK) &&
	       lgetxattr(path, "system.posix_acl_access", NULL, 0) <= 0 &&
	       strncmp(path, "/dev/", 5) && strncmp(path, "/proc/", 6);
}

static bool has_attributes_of(const struct stat *status)
{
	return !fchown(nameless, (uid_t)-1, status->st_gid) &&
	       !fchmod(nameless, status->st_mode & 0777);
}

/* False if no file can be written aside for @path. */
static bool open_aside(const char *path)
{
	struct stat status;
	bool exists = !lstat(path, &status);

	if ((exists && !is_replaceable(path, &status)) ||
	    snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX)
		return false;
	nameless = profil_replace_open(target, 0666);
	if (nameless < 0 || !exists || has_attributes_of(&status))
		return nameless >= 0;
	close(nameless);
	nameless = -1;
	return false;
}

/*
 * A file is written aside, so that the one before is still there if the disk is full
 * or the command is killed. Where that is not possible, it is overwritten.
 */
static FILE *open_file(const char *path)
{
	if (redirected >= 0)
		return fdopen(dup(redirected), "w");
	return open_aside(path) ? fdopen(nameless, "w") : fopen(path, "we");
}

/* A file that cannot be replaced, as one that is mounted, is overwritten. */
static bool overwrite(void)
{
	int fd = open(target, O_WRONLY | O_TRUNC | O_CLOEXEC);
	off_t from = 0;
	ssize_t sent;

	if (fd < 0)
		return false;
	do
		sent = sendfile(fd, nameless, &from, 1 << 30);
	while (sent > 0);
	return !close(fd) && !sent;
}

/* Give the complete file its name. */
static bool finish(void)
{
	char beside[PATH_MAX];

	if (profil_replace_name(nameless, target, beside))
		return overwrite();
	if (!rename(beside, target))
		return true;
	unlink(beside);
	return overwrite();
}

FILE *profil_output_open(const char *path, FILE *usual)
{
	bool is_stdout = path && !strcmp(path, "-");
	FILE *out = usual;

	if (is_stdout)
		out = stdout;
	else if (path)
		out = open_file(path);
	if (!out)
		die_errno("cannot write to %s", path);
	if (is_closed(out) && out == stdout)
		die_err("stdout is closed: name a file with -o");
	return out;
}

FILE *profil_output_stdout(void)
{
	if (is_closed(stdout))
		die_err("cannot write to stdout: it is closed");
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
		die_err("-o %s would overwrite %s: name another file", path,
			profil_file_name(input));
}

static const char *stream_name(FILE *out, const char *path)
{
	if (out == stdout)
		return "stdout";
	return out == stderr ? "stderr" : path;
}

void profil_output_close(FILE *out, const char *path)
{
	bool is_file = out != stdout && out != stderr;
	const char *name = stream_name(out, path);
	bool failed = ferror(out) || fflush(out) ||
		      (nameless >= 0 && !finish());

	nameless = -1;
	if ((is_file && fclose(out)) || failed)
		die_errno("cannot write all of the output to %s", name);
	if (is_file && when_written)
		when_written();
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

/* A file that messages have another name of */
struct named_file {
	const char *path;
	const char *name;
};

static struct named_file *files;
static size_t nr_files;

const char *profil_file_name(const char *path)
{
	for (size_t i = 0; i < nr_files; i++)
		if (!strcmp(files[i].path, path))
			return files[i].name;
	return strcmp(path, "-") ? path : "stdin";
}

void profil_file_name_set(const char *path, const char *name)
{
	ARRAY_ADD(files, nr_files, (struct named_file){ path, name });
}

static bool is_stdin(const char *path)
{
	static const char *const names[] = { "-", "/dev/stdin", "/dev/fd/0",
					     "/proc/self/fd/0" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(path, names[i]))
			return true;
	return false;
}

void profil_file_name_check(const char *path)
{
	static bool is_taken;

	if (!is_stdin(path))
		return;
	if (is_taken)
		die_err("stdin is named twice, and can be read once: name a file");
	is_taken = true;
}
