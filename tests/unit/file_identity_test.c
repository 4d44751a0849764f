// SPDX-License-Identifier: GPL-2.0-only
/*
 * The build ID of a file, also of one that has been replaced or changed after its
 * identity was read. The oracle is the ID that each written file has.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/file_identity.h"
#include "tap.h"

#define FIRST_ID 0x11
#define SECOND_ID 0x22

#define TEMPLATE "/tmp/profil-identity-XXXXXX"

static pthread_barrier_t barrier;
static volatile sig_atomic_t has_signal;
static char path[sizeof(TEMPLATE)] = TEMPLATE;

/* A file with one note, the build ID of one byte */
struct file {
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;
	ElfW(Nhdr) note;
	char name[4];
	unsigned char id[4];
};

static struct file with_id(unsigned char id)
{
	return (struct file){
		.head.e_ident = ELFMAG,
		.head.e_phoff = offsetof(struct file, segment),
		.head.e_phentsize = sizeof(((struct file *)0)->segment),
		.head.e_phnum = 1,
		.segment.p_type = PT_NOTE,
		.segment.p_offset = offsetof(struct file, note),
		.segment.p_filesz =
			sizeof(struct file) - offsetof(struct file, note),
		.note = { 4, 1, NT_GNU_BUILD_ID },
		.name = "GNU",
		.id = { id },
	};
}

static bool write_to(const char *name, int flags, unsigned char id)
{
	struct file file = with_id(id);
	int fd = open(name, O_WRONLY | flags, 0600);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, &file, sizeof(file)) == sizeof(file);
	return !close(fd) && done;
}

/* Replace the file by one that has another inode, and @id as build ID. */
static bool write_file(unsigned char id)
{
	char other[sizeof(path) + 4];

	snprintf(other, sizeof(other), "%s.new", path);
	return write_to(other, O_CREAT | O_TRUNC, id) && !rename(other, path);
}

static bool has_id(const struct run_identity *identity, unsigned char id)
{
	return identity->build_id_size == 1 && identity->build_id[0] == id;
}

TEST("the build ID of a file is taken")
{
	struct run_identity identity;

	CHECK(write_file(FIRST_ID));
	profil_file_identity(path, &identity);
	profil_file_build_id(path, &identity);
	CHECK(has_id(&identity, FIRST_ID));
	return true;
}

TEST("the build ID of a file that replaces it is not")
{
	struct run_identity identity;

	CHECK(write_file(FIRST_ID));
	profil_file_identity(path, &identity);
	CHECK(write_file(SECOND_ID));
	profil_file_build_id(path, &identity);
	CHECK_EQUAL(0, identity.build_id_size);
	return true;
}

TEST("the build ID of a file that has been rewritten is not")
{
	static const struct timespec times[2] = { { 1, 0 }, { 2, 0 } };
	struct run_identity identity;

	CHECK(write_file(FIRST_ID));
	CHECK(!utimensat(AT_FDCWD, path, times, 0));
	profil_file_identity(path, &identity);
	CHECK(write_to(path, 0, SECOND_ID));
	profil_file_build_id(path, &identity);
	CHECK_EQUAL(0, identity.build_id_size);
	return true;
}

/* The first thread opens another file by the numbers that this thread will use. */
static void *take_build_id(void *identity)
{
	if (unshare(CLONE_FILES))
		return NULL;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	profil_file_build_id(path, identity);
	return NULL;
}

TEST("a thread with its own descriptors takes the build ID of the file")
{
	struct run_identity identity;
	char other[sizeof(path) + 4];
	pthread_t thread;
	bool opened;

	CHECK(write_file(FIRST_ID));
	snprintf(other, sizeof(other), "%s.new", path);
	CHECK(write_to(other, O_CREAT | O_TRUNC, SECOND_ID));
	profil_file_identity(path, &identity);
	CHECK(!pthread_barrier_init(&barrier, NULL, 2));
	CHECK(!pthread_create(&thread, NULL, take_build_id, &identity));
	pthread_barrier_wait(&barrier);
	opened = open(other, O_RDONLY) >= 0 && open(other, O_RDONLY) >= 0;
	pthread_barrier_wait(&barrier);
	CHECK(!pthread_join(thread, NULL) && opened && !unlink(other));
	CHECK(has_id(&identity, FIRST_ID));
	return true;
}

static void note_signal(int number)
{
	(void)number;
	has_signal = true;
}

/* The kernel sends SIGIO for an opening that breaks the lease of a file. */
TEST("a file that replaces it is not opened")
{
	struct run_identity identity;
	int fd;

	CHECK(write_file(FIRST_ID));
	profil_file_identity(path, &identity);
	CHECK(write_file(SECOND_ID));
	CHECK(signal(SIGIO, note_signal) != SIG_ERR);
	fd = open(path, O_RDWR);
	CHECK(fd >= 0 && !fcntl(fd, F_SETLEASE, F_WRLCK));
	profil_file_build_id(path, &identity);
	CHECK(!has_signal);
	CHECK_EQUAL(-1, open(path, O_RDONLY | O_NONBLOCK));
	CHECK(has_signal);
	return !close(fd);
}

int main(void)
{
	int fd = mkstemp(path);
	int status;

	if (fd < 0 || close(fd))
		return EXIT_FAILURE;
	status = tap_run();
	unlink(path);
	return status;
}
