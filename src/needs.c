// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/tracepoint.h>

#include "attachment.h"
#include "fork.h"
#include "needs.h"
#include "tick.h"
#include "timer.h"

static bool always(u64 period_ns)
{
	return true;
}

static const struct need {
	struct attachment *attachment;
	bool (*needed)(u64 period_ns);
} needs[] = {
	{ &profil_fork_attachment, always },
	{ &profil_tick_attachment, tick_needed },
	{ &profil_timer_attachment, profil_timer_needed },
};

/* Those before @end. */
static void put_up_to(const struct need *end, u64 period_ns)
{
	while (end-- > needs)
		if (end->needed(period_ns))
			profil_attachment_put(end->attachment);
}

int profil_needs_get(u64 period_ns)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++) {
		int err = need->needed(period_ns) ?
				  profil_attachment_get(need->attachment) :
				  0;

		if (err) {
			put_up_to(need, period_ns);
			return err;
		}
	}
	return 0;
}

bool profil_needs_tryget(u64 period_ns)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++)
		if (need->needed(period_ns) &&
		    !profil_attachment_tryget(need->attachment)) {
			put_up_to(need, period_ns);
			return false;
		}
	return true;
}

void profil_needs_put(u64 period_ns)
{
	put_up_to(needs + ARRAY_SIZE(needs), period_ns);
}

/* Probes of tracepoints, too, have returned then. */
void profil_needs_exit(void)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++)
		profil_attachment_detach_now(need->attachment);
	tracepoint_synchronize_unregister();
}
