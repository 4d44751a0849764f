// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "config.h"
#include "device.h"
#include "observer.h"
#include "process.h"
#include "registry.h"
#include "session.h"
#include "start.h"
#include "stats.h"
#include "target.h"

static_assert(sizeof(struct profil_version) == 40);
static_assert(sizeof(struct profil_region) == 32);
static_assert(sizeof(struct profil_start) == 40);
static_assert(sizeof(struct profil_stats) == 96);
static_assert(sizeof(struct profil_attach) == 16);

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

/* The observer of @file, attached or not; or NULL. */
static struct observer *any_observer_of(struct file *file)
{
	/* Pairs with cmpxchg() in get_observer(): the observer is initialised. */
	return smp_load_acquire((struct observer **)&file->private_data);
}

/* NULL, or the observer of a descriptor that is attached. */
static struct observer *observer_of(struct file *file)
{
	struct observer *observer = any_observer_of(file);

	return observer && profil_observer_attached(observer) ? observer : NULL;
}

/* The session that the commands on @file are about, with a reference; or NULL. */
static struct session *session_of(struct file *file)
{
	struct observer *observer = observer_of(file);

	return observer ? profil_observer_get_session(observer) :
			  profil_registry_get(current->mm);
}

static long publish(struct observer *observer, struct session *session)
{
	return observer ? profil_observer_publish(observer, session) :
			  profil_start_publish(session);
}

static long ioctl_start(struct file *file, void __user *arg)
{
	struct observer *observer = observer_of(file);
	struct profil_start start;
	struct session *session;
	struct config *config;
	int err = copy_in(&start, sizeof(start), arg);

	if (err)
		return err;
	config = profil_config_create(&start);
	if (IS_ERR(config))
		return PTR_ERR(config);
	session = profil_start_prepare(config, observer);
	if (IS_ERR(session))
		return PTR_ERR(session);
	if (!start.period_ns)
		start.period_ns = TICK_NSEC;
	err = copy_out(arg, &start, sizeof(start));
	if (err) {
		profil_session_discard(session);
		return err;
	}
	return publish(observer, session);
}

/* All zero but the flag of an attached descriptor if @session is NULL. */
static long copy_out_stats(struct file *file, struct session *session,
			   struct profil_stats *stats, void __user *arg)
{
	struct observer *observer = observer_of(file);
	int err = profil_stats_fill(stats, session);

	if (observer && profil_target_all_ended(observer))
		stats->flags |= PROFIL_STATS_GONE;
	return err ?: copy_out(arg, stats, sizeof(*stats));
}

static long ioctl_stats(struct file *file, void __user *arg)
{
	struct session *session;
	struct profil_stats stats;
	long err = copy_in(&stats, sizeof(stats), arg);

	if (err)
		return err;
	session = session_of(file);
	if (session)
		err = profil_session_wait_drained(session);
	if (!err)
		err = copy_out_stats(file, session, &stats, arg);
	if (session)
		profil_session_put(session);
	return err;
}

static long ioctl_stop(struct file *file, void __user *arg)
{
	struct session *session;
	struct profil_stats stats;
	long err = arg ? copy_in(&stats, sizeof(stats), arg) : 0;

	if (err)
		return err;
	session = session_of(file);
	if (session)
		err = profil_session_stop(session);
	if (!err && arg)
		err = copy_out_stats(file, session, &stats, arg);
	if (session)
		profil_session_put(session);
	return err;
}

/* The first ATTACH gives the file its observer. NULL without memory. */
static struct observer *get_observer(struct file *file)
{
	struct observer *present = any_observer_of(file), *observer;

	if (present)
		return present;
	observer = profil_observer_create();
	if (!observer)
		return NULL;
	present = cmpxchg((struct observer **)&file->private_data, NULL,
			  observer);
	if (!present)
		return observer;
	profil_observer_release(observer); /* another thread was first */
	return present;
}

static long ioctl_attach(struct file *file, void __user *arg)
{
	struct profil_attach given;
	struct observer *observer;
	struct mm_struct *mm;
	long err = copy_in(&given, sizeof(given), arg);

	if (err)
		return err;
	if (given.flags & ~PROFIL_ATTACH_CHILDREN || given.reserved)
		return -EINVAL;
	mm = profil_process_mm(given.pidfd);
	if (IS_ERR(mm))
		return PTR_ERR(mm);
	observer = get_observer(file);
	err = -ENOMEM;
	if (observer)
		err = profil_observer_attach(observer, mm, given.flags);
	mmput(mm);
	return err;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case PROFIL_IOC_VERSION:
		return ioctl_version(user);
	case PROFIL_IOC_START:
		return ioctl_start(file, user);
	case PROFIL_IOC_STOP:
		return ioctl_stop(file, user);
	case PROFIL_IOC_STATS:
		return ioctl_stats(file, user);
	case PROFIL_IOC_ATTACH:
		return ioctl_attach(file, user);
	default:
		return -ENOTTY;
	}
}

/* misc_open() has set it. */
static int device_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct observer *observer = any_observer_of(file);

	if (observer)
		profil_observer_release(observer);
	return 0;
}

/* .owner pins the module while the device is open. */
static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
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
