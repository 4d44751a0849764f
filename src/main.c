// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil: profil(2) and sprofil(2) for Linux.
 *
 * On the way in: what a session needs before there can be one, and which clock
 * there is, then the device, by which sessions come. They attach what the kernel
 * calls the module by, see needs.h.
 *
 * On the way out there is no session, since each holds the module, nor a way to
 * make one once the device is gone; each step then waits for its own callers,
 * and nothing that runs later needs what an earlier step took away:
 *
 *  - what is still attached, because the last session has ended only seconds
 *    ago, finds an empty registry. profil_needs_exit() takes it off: to unhook
 *    waits for CPUs that are in the callback, and then
 *    tracepoint_synchronize_unregister() for those in probes. None arms a timer
 *    after that, and the timer is cancelled on each CPU;
 *  - profil_session_exit() waits for works, and for programs that have just
 *    forked and their children: they may have dropped the module's last
 *    reference, but not returned. Notifiers have returned before their sessions
 *    could end;
 *  - objects freed by RCU need no code of ours to be freed;
 *  - what the kernel could not unhook may still call: profil_stuck_wait() then does not
 *    return.
 */
#include <linux/module.h>

#include "device.h"
#include "fork.h"
#include "debugfs.h"
#include "needs.h"
#include "session.h"
#include "stuck.h"
#include "tick.h"
#include "timer.h"
#include "worker.h"

#ifndef CONFIG_64BIT
#error "profil needs a 64-bit kernel, which adds to counters of 64 bits"
#endif
#ifndef CONFIG_MMU_NOTIFIER
#error "profil needs CONFIG_MMU_NOTIFIER (any driver that selects it will do)"
#endif
#ifndef CONFIG_TRACEPOINTS
#error "profil needs CONFIG_TRACEPOINTS, which CONFIG_FTRACE gives"
#endif
#ifndef CONFIG_KPROBES
#error "profil needs CONFIG_KPROBES, which finds the functions to be hooked"
#endif
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_TASKS_RCU)
#error "profil needs CONFIG_TASKS_RCU to be unloaded from a preemptible kernel"
#endif
/* Counters are written by another mapping than the one the program reads. */
#if defined(CONFIG_ARCH_HAS_CPU_CACHE_ALIASING) || defined(CONFIG_MIPS) || \
	defined(CONFIG_PARISC) || defined(CONFIG_SPARC)
#error "profil needs a processor whose data cache has no aliases"
#endif
#ifdef CONFIG_ARCH_NEED_CMPXCHG_1_EMU
#error "profil needs a processor with cmpxchg() of 2 bytes"
#endif

static int __init profil_init(void)
{
	int err = profil_session_init(profil_worker_run);

	if (err)
		return err;
	err = profil_timer_init();
	if (err)
		goto exit_session;
	err = profil_fork_init();
	if (err)
		goto exit_timer;
	err = profil_tick_init();
	if (err)
		goto exit_timer;
	err = profil_device_init();
	if (err)
		goto exit_timer;
	profil_debugfs_init();
	return 0;

exit_timer:
	profil_timer_exit();
exit_session:
	profil_session_exit();
	profil_stuck_wait();
	return err;
}

static void __exit profil_exit(void)
{
	profil_debugfs_exit();
	profil_device_exit();
	profil_needs_exit();
	profil_timer_exit();
	profil_session_exit();
	profil_stuck_wait();
}

module_init(profil_init);
module_exit(profil_exit);

MODULE_DESCRIPTION("profil(2) and sprofil(2): program counter histograms");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The profil authors");
MODULE_VERSION("0.1");
