// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switch ftrace off for good, as the kernel does when it finds a record of
 * patched text wrong: no hook can be attached or detached any more. Loading the
 * module does so and then fails with ECANCELED, so that nothing stays loaded.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static int __init kill_ftrace_init(void)
{
	struct kprobe probe = {
		.symbol_name = "ftrace_kill",
		.flags = KPROBE_FLAG_DISABLED,
	};
	void (*kill)(void);
	int err = register_kprobe(&probe);

	if (err)
		return err;
	kill = (void *)probe.addr;
	unregister_kprobe(&probe);
	kill();
	return -ECANCELED;
}

module_init(kill_ftrace_init);

MODULE_DESCRIPTION("Switch ftrace off");
MODULE_LICENSE("GPL");
