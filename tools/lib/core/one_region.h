/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_ONE_REGION_H
#define PROFIL_LIB_ONE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/profil.h>

/**
 * struct one_region - the arguments of profil(), whoever's it is
 * @buf: 16-bit counters
 * @size: bytes at @buf
 * @offset: lowest program counter
 * @scale: fixed-point fraction of 16 bits
 * @flags: PROFIL_F_* flags
 * @everything: the first counter takes every program counter
 */
struct one_region {
	unsigned short *buf;
	size_t size;
	size_t offset;
	unsigned int scale;
	uint32_t flags;
	bool everything;
};

/* Whether that is a profile, and not the way to stop one */
bool profil_one_region_is_on(const struct one_region *one);

/*
 * Start it, or stop what is on: 0 or -errno, and then nothing is on. Where the
 * driver is absent the libc's function does it as well as it can.
 */
int profil_one_region_switch(const struct one_region *one);

#endif
