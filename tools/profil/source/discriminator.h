/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Discriminators of LLVM
 *
 * A discriminator has three numbers, the lowest bits first: the base
 * discriminator, the number of copies of the code, and an identifier. A number
 * is 1 bit for 0, 7 bits for 1 to 31, and 14 bits up to 4095.
 */
#ifndef PROFIL_SOURCE_DISCRIMINATOR_H
#define PROFIL_SOURCE_DISCRIMINATOR_H

#include <stdint.h>

/* Number in the lowest bits */
static inline uint32_t discriminator_base(uint32_t discriminator)
{
	uint32_t number = discriminator >> 1;

	if (discriminator & 1)
		return 0;
	return number & 0x20 ? (number >> 1 & 0xfe0) | (number & 0x1f) :
			       number & 0x1f;
}

/* Number of copies of the code, at least 1 */
static inline uint32_t discriminator_copies(uint32_t discriminator)
{
	uint32_t copies;

	if (discriminator & 1)
		copies = discriminator_base(discriminator >> 1);
	else
		copies = discriminator_base(discriminator >>
					    (discriminator & 0x40 ? 14 : 7));
	return copies ? copies : 1;
}

#endif
