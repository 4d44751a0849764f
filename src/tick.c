// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "compat.h"
#include "sample.h"
#include "tick.h"

#define HOOKED "update_process_times"

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "where ticks come from: auto, ftrace, kprobe or timer");

u32 tick_clock;

#ifdef CONFIG_DYNAMIC_FTRACE
static void notrace tick(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	sample_tick();
}

/*
 * PERMANENT: kernel.ftrace_enabled=0 cannot silently stop the clock. It cannot
 * be hooked either where that is 0 already. Without the RECURSION and RCU flags
 * tick() is called directly: the one function it is on does not recurse, and
 * runs where RCU watches.
 */
static struct ftrace_ops tick_ops = {
	.func = tick,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

static int hook_ftrace(void)
{
	int err = ftrace_set_filter(&tick_ops, HOOKED, strlen(HOOKED), 1);

	if (!err)
		err = register_ftrace_function(&tick_ops);
	if (err)
		ftrace_free_filter(&tick_ops);
	return err;
}

/* Returns when no CPU is in tick() any more. */
static void unhook_ftrace(void)
{
	int err = unregister_ftrace_function(&tick_ops);

	WARN_ONCE(err, "the tick cannot be unhooked (%d)\n", err);
	ftrace_free_filter(&tick_ops);
}
#else
static int hook_ftrace(void)
{
	return -ENODEV;
}

static void unhook_ftrace(void)
{
}
#endif

#ifdef CONFIG_KPROBES
static int tick_kprobe(struct kprobe *probe, struct pt_regs *regs)
{
	sample_tick();
	return 0;
}

static struct kprobe tick_probe = {
	.symbol_name = HOOKED,
	.pre_handler = tick_kprobe,
};

static int hook_kprobe(void)
{
	return register_kprobe(&tick_probe);
}

static void unhook_kprobe(void)
{
	unregister_kprobe(&tick_probe);
}
#else
static int hook_kprobe(void)
{
	return -ENODEV;
}

static void unhook_kprobe(void)
{
}
#endif

static int hook_nothing(void)
{
	return 0;
}

static void unhook_nothing(void)
{
}

/*
 * In order of preference. A kprobe on a function that ftrace can trace goes
 * through ftrace and is as dead as that is where it is switched off, so it is
 * only for kernels without.
 */
static const struct tick_source {
	const char *name;
	u32 clock;
	bool automatic;
	int (*hook)(void);
	void (*unhook)(void);
} sources[] = {
	{ "ftrace", PROFIL_CLOCK_FTRACE, IS_ENABLED(CONFIG_DYNAMIC_FTRACE),
	  hook_ftrace, unhook_ftrace },
	{ "kprobe", PROFIL_CLOCK_KPROBE, !IS_ENABLED(CONFIG_DYNAMIC_FTRACE),
	  hook_kprobe, unhook_kprobe },
	{ "timer", PROFIL_CLOCK_TIMER, true, hook_nothing, unhook_nothing },
};

static const struct tick_source *source;

static bool wanted(const struct tick_source *candidate)
{
	if (!strcmp(clock, "auto"))
		return candidate->automatic;
	return !strcmp(clock, candidate->name);
}

/* Sessions come after this, so that tick_clock may be set after the hook. */
int profil_tick_init(void)
{
	const struct tick_source *s;
	int err = 0;

	for (s = sources; s < sources + ARRAY_SIZE(sources); s++) {
		if (!wanted(s))
			continue;
		err = s->hook();
		if (!err) {
			source = s;
			tick_clock = s->clock;
			pr_info("ticks come from %s\n", s->name);
			return 0;
		}
		pr_notice("%s cannot be hooked by %s (%d)\n", HOOKED, s->name,
			  err);
	}
	if (err)
		return err;
	pr_err("clock=%s: say auto, ftrace, kprobe or timer\n", clock);
	return -EINVAL;
}

void profil_tick_exit(void)
{
	source->unhook();
}
