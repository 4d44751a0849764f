/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_ADDRESSES_H
#define TESTS_ADDRESSES_H

#include "profile/profile.h"

/*
 * Make the profile of the program @path, with the places on stdin, each a line of
 * a link-time address and a number of samples. Exits on failure.
 */
void addresses_read(struct profile *profile, const char *path);

/* The same with names */
void addresses_resolve(struct profile *profile, const char *path);

#endif
