/* SPDX-License-Identifier: GPL-2.0-only */
/* Execution of inputs */
#ifndef FUZZ_EXECUTE_H
#define FUZZ_EXECUTE_H

#include <stdbool.h>

#include "input.h"

/* Prepare this process, which has no privileges, and its peers. False if that fails. */
bool execute_begin(void);

/*
 * Execute the input, and end its sessions. False, with a reason, if a result is
 * not documented, the samples do not add up, the counters differ from the hits,
 * or other memory was written.
 */
bool execute(const struct input *input, char *reason, size_t room);

#endif /* FUZZ_EXECUTE_H */
