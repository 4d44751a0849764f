/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts about the machine, the user and the installation */
#ifndef PROFIL_MACHINE_H
#define PROFIL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

#include <linux/profil.h>

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

#endif
