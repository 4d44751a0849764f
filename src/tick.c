// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "attachment.h"
#include "clock.h"
#include "hook.h"
#include "needs.h"
#include "registry.h"
#include "sample.h"
#include "target.h"
#include "tick.h"

#define HOOKED_FUNCTION "update_process_times"

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "source of ticks: auto, ftrace, kprobe or timer");

/*
 * Ticks without any session, counted up to PROBE_TICKS. hook_is_called() resets
 * the count; no session exists before it returns.
 */
static atomic_t idle_ticks;

#define PROBE_TICKS 2

static __always_inline void tick_called(void)
{
	if (!registry_empty()) {
		profil_sample_tick();
		if (unlikely(!target_table_empty()))
			profil_sample_attached_tick();
	} else if (!target_table_empty()) {
		profil_sample_attached_tick();
	} else if (atomic_read(&idle_ticks) < PROBE_TICKS) {
		atomic_inc(&idle_ticks);
	}
}

DEFINE_HOOK(tick, HOOKED_FUNCTION);

/* In order of preference. For the kprobe see HOOK_DEFAULT. */
static const struct tick_source {
	const char *name;
	u32 clock;
	bool automatic;
	bool hooked;
	enum hook_method method;
} sources[] = {
	{ "ftrace", PROFIL_CLOCK_FTRACE, HOOK_DEFAULT == HOOK_FTRACE, true,
	  HOOK_FTRACE },
	{ "kprobe", PROFIL_CLOCK_KPROBE, HOOK_DEFAULT == HOOK_KPROBE, true,
	  HOOK_KPROBE },
	{ "timer", PROFIL_CLOCK_TIMER, true, false },
};

static const struct tick_source *source;

static bool matches_parameter(const struct tick_source *candidate)
{
	if (!strcmp(clock, "auto"))
		return candidate->automatic;
	return !strcmp(clock, candidate->name);
}

/*
 * Does the kernel call the hook? The function may have been inlined in its
 * callers, or ftrace may have failed. Each sleep of one jiffy ends with a tick
 * on some CPU, so a few sleeps are enough.
 */
static bool hook_is_called(void)
{
	int sleeps = 0;

	atomic_set(&idle_ticks, 0);
	while (atomic_read(&idle_ticks) < PROBE_TICKS && sleeps++ < 10)
		schedule_timeout_uninterruptible(1);
	return atomic_read(&idle_ticks) >= PROBE_TICKS;
}

static int probe_hook(const struct tick_source *s)
{
	int err = profil_hook_attach(&tick_hook, s->method);

	if (err) {
		pr_notice("%s cannot be hooked by %s (%d)\n", HOOKED_FUNCTION,
			  s->name, err);
		return err;
	}
	if (!hook_is_called()) {
		pr_notice("%s is hooked by %s, but the hook is not called\n",
			  HOOKED_FUNCTION, s->name);
		err = -ENODEV;
	}
	profil_hook_detach(&tick_hook);
	return err;
}

static int tick_attach(void)
{
	return profil_hook_attach(&tick_hook, source->method);
}

static void tick_detach(void)
{
	profil_hook_detach(&tick_hook);
}

DEFINE_ATTACHMENT(tick);

int profil_tick_init(void)
{
	const struct tick_source *s;
	int err = 0;

	profil_needs_provide(NEED_TICK, &tick_attachment);
	for (s = sources; s < sources + ARRAY_SIZE(sources); s++) {
		if (!matches_parameter(s))
			continue;
		err = s->hooked ? probe_hook(s) : 0;
		if (!err) {
			source = s;
			profil_clock_tick_source = s->clock;
			pr_info("source of ticks: %s\n", s->name);
			return 0;
		}
	}
	if (err)
		return err;
	pr_err("clock=%s is unknown: use auto, ftrace, kprobe or timer\n",
	       clock);
	return -EINVAL;
}
