/* SPDX-License-Identifier: GPL-2.0-only */
/* Structures of uapi/linux/profil.h, which begin with their size. */
#ifndef PROFIL_USER_STRUCT_H
#define PROFIL_USER_STRUCT_H

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* The longest structure that a caller may give, whatever the size of a page */
#define USER_STRUCT_MAX 4096

/*
 * Copy a structure in. EFAULT; EINVAL for one of less than @size bytes; E2BIG for one
 * that is longer than a structure may be, or has other bytes than 0 where the driver
 * knows no field. The size of the caller's stays in it. Sleeps.
 */
static inline int user_struct_in(void *to, u32 size, const void __user *from)
{
	u32 given;
	int err;

	if (get_user(given, (const u32 __user *)from))
		return -EFAULT;
	if (given < size)
		return -EINVAL;
	if (given > USER_STRUCT_MAX)
		return -E2BIG;
	err = copy_struct_from_user(to, size, from, given);
	*(u32 *)to = given; /* another thread may have written it meanwhile */
	return err;
}

/* Copy the fields out that the caller of user_struct_in() knows. 0 or EFAULT. */
static inline int user_struct_out(void __user *to, const void *from,
				  size_t size)
{
	size_t given = *(const u32 *)from;

	return copy_to_user(to, from, min(given, size)) ? -EFAULT : 0;
}

#endif /* PROFIL_USER_STRUCT_H */
