// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil: profil(2) and sprofil(2) for Linux.
 *
 * When profil_exit() runs there is no session and no open descriptor, since each holds the
 * module: so there is no table, no member of a tree, nor a work of one. Once the device is
 * gone none can be made. Each step then waits for its own callers, and nothing that runs
 * later uses what an earlier step has removed:
 *
 *  - profil_needs_exit() detaches hooks, and waits for CPUs that are in one. No timer is
 *    armed after that, and profil_timer_exit() cancels those of each CPU;
 *  - profil_works_exit() waits for works, and synchronize_rcu_tasks() for task works of
 *    programs that have just forked, recorded samples, or looked up their code: these may
 *    have dropped the last reference to the module and not have returned. A task work may
 *    be preempted, which only RCU-tasks takes into account. Notifiers have returned before
 *    their sessions ended;
 *  - kfree_rcu() frees objects without calling the module;
 *  - a hook that the kernel has failed to detach may still call the module:
 *    profil_hook_wait_stuck() then does not return;
 *  - profil_books_close() reads numbers that nothing changes any more.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "books.h"
#include "device.h"
#include "fork.h"
#include "hook.h"
#include "needs.h"
#include "registry.h"
#include "tick.h"
#include "timer.h"
#include "tree.h"
#include "works.h"

#ifndef CONFIG_64BIT
#error "profil needs a 64-bit kernel: counters have up to 64 bits"
#endif
#ifndef CONFIG_MMU_NOTIFIER
#error "profil needs CONFIG_MMU_NOTIFIER (any driver that selects it will do)"
#endif
#ifndef CONFIG_TRACEPOINTS
#error "profil needs CONFIG_TRACEPOINTS, which CONFIG_FTRACE selects"
#endif
#ifndef CONFIG_KPROBES
#error "profil needs CONFIG_KPROBES to find the functions that it hooks"
#endif
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_TASKS_RCU)
#error "profil needs CONFIG_TASKS_RCU to be unloaded from a preemptible kernel"
#endif
#ifndef CONFIG_CGROUPS
#error "profil needs CONFIG_CGROUPS"
#endif
/* The driver writes counters by another mapping than the program reads. */
#if defined(CONFIG_ARCH_HAS_CPU_CACHE_ALIASING) || defined(CONFIG_MIPS) || \
	defined(CONFIG_PARISC) || defined(CONFIG_SPARC)
#error "profil needs a processor whose data cache has no aliases"
#endif
#ifdef CONFIG_ARCH_NEED_CMPXCHG_1_EMU
#error "profil needs a processor with cmpxchg() of 2 bytes"
#endif

static int __init profil_init(void)
{
	int err;

	err = pointer_table_init(&profil_registry);
	if (err)
		return err;
	err = pointer_table_init(&profil_members);
	if (err)
		goto exit_registry;
	err = profil_works_init();
	if (err)
		goto exit_members;
	err = profil_hook_find(&profil_dup_mmap_hook);
	if (!err)
		err = profil_hook_find(&profil_fork_hook);
	if (!err)
		err = profil_hook_find(&profil_switch_hook);
	if (!err)
		err = profil_timer_init();
	if (err)
		goto exit_works;
	err = profil_tick_find();
	if (err)
		goto exit_timer;
	err = profil_device_init();
	if (err)
		goto exit_timer;
	profil_registry_show();
	return 0;

exit_timer:
	profil_timer_exit();
exit_works:
	profil_works_exit();
	profil_hook_wait_stuck();
exit_members:
	pointer_table_exit(&profil_members);
exit_registry:
	pointer_table_exit(&profil_registry);
	return err;
}

static void __exit profil_exit(void)
{
	profil_registry_hide();
	profil_device_exit();
	profil_needs_exit();
	profil_timer_exit();
	profil_works_exit();
	synchronize_rcu_tasks();
	profil_hook_wait_stuck();
	profil_books_close();
	pointer_table_exit(&profil_members);
	pointer_table_exit(&profil_registry);
}

module_init(profil_init);
module_exit(profil_exit);

MODULE_DESCRIPTION("profil(2) and sprofil(2): program counter histograms");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The profil authors");
MODULE_VERSION("0.1");
