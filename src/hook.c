// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "hook.h"
#include "stuck.h"

/*
 * Modules have no kallsyms_lookup_name(). A kprobe holds its address once it is
 * registered, and one that is registered disabled patches nothing.
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

/* The callback may be called at any time from now on. */
static void mark_stuck(struct hook *hook, int err)
{
	hook->stuck = true;
	profil_stuck_report(hook->function, err);
}

#ifdef PROFIL_HAVE_DYNAMIC_FTRACE
/*
 * ftrace_set_filter_ip() fails if ftrace has failed before. So ENODEV here
 * means that ftrace has failed during this call: the text patched by then
 * remains.
 */
static int register_ftrace(struct hook *hook)
{
	int err = register_ftrace_function(&hook->ops);

	if (err == -ENODEV)
		mark_stuck(hook, err);
	return err;
}

/*
 * ftrace's record of a call lies at the address or a few instructions behind
 * it. For the address itself ftrace_set_filter_ip() takes any record between
 * two symbols. That may be of a weak function which another replaces: the text
 * stays behind that of the hooked function, and its symbol does not. So only
 * addresses that lie in the call, and in no other, are tried.
 */
static int set_filter(struct hook *hook)
{
	unsigned long offset;
	int err = -EINVAL;

	for (offset = HOOK_STEP; offset < HOOK_ENTRY_BYTES;
	     offset += HOOK_STEP) {
		err = ftrace_set_filter_ip(&hook->ops, hook->address + offset,
					   0, 1);
		if (err != -EINVAL)
			break;
	}
	return err;
}

/*
 * PERMANENT: kernel.ftrace_enabled=0 is refused while the hook is attached, and
 * the hook cannot be attached while that is 0. Without the RECURSION and RCU
 * flags ftrace calls the callback directly.
 *
 * @ops is initialised each time, since ftrace_free_filter() leaves pointers to
 * freed memory in it.
 */
static int attach_ftrace(struct hook *hook)
{
	int err;

	hook->ops = (struct ftrace_ops){
		.func = hook->on_ftrace,
		.flags = FTRACE_OPS_FL_PERMANENT,
	};
	err = set_filter(hook);
	if (!err)
		err = register_ftrace(hook);
	if (err && !hook->stuck)
		ftrace_free_filter(&hook->ops);
	return err;
}

/* unregister_ftrace_function() waits until no CPU is in the callback. */
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
