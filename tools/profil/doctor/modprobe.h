/* SPDX-License-Identifier: GPL-2.0-only */
/* Configuration of modprobe */
#ifndef PROFIL_DOCTOR_MODPROBE_H
#define PROFIL_DOCTOR_MODPROBE_H

#include <limits.h>
#include <stdbool.h>

#include "doctor/machine.h"

/**
 * struct modprobe_rule - a line of a file of modprobe.d(5) about profil
 * @word: the first word of the line, blacklist or install
 * @file: path of the file
 * @replaces: modprobe executes a command in place of loading the module
 */
struct modprobe_rule {
	const char *word;
	char file[PATH_MAX];
	bool replaces;
};

/* Find the line that keeps profil from being loaded; false if there is none. */
bool profil_modprobe_find(const struct machine *machine,
			  struct modprobe_rule *rule);

#endif
