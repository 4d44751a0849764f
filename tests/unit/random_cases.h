/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests that try random cases, the same ones from the same seed */
#ifndef UNIT_RANDOM_CASES_H
#define UNIT_RANDOM_CASES_H

#include <linux/types.h>

#include "tap.h"

/* Cases that the running test has tried. A test fails without any. */
extern u64 cases_tried;

/*
 * Run all tests with the seed in @argv, or a fixed one, and return main()'s
 * status. A test is false at its first wrong case, after a tap_note() of it.
 */
int cases_run(int argc, char **argv);

#endif /* UNIT_RANDOM_CASES_H */
