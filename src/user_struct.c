// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

#include "user_struct.h"

/* The longest structure that a caller may give, whatever the size of a page */
#define MAX_STRUCTURE 4096

int profil_copy_in(void *to, size_t size, u32 shortest, const void __user *from)
{
	u32 given;
	int err;

	if (get_user(given, (const u32 __user *)from))
		return -EFAULT;
	if (given < shortest)
		return -EINVAL;
	if (given > MAX_STRUCTURE)
		return -E2BIG;
	err = copy_struct_from_user(to, size, from, given);
	*(u32 *)to = given; /* another thread may have written it meanwhile */
	return err;
}

int profil_copy_out(void __user *to, const void *from, size_t size)
{
	size_t given = *(const u32 *)from;

	return copy_to_user(to, from, min(given, size)) ? -EFAULT : 0;
}
