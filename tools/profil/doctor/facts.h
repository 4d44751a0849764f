/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts about the machine, the user and the installation. No fact needs privileges. */
#ifndef PROFIL_FACTS_H
#define PROFIL_FACTS_H

#include <sys/resource.h>

#include <linux/profil.h>

#include "doctor/trial.h"
#include "util/base.h"

/**
 * struct machine - what the facts are read from
 * @root: directory that all paths of the system begin with; "" for /
 * @release: release of the running kernel
 * @version: version of the command
 * @library: path of libprofil, or NULL if there is none
 * @library_directory: directory in which the library is installed
 * @servers: value of DEBUGINFOD_URLS, or NULL
 * @service: properties of profil.service, as systemctl shows them; "" for none
 * @has_debuginfod: libdebuginfod can be loaded, which libdw asks the servers by
 * @memlock: RLIMIT_MEMLOCK of the process
 * @ask: asks the driver for its version; 0 or a negative error number
 * @try_callers: makes a trial, if the driver has answered
 */
struct machine {
	const char *root;
	const char *release;
	const char *version;
	const char *library;
	const char *library_directory;
	const char *servers;
	const char *service;
	bool has_debuginfod;
	struct rlimit memlock;
	int (*ask)(const struct machine *machine,
		   struct profil_version *version);
	void (*try_callers)(struct trial *trial);
};

/* Ask the driver of @machine. */
int profil_machine_ask(const struct machine *machine,
		       struct profil_version *version);

/*
 * A fact by its name, of small letters and underscores. @text may be empty; NULL if the
 * fact does not hold
 */
struct fact {
	const char *name;
	char *text;
};

/* All facts */
struct facts {
	struct fact *array;
	size_t nr;
};

void profil_facts_read(struct facts *facts, const struct machine *machine);
void profil_facts_free(struct facts *facts);

#endif
