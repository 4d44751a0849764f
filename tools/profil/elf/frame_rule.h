/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_ELF_FRAME_RULE_H
#define PROFIL_ELF_FRAME_RULE_H

#include <linux/profil.h>

#include "elf/cfa_program.h"

/*
 * The row of code with @state, without an offset; in a frame of a signal with @is_signal.
 * It is PROFIL_RULE_NONE if no rule of the driver says the same.
 */
struct profil_row profil_frame_rule(const struct cfa_state *state,
				    bool is_signal);

#endif
