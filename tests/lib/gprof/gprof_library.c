// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library and a program that calls it, both compiled by gcc -pg:
 *
 *	gprof_library-linked linked CALLS
 *	gprof_library-opened FILE CALLS
 *
 * The first is linked with the library, the second opens it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gprof_workload.h"
#include "work.h"

#ifdef LIBRARY

WORK_FUNCTION(work_of_library, "")

#else

#pragma weak work_of_library

static work_fn find(const char *where)
{
	void *library;

	if (!strcmp(where, "linked"))
		return work_of_library;
	library = dlopen(where, RTLD_NOW);
	return library ? (work_fn)dlsym(library, "work_of_library") : NULL;
}

int main(int argc, char **argv)
{
	work_fn work = argc == 3 ? find(argv[1]) : NULL;
	long calls = argc == 3 ? atol(argv[2]) : 0;

	if (!work) {
		fprintf(stderr, "gprof_library: no library\n");
		return 99;
	}
	for (long i = 0; i < calls; i++)
		work(100000);
	return 0;
}

#endif
