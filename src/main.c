// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil: profil(2) and sprofil(2) for Linux.
 *
 * On the way in: what a session needs before there can be one, then the
 * clocks and the fork probe, then the device, by which sessions come. On the
 * way out there is no session, since each holds the module, nor a way to make
 * one once the device is gone; each step then waits for its own callers, and
 * nothing that runs later needs what an earlier step took away:
 *
 *  - the fork probe, the tick and the timer find an empty registry. Fork's is
 *    taken off, the tick is unhooked, which waits for CPUs that are in it, the
 *    timer takes off sched_switch's, in case it still lingers, and is cancelled
 *    on each CPU;
 *  - tracepoint_synchronize_unregister() waits, after either probe is off, for
 *    those that had begun: none arms a timer after that;
 *  - profil_session_exit() waits for works, and for programs that have just
 *    forked and their children: they may have dropped the module's last
 *    reference, but not returned. Notifiers have returned before their sessions
 *    could end;
 *  - objects freed by RCU need no code of ours to be freed;
 *  - what the kernel could not unhook may still call: stuck_wait() then does not
 *    return.
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "device.h"
#include "fork.h"
#include "session.h"
#include "stuck.h"
#include "tick.h"
#include "timer.h"

#ifndef CONFIG_64BIT
#error "Counters of 64 bits are added to by a 64-bit kernel only"
#endif

static int __init profil_init(void)
{
	int err = profil_session_init();

	if (err)
		return err;
	err = profil_timer_init();
	if (err)
		goto exit_session;
	err = profil_tick_init();
	if (err)
		goto exit_timer;
	err = profil_fork_init();
	if (err)
		goto exit_tick;
	err = profil_device_init();
	if (err)
		goto exit_fork;
	return 0;

exit_fork:
	profil_fork_exit();
	tracepoint_synchronize_unregister();
exit_tick:
	profil_tick_exit();
exit_timer:
	profil_timer_exit();
exit_session:
	profil_session_exit();
	stuck_wait();
	return err;
}

static void __exit profil_exit(void)
{
	profil_device_exit();
	profil_fork_exit();
	tracepoint_synchronize_unregister();
	profil_tick_exit();
	profil_timer_exit();
	profil_session_exit();
	stuck_wait();
}

module_init(profil_init);
module_exit(profil_exit);

MODULE_DESCRIPTION("profil(2) and sprofil(2): program counter histograms");
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The profil authors");
MODULE_VERSION("0.1");
