// SPDX-License-Identifier: GPL-2.0-only
#include "valid_files.h"

#define GNU "s:gmon 4:1 z:12"
#define SECONDS "s:seconds z:8 s:s"
#define HISTOGRAM(low, high, bins, rate) \
	"1:0 8:" low " 8:" high " 4:" bins " 4:" rate " " SECONDS
#define SHORT_HISTOGRAM "1:0 4:0x401000 4:0x401010 4:4 4:100 " SECONDS
#define BSD_REST(bytes) "4:" bytes " 4:0x51879 4:250 z:12"

/*
 * GNU's file has a head of 20 bytes; a histogram's has 41 or 33, an arc 21 or
 * 13.
 */
const struct valid_file valid_files[NR_VALID_FILES] = {
	{
		.name = "gmon.out of GNU",
		.parts = {
			GNU,
			HISTOGRAM("0x401000", "0x401010", "4", "100"),
			"2:1 2:2 2:0 2:65535",
			"1:1 8:0x401004 8:0x401012 4:7",
		},
		.kind = "gmon.out",
		.word = 8,
		.rate = 100,
		.samples = 65538,
		.calls = 7,
		.cuts = { 20, 69, 90 },
	},
	{
		.name = "gmon.out of GNU with all kinds of records",
		.parts = {
			GNU,
			"1:1 8:0x401004 8:0x401012 4:0xffffffff",
			"1:2 4:2 8:0x401000 8:3 8:0x401010 8:4",
			HISTOGRAM("0x401000", "0x401010", "2", "1000"),
			"2:1 2:2",
			HISTOGRAM("0x401020", "0x401030", "1", "1000"),
			"2:4",
			HISTOGRAM("0x401000", "0x401010", "2", "1000"),
			"2:8 2:16",
		},
		.kind = "gmon.out",
		.word = 8,
		.rate = 1000,
		.samples = 31,
		.calls = 0xffffffff,
		.cuts = { 20, 41, 78, 123, 166, 211 },
	},
	{
		.name = "gmon.out of GNU with 32 bits",
		.parts = {
			GNU,
			SHORT_HISTOGRAM,
			"2:1 2:2 2:0 2:4",
			"1:1 4:0x401004 4:0x401012 4:7",
		},
		.kind = "gmon.out",
		.word = 4,
		.rate = 100,
		.samples = 7,
		.calls = 7,
		.cuts = { 20, 61, 74 },
	},
	{
		.name = "gmon.out of BSD",
		.parts = {
			"8:0x401000 8:0x401008",
			BSD_REST("48"),
			"2:1 2:2 2:3 2:4",
			"8:0x401004 8:0x401012 8:7",
		},
		.kind = "gmon.out",
		.word = 8,
		.rate = 250,
		.samples = 10,
		.calls = 7,
		.cuts = { 48, 72 },
	},
	{
		.name = "gmon.out of BSD with 32 bits",
		.parts = {
			"4:0x401000 4:0x401008",
			BSD_REST("40"),
			"2:1 2:2 2:3 2:4",
			"4:0x401004 4:0x401012 4:7",
		},
		.kind = "gmon.out",
		.word = 4,
		.rate = 250,
		.samples = 10,
		.calls = 7,
		.cuts = { 40, 52 },
	},
	{
		.name = "mon.out",
		.parts = {
			"8:0x401000 8:0x401010 8:3",
			"8:0x401000 8:5 8:0x401010 8:6 8:0 8:0",
			"2:1 2:2 2:3 2:4",
		},
		.kind = "mon.out",
		.word = 8,
		.samples = 10,
		.calls = 11,
		.cuts = { 74 },
		.step = 2,
	},
	{
		.name = "mon.out with 32 bits",
		.parts = {
			"4:0x401000 4:0x401010 4:2",
			"4:0x401000 4:5 4:0x401010 4:6",
			"2:1 2:2 2:3 2:4",
		},
		.kind = "mon.out",
		.word = 4,
		.samples = 10,
		.calls = 11,
		.cuts = { 30 },
		.step = 2,
	},
};

bool append_parts(struct content *content, const char *const *parts)
{
	bool good = true;

	while (good && *parts)
		good = append_all(content, *parts++);
	return good;
}
