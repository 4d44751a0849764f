// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copies from and to the caller's memory, checked as by a system call
 *
 * sprofil() fails with EFAULT for a bad pointer; a library that followed the
 * pointer would crash the program. process_vm_readv(), which a process may always
 * use on itself, has the kernel follow it. Where that call is filtered or not
 * built in, the pointer is followed directly.
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/user_copy.h"

/* Map the result to 0 or -EFAULT; 1 if process_vm_readv() is unavailable. */
static int judge(ssize_t moved, size_t size)
{
	if (moved == (ssize_t)size)
		return 0;
	return moved >= 0 || errno == EFAULT ? -EFAULT : 1;
}

int profil_user_copy_from(void *to, const void *caller, size_t size)
{
	struct iovec local = { to, size };
	struct iovec remote = { (void *)caller, size };
	int ret = judge(process_vm_readv(getpid(), &local, 1, &remote, 1, 0),
			size);

	if (ret <= 0)
		return ret;
	memcpy(to, caller, size);
	return 0;
}

int profil_user_copy_to(void *caller, const void *from, size_t size)
{
	struct iovec local = { (void *)from, size };
	struct iovec remote = { caller, size };
	int ret = judge(process_vm_writev(getpid(), &local, 1, &remote, 1, 0),
			size);

	if (ret <= 0)
		return ret;
	memcpy(caller, from, size);
	return 0;
}
