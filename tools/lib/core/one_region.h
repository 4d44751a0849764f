/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_ONE_REGION_H
#define PROFIL_LIB_ONE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/profil.h>

/**
 * struct one_region - arguments of profil(), in any dialect
 * @buf: 16-bit counters
 * @size: bytes at @buf
 * @offset: lowest program counter
 * @scale: fixed-point fraction of 16 bits
 * @flags: PROFIL_F_* flags
 * @everything: the first counter counts every program counter
 */
struct one_region {
	unsigned short *buf;
	size_t size;
	size_t offset;
	unsigned int scale;
	uint32_t flags;
	bool everything;
};

/* Whether the arguments start a profile; otherwise they stop one. */
bool profil_one_region_is_on(const struct one_region *one);

/*
 * Start the profile, or stop the one that is on: 0 or -errno, and no profile is
 * on after an error. The libc's function is the fallback.
 */
int profil_one_region_switch(const struct one_region *one);

#endif
