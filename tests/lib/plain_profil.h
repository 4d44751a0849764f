/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_PLAIN_PROFIL_H
#define TESTS_PLAIN_PROFIL_H

#include <stddef.h>

/* profil() of a file that knows nothing of AIX: 0, or -1 */
int another_profil(unsigned short *buf, size_t size, size_t offset,
		   unsigned int scale);

/* profil_svr4(), the same */
int another_profil_svr4(unsigned short *buf, size_t size, size_t offset,
			unsigned int scale);

#endif /* TESTS_PLAIN_PROFIL_H */
