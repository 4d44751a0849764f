// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program that is to be run: whether LD_PRELOAD reaches it
 *
 * The dynamic linker preloads the library. So a program has to have one: not a
 * static program, and not of another kind of processor than the library; and
 * it has to heed LD_PRELOAD, which it does not where the program gives its
 * user more privilege.
 */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <gelf.h>

#include "../lib/run.h"
#include "program.h"
#include "status.h"

#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif

#define LIBRARY "libprofil.so.1"
#define BUILT_IN "libprofil.a (cc ... -Wl,-u,profil_run -lprofil)"
/* As deep as the kernel follows #! lines */
#define MAX_SCRIPTS 5

static bool is_program(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) &&
	       !access(path, X_OK);
}

/* As execvp() finds it; false if it does not. */
static bool find(const char *name, char path[PATH_MAX])
{
	const char *directory = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	if (!directory)
		directory = "/bin:/usr/bin";
	while (directory) {
		int length = strcspn(directory, ":");

		snprintf(path, PATH_MAX, "%.*s%s%s", length, directory,
			 length ? "/" : "", name);
		if (is_program(path))
			return true;
		directory = directory[length] ? directory + length + 1 : NULL;
	}
	return false;
}

/* Root has a file's capabilities anyway, but not its owner. */
static void check_privilege(const char *path, int fd)
{
	struct stat status;
	bool more;

	if (fstat(fd, &status))
		return;
	more = (status.st_mode & S_ISUID && status.st_uid != geteuid()) ||
	       (status.st_mode & S_ISGID && status.st_gid != getegid()) ||
	       (geteuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0);
	if (more)
		errx(EXIT_PROFIL,
		     "%s gains privileges, so LD_PRELOAD does not reach it: run a copy (cp %s copy), or be the user that it becomes",
		     path, path);
}

/* Whether @segment has the note of libprofil.a */
static bool has_note(Elf *elf, const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, segment->p_offset,
					      segment->p_filesz, ELF_T_NHDR);
	size_t at = 0, next, name, content;
	GElf_Nhdr note;

	while (data &&
	       (next = gelf_getnote(data, at, &note, &name, &content))) {
		if (note.n_type == RUN_NOTE_TYPE &&
		    note.n_namesz == sizeof(RUN_NOTE_NAME) &&
		    !memcmp((char *)data->d_buf + name, RUN_NOTE_NAME,
			    sizeof(RUN_NOTE_NAME)))
			return true;
		at = next;
	}
	return false;
}

/* Whether the program has a dynamic linker, or the library in itself */
static bool is_reachable(Elf *elf)
{
	GElf_Phdr segment;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return true;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment))
			continue;
		if (segment.p_type == PT_INTERP)
			return true;
		if (segment.p_type == PT_NOTE && has_note(elf, &segment))
			return true;
	}
	return false;
}

static bool is_same_kind(Elf *elf, int other_fd)
{
	Elf *other = elf_begin(other_fd, ELF_C_READ_MMAP, NULL);
	GElf_Ehdr one, two;
	bool same = true;

	if (gelf_getehdr(elf, &one) && gelf_getehdr(other, &two))
		same = one.e_machine == two.e_machine &&
		       gelf_getclass(elf) == gelf_getclass(other);
	elf_end(other);
	return same;
}

/* PROFIL_LIB may name a library of another kind, for such programs. */
static void check_kind(const char *path, Elf *elf)
{
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (self < 0)
		return;
	if (!getenv("PROFIL_LIB") && !is_same_kind(elf, self))
		errx(EXIT_PROFIL,
		     "%s is for other processors: set PROFIL_LIB to a " LIBRARY
		     " for them",
		     path);
	close(self);
}

static void check_elf(const char *path, int fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf_kind(elf) == ELF_K_ELF) {
		check_kind(path, elf);
		if (!is_reachable(elf))
			errx(EXIT_PROFIL,
			     "%s is static: link it dynamically, or with " BUILT_IN,
			     path);
	}
	elf_end(elf);
}

/* The interpreter in the #! line of a script, or false */
static bool read_script(int fd, char path[PATH_MAX])
{
	char line[256] = "";
	char *name = line + 2;

	if (pread(fd, line, sizeof(line) - 1, 0) < 3 || memcmp(line, "#!", 2))
		return false;
	name += strspn(name, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	snprintf(path, PATH_MAX, "%s", name);
	return *name;
}

void profil_program_check(const char *name)
{
	char path[PATH_MAX];
	bool more = find(name, path);

	for (int depth = 0; more && depth < MAX_SCRIPTS; depth++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return;
		more = read_script(fd, path);
		if (!more) {
			check_privilege(path, fd);
			check_elf(path, fd);
		}
		close(fd);
	}
}

/* In the built tree as well as installed with one prefix */
static bool find_beside(char library[PATH_MAX])
{
	char self[PATH_MAX] = "";
	char *slash;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return false;
	slash = strrchr(self, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return snprintf(library, PATH_MAX, "%s/../lib/" LIBRARY, self) <
		       PATH_MAX &&
	       !access(library, R_OK);
}

static const char *find_library(char library[PATH_MAX])
{
	const char *wanted = getenv("PROFIL_LIB");

	if (wanted) {
		if (!access(wanted, R_OK))
			return wanted;
		errx(EXIT_PROFIL,
		     "PROFIL_LIB=%s cannot be read: correct or unset it",
		     wanted);
	}
	if (find_beside(library))
		return library;
	if (!access(LIBDIR "/" LIBRARY, R_OK))
		return LIBDIR "/" LIBRARY;
	errx(EXIT_PROFIL,
	     LIBRARY " is not in " LIBDIR
		     ": make install, or set PROFIL_LIB to its path");
}

const char *profil_program_library(void)
{
	static char library[PATH_MAX];
	char found[PATH_MAX];

	if (!realpath(find_library(found), library))
		errx(EXIT_PROFIL,
		     "no path leads to " LIBRARY ": set PROFIL_LIB to one");
	if (strpbrk(library, " :"))
		errx(EXIT_PROFIL,
		     "LD_PRELOAD cannot have the space or colon of %s: copy it, and set PROFIL_LIB to the copy",
		     library);
	return library;
}
