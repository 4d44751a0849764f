/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_HISTOGRAM_H
#define PROFIL_LIB_HISTOGRAM_H

#include "gprof/mcount/gmon_writer.h"

/*
 * Start counting into the present objects of @gmon. The first start, when
 * @gmon's width is 0, chooses the source of samples for the rest of the profile:
 * the driver, else the libc's profil(), for the first object only, else none,
 * which is no error. -ENODEV if the driver is absent and PROFIL_REQUIRE=1.
 */
int profil_histogram_start(struct gmon *gmon);

/* Count into the objects that are present now, if counting is on. */
void profil_histogram_renew(struct gmon *gmon);

/* Stop counting, unless the program has started another profile meanwhile. */
void profil_histogram_stop(void);

#endif
