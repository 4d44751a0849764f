/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of monitor() share: profiles of the sites, and their files */
#ifndef TESTS_MONITOR_H
#define TESTS_MONITOR_H

#include <mon.h>

#include "../../selftests/profil/common.h"
#include "profile_file.h"
#include "tap.h"

/* One counter for 4 bytes, as in the manual's examples */
#define SITES_COUNTERS NUM_HIST_COUNTERS(SITES_BYTES)

/**
 * struct kind - a kind of profiles
 * @type: value of prof_type
 * @name: name of the file
 * @read: reads the file
 */
struct kind {
	int type;
	const char *name;
	bool (*read)(const char *path, struct profile_file *out);
};

extern const struct kind p, pg;
extern HISTCOUNTER counters[16384];
/* The file that was read last */
extern struct profile_file out;
extern const struct hist *const hists;

/* Set the type of the next profiles, and poison the counters. */
void enter(int type);

/* Start a profile of all sites, with room for calls of @functions; and stop it. */
int monitor_sites(int size, int functions);
int stop_sites(void);

/* Two ranges: the sites 2 and 3, and 8 to 10 */
extern struct prof ranges[3];
void set_ranges(void);
int start_ranges(int functions);

/* The beginning of a site */
char *low_of(unsigned int nr);

bool exists(const char *name);

/* The file of a process: its ID is a suffix, perhaps one of two */
const char *file_of(const struct kind *kind, pid_t process, const char *suffix);

/* Is there a file of this process? */
bool wrote(const struct kind *kind);

#endif /* TESTS_MONITOR_H */
