// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bug.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "stuck.h"

static bool anything;

void profil_stuck(const char *what, int err)
{
	WARN(1, "profil: %s cannot be unhooked (%d), so the module stays\n",
	     what, err);
	WRITE_ONCE(anything, true);
	__module_get(THIS_MODULE);
}

void profil_stuck_wait(void)
{
	while (READ_ONCE(anything))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
