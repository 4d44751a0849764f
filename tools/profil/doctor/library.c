// SPDX-License-Identifier: GPL-2.0-only
/* Checks of the library: found, of this version, and fit for LD_PRELOAD */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/library_file.h"

static const char other_version[] =
	"%s has version %s and cannot be used by version %s";

static const char bad_path[] =
	"the path of %s has a space, a colon or a dollar sign";

static const char noexec[] = "%s is in a file system that is mounted noexec";

static const char both[] =
	"64-bit glibc programs; 32-bit programs start unprofiled";

static const char only_64[] =
	"64-bit glibc programs; 32-bit programs print an error of the dynamic linker";

static void mend(struct finding *finding)
{
	profil_finding_mend(finding, "make && sudo make install-tools");
}

void profil_check_library(const struct machine *machine,
			  struct finding *finding)
{
	struct library_file library;

	if (!machine->library && machine->library_wanted) {
		profil_finding_wrong(finding, "PROFIL_LIB=%s cannot be read",
				     machine->library_wanted);
		profil_finding_mend(finding, "unset PROFIL_LIB");
		return;
	}
	if (!machine->library) {
		profil_finding_wrong(finding, "libprofil.so.1 is not in %s",
				     machine->library_directory);
		mend(finding);
		return;
	}
	if (!profil_library_file_read(&library, machine->library)) {
		profil_finding_wrong(finding,
				     "%s is not a library of profil %s",
				     machine->library, machine->version);
		mend(finding);
	} else if (library.run_magic != RUN_MAGIC ||
		   strcmp(library.version, machine->version)) {
		profil_finding_wrong(finding, other_version, machine->library,
				     library.version, machine->version);
		mend(finding);
	} else {
		profil_finding_good(finding, "%s, version %s, for %s programs",
				    machine->library, library.version,
				    library.is_musl ? "musl" : "glibc");
	}
}

/* The library may be copied; only 32-bit programs need more than one file. */
static void mend_place(struct finding *finding, const char *path)
{
	profil_finding_mend(finding, "cp '%s' ~ && ", path);
	profil_finding_mend(finding, "export PROFIL_LIB=~/libprofil.so.1");
}

static bool is_noexec(const char *path)
{
	struct statvfs status;

	return !statvfs(path, &status) && status.f_flag & ST_NOEXEC;
}

/* 32-bit programs find an empty library by another name of the processor. */
static bool has_empty_library(const char *path)
{
	char empty[PATH_MAX];
	int directory = strrchr(path, '/') - path;

	return snprintf(empty, sizeof(empty), "%.*s/profil/i686/libprofil.so.1",
			directory, path) < (int)sizeof(empty) &&
	       !access(empty, R_OK);
}

void profil_check_preload(const struct machine *machine,
			  struct finding *finding)
{
	char path[PATH_MAX];

	if (!machine->library || !realpath(machine->library, path)) {
		profil_finding_good(finding, "unknown: there is no library");
	} else if (strpbrk(path, " :$")) {
		profil_finding_wrong(finding, bad_path, path);
		mend_place(finding, path);
	} else if (is_noexec(path)) {
		profil_finding_wrong(finding, noexec, path);
		mend_place(finding, path);
	} else if (has_empty_library(path)) {
		profil_finding_good(finding, both);
	} else {
		profil_finding_good(finding, only_64);
	}
}
