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

/* The smallest page size; a larger page is tried more than once. */
#define PAGE 4096

static bool can_read_page(struct readable *last, uintptr_t page)
{
	char byte;

	if (last->next != page + 1 &&
	    profil_user_copy_from(&byte, (void *)(page * PAGE), 1))
		return false;
	last->next = page + 1;
	return true;
}

bool profil_user_can_read(struct readable *last, const void *caller,
			  size_t size)
{
	uintptr_t at = (uintptr_t)caller;
	uintptr_t end = (at + size - 1) / PAGE;

	for (uintptr_t page = at / PAGE; page <= end; page++)
		if (!can_read_page(last, page))
			return false;
	return true;
}

bool profil_user_can_read_string(struct readable *last, const char *caller)
{
	while (profil_user_can_read(last, caller, 1))
		if (!*caller++)
			return true;
	return false;
}
