// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "clock.h"
#include "config.h"
#include "device.h"
#include "needs.h"
#include "quota.h"
#include "registry.h"
#include "sample.h"
#include "session.h"
#include "slot.h"
#include "table.h"
#include "table_device.h"
#include "timer.h"
#include "user_struct.h"

/* The sizes in ABI 1, which user_struct_in() has to take when a structure has grown */
static_assert(sizeof(struct profil_version) == 64);
static_assert(sizeof(struct profil_region) == 32);
static_assert(sizeof(struct profil_start) == 32);
static_assert(sizeof(struct profil_stats) == 96);
static_assert(sizeof(struct profil_table) == 24);

static long ioctl_version(void __user *arg)
{
	struct profil_version version;
	int err = user_struct_in(&version, sizeof(version), arg);

	if (err)
		return err;
	version = (struct profil_version){
		.size = version.size,
		.abi = PROFIL_ABI,
		.max_regions = PROFIL_MAX_REGIONS,
		.start_flags = PROFIL_START_FLAGS,
		.clock = profil_clock_tick_source,
		.region_flags = PROFIL_REGION_FLAGS,
		.tick_ns = TICK_NSEC,
		.min_period_ns = profil_config_min_period_ns(),
		.table_flags = PROFIL_TABLE_FLAGS,
		.add_flags = PROFIL_ADD_FLAGS,
		.max_sessions = profil_quota_max_sessions(),
		.max_tables = PROFIL_MAX_TABLES,
		.max_trees = PROFIL_MAX_TREES,
		.max_tree_log2 = PROFIL_TREE_MAX_LOG2,
	};
	return user_struct_out(arg, &version, sizeof(version));
}

static int open_session(struct session *session)
{
	int err = profil_session_open_counters(session, false);

	if (!err)
		err = profil_needs_attach_clocks(session->config->period_ns,
						 BIT(NEED_FORK));
	if (!err)
		profil_session_replenish_spare(session);
	return err;
}

/* Charge the user, and the address space. */
static int start_charge(struct session *session, struct quota *user)
{
	int err = profil_quota_charge_space(&session->space);

	if (!err && !profil_quota_charge_user(user)) {
		profil_quota_uncharge(&session->space);
		err = -EAGAIN;
	}
	return err;
}

/*
 * Make a session of current's mm, with its counters open, and take over the reference to
 * @config, also on failure. EAGAIN at the limit of the user, or of the address space.
 * profil_session_discard() undoes this.
 */
static struct session *prepare_session(struct config *config)
{
	struct session *session =
		profil_session_alloc(config, GFP_KERNEL_ACCOUNT);
	int err = session ? start_charge(session, config->user) : -ENOMEM;

	if (err) {
		kfree(session);
		profil_config_put(config);
		return ERR_PTR(err);
	}
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	profil_session_bind(session, current->mm, config, NULL);
	err = open_session(session);
	if (!err)
		return session;
	profil_session_discard(session);
	return ERR_PTR(err);
}

/* End a halted session. Of a caller that is being killed deferred samples are lost. */
static int finish_session(struct session *session)
{
	profil_slot_wait(session);
	profil_samples_drain(session);
	profil_session_end(session);
	return profil_session_wait_end(session);
}

/*
 * Put @session in place of the running one, which has ended on return. EINTR when a fatal
 * signal is pending; then @session is gone. fork holds mmap_lock for writing while it copies
 * an address space: held for reading, a session begins and ends before the copy or after it.
 */
static int publish_session(struct session *session)
{
	bool is_timed = session->config->is_timed;
	struct session *old;

	if (mmap_read_lock_killable(session->mm)) {
		profil_session_discard(session);
		return -EINTR;
	}
	old = profil_registry_replace(session);
	if (old)
		profil_session_halt(old);
	/* @session may be ended by another thread, and freed, from here on. */
	mmap_read_unlock(current->mm);
	if (is_timed)
		profil_timer_start(NULL);
	if (!old)
		return 0;
	finish_session(old);
	profil_session_put(old);
	return 0;
}

static int stop_session(struct session *session)
{
	if (mmap_read_lock_killable(session->mm))
		return -EINTR;
	profil_session_halt(session);
	mmap_read_unlock(session->mm);
	return finish_session(session);
}

/*
 * No sample is under way after profil_slot_wait(), nor begins; no task records any, as the
 * lock is held; no callback is under way after profil_counters_detach(). So the tally is
 * final. A work that one of them queued meanwhile finds @ended completed.
 */
static void retire_session(struct session *session)
{
	profil_slot_wait(session);
	profil_samples_cancel(session);
	profil_samples_drain_locked(session); /* all are lost */
	profil_counters_detach(&session->counters);
	profil_session_reap(session, true);
	profil_session_uncharge(session);
	profil_registry_remove(session);
	complete_all(&session->ended);
	profil_session_put(session); /* the reference of the session itself */
}

/*
 * A task that has the lock may wait for a page. It is not waited for: @postponed asks it to
 * queue the work again. The flag is set before the lock is tried, by a full barrier, and
 * the holder reads it after the unlock: either the lock is free here, or the flag is seen
 * there.
 */
static void process_session(struct session *session)
{
	/* Pairs with profil_session_end(): @running is false if true. */
	bool ending = smp_load_acquire(&session->ending);

	/* Pairs with session_watch(). */
	if (smp_load_acquire(&session->to_watch) && !ending)
		profil_session_watch(session);
	if (xchg(&session->contended, false))
		profil_samples_cancel(session);
	xchg(&session->postponed, true);
	if (!mutex_trylock(&session->lock))
		return;
	WRITE_ONCE(session->postponed, false);
	profil_session_reap(session, false);
	if (ending)
		retire_session(session);
	mutex_unlock(&session->lock);
}

/*
 * What samples and callbacks leave to process context and needs no page of the program:
 * insert the first notifier of an address space, unpin dropped pages, and retire the session
 */
static void run_session_work(struct work_struct *work)
{
	struct session *session = container_of(work, struct session, work.work);
	struct works *works = &session->config->user->works;

	xchg(&session->queued, false);
	if (!completion_done(&session->ended))
		process_session(session);
	profil_works_done(works);
	profil_session_put(session); /* the reference of the work */
}

static long ioctl_start(void __user *arg)
{
	struct profil_start start;
	struct session *session;
	struct config *config;
	int err = user_struct_in(&start, sizeof(start), arg);

	if (err)
		return err;
	config = profil_config_create(&start);
	if (IS_ERR(config))
		return PTR_ERR(config);
	session = prepare_session(config);
	if (IS_ERR(session))
		return PTR_ERR(session);
	if (!start.period_ns)
		start.period_ns = TICK_NSEC;
	err = user_struct_out(arg, &start, sizeof(start));
	if (err) {
		profil_session_discard(session);
		return err;
	}
	return publish_session(session);
}

static int copy_out_states(u64 to, u32 room, struct session *session)
{
	u32 __user *states = (u32 __user *)(uintptr_t)to;
	u32 i, nr = min(room, session->config->map.nr_regions);

	for (i = 0; i < nr; i++) {
		u32 at = array_index_nospec(i, nr);
		u32 state = READ_ONCE(session->counters.states[at]);

		if (put_user(state, &states[at]))
			return -EFAULT;
	}
	return 0;
}

/* Read hits, outside and lost once each: @samples is exactly their sum. */
static void stats_fill(struct profil_stats *stats, struct session *session)
{
	struct tally *tally = &session->tally;
	u64 period = session->config->period_ns;

	stats->flags = PROFIL_STATS_SESSION;
	if (READ_ONCE(session->full))
		stats->flags |= PROFIL_STATS_FULL;
	stats->nr_regions = session->config->map.nr_regions;
	stats->period_ns = period ?: TICK_NSEC;
	stats->hits = atomic64_read(&tally->hits);
	stats->outside = atomic64_read(&tally->outside);
	stats->lost = atomic64_read(&tally->lost);
	stats->samples = stats->hits + stats->outside + stats->lost;
	stats->saturated = atomic64_read(&tally->saturated);
	stats->kernel_samples = atomic64_read(&tally->kernel_samples);
	stats->pinned_pages = atomic_long_read(&session->counters.pinned);
	stats->unprofiled_children = atomic64_read(&tally->unprofiled_children);
}

/* All that is out, zero without a session, and the states of its regions */
static int fill_stats(struct profil_stats *stats, struct session *session)
{
	*stats = (struct profil_stats){
		.size = stats->size,
		.nr_states = stats->nr_states,
		.states = stats->states,
	};
	if (!session)
		return 0;
	stats_fill(stats, session);
	if (!stats->states)
		return 0;
	return copy_out_states(stats->states, stats->nr_states, session);
}

/*
 * STATS and STOP: do @act to the session, if there is one, then copy its
 * statistics out, if @arg is given.
 */
static long act_on_session(void __user *arg,
			   int (*act)(struct session *session))
{
	struct session *session;
	struct profil_stats stats;
	long err = arg ? user_struct_in(&stats, sizeof(stats), arg) : 0;

	if (err)
		return err;
	session = profil_registry_get(current->mm);
	if (session)
		err = act(session);
	if (!err && arg)
		err = fill_stats(&stats, session) ?:
			      user_struct_out(arg, &stats, sizeof(stats));
	if (session)
		profil_session_put(session);
	return err;
}

static long ioctl_stats(void __user *arg)
{
	if (!arg)
		return -EFAULT;
	return act_on_session(arg, profil_samples_drain);
}

static long ioctl_stop(void __user *arg)
{
	return act_on_session(arg, stop_session);
}

static long ioctl_table(void __user *arg)
{
	struct profil_table given;
	struct table *table;
	long err = user_struct_in(&given, sizeof(given), arg);

	if (err)
		return err;
	table = profil_table_create(&given);
	if (IS_ERR(table))
		return PTR_ERR(table);
	if (!given.period_ns)
		given.period_ns = TICK_NSEC;
	err = user_struct_out(arg, &given, sizeof(given));
	if (!err)
		return profil_table_install(table);
	profil_table_free(table);
	return err;
}

/* A structure may grow, and the size in the command with it. */
static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	if (_IOC_TYPE(cmd) != PROFIL_IOC_MAGIC)
		return -ENOTTY;
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(PROFIL_IOC_VERSION):
		return ioctl_version(user);
	case _IOC_NR(PROFIL_IOC_START):
		return ioctl_start(user);
	case _IOC_NR(PROFIL_IOC_STOP):
		return ioctl_stop(user);
	case _IOC_NR(PROFIL_IOC_STATS):
		return ioctl_stats(user);
	case _IOC_NR(PROFIL_IOC_TABLE):
		return ioctl_table(user);
	default:
		return -ENOTTY;
	}
}

/* .owner pins the module while the device is open. */
static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "profil",
	.fops = &device_fops,
	.mode = 0666,
};

int profil_device_init(void)
{
	profil_session_init(run_session_work);
	return misc_register(&device);
}

void profil_device_exit(void)
{
	misc_deregister(&device);
}
