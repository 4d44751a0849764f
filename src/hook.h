/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: a call from the entry of a kernel function to a function of the
 * module. The kernel function need not be exported.
 *
 * A hook is on its function or on none, whatever fails. The filter is set by
 * address: ftrace_set_filter(), which takes a name, returns 0 when an
 * allocation has failed and the filter is empty, and an empty filter means all
 * functions.
 */
#ifndef PROFIL_HOOK_H
#define PROFIL_HOOK_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

/* How the kernel calls the hook. */
enum hook_method {
	HOOK_FTRACE,
	HOOK_KPROBE,
};

/*
 * The method of hooks without a choice. A kprobe on a function that ftrace can
 * trace is called by ftrace, and silently not called where ftrace is switched
 * off; so kprobes are for kernels without dynamic ftrace only.
 */
#ifdef PROFIL_HAVE_DYNAMIC_FTRACE
#define HOOK_DEFAULT HOOK_FTRACE
#else
#define HOOK_DEFAULT HOOK_KPROBE
#endif

/**
 * struct hook - a hook; made by DEFINE_HOOK()
 * @function: name of the hooked function
 * @address: its entry as kprobes see it, behind an ENDBR; 0 until found
 * @method: method of the present or the last attachment
 * @stuck: the kernel has failed to detach the hook, or to report that it has
 * @on_ftrace: callback for ftrace
 * @ops: registered with ftrace while attached
 * @on_kprobe: callback for the kprobe
 * @probe: registered while attached
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
#ifdef PROFIL_HAVE_DYNAMIC_FTRACE
	struct ftrace_ops ops;
#endif
	int (*on_kprobe)(struct kprobe *probe, struct pt_regs *regs);
	struct kprobe probe;
};

/*
 * The call of ftrace lies at the entry of a function or a few instructions
 * behind it. No hooked function is as short as this.
 */
#define HOOK_ENTRY_BYTES 16

/* Is the call from @ip one for the hook that contains @ops? */
static inline bool hook_is_at(struct ftrace_ops *ops, unsigned long ip)
{
#ifdef PROFIL_HAVE_DYNAMIC_FTRACE
	return ip - container_of(ops, struct hook, ops)->address <
	       HOOK_ENTRY_BYTES;
#else
	return false;
#endif
}

/**
 * DEFINE_HOOK() - define name_hook, a struct hook
 * @name: name_called() is an inline function without arguments or result,
 *	called at the entry of @symbol, in its context. Preemption may be off in
 *	addition, so name_called() must not sleep; nor may it call @symbol
 * @symbol: name of the function to hook, a string. RCU watches where it runs
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
 * Find the address of the function, if not yet known. 0; ENOENT when the kernel
 * has no such function; EINVAL or another errno of register_kprobe() when no
 * kprobe can be on it. Sleeps.
 */
int profil_hook_find(struct hook *hook);

/*
 * Attach the hook, and find its function if needed. On success each entry of
 * the function calls the callback, on failure none. EBUSY when ftrace is
 * switched off (kernel.ftrace_enabled), or when the hook is stuck; ENOENT and
 * EINVAL as above; ENOMEM; ENODEV when the kernel lacks the method, or ftrace
 * has failed before. Sleeps.
 */
int profil_hook_attach(struct hook *hook, enum hook_method method);

/*
 * Detach the hook. No CPU is in the callback on return, unless the hook is
 * stuck: then the module stays loaded, see stuck.h. Sleeps for an RCU-tasks
 * grace period.
 */
void profil_hook_detach(struct hook *hook);

#endif /* PROFIL_HOOK_H */
