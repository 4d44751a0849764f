/* SPDX-License-Identifier: GPL-2.0-only */
/* The module as an installed file */
#ifndef PROFIL_INSTALL_H
#define PROFIL_INSTALL_H

#include <limits.h>
#include <stdbool.h>

#include "doctor/finding.h"
#include "doctor/machine.h"

/* Find profil.ko for the kernel @release; the path is below the root. */
bool profil_install_find(const struct machine *machine, const char *release,
			 char path[PATH_MAX]);

/* Latest release of another kernel that profil.ko is installed for */
bool profil_install_other(const struct machine *machine,
			  char release[NAME_MAX + 1]);

/* depmod has seen the module of this kernel. */
bool profil_install_is_listed(const struct machine *machine);

/* False if the file @path has no signature; a compressed file may have one. */
bool profil_install_is_signed(const struct machine *machine, const char *path);

/* Add the command that installs the module for this kernel. */
void profil_install_mend(const struct machine *machine,
			 struct finding *finding);

#endif
