// SPDX-License-Identifier: GPL-2.0-only
#include "valid_files.h"

#define GNU "s:gmon 4:1 z:12 "
#define SECONDS "s:seconds z:8 s:s "
#define HISTOGRAM_2 "1:0 8:0x401000 8:0x401010 4:2 4:1000 " SECONDS
#define HISTOGRAM_4 "1:0 8:0x401000 8:0x401010 4:4 4:100 " SECONDS
#define HISTOGRAM_32 "1:0 4:0x401000 4:0x401010 4:4 4:100 " SECONDS
#define OTHER_HISTOGRAM "1:0 8:0x401020 8:0x401030 4:1 4:1000 " SECONDS
#define ARC "1:1 8:0x401004 8:0x401012 4:7"
#define LARGE_ARC "1:1 8:0x401004 8:0x401012 4:0xffffffff "
#define BLOCKS "1:2 4:2 8:0x401000 8:3 8:0x401010 8:4 "
#define BSD_REST(bytes) "4:" bytes " 4:0x51879 4:250 z:12 "
#define BINS "2:1 2:2 2:3 2:4"

/*
 * GNU's file has a head of 20 bytes; a histogram's has 41 or 33, an arc 21 or
 * 13. The numbers are the size of an address, the rate, the samples and the calls.
 */
const struct valid_file valid_files[NR_VALID_FILES] = {
	{ "gmon.out of GNU",
	  GNU HISTOGRAM_4 "2:1 2:2 2:0 2:65535 " ARC,
	  "gmon.out",
	  8,
	  100,
	  65538,
	  7,
	  { 20, 69, 90 } },
	{ "gmon.out of GNU with all kinds of records",
	  GNU LARGE_ARC BLOCKS HISTOGRAM_2 "2:1 2:2 " OTHER_HISTOGRAM
					   "2:4 " HISTOGRAM_2 "2:8 2:16",
	  "gmon.out",
	  8,
	  1000,
	  31,
	  0xffffffff,
	  { 20, 41, 78, 123, 166, 211 } },
	{ "gmon.out of GNU with 32 bits",
	  GNU HISTOGRAM_32 "2:1 2:2 2:0 2:4 1:1 4:0x401004 4:0x401012 4:7",
	  "gmon.out",
	  4,
	  100,
	  7,
	  7,
	  { 20, 61, 74 } },
	{ "gmon.out of BSD",
	  "8:0x401000 8:0x401008 " BSD_REST("48") BINS
	  " 8:0x401004 8:0x401012 8:7",
	  "gmon.out",
	  8,
	  250,
	  10,
	  7,
	  { 48, 72 } },
	{ "gmon.out of BSD with 32 bits",
	  "4:0x401000 4:0x401008 " BSD_REST("40") BINS
	  " 4:0x401004 4:0x401012 4:7",
	  "gmon.out",
	  4,
	  250,
	  10,
	  7,
	  { 40, 52 } },
	{ "mon.out",
	  "8:0x401000 8:0x401010 8:3 8:0x401000 8:5 8:0x401010 8:6 8:0 8:0 " BINS,
	  "mon.out",
	  8,
	  0,
	  10,
	  11,
	  { 74 },
	  2 },
	{ "mon.out with 32 bits",
	  "4:0x401000 4:0x401010 4:2 4:0x401000 4:5 4:0x401010 4:6 " BINS,
	  "mon.out",
	  4,
	  0,
	  10,
	  11,
	  { 30 },
	  2 },
};
