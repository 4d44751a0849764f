// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bug.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "stuck.h"

static bool any_stuck;

void profil_stuck_report(const char *what, int err)
{
	WARN(1, "profil: %s cannot be unhooked (%d), so the module stays\n",
	     what, err);
	WRITE_ONCE(any_stuck, true);
	__module_get(THIS_MODULE);
}

void profil_stuck_wait(void)
{
	while (READ_ONCE(any_stuck))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
