/* SPDX-License-Identifier: GPL-2.0-only */
/* Structures of uapi/linux/profil.h, which begin with their size. */
#ifndef PROFIL_USER_STRUCT_H
#define PROFIL_USER_STRUCT_H

#include <linux/types.h>

/*
 * Copy a structure in whose size is at least @shortest. Fields that the caller does
 * not know are 0. EFAULT; EINVAL for a shorter one; E2BIG for one that is longer
 * than a structure may be, or has other bytes than 0 where the driver knows no
 * field. Sleeps.
 */
int profil_copy_in(void *to, size_t size, u32 shortest,
		   const void __user *from);

/* Copy the fields out that the caller of profil_copy_in() knows. 0 or EFAULT. */
int profil_copy_out(void __user *to, const void *from, size_t size);

#endif /* PROFIL_USER_STRUCT_H */
