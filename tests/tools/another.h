/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOOLS_ANOTHER_H
#define TOOLS_ANOTHER_H

#include <stddef.h>

/* profil() of a file that knows nothing of AIX: 0, or -1 */
int another_profil(unsigned short *buf, size_t size, size_t offset,
		   unsigned int scale);

/* profil_svr4(), the same */
int another_profil_svr4(unsigned short *buf, size_t size, size_t offset,
			unsigned int scale);

#endif /* TOOLS_ANOTHER_H */
