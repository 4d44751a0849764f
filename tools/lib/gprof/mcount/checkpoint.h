/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files that are written while the program runs, so that there are some if it
 * is killed
 */
#ifndef PROFIL_LIB_CHECKPOINT_H
#define PROFIL_LIB_CHECKPOINT_H

#include "gprof/mcount/gmon_writer.h"

/* Write them every @seconds, or if that is 0 never. */
void profil_checkpoint_begin(struct gmon *gmon, unsigned long seconds);

/* As @seconds: when a second is over, and each time the time has doubled. */
#define CHECKPOINT_DOUBLING (~0UL)

/* Write no more. Of a thread that is writing, the end is waited for. */
void profil_checkpoint_end(struct gmon *gmon);

#endif
