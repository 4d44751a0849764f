/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Errors of monitor() and monstartup()
 *
 * Inside, each function returns 0 or a negative number: -errno, or one of enum
 * monitor_error, which is an errno with a sentence of its own.
 */
#ifndef PROFIL_LIB_MONITOR_ERROR_H
#define PROFIL_LIB_MONITOR_ERROR_H

#include <errno.h>

#define MONITOR_ERROR(number, error) (-((number) << 16 | (error)))

enum monitor_error {
	MONITOR_BUSY = MONITOR_ERROR(1, EBUSY),
	MONITOR_IS_ON = MONITOR_ERROR(2, EBUSY),
	MONITOR_IS_OFF = MONITOR_ERROR(3, EINVAL),
	MONITOR_NO_TYPE = MONITOR_ERROR(4, EINVAL),
	MONITOR_NEGATIVE = MONITOR_ERROR(5, EINVAL),
	MONITOR_BAD_RANGE = MONITOR_ERROR(6, EINVAL),
	MONITOR_OVERLAP = MONITOR_ERROR(7, EINVAL),
	MONITOR_BAD_NUMBER = MONITOR_ERROR(8, EINVAL),
	MONITOR_ODD = MONITOR_ERROR(9, EINVAL),
	MONITOR_APART = MONITOR_ERROR(10, EINVAL),
	MONITOR_TOO_FEW = MONITOR_ERROR(11, EINVAL),
	MONITOR_NOT_WRITABLE = MONITOR_ERROR(12, EFAULT),
	MONITOR_NO_ROOM = MONITOR_ERROR(13, EINVAL),
	MONITOR_NO_MEMORY = MONITOR_ERROR(14, ENOMEM),
	MONITOR_NO_FRAGS = MONITOR_ERROR(15, EFAULT),
	MONITOR_BAD_FRAG = MONITOR_ERROR(16, EINVAL),
};

/* The errno of @error, and the sentence for the user */
static inline int profil_monitor_errno(int error)
{
	return -error & 0xffff;
}

const char *profil_monitor_sentence(int error);

#endif
