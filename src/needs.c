// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/tracepoint.h>

#include "attachment.h"
#include "clock.h"
#include "needs.h"

static bool always(u64 period_ns)
{
	return true;
}

/**
 * struct provision - an attachment and the sessions that need it
 * @needed: does a session with this period need it?
 * @attachment: constant once the module is loaded
 */
struct provision {
	bool (*needed)(u64 period_ns);
	struct attachment *attachment;
};

static struct provision provisions[] = {
	[NEED_FORK] = { .needed = always },
	[NEED_TICK] = { .needed = clock_needs_tick },
	[NEED_TIMER] = { .needed = clock_needs_timer },
};

void profil_needs_provide(enum need need, struct attachment *attachment)
{
	provisions[need].attachment = attachment;
}

/* Put the attachments before @end. */
static void put_up_to(const struct provision *end, u64 period_ns)
{
	while (end-- > provisions)
		if (end->needed(period_ns))
			profil_attachment_put(end->attachment);
}

int profil_needs_get(u64 period_ns)
{
	const struct provision *p;

	for (p = provisions; p < provisions + ARRAY_SIZE(provisions); p++) {
		int err = p->needed(period_ns) ?
				  profil_attachment_get(p->attachment) :
				  0;

		if (err) {
			put_up_to(p, period_ns);
			return err;
		}
	}
	return 0;
}

bool profil_needs_tryget(u64 period_ns)
{
	const struct provision *p;

	for (p = provisions; p < provisions + ARRAY_SIZE(provisions); p++)
		if (p->needed(period_ns) &&
		    !profil_attachment_tryget(p->attachment)) {
			put_up_to(p, period_ns);
			return false;
		}
	return true;
}

void profil_needs_put(u64 period_ns)
{
	put_up_to(provisions + ARRAY_SIZE(provisions), period_ns);
}

int profil_needs_get_fork(void)
{
	return profil_attachment_get(provisions[NEED_FORK].attachment);
}

void profil_needs_put_fork(void)
{
	profil_attachment_put(provisions[NEED_FORK].attachment);
}

void profil_needs_exit(void)
{
	const struct provision *p;

	for (p = provisions; p < provisions + ARRAY_SIZE(provisions); p++)
		profil_attachment_detach_now(p->attachment);
	tracepoint_synchronize_unregister();
}
