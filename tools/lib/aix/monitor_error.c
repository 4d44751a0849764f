// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "aix/monitor_error.h"

static const char *sentence_of_errno(int error)
{
	switch (error) {
	case ENODEV:
		return "the profil driver is absent: load it (sudo modprobe profil)";
	case EFAULT:
		return "unreadable array or unwritable counters: pass valid pointers";
	case EINVAL:
		return "the array is empty: pass at least one range";
	case E2BIG:
		return "too many ranges: pass at most 2048";
	case ENOMEM:
		return "no memory, or not enough RLIMIT_MEMLOCK: raise it by ulimit -l";
	case ENAMETOOLONG:
		return "the file name is too long: shorten PROFDIR or GMON_OUT_PREFIX";
	default:
		return strerror(error);
	}
}

static const struct {
	int error;
	const char *sentence;
} sentences[] = {
	{ MONITOR_BUSY,
	  "another thread is in the call: make one call at a time" },
	{ MONITOR_IS_ON, "profiling is on: call monitor(0) first" },
	{ MONITOR_IS_OFF, "profiling is off already" },
	{ MONITOR_NO_TYPE,
	  "_mondata.prof_type is not set: set it to _PROF_TYPE_IS_P or _PROF_TYPE_IS_PG" },
	{ MONITOR_NEGATIVE, "negative room for calls: pass 0 or more" },
	{ MONITOR_BAD_RANGE,
	  "empty range: pass a low address above 0 and a higher end" },
	{ MONITOR_OVERLAP,
	  "the ranges overlap or descend: pass separate ranges in ascending order" },
	{ MONITOR_BAD_NUMBER, "bad number of counters: pass 1 to 1073741823" },
	{ MONITOR_ODD,
	  "the counters are at an odd address: pass an even address" },
	{ MONITOR_APART,
	  "the counters are not contiguous: let each p_buff begin where the previous one ends" },
	{ MONITOR_TOO_FEW,
	  "too few counters: pass at least one per 64 KiB of text" },
	{ MONITOR_NOT_WRITABLE,
	  "the counters cannot be written: pass writable memory" },
	{ MONITOR_NO_ROOM,
	  "the room for calls leaves no counters: pass more counters" },
	{ MONITOR_NO_MEMORY,
	  "no memory for the counters: pass fewer or shorter ranges" },
	{ MONITOR_NO_FRAGS,
	  "the array cannot be read: pass -1 and an array of struct frag, or -1 and 0" },
	{ MONITOR_BAD_FRAG,
	  "empty or oversized range: pass the addresses of two functions" },
};

const char *profil_monitor_sentence(int error)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (sentences[i].error == error)
			return sentences[i].sentence;
	return sentence_of_errno(profil_monitor_errno(error));
}
