/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks of the machine
 *
 * Each check stores one finding, which was zeroed before. No check needs
 * privileges, changes anything, or exits.
 */
#ifndef PROFIL_DOCTOR_CHECKS_H
#define PROFIL_DOCTOR_CHECKS_H

#include "doctor/machine.h"

/* The module is loaded, and of the command's version. */
void profil_check_module(const struct machine *machine,
			 struct finding *finding);

/* The device can be opened, and is the driver's. */
void profil_check_device(const struct machine *machine,
			 struct finding *finding);

/* Source of ticks, and rates that the driver accepts */
void profil_check_clock(const struct machine *machine, struct finding *finding);

/* Memory that the user may lock for counters */
void profil_check_memlock(const struct machine *machine,
			  struct finding *finding);

/* Processes that the driver profiles for a user at a time */
void profil_check_sessions(const struct machine *machine,
			   struct finding *finding);

/* The library is installed, and of the command's version. */
void profil_check_library(const struct machine *machine,
			  struct finding *finding);

/* LD_PRELOAD can name the library, and the dynamic linker can map it. */
void profil_check_preload(const struct machine *machine,
			  struct finding *finding);

/* Sources of symbols besides the files themselves */
void profil_check_symbols(const struct machine *machine,
			  struct finding *finding);

/* perf(1) needs a setting that profil does not need. */
void profil_check_perf(const struct machine *machine, struct finding *finding);

#endif
