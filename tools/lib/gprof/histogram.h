/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_HISTOGRAM_H
#define PROFIL_LIB_HISTOGRAM_H

#include "gprof/mcount/gmon_writer.h"

/*
 * Count into the texts of @gmon: its present ones from now on. What counts is
 * settled at the first start, when @gmon's width is 0: the driver, or the libc's
 * profil(), which counts the first text only, or nobody, and then 0 is returned,
 * too. -ENODEV if the driver is absent and PROFIL_REQUIRE=1.
 */
int profil_histogram_start(struct gmon *gmon);

/* Count into the texts that are there now, if it counts at all. */
void profil_histogram_renew(struct gmon *gmon);

/* Count no more, unless the program has started another profile meanwhile. */
void profil_histogram_stop(void);

#endif
