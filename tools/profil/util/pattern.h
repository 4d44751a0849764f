/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PATTERN_H
#define PROFIL_PATTERN_H

#include <stdbool.h>

/* Upper limit of the parts of a pattern when its repetitions are written out */
#define PATTERN_PARTS 5000

/* Upper limit of parentheses in parentheses */
#define PATTERN_DEPTH 100

/*
 * True if the extended regular expression @text is within both limits. regcomp()
 * writes repetitions out, and takes memory for each part.
 */
bool profil_pattern_is_small(const char *text);

#endif
