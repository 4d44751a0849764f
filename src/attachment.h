/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attachments: what the kernel calls the module by, for as long as sessions need
 * it. One is attached with the first session that needs it, and taken off some
 * seconds after the last. A module without sessions costs nothing, then, and a
 * program that starts and stops all the time does not have the text of the
 * kernel patched each time.
 */
#ifndef PROFIL_ATTACHMENT_H
#define PROFIL_ATTACHMENT_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct attachment - one of them; made by DEFINE_ATTACHMENT()
 * @attach: have the kernel call; sleeps. 0 or an errno
 * @detach: end that; sleeps. On return there are no new calls, unless something
 *	is stuck
 * @lock: guards @attached, and @users when it leaves 0
 * @attached: between @attach and @detach
 * @users: sessions that need it
 * @detach_work: takes it off
 */
struct attachment {
	int (*attach)(void);
	void (*detach)(void);
	struct mutex lock; /* guards attached, and users when it leaves 0 */
	bool attached;
	atomic_t users;
	struct delayed_work detach_work;
};

void profil_attachment_detach_work(struct work_struct *work);

/* Define name_attachment, of name_attach() and name_detach(). */
#define DEFINE_ATTACHMENT(name)                                      \
	static struct attachment name##_attachment = {               \
		.attach = name##_attach,                             \
		.detach = name##_detach,                             \
		.lock = __MUTEX_INITIALIZER(name##_attachment.lock), \
		.detach_work = __DELAYED_WORK_INITIALIZER(           \
			name##_attachment.detach_work,               \
			profil_attachment_detach_work, 0),           \
	}

/* One more user. 0, EINTR for a fatal signal, or what @attach said. Sleeps. */
int profil_attachment_get(struct attachment *attachment);

/*
 * The same where another user may have it attached: any context; false if there
 * was no user.
 */
bool profil_attachment_tryget(struct attachment *attachment);

/* One less. Any context. */
void profil_attachment_put(struct attachment *attachment);

/* There is no user, and will be none: take it off now. Sleeps. */
void profil_attachment_detach_now(struct attachment *attachment);

#endif /* PROFIL_ATTACHMENT_H */
