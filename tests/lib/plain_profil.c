// SPDX-License-Identifier: GPL-2.0-only
#include "steps.h"

#include <sys/profil.h>

int plain_profil(unsigned short *buf, size_t size, size_t offset,
		 unsigned int scale)
{
	return profil(buf, size, offset, scale);
}

int plain_profil_svr4(unsigned short *buf, size_t size, size_t offset,
		      unsigned int scale)
{
	return profil_svr4(buf, size, offset, scale);
}
