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
	bool (*serves)(u64 period_ns);
} needs[] = {
	{ &fork_attachment, always },
	{ &tick_attachment, tick_serves },
	{ &timer_attachment, timer_serves },
};

/* Those before @end. */
static void put_up_to(const struct need *end, u64 period_ns)
{
	while (end-- > needs)
		if (end->serves(period_ns))
			attachment_put(end->attachment);
}

int needs_get(u64 period_ns)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++) {
		int err = need->serves(period_ns) ?
				  attachment_get(need->attachment) :
				  0;

		if (err) {
			put_up_to(need, period_ns);
			return err;
		}
	}
	return 0;
}

bool needs_share(u64 period_ns)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++)
		if (need->serves(period_ns) &&
		    !attachment_share(need->attachment)) {
			put_up_to(need, period_ns);
			return false;
		}
	return true;
}

void needs_put(u64 period_ns)
{
	put_up_to(needs + ARRAY_SIZE(needs), period_ns);
}

/* Probes of tracepoints, too, have returned then. */
void profil_needs_exit(void)
{
	const struct need *need;

	for (need = needs; need < needs + ARRAY_SIZE(needs); need++)
		attachment_end(need->attachment);
	tracepoint_synchronize_unregister();
}
