/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page that userfaultfd keeps absent: a system call that reads or writes the
 * page waits until another thread fills it.
 */
#ifndef PROFIL_TEST_ABSENT_PAGE_H
#define PROFIL_TEST_ABSENT_PAGE_H

#include "common.h"

#include <linux/userfaultfd.h>
#include <poll.h>

static inline int absent_page_register(int uffd, void *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)page, page_size() },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	return ioctl(uffd, UFFDIO_API, &api) ||
			       ioctl(uffd, UFFDIO_REGISTER, &range) ?
		       -errno :
		       0;
}

/*
 * Keep the anonymous page @page absent, which has not been touched. Return a
 * descriptor of userfaultfd, or a negative errno: the kernel's own faults are
 * for privileged users.
 */
static inline int absent_page_keep(void *page)
{
	int uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	int error = uffd < 0 ? -errno : absent_page_register(uffd, page);

	if (error && uffd >= 0)
		close(uffd);
	return error ? error : uffd;
}

/* Wait until a thread waits for the page. False after TIMEOUT_NS. */
static inline bool absent_page_awaited(int uffd)
{
	struct pollfd fault = { .fd = uffd, .events = POLLIN };
	struct uffd_msg message;

	return poll(&fault, 1, TIMEOUT_NS / NSEC_PER_MSEC) == 1 &&
	       read(uffd, &message, sizeof(message)) == sizeof(message);
}

/* Fill @page with zeros. Return 0 or a negative errno. */
static inline int absent_page_fill(int uffd, void *page)
{
	struct uffdio_zeropage zero = {
		.range = { (uintptr_t)page, page_size() },
	};

	return ioctl(uffd, UFFDIO_ZEROPAGE, &zero) ? -errno : 0;
}

#endif /* PROFIL_TEST_ABSENT_PAGE_H */
