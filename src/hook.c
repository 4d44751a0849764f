// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "hook.h"
#include "stuck.h"

/*
 * Modules cannot ask for the address of a function that is not exported. But a
 * kprobe that is registered tells where it is, and one that is disabled from the
 * beginning patches nothing.
 */
int profil_hook_find(struct hook *hook)
{
	struct kprobe probe = {
		.symbol_name = hook->function,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err;

	if (hook->address)
		return 0;
	err = register_kprobe(&probe);
	if (err)
		return err;
	hook->address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

/* The callback may be called now and ever after. */
static void mark_stuck(struct hook *hook, int err)
{
	hook->stuck = true;
	profil_stuck_report(hook->function, err);
}

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * ftrace_set_filter_ip() fails where ftrace has given up, so an ENODEV here is
 * of an ftrace that has done so under way: what it has patched by then remains.
 */
static int register_ftrace(struct hook *hook)
{
	int err = register_ftrace_function(&hook->ops);

	if (err == -ENODEV)
		mark_stuck(hook, err);
	return err;
}

/*
 * PERMANENT: kernel.ftrace_enabled=0 cannot silently switch the hook off while it
 * is attached. Nor can it be attached where that is 0 already. Without the
 * RECURSION and RCU flags the callback is called directly.
 *
 * The structure is made anew each time, since ftrace_free_filter() leaves it
 * with pointers to what it has freed.
 */
static int attach_ftrace(struct hook *hook)
{
	int err;

	hook->ops = (struct ftrace_ops){
		.func = hook->on_ftrace,
		.flags = FTRACE_OPS_FL_PERMANENT,
	};
	err = ftrace_set_filter_ip(&hook->ops, hook->address, 0, 1);
	if (!err)
		err = register_ftrace(hook);
	if (err && !hook->stuck)
		ftrace_free_filter(&hook->ops);
	return err;
}

/* It waits until no CPU is in the callback, which is in a module. */
static void detach_ftrace(struct hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	if (err)
		mark_stuck(hook, err);
	else
		ftrace_free_filter(&hook->ops);
}
#else
static int attach_ftrace(struct hook *hook)
{
	return -ENODEV;
}

static void detach_ftrace(struct hook *hook)
{
}
#endif

static int attach_kprobe(struct hook *hook)
{
	hook->probe = (struct kprobe){
		.symbol_name = hook->function,
		.pre_handler = hook->on_kprobe,
	};
	return register_kprobe(&hook->probe);
}

int profil_hook_attach(struct hook *hook, enum hook_method method)
{
	int err;

	if (hook->stuck)
		return -EBUSY;
	err = profil_hook_find(hook);
	if (err)
		return err;
	hook->method = method;
	return method == HOOK_FTRACE ? attach_ftrace(hook) :
				       attach_kprobe(hook);
}

void profil_hook_detach(struct hook *hook)
{
	if (hook->method == HOOK_FTRACE)
		detach_ftrace(hook);
	else
		unregister_kprobe(&hook->probe);
}
