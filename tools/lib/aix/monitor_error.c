// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stddef.h>
#include <string.h>

#include "aix/monitor_error.h"

const char *profil_wrong(int error, const char *sentence)
{
	errno = error;
	return sentence;
}

static const char *sentence_on(int error)
{
	switch (error) {
	case -ENODEV:
		return "the profil driver cannot be used: load it (sudo modprobe profil)";
	case -EFAULT:
		return "there is no such memory: give it an array and counters that can be written";
	case -EINVAL:
		return "the array is empty: give it one range or more";
	case -E2BIG:
		return "there are too many ranges: give it 2048 at the most";
	case -ENOMEM:
		return "RLIMIT_MEMLOCK or memory does not suffice: raise it by ulimit -l";
	case -ENAMETOOLONG:
		return "the file's name is too long: shorten PROFDIR or GMON_OUT_PREFIX";
	default:
		return strerror(-error);
	}
}

const char *profil_why(int error)
{
	return error ? profil_wrong(-error, sentence_on(error)) : NULL;
}
