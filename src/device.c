// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "config.h"
#include "device.h"
#include "registry.h"
#include "session.h"
#include "start.h"

static_assert(sizeof(struct profil_version) == 40);
static_assert(sizeof(struct profil_region) == 32);
static_assert(sizeof(struct profil_start) == 40);
static_assert(sizeof(struct profil_stats) == 96);

/*
 * Copy a structure in that begins with its size. Only one version of each
 * structure exists, so a shorter one is invalid.
 */
static int copy_in(void *to, size_t size, const void __user *from)
{
	u32 given;

	if (get_user(given, (const u32 __user *)from))
		return -EFAULT;
	if (given < size)
		return -EINVAL;
	if (given > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(to, size, from, given);
}

static int copy_out(void __user *to, const void *from, size_t size)
{
	return copy_to_user(to, from, size) ? -EFAULT : 0;
}

static long ioctl_version(void __user *arg)
{
	struct profil_version version;
	int err = copy_in(&version, sizeof(version), arg);

	if (err)
		return err;
	version = (struct profil_version){
		.size = version.size,
		.abi = PROFIL_ABI,
		.max_regions = PROFIL_MAX_REGIONS,
		.start_flags = PROFIL_START_FLAGS,
		.clock = profil_clock_tick_source,
		.tick_ns = TICK_NSEC,
		.min_period_ns = profil_config_min_period_ns(),
	};
	return copy_out(arg, &version, sizeof(version));
}

static long ioctl_start(void __user *arg)
{
	struct profil_start start;
	struct session *session;
	struct config *config;
	int err = copy_in(&start, sizeof(start), arg);

	if (err)
		return err;
	config = profil_config_create(&start);
	if (IS_ERR(config))
		return PTR_ERR(config);
	session = profil_start_prepare(config);
	if (IS_ERR(session))
		return PTR_ERR(session);
	if (!start.period_ns)
		start.period_ns = TICK_NSEC;
	err = copy_out(arg, &start, sizeof(start));
	if (err) {
		profil_session_discard(session);
		return err;
	}
	return profil_start_publish(session);
}

static int copy_out_states(u64 to, u32 room, struct session *session)
{
	u32 __user *states = (u32 __user *)(uintptr_t)to;
	u32 i, nr = min(room, session->config->map.nr_regions);

	for (i = 0; i < nr; i++) {
		u32 at = array_index_nospec(i, nr);
		u32 state = profil_counters_state(&session->counters, at);

		if (put_user(state, &states[at]))
			return -EFAULT;
	}
	return 0;
}

/* Read hits, outside and lost once each: @samples is exactly their sum. */
static void fill_stats(struct profil_stats *stats, struct session *session)
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

/* Fill @arg with the statistics of @session; all zero if it is NULL. */
static long copy_out_stats(const struct profil_stats *in,
			   struct session *session, void __user *arg)
{
	struct profil_stats out = {
		.size = in->size,
		.nr_states = in->nr_states,
		.states = in->states,
	};
	int err = 0;

	if (session) {
		fill_stats(&out, session);
		if (in->states)
			err = copy_out_states(in->states, in->nr_states,
					      session);
	}
	return err ?: copy_out(arg, &out, sizeof(out));
}

static long ioctl_stats(void __user *arg)
{
	struct session *session;
	struct profil_stats stats;
	long err = copy_in(&stats, sizeof(stats), arg);

	if (err)
		return err;
	session = profil_registry_get(current->mm);
	if (session)
		err = profil_session_wait_drained(session);
	if (!err)
		err = copy_out_stats(&stats, session, arg);
	if (session)
		profil_session_put(session);
	return err;
}

static long ioctl_stop(void __user *arg)
{
	struct session *session;
	struct profil_stats stats;
	long err = arg ? copy_in(&stats, sizeof(stats), arg) : 0;

	if (err)
		return err;
	session = profil_registry_get(current->mm);
	if (session)
		err = profil_session_stop(session);
	if (!err && arg)
		err = copy_out_stats(&stats, session, arg);
	if (session)
		profil_session_put(session);
	return err;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case PROFIL_IOC_VERSION:
		return ioctl_version(user);
	case PROFIL_IOC_START:
		return ioctl_start(user);
	case PROFIL_IOC_STOP:
		return ioctl_stop(user);
	case PROFIL_IOC_STATS:
		return ioctl_stats(user);
	default:
		return -ENOTTY;
	}
}

/* .owner pins the module while a call is in it. Open files have no state. */
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
	return misc_register(&device);
}

void profil_device_exit(void)
{
	misc_deregister(&device);
}
