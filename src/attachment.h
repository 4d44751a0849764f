/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attachments: hooks and probes by which the kernel calls the module. The first
 * session that needs an attachment attaches it; it is detached some seconds
 * after the last session that needs it. So a module without sessions costs
 * nothing, and a program that starts and stops profiling in a loop does not
 * make the kernel patch its text each time.
 */
#ifndef PROFIL_ATTACHMENT_H
#define PROFIL_ATTACHMENT_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct attachment - a hook or probe; made by DEFINE_ATTACHMENT()
 * @attach: make the kernel call the module. 0 or an errno. Sleeps
 * @detach: stop that. There are no new calls on return, unless the hook is
 *	stuck. Sleeps
 * @lock: guards @attached, and @users when it leaves 0
 * @attached: between @attach and @detach
 * @users: sessions that need the attachment
 * @detach_work: calls @detach after a delay
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

/*
 * Take a reference; attach if needed. 0, EINTR for a fatal signal, or the errno
 * of @attach. Sleeps.
 */
int profil_attachment_get(struct attachment *attachment);

/*
 * Take another reference where one is known to have been held. Any context.
 * False if the last one has just been dropped.
 */
bool profil_attachment_tryget(struct attachment *attachment);

/* Drop a reference. Any context. */
void profil_attachment_put(struct attachment *attachment);

/* Detach without delay. There is no reference, and none will follow. Sleeps. */
void profil_attachment_detach_now(struct attachment *attachment);

#endif /* PROFIL_ATTACHMENT_H */
