// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening and closing libraries in a profiled process
 *
 * After the call the mappings are read again: a new library gets its counters,
 * and a mapping at a reused address is another text. The initialization of a
 * library is over by then and not in the profile. A library that the libc itself
 * opens is found at the program's next call.
 */
#include <stddef.h>

#include "core/owner.h"
#include "core/sandbox.h"
#include "gprof/gmon.h"
#include "interpose/dl_interpose.h"
#include "interpose/dl_search.h"
#include "run/recorder.h"

/* A call of dlmopen(), with @space and @dlmopen, or of dlopen(), with @dlopen */
struct call {
	struct opener opener;
	dlopen_fn dlopen;
	dlmopen_fn dlmopen;
	long space;
};

static void *open_file(const struct opener *opener, const char *file, int mode)
{
	const struct call *call = (const void *)opener;

	if (call->dlmopen)
		return call->dlmopen(call->space, file, mode);
	return call->dlopen(file, mode);
}

bool profil_dl_is_interposed(void)
{
	return (profil_owner_is_run() && !profil_sandbox_is_on()) ||
	       profil_gmon_wants_libraries();
}

static void refresh(void)
{
	profil_recorder_refresh();
	profil_gmon_refresh();
}

static void *open_and_look(const struct call *call, const char *file,
			   const void *caller)
{
	void *handle = profil_dl_search(&call->opener, file, caller);

	if (handle && file)
		refresh();
	return handle;
}

void *profil_dl_interpose_dlopen(dlopen_fn next, const char *file, int mode,
				 const void *caller)
{
	struct call call = {
		.opener = { open_file, mode },
		.dlopen = next,
	};

	return open_and_look(&call, file, caller);
}

void *profil_dl_interpose_dlmopen(dlmopen_fn next, long space, const char *file,
				  int mode, const void *caller)
{
	struct call call = {
		.opener = { open_file, mode },
		.dlmopen = next,
		.space = space,
	};

	return open_and_look(&call, file, caller);
}

int profil_dl_interpose_dlclose(dlclose_fn next, void *handle)
{
	int ret = next(handle);

	refresh();
	return ret;
}
