// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saving a profile: the file is on the disk before it has its name, and a
 * process that is killed leaves no other file. The functions of the libc that
 * the tests make fail are defined here.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "record/save.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

#define NAME "profil.data"

/**
 * struct disk - what the functions of the libc do and have done
 * @is_old: open() knows no files without a name
 * @refuses_link: linkat() fails
 * @fsync_error: errno of fsync(), or 0
 * @kills: fsync() kills the process
 * @synced: size of the file at the last fsync()
 * @renamed: fsync() calls before the first rename(), or -1
 * @syncs: fsync() calls
 */
static struct disk {
	bool is_old;
	bool refuses_link;
	int fsync_error;
	bool kills;
	off_t synced;
	int renamed;
	int syncs;
} disk;

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (disk.is_old && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	if (disk.refuses_link) {
		errno = EPERM;
		return -1;
	}
	return syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
}

int fsync(int fd)
{
	struct stat status;

	if (disk.kills)
		raise(SIGKILL);
	if (fstat(fd, &status))
		return -1;
	disk.synced = status.st_size;
	disk.syncs++;
	errno = disk.fsync_error;
	return disk.fsync_error ? -1 : 0;
}

int rename(const char *from, const char *to)
{
	if (disk.renamed < 0)
		disk.renamed = disk.syncs;
	return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/*
 * The tests
 */

static struct profile profile;

static bool make_profile(void)
{
	static const char *const command[] = { "program" };

	profil_profile_init(&profile);
	profil_profile_set_command(&profile, 1, command);
	profile.head.samples = 3;
	return true;
}

/* Go to a new directory. */
static bool begin(void)
{
	char directory[] = "/tmp/save-test.XXXXXX";

	disk = (struct disk){ .renamed = -1 };
	return mkdtemp(directory) && !chdir(directory) && make_profile();
}

/* Number of files in the directory */
static int nr_files(void)
{
	DIR *directory = opendir(".");
	struct dirent *entry;
	int nr = 0;

	while (directory && (entry = readdir(directory)))
		nr += *entry->d_name != '.';
	if (directory)
		closedir(directory);
	return nr;
}

static bool is_file(const char *path, const char *content)
{
	char buffer[64] = "";
	int fd = open(path, O_RDONLY, 0);

	CHECK(fd >= 0);
	CHECK(read(fd, buffer, sizeof(buffer) - 1) >= 0);
	close(fd);
	CHECK(!strcmp(buffer, content));
	return true;
}

static bool write_file(const char *path, const char *content)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	CHECK(fd >= 0);
	CHECK(write(fd, content, strlen(content)) == (ssize_t)strlen(content));
	close(fd);
	return true;
}

static bool is_profile(const char *path)
{
	char text[DATA_ERROR_TEXT];
	struct profile read;
	struct stat status;
	int fd = open(path, O_RDONLY, 0);

	CHECK(fd >= 0);
	CHECK(!fstat(fd, &status));
	CHECK_EQUAL(0600, status.st_mode & 07777);
	profil_profile_init(&read);
	CHECK_EQUAL(0, profil_data_read(&read, fd, text));
	close(fd);
	CHECK_EQUAL(3, read.head.samples);
	profil_profile_free(&read);
	return true;
}

static bool end(void)
{
	char directory[PATH_MAX];

	profil_profile_free(&profile);
	unlink(NAME);
	unlink(NAME ".old");
	CHECK_EQUAL(0, nr_files());
	CHECK(getcwd(directory, sizeof(directory)));
	CHECK(!rmdir(directory));
	return true;
}

static bool saves(void)
{
	struct stat status;
	struct save save;

	CHECK(write_file(NAME, "old"));
	CHECK_EQUAL(0, profil_save_begin(&save, NAME));
	CHECK_EQUAL(1, nr_files());
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(is_profile(NAME));
	CHECK(is_file(NAME ".old", "old"));
	CHECK_EQUAL(2, nr_files());
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(is_file(NAME ".old", "old"));
	CHECK(!stat(NAME, &status));
	CHECK_EQUAL(status.st_size, save.size);
	return true;
}

TEST("a profile is saved, and the file before is kept")
{
	return begin() && saves() && end();
}

TEST("a profile is saved where each file has a name")
{
	CHECK(begin());
	disk.is_old = true;
	return saves() && end();
}

TEST("a profile is saved where a file cannot get a name later")
{
	CHECK(begin());
	disk.refuses_link = true;
	return saves() && end();
}

TEST("a directory and a file may have any name")
{
	struct save save;

	CHECK(begin());
	CHECK(!mkdir("a b", 0700));
	CHECK_EQUAL(0, profil_save_begin(&save, "a b/\xe9\n"));
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(is_profile("a b/\xe9\n"));
	CHECK(!unlink("a b/\xe9\n"));
	CHECK(!rmdir("a b"));
	return end();
}

/* Names that other processes use are left to them. */
TEST("files with the names of unfinished profiles stay")
{
	struct save save;
	char name[64];

	CHECK(begin());
	snprintf(name, sizeof(name), NAME ".%06d", getpid() % 1000000);
	CHECK(write_file(name, "other"));
	CHECK_EQUAL(0, profil_save_begin(&save, NAME));
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(is_profile(NAME));
	CHECK(is_file(name, "other"));
	CHECK(!unlink(name));
	return end();
}

TEST("a profile is on the disk before it has its name")
{
	struct save save;

	CHECK(begin());
	CHECK_EQUAL(0, profil_save_begin(&save, NAME));
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK_EQUAL(1, disk.renamed);
	CHECK_EQUAL(save.size, disk.synced);
	return end();
}

/* The disk reports at fsync() that it is full: the old file stays. */
TEST("a disk that is full at fsync() leaves the old file")
{
	struct save save;

	CHECK(begin());
	CHECK(write_file(NAME, "old"));
	CHECK_EQUAL(0, profil_save_begin(&save, NAME));
	disk.fsync_error = ENOSPC;
	CHECK_EQUAL(-ENOSPC, profil_save(&save, &profile));
	CHECK_EQUAL(ENOSPC, save.error);
	CHECK(is_file(NAME, "old"));
	CHECK_EQUAL(1, nr_files());
	return end();
}

/* Kill a process in profil_save(). */
static bool kill_in_save(struct save *save)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		disk.kills = true;
		profil_save(save, &profile);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return true;
}

/* As in profil, @save is in memory that is shared with the guardian. */
static struct save *share(void)
{
	return mmap(NULL, sizeof(struct save), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* The file system of the tests has files without a name. */
static bool has_nameless_files(void)
{
	int fd = open(".", O_TMPFILE | O_WRONLY, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST("a killed process leaves no file")
{
	struct save *save = share();

	CHECK(begin());
	if (!has_nameless_files()) {
		tap_note("/tmp has no files without a name");
		return end();
	}
	CHECK_EQUAL(0, profil_save_begin(save, NAME));
	CHECK(kill_in_save(save));
	CHECK_EQUAL(0, nr_files());
	return end();
}

TEST("the guardian removes the file of a killed process")
{
	struct save *save = share();

	CHECK(begin());
	disk.is_old = true;
	CHECK_EQUAL(0, profil_save_begin(save, NAME));
	CHECK(kill_in_save(save));
	CHECK_EQUAL(1, nr_files());
	CHECK_EQUAL(0, profil_save(save, &profile));
	CHECK(is_profile(NAME));
	CHECK_EQUAL(1, nr_files());
	return end();
}

/* Save to @name, a link to a device, which is replaced or written. */
static bool saves_at_link(const char *name, bool is_replaced)
{
	struct save save;
	struct stat status;

	CHECK_EQUAL(!is_replaced, profil_save_is_special(name));
	CHECK_EQUAL(0, profil_save_begin(&save, name));
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(!lstat(name, &status));
	CHECK_EQUAL(is_replaced, S_ISREG(status.st_mode));
	if (is_replaced)
		CHECK(is_profile(name));
	CHECK(!unlink(name));
	return true;
}

TEST("a link of the caller to a device is followed, unless it has the usual name")
{
	CHECK(begin());
	CHECK(!symlink("/dev/null", "other"));
	CHECK(saves_at_link("other", false));
	CHECK(!symlink("/dev/null", NAME));
	CHECK(saves_at_link(NAME, true));
	return end();
}

TEST("a link of another user to a device is replaced")
{
	CHECK(begin());
	if (geteuid()) {
		tap_note("only root can make links of another user");
		return end();
	}
	CHECK(!symlink("/dev/null", "other"));
	CHECK(!lchown("other", 65534, 65534));
	CHECK(saves_at_link("other", true));
	CHECK(!unlink("other.old"));
	CHECK(!symlink("/dev/null", NAME));
	CHECK(!lchown(NAME, 65534, 65534));
	CHECK(saves_at_link(NAME, true));
	return end();
}

TEST("a directory is refused")
{
	struct save save;

	CHECK(begin());
	CHECK(!mkdir(NAME, 0700));
	CHECK_EQUAL(-EISDIR, profil_save_begin(&save, NAME));
	CHECK(!rmdir(NAME));
	return end();
}

/* Save to @path, which names the descriptor @fd of a file: it is appended. */
static bool saves_to(const char *path, int fd)
{
	struct save save;
	struct stat status;

	CHECK(!ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET));
	CHECK_EQUAL(0, profil_save_begin(&save, path));
	CHECK_EQUAL(0, profil_save(&save, &profile));
	CHECK(is_profile(NAME));
	CHECK(!fstat(fd, &status) && status.st_size > 0);
	CHECK_EQUAL(status.st_size, lseek(fd, 0, SEEK_CUR));
	CHECK_EQUAL(1, nr_files());
	return true;
}

TEST("a descriptor is written, and is no name of a file")
{
	static const char *const names[] = { "/dev/fd/%d", "/proc/self/fd/%d" };
	int fd, usual = dup(STDERR_FILENO);
	char path[64];
	bool good;

	CHECK(begin());
	fd = open(NAME, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd > STDERR_FILENO && usual > 0);
	for (size_t i = 0; i < ELEMENTS(names); i++) {
		snprintf(path, sizeof(path), names[i], fd);
		CHECK(saves_to(path, fd));
	}
	CHECK(dup2(fd, STDERR_FILENO) == STDERR_FILENO);
	good = saves_to("/dev/stderr", fd);
	CHECK(dup2(usual, STDERR_FILENO) == STDERR_FILENO);
	CHECK(good);
	close(fd);
	close(usual);
	return end();
}

TEST("a descriptor that is closed is refused")
{
	struct save save;

	CHECK(begin());
	CHECK_EQUAL(-EBADF, profil_save_begin(&save, "/dev/fd/987"));
	CHECK_EQUAL(0, nr_files());
	CHECK(profil_save_is_special("/dev/fd/987"));
	CHECK_EQUAL(1, profil_save_descriptor("/dev/fd/1"));
	CHECK_EQUAL(-1, profil_save_descriptor("/dev/fd/"));
	CHECK_EQUAL(-1, profil_save_descriptor("/dev/fd/1x"));
	CHECK_EQUAL(-1, profil_save_descriptor("/dev/fd/4294967297"));
	CHECK_EQUAL(-1, profil_save_descriptor("/dev/fd/-1"));
	CHECK(!profil_save_is_special(NAME));
	return end();
}
