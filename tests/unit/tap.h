/* SPDX-License-Identifier: GPL-2.0-only */
/* A list of tests, run and told in TAP. */
#ifndef UNIT_TAP_H
#define UNIT_TAP_H

#include <stdio.h>

#include <linux/types.h>

/* @run is false at the first case that fails, after a tap_note() on it. */
struct tap_test {
	const char *name;
	bool (*run)(void);
};

/* Cases tried by the test that runs now. A test that tries none fails. */
extern u64 tap_cases;

/* Say something about the test that runs now, in a line of its own. */
#define tap_note(format, ...) printf("# " format "\n", ##__VA_ARGS__)

/* main(): run @tests on the seed in @argv or the usual one; the exit status. */
int tap_main(int argc, char **argv, const struct tap_test *tests, u32 nr);

#endif /* UNIT_TAP_H */
