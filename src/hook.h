/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: a function of the kernel whose entry calls one of the module's. The
 * kernel need not export the function.
 *
 * A hook is on that one function or on none, whatever fails: the filter is set
 * by address, for ftrace_set_filter(), which takes a name, answers 0 when it has
 * had no memory and left the filter empty, and an empty filter is all functions.
 */
#ifndef PROFIL_HOOK_H
#define PROFIL_HOOK_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

/* How a hook gets called: by ftrace, or by a kprobe. */
enum hook_method {
	HOOK_FTRACE,
	HOOK_KPROBE,
};

/*
 * The way for what has no choice. A kprobe on a function that ftrace can trace
 * goes through ftrace and is silently dead where that is switched off; so it is
 * for kernels without ftrace only.
 */
#define HOOK_DEFAULT \
	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ? HOOK_FTRACE : HOOK_KPROBE)

/**
 * struct hook - a hook; made by DEFINE_HOOK()
 * @function: the name of the hooked function
 * @address: of its entry as a kprobe has it, behind an ENDBR; 0 until found
 * @method: how it is attached, or was last
 * @stuck: the kernel failed to take it off, or to say that it is off
 * @on_ftrace: what ftrace calls
 * @ops: for ftrace, while attached
 * @on_kprobe: what the kprobe calls
 * @probe: the kprobe, while attached
 *
 * The caller serialises all calls for a hook.
 */
struct hook {
	const char *function;
	unsigned long address;
	enum hook_method method;
	bool stuck;
	void (*on_ftrace)(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *regs);
#ifdef CONFIG_DYNAMIC_FTRACE
	struct ftrace_ops ops;
#endif
	int (*on_kprobe)(struct kprobe *probe, struct pt_regs *regs);
	struct kprobe probe;
};

/*
 * The instruction that calls ftrace lies at the entry or a few instructions
 * behind. No hooked function is as short as that.
 */
#define HOOK_ENTRY_BYTES 16

/* Whether ftrace calls from @ip for the hook that @ops is of. */
static inline bool hook_is_at(struct ftrace_ops *ops, unsigned long ip)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	return ip - container_of(ops, struct hook, ops)->address <
	       HOOK_ENTRY_BYTES;
#else
	return false;
#endif
}

/**
 * DEFINE_HOOK() - define name_hook, a struct hook
 * @name: name_called() is an inline function without arguments or result, to be
 *	called at the entry of @symbol, in its context. Preemption may be off in
 *	addition, so it must not sleep; nor call @symbol
 * @symbol: the function to be hooked, a string. It runs where RCU watches
 */
#define DEFINE_HOOK(name, symbol)                                            \
	static void notrace name##_ftrace(unsigned long ip,                  \
					  unsigned long parent_ip,           \
					  struct ftrace_ops *ops,            \
					  struct ftrace_regs *regs)          \
	{                                                                    \
		if (likely(hook_is_at(ops, ip)))                             \
			name##_called();                                     \
	}                                                                    \
	static int name##_kprobe(struct kprobe *probe, struct pt_regs *regs) \
	{                                                                    \
		name##_called();                                             \
		return 0;                                                    \
	}                                                                    \
	static struct hook name##_hook = {                                   \
		.function = symbol,                                          \
		.on_ftrace = name##_ftrace,                                  \
		.on_kprobe = name##_kprobe,                                  \
	}

/*
 * Find the function; profil_hook_attach() does so too. 0, ENOENT when the kernel has no
 * function of this name, EINVAL or another error of register_kprobe() when no
 * kprobe can be on it. Sleeps.
 */
int profil_hook_find(struct hook *hook);

/*
 * Attach it. On success the callback is called at each entry of the function;
 * on failure at none. EBUSY when ftrace is switched off (kernel.ftrace_enabled),
 * or when the hook is stuck; ENOENT and EINVAL as above; ENOMEM; ENODEV when the
 * kernel has no such way, or when ftrace has given up. Sleeps.
 */
int profil_hook_attach(struct hook *hook, enum hook_method method);

/*
 * Take it off. When this returns no CPU is in the callback, unless the hook is
 * stuck: then the module stays for ever, see stuck.h. Sleeps for an RCU-tasks
 * grace period.
 */
void profil_hook_detach(struct hook *hook);

#endif /* PROFIL_HOOK_H */
