// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The caller's memory, which a system call of old would have checked
 *
 * sprofil() answers EFAULT for a bad pointer; in a library, following it would
 * end the program. So the kernel follows it: a process may always name itself
 * to process_vm_readv(). Where that call is filtered or not built in, the
 * pointer is followed as it is.
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "copy.h"

/* What a transfer of @size bytes came to; 1 if the call is not to be had. */
static int judge(ssize_t moved, size_t size)
{
	if (moved == (ssize_t)size)
		return 0;
	return moved >= 0 || errno == EFAULT ? -EFAULT : 1;
}

int profil_copy_from(void *to, const void *caller, size_t size)
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

int profil_copy_to(void *caller, const void *from, size_t size)
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
