/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the kernel's <linux/uaccess.h> that the pure code uses. The words of the
 * program are those of the test.
 */
#ifndef UNIT_LINUX_UACCESS_H
#define UNIT_LINUX_UACCESS_H

#include <linux/types.h>

#define __user
#define noinline

/* May the program have memory there? */
bool user_access_begin(const void *at, u64 size);
void user_access_end(void);

/* A word in it; false if it is not in memory. */
bool user_word(const void *at, u64 *value);

#define unsafe_get_user(value, at, fault)   \
	do {                                \
		u64 word_;                  \
		if (!user_word(at, &word_)) \
			goto fault;         \
		(value) = word_;            \
	} while (0)

#endif /* UNIT_LINUX_UACCESS_H */
