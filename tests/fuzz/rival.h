/* SPDX-License-Identifier: GPL-2.0-only */
/* A second thread, which works against a call while it is made */
#ifndef FUZZ_RIVAL_H
#define FUZZ_RIVAL_H

#include <stdbool.h>

#include "input.h"

/* Start the thread, once in each process. False if that fails. */
bool rival_create(void);

/* Let the thread do what @step says, until rival_end(). */
void rival_begin(const struct step *step);
void rival_end(void);

#endif /* FUZZ_RIVAL_H */
