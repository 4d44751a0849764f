/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mon.out, in the layout of SVR4
 *
 * A low and a high address, the number of functions, for each of these an
 * address in it and how often it was called, then counters of 16 bits to the
 * end, which divide the range evenly. Each number but the counters is a long,
 * addresses are as in the object's file.
 */
#ifndef PROFIL_LIB_MON_OUT_H
#define PROFIL_LIB_MON_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "mon/mon.h"

/**
 * struct mon_out - what goes into one file
 * @low: first address
 * @high: address behind the last that a counter stands for
 * @base: what to subtract from addresses
 * @counters: for that range
 * @nr: how many
 * @calls: struct poutcnt at any address, of functions in this range and in others
 * @nr_calls: how many
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
 * The file's name by PROFDIR, in this process, for the range @number of those
 * there are, from 0. 0, with nothing in @name if there is to be no file, or
 * -ENAMETOOLONG.
 */
int profil_mon_out_name(char *name, size_t size, uint32_t number);

/* Write it: 0 or -errno. */
int profil_mon_out_write(const char *name, const struct mon_out *mon_out);

#endif
