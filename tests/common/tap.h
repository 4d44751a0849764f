/* SPDX-License-Identifier: GPL-2.0-only */
/* A list of tests, each in a process of its own, told in TAP */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct tap_test - one test
 * @name: what holds if it passes
 * @run: true if it does; it has said more in a line of comment if not
 */
struct tap_test {
	const char *name;
	bool (*run)(void);
};

/* Say what did not hold, and end the test. */
#define CHECK(condition)                                                    \
	do {                                                                \
		if (!(condition)) {                                         \
			printf("# %s:%d: not so: %s\n", __FILE__, __LINE__, \
			       #condition);                                 \
			return false;                                       \
		}                                                           \
	} while (0)

/* The same for a number, which is told. */
#define CHECK_EQUAL(expected, number)                                       \
	do {                                                                \
		long long wanted_ = (expected), seen_ = (number);           \
		if (seen_ != wanted_) {                                     \
			printf("# %s:%d: %s is %lld, not %lld\n", __FILE__, \
			       __LINE__, #number, seen_, wanted_);          \
			return false;                                       \
		}                                                           \
	} while (0)

#define CHECK_BETWEEN(least, number, most)                                 \
	do {                                                               \
		unsigned long long seen_ = (number);                       \
		unsigned long long least_ = (least);                       \
		unsigned long long most_ = (most);                         \
		if (seen_ < least_ || seen_ > most_) {                     \
			printf("# %s:%d: %s is %llu, not %llu to %llu\n",  \
			       __FILE__, __LINE__, #number, seen_, least_, \
			       most_);                                     \
			return false;                                      \
		}                                                          \
	} while (0)

/* main(): run them all; the exit status. */
int tap_run(const struct tap_test *tests, size_t nr);

#endif /* TESTS_TAP_H */
