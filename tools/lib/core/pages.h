/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of the library. No malloc(): a signal handler may switch profiling on. */
#ifndef PROFIL_LIB_PAGES_H
#define PROFIL_LIB_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

/*
 * @size bytes of zeros, to be unmapped by munmap(); NULL for lack of memory. Pages that
 * are not used take none.
 */
static inline void *profil_pages(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

#endif
