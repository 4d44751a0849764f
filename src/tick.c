// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "clock.h"
#include "hook.h"
#include "registry.h"
#include "sample.h"
#include "table_sample.h"
#include "tick.h"
#include "tree.h"

#define HOOKED_FUNCTION "update_process_times"

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "source of ticks: auto, ftrace or timer");

/* Ticks since hook_is_called() began, up to PROBE_TICKS; no session exists before it ends */
static atomic_t idle_ticks;

#define PROBE_TICKS 2

/* Apart from the hook, which needs no registers without a session */
static noinline void sample_own(void)
{
	struct session *session = registry_find(current->mm);

	if (session && clock_tick_serves(session->config->period_ns))
		sample_session(session);
}

static __always_inline void tick_called(void)
{
	if (static_branch_unlikely(&profil_tables_active))
		profil_tables_tick();
	if (unlikely(!pointer_table_empty(&profil_members)))
		profil_members_tick();
	if (!pointer_table_empty(&profil_registry))
		sample_own();
	else if (atomic_read(&idle_ticks) < PROBE_TICKS)
		atomic_inc(&idle_ticks);
}

DEFINE_HOOK(tick, HOOKED_FUNCTION, tick_called());

/*
 * The function may have been inlined in its callers, or ftrace may have failed. Each sleep
 * of one jiffy ends with a tick on some CPU.
 */
static bool hook_is_called(void)
{
	int sleeps = 0;

	atomic_set(&idle_ticks, 0);
	while (atomic_read(&idle_ticks) < PROBE_TICKS && sleeps++ < 10)
		schedule_timeout_uninterruptible(1);
	return atomic_read(&idle_ticks) >= PROBE_TICKS;
}

static int probe_hook(void)
{
	int err = __is_defined(PROFIL_HAVE_DYNAMIC_FTRACE) ?
			  profil_hook_attach(&profil_tick_hook) :
			  -ENODEV;

	if (err) {
		pr_notice("ftrace cannot hook %s (%d)\n", HOOKED_FUNCTION, err);
		return err;
	}
	if (!hook_is_called()) {
		pr_notice("ftrace does not call the hook on %s\n",
			  HOOKED_FUNCTION);
		err = -ENODEV;
	}
	profil_hook_detach(&profil_tick_hook);
	return err;
}

static bool is_allowed(const char *source)
{
	return !strcmp(clock, "auto") || !strcmp(clock, source);
}

int profil_tick_find(void)
{
	bool may_hook = is_allowed("ftrace"), may_time = is_allowed("timer");
	int err = -EINVAL;

	if (!may_hook && !may_time)
		pr_err("clock=%s is unknown: use auto, ftrace or timer\n",
		       clock);
	if (may_hook)
		err = probe_hook();
	if (err && !may_time)
		return err;
	profil_clock_tick_source = err ? PROFIL_CLOCK_TIMER :
					 PROFIL_CLOCK_FTRACE;
	pr_info("source of ticks: %s\n", err ? "timer" : "ftrace");
	return 0;
}
