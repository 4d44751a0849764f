/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checkpoints: files written while the program runs, for a program that is
 * killed
 */
#ifndef PROFIL_LIB_CHECKPOINT_H
#define PROFIL_LIB_CHECKPOINT_H

#include "gprof/mcount/gmon_writer.h"

/* Write checkpoints every @seconds; never if @seconds is 0. */
void profil_checkpoint_begin(struct gmon *gmon, unsigned long seconds);

/* Value of @seconds: after 1 s, 2 s, 4 s and so on */
#define CHECKPOINT_DOUBLING (~0UL)

/* Write no more checkpoints, and wait for a thread that is writing one. */
void profil_checkpoint_end(struct gmon *gmon);

#endif
