/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mon.out, in SVR4's layout
 *
 * The low and the high address, the number of functions, for each function an
 * address in it and its number of calls, then counters of 16 bits up to the end,
 * which divide the range evenly. Each number but the counters is a long;
 * addresses are link-time addresses.
 */
#ifndef PROFIL_LIB_MON_OUT_H
#define PROFIL_LIB_MON_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "mon/mon.h"

/**
 * struct mon_out - contents of one file
 * @low: first address
 * @high: address after the text of the last counter
 * @base: difference between the loaded and the linked addresses
 * @counters: counters of the range
 * @nr: number of counters
 * @calls: struct poutcnt, perhaps misaligned, of functions in any range
 * @nr_calls: number of functions in @calls
 */
struct mon_out {
	uint64_t low;
	uint64_t high;
	uint64_t base;
	const HISTCOUNTER *counters;
	uint64_t nr;
	const char *calls;
	uint32_t nr_calls;
};

/*
 * Name of this process's file for the range @number, from 0, by PROFDIR: 0, with
 * an empty @name if PROFDIR asks for no file, or -ENAMETOOLONG.
 */
int profil_mon_out_name(char *name, size_t size, uint32_t number);

/* Write the file: 0 or -errno. */
int profil_mon_out_write(const char *name, const struct mon_out *mon_out);

#endif
