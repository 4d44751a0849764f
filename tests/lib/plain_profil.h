/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_PLAIN_PROFIL_H
#define TESTS_PLAIN_PROFIL_H

#include <stddef.h>

/* Call profil() from a file without AIX's header: 0, or -1. */
int plain_profil(unsigned short *buf, size_t size, size_t offset,
		 unsigned int scale);

/* Call profil_svr4() from there. */
int plain_profil_svr4(unsigned short *buf, size_t size, size_t offset,
		      unsigned int scale);

#endif /* TESTS_PLAIN_PROFIL_H */
