/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_USER_COPY_H
#define PROFIL_LIB_USER_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy from or to memory that may not be accessible: 0 or -EFAULT. */
int profil_user_copy_from(void *to, const void *caller, size_t size);
int profil_user_copy_to(void *caller, const void *from, size_t size);

/**
 * struct readable - the last page that was found readable
 * @next: number of the page after that one, 0 at first
 */
struct readable {
	uintptr_t next;
};

/*
 * Whether @size bytes at @caller, or the string at @caller up to its end, can be
 * read. Async-signal-safe; changes errno.
 */
bool profil_user_can_read(struct readable *last, const void *caller,
			  size_t size);
bool profil_user_can_read_string(struct readable *last, const char *caller);

#endif
