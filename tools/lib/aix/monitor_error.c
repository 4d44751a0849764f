// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "aix/monitor_error.h"

static const char *sentence_of_errno(int error)
{
	switch (error) {
	case ENODEV:
		return "the profil driver cannot be used: load it (sudo modprobe profil)";
	case EFAULT:
		return "there is no such memory: give it an array and counters that can be written";
	case EINVAL:
		return "the array is empty: give it one range or more";
	case E2BIG:
		return "there are too many ranges: give it 2048 at the most";
	case ENOMEM:
		return "RLIMIT_MEMLOCK or memory does not suffice: raise it by ulimit -l";
	case ENAMETOOLONG:
		return "the file's name is too long: shorten PROFDIR or GMON_OUT_PREFIX";
	default:
		return strerror(error);
	}
}

static const struct {
	int error;
	const char *sentence;
} sentences[] = {
	{ MONITOR_BUSY, "another thread is in it: call it in one at a time" },
	{ MONITOR_IS_ON, "profiling is on: stop it first, by monitor(0)" },
	{ MONITOR_IS_OFF, "profiling is off: there is nothing to stop" },
	{ MONITOR_NO_TYPE,
	  "_mondata.prof_type is not set: make it _PROF_TYPE_IS_P or _PROF_TYPE_IS_PG" },
	{ MONITOR_NEGATIVE,
	  "the room for calls is negative: make it 0 or more" },
	{ MONITOR_BAD_RANGE,
	  "the range is none: it must begin above 0, and end behind that" },
	{ MONITOR_OVERLAP,
	  "the ranges overlap or descend: sort them, and keep them apart" },
	{ MONITOR_BAD_NUMBER,
	  "there are no counters, or too many: give from 1 to 1073741823" },
	{ MONITOR_ODD,
	  "the counters are at an odd address: give them an even one" },
	{ MONITOR_APART,
	  "the counters are not in one piece: put each p_buff behind the last" },
	{ MONITOR_TOO_FEW,
	  "there are too few counters: give it one for 64 KiB of text at the least" },
	{ MONITOR_NOT_WRITABLE,
	  "the counters are not writable memory: give it some that is" },
	{ MONITOR_NO_ROOM,
	  "the room for calls leaves no counters: give it more counters" },
	{ MONITOR_NO_MEMORY,
	  "there is no memory for the counters: give fewer ranges, or shorter ones" },
	{ MONITOR_NO_FRAGS,
	  "there is no such memory: give -1 and an array of struct frag, or -1 and 0" },
	{ MONITOR_BAD_FRAG,
	  "the range is none, or too long: give it the addresses of two functions" },
};

const char *profil_monitor_sentence(int error)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (sentences[i].error == error)
			return sentences[i].sentence;
	return sentence_of_errno(profil_monitor_errno(error));
}
