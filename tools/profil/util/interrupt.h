/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_INTERRUPT_H
#define PROFIL_INTERRUPT_H

#include "util/base.h"

/*
 * The process in front of a recorder passes on signals with a value: the process that
 * has sent the signal, or this.
 */
#define INTERRUPT_OF_TERMINAL (-1)

/*
 * After profil_interrupt_begin() the first SIGINT, SIGTERM, SIGHUP or SIGQUIT
 * makes profil_interrupted() true: the profile is printed, but no more files are
 * read for names. A second signal of the same kind ends the program.
 */
void profil_interrupt_begin(void);
bool profil_interrupted(void);

/* From now on further signals are ignored: those of the parent of this process count. */
void profil_interrupt_once(void);

/*
 * Let profil_interrupted() call @watch with @data, so that a search for names that takes
 * long does not delay the signals that are passed on meanwhile; NULL ends that.
 */
void profil_interrupt_watch(void (*watch)(void *data), void *data);

#endif
