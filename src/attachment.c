// SPDX-License-Identifier: GPL-2.0-only
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/jiffies.h>

#include "attachment.h"

/* Time from the last reference to the detaching. */
#define DETACH_DELAY (10 * HZ)

static void detach_unused(struct attachment *attachment)
{
	mutex_lock(&attachment->lock);
	if (attachment->attached && !atomic_read(&attachment->users)) {
		attachment->detach();
		attachment->attached = false;
	}
	mutex_unlock(&attachment->lock);
}

void profil_attachment_detach_work(struct work_struct *work)
{
	detach_unused(container_of(work, struct attachment, detach_work.work));
}

int profil_attachment_get(struct attachment *attachment)
{
	int err = 0;

	/* The lock is held while detaching, which waits for grace periods. */
	if (mutex_lock_killable(&attachment->lock))
		return -EINTR;
	if (!attachment->attached)
		err = attachment->attach();
	if (!err) {
		attachment->attached = true;
		atomic_inc(&attachment->users);
	}
	mutex_unlock(&attachment->lock);
	return err;
}

bool profil_attachment_tryget(struct attachment *attachment)
{
	return atomic_inc_not_zero(&attachment->users);
}

void profil_attachment_put(struct attachment *attachment)
{
	if (atomic_dec_and_test(&attachment->users))
		mod_delayed_work(system_unbound_wq, &attachment->detach_work,
				 DETACH_DELAY);
}

void profil_attachment_detach_now(struct attachment *attachment)
{
	cancel_delayed_work_sync(&attachment->detach_work);
	detach_unused(attachment);
}
