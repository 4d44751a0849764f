/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests, each run in a process of its own, with results in TAP
 *
 * A program whose tests are all defined by TEST() needs no main().
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct tap_test - one test
 * @name: the behaviour that the test shows
 * @run: true if the test passes; prints a comment if it fails
 * @next: the test behind it
 */
struct tap_test {
	const char *name;
	bool (*run)(void);
	struct tap_test *next;
};

/* Define a test by its name: TEST("a full counter stays full") { ... return true; } */
#define TEST(words) TEST_AT(words, __LINE__)
#define TEST_AT(words, line) TEST_OF(words, line)
#define TEST_OF(words, line)                                             \
	static bool test_##line(void);                                   \
	static __attribute__((constructor)) void add_test_##line(void)   \
	{                                                                \
		static struct tap_test test = { words, test_##line, 0 }; \
		tap_add(&test);                                          \
	}                                                                \
	static bool test_##line(void)

/* Add @test, which stays, behind those that were added before. */
void tap_add(struct tap_test *test);

/*
 * A test begins in an empty directory. It fails if it leaves an open descriptor, a child,
 * or a file there; but tests may leave the file @name, which is removed, if a program has
 * this function.
 */
bool tap_may_leave(const char *name);

/* Print a comment on the running test. */
#define tap_note(format, ...) printf("# " format "\n", ##__VA_ARGS__)

/* End the test as failed, with a comment, unless @condition holds. */
#define CHECK(condition)                                                 \
	do {                                                             \
		if (!(condition)) {                                      \
			tap_note("%s:%d: false: %s", __FILE__, __LINE__, \
				 #condition);                            \
			return false;                                    \
		}                                                        \
	} while (0)

/* Fail the test unless @number is @expected. */
#define CHECK_EQUAL(expected, number)                                     \
	do {                                                              \
		long long wanted_ = (expected), seen_ = (number);         \
		if (seen_ != wanted_) {                                   \
			tap_note("%s:%d: %s is %lld, not %lld", __FILE__, \
				 __LINE__, #number, seen_, wanted_);      \
			return false;                                     \
		}                                                         \
	} while (0)

#define CHECK_BETWEEN(least, number, most)                                   \
	do {                                                                 \
		unsigned long long seen_ = (number);                         \
		unsigned long long least_ = (least);                         \
		unsigned long long most_ = (most);                           \
		if (seen_ < least_ || seen_ > most_) {                       \
			tap_note("%s:%d: %s is %llu, not %llu to %llu",      \
				 __FILE__, __LINE__, #number, seen_, least_, \
				 most_);                                     \
			return false;                                        \
		}                                                            \
	} while (0)

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* Run all tests and return main()'s status. */
int tap_run(void);

/* Run each test by @passes, which gets the index of the test: as tap_run(). */
int tap_run_with(bool (*passes)(const struct tap_test *test, size_t index));

#endif /* TESTS_TAP_H */
