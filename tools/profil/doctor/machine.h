/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts about the machine, the user and the installation */
#ifndef PROFIL_DOCTOR_MACHINE_H
#define PROFIL_DOCTOR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include <linux/profil.h>

#include "include/version_note.h"

/**
 * struct machine - the facts that the checks read
 * @root: directory that all paths of the system begin with; "" for /
 * @release: release of the running kernel
 * @version: version of the command
 * @library: path of libprofil that is preloaded, or NULL if there is none
 * @library_wanted: value of PROFIL_LIB, or NULL
 * @library_directory: directory in which the library is installed
 * @servers: value of DEBUGINFOD_URLS, or NULL
 * @has_debuginfod: libdebuginfod can be loaded, which libdw asks the servers by
 * @memlock: RLIMIT_MEMLOCK of the process
 * @ask: asks the driver for its version; 0 or a negative error number
 */
struct machine {
	const char *root;
	const char *release;
	const char *version;
	const char *library;
	const char *library_wanted;
	const char *library_directory;
	const char *servers;
	bool has_debuginfod;
	struct rlimit memlock;
	int (*ask)(const struct machine *machine,
		   struct profil_version *version);
};

/* Ask the driver of @machine. */
int profil_machine_ask(const struct machine *machine,
		       struct profil_version *version);

/* Append a path to the root; false if it is too long. */
__attribute__((format(printf, 4, 5))) bool
profil_machine_path(const struct machine *machine, char *path, size_t size,
		    const char *format, ...);

__attribute__((format(printf, 2, 3))) bool
profil_machine_has(const struct machine *machine, const char *format, ...);

/* Open a file to read it, or NULL */
FILE *profil_machine_open(const struct machine *machine, const char *path);

/* Read the first line of a file; false if it cannot be read. */
bool profil_machine_read(const struct machine *machine, const char *path,
			 char *line, size_t size);

/* The process runs in a container of Docker, Podman or systemd. */
bool profil_machine_is_container(const struct machine *machine);

/* The module is loaded. */
bool profil_machine_is_loaded(const struct machine *machine);

/**
 * struct library_file - facts about the file
 * @run_magic: RUN_MAGIC of the library
 * @version: version of the library
 * @is_musl: the library is linked with musl
 */
struct library_file {
	uint64_t run_magic;
	char version[sizeof(((struct version_note *)0)->text)];
	bool is_musl;
};

/* Read the file; false if it is not an ELF file with the note of libprofil. */
bool profil_library_file_read(struct library_file *library, const char *path);

#define FINDING_TEXT 1024

/**
 * struct finding - result of a check
 * @is_wrong: profil does not work, or not wholly
 * @text: the state that was found
 * @mend: command that mends or changes the state; may be empty
 */
struct finding {
	bool is_wrong;
	char text[FINDING_TEXT];
	char mend[FINDING_TEXT];
};

/* Store a state in which profil works. */
__attribute__((format(printf, 2, 3))) void
profil_finding_good(struct finding *finding, const char *format, ...);

/* Store a state in which profil does not work. */
__attribute__((format(printf, 2, 3))) void
profil_finding_wrong(struct finding *finding, const char *format, ...);

/* Add to the command of @finding. */
__attribute__((format(printf, 2, 3))) void
profil_finding_mend(struct finding *finding, const char *format, ...);

#endif
