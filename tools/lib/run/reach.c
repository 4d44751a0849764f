// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whether the dynamic linker of a program will preload libprofil
 *
 * Most causes are visible in the program's file: its class and processor, its
 * dynamic linker, and the privileges that it gives. A process that is about to
 * execute the program may have little stack left, must not call malloc() or take
 * a lock, and may have other threads; so the file is read in small pieces.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "include/reach.h"
#include "include/run_layout.h"

/* Depth to which the kernel follows #! lines */
#define MAX_SCRIPTS 5
/* Bytes of a #! line that the kernel reads */
#define LINE 256
/* Limits of the program headers and notes that are read */
#define MAX_SEGMENTS 64
#define MAX_NOTES 16
/* Without S_IXGRP, S_ISGID gives no privilege. */
#define RUNS_AS_GROUP 02010

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#define MACHINE_32 EM_386
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#define MACHINE_32 EM_ARM
#else
#define MACHINE EM_NONE
#define MACHINE_32 EM_NONE
#endif

#ifdef __GLIBC__
#define OWN_LINKER "ld-linux"
#define OTHER_LINKER "ld-musl"
#else
#define OWN_LINKER "ld-musl"
#define OTHER_LINKER "ld-linux"
#endif

/* Bare system calls, for the reason given in device.c */
static int open_file(const char *path)
{
	return syscall(SYS_openat, AT_FDCWD, path,
		       O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

static bool read_at(int fd, void *to, size_t size, uint64_t where)
{
	return pread(fd, to, size, where) == (ssize_t)size;
}

static bool is_note(int fd, const Elf64_Nhdr *note, uint64_t where)
{
	char name[sizeof(RUN_NOTE_NAME)];

	return note->n_type == RUN_NOTE_TYPE &&
	       note->n_namesz == sizeof(name) &&
	       read_at(fd, name, sizeof(name), where + sizeof(*note)) &&
	       !memcmp(name, RUN_NOTE_NAME, sizeof(name));
}

/* Whether @segment has the note of libprofil.a */
static bool has_note(int fd, const Elf64_Phdr *segment)
{
	uint64_t mask = segment->p_align == 8 ? 7 : 3;
	uint64_t at = segment->p_offset;
	uint64_t end = at + segment->p_filesz;
	Elf64_Nhdr note;

	for (int i = 0; i < MAX_NOTES && at < end; i++) {
		if (!read_at(fd, &note, sizeof(note), at))
			return false;
		if (is_note(fd, &note, at))
			return true;
		at += sizeof(note) + ((note.n_namesz + mask) & ~mask) +
		      ((note.n_descsz + mask) & ~mask);
	}
	return false;
}

static bool begins(const char *path, const char *with)
{
	const char *name = strrchr(path, '/');

	return !strncmp(name ? name + 1 : path, with, strlen(with));
}

/* Recognize the other libc's dynamic linker by its file name. */
static enum reach judge_linker(int fd, const Elf64_Phdr *segment)
{
	char path[128] = "";
	size_t size = sizeof(path) - 1;

	if (segment->p_filesz < size)
		size = segment->p_filesz;
	if (!read_at(fd, path, size, segment->p_offset))
		return REACH_YES;
	return begins(path, OTHER_LINKER) ? REACH_LIBC : REACH_YES;
}

static enum reach judge_segments(int fd, const Elf64_Ehdr *header,
				 bool *built_in)
{
	enum reach reach = REACH_STATIC;
	Elf64_Phdr segment;

	for (int i = 0; i < header->e_phnum && i < MAX_SEGMENTS; i++) {
		if (!read_at(fd, &segment, sizeof(segment),
			     header->e_phoff + i * sizeof(segment)))
			return REACH_YES;
		if (segment.p_type == PT_INTERP)
			reach = judge_linker(fd, &segment);
		else if (segment.p_type == PT_NOTE && has_note(fd, &segment))
			*built_in = true;
	}
	return *built_in ? REACH_YES : reach;
}

static bool is_32_bit(const Elf64_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS32 &&
	       (header->e_machine == MACHINE_32 ||
		header->e_machine == MACHINE);
}

/* e_type and e_machine have the same offset in both classes. */
static enum reach judge_code(int fd, bool *built_in)
{
	Elf64_Ehdr header;

	if (!read_at(fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || MACHINE == EM_NONE)
		return REACH_YES;
	if (is_32_bit(&header))
		return REACH_32BIT;
	if (header.e_machine != MACHINE ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_phentsize != sizeof(Elf64_Phdr))
		return REACH_MACHINE;
	return judge_segments(fd, &header, built_in);
}

/* Whether the kernel ignores set-ID bits and capabilities */
static bool is_inert(int fd)
{
	struct statvfs system;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
	       (!fstatvfs(fd, &system) && system.f_flag & ST_NOSUID);
}

/* Whether the file gives capabilities, which matters to users but root */
static bool has_capabilities(int fd)
{
	return getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Whether the kernel will set AT_SECURE for the dynamic linker */
static bool gains_privilege(int fd)
{
	bool changed = geteuid() != getuid() || getegid() != getgid();
	struct stat status;
	bool more;

	if (fstat(fd, &status))
		return changed;
	more = has_capabilities(fd) ||
	       (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
	       ((status.st_mode & RUNS_AS_GROUP) == RUNS_AS_GROUP &&
		status.st_gid != getgid());
	return changed || (more && !is_inert(fd));
}

/* Read the interpreter in the #! line of a script; false if there is none. */
static bool read_script(int fd, char interpreter[LINE])
{
	char line[LINE] = "";
	char *name = line + 2;

	if (pread(fd, line, sizeof(line) - 1, 0) < 3 || memcmp(line, "#!", 2))
		return false;
	name += strspn(name, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	if (!*name)
		return false;
	memcpy(interpreter, name, strlen(name) + 1);
	return true;
}

/*
 * Examine the file at @path; true for a script, whose interpreter is stored in
 * @interpreter. @path may be @interpreter.
 */
static bool step(const char *path, char interpreter[LINE], enum reach *reach,
		 bool *built_in)
{
	int fd = open_file(path);
	bool more;

	if (fd < 0)
		return false;
	more = read_script(fd, interpreter);
	if (!more) {
		*reach = judge_code(fd, built_in);
		if (gains_privilege(fd))
			*reach = REACH_PRIVILEGE;
	}
	syscall(SYS_close, fd);
	return more;
}

/* Whether @path is a dynamic linker, which is executed as a static program */
static bool is_linker(const char *path)
{
	return begins(path, OWN_LINKER) || begins(path, "ld.so");
}

enum reach profil_reach(const char *path, bool *built_in)
{
	enum reach reach = REACH_YES;
	char interpreter[LINE];

	*built_in = false;
	for (int depth = 0; depth < MAX_SCRIPTS; depth++) {
		if (!step(path, interpreter, &reach, built_in))
			break;
		path = interpreter;
	}
	return reach == REACH_STATIC && is_linker(path) ? REACH_YES : reach;
}

static bool is_program(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       !access(path, X_OK);
}

/* Join the first @length bytes of @directory, if any, and @name. */
static bool join(char path[REACH_PATH], const char *directory, size_t length,
		 const char *name)
{
	size_t rest = strlen(name);

	if (length + rest + 2 > REACH_PATH)
		return false;
	memcpy(path, directory, length);
	if (length)
		path[length++] = '/';
	memcpy(path + length, name, rest + 1);
	return true;
}

bool profil_reach_find(const char *name, char path[REACH_PATH])
{
	const char *directory = getenv("PATH");

	if (strchr(name, '/'))
		return join(path, "", 0, name);
	if (!directory)
		directory = "/bin:/usr/bin";
	while (directory) {
		size_t length = strcspn(directory, ":");

		if (join(path, directory, length, name) && is_program(path))
			return true;
		directory = directory[length] ? directory + length + 1 : NULL;
	}
	return false;
}
