// SPDX-License-Identifier: GPL-2.0-only
/* Number of files that may be open */
#include <stdbool.h>
#include <sys/resource.h>

#include "util/file_limit.h"

static struct rlimit found;
static bool is_raised;

void profil_file_limit_raise(void)
{
	struct rlimit most;

	if (is_raised || getrlimit(RLIMIT_NOFILE, &found))
		return;
	most = found;
	most.rlim_cur = most.rlim_max;
	is_raised = !setrlimit(RLIMIT_NOFILE, &most);
}

void profil_file_limit_restore(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &found);
}
