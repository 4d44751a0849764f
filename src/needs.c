// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/tracepoint.h>

#include "attachment.h"
#include "clock.h"
#include "needs.h"

#define NR_NEEDS (NEED_ATTACHED_TIMER + 1)

/* Constant once the module is loaded. */
static struct attachment *attachments[NR_NEEDS];

void profil_needs_provide(enum need need, struct attachment *attachment)
{
	attachments[need] = attachment;
}

unsigned int profil_needs_of(u64 period_ns, bool attached)
{
	unsigned int needs = BIT(NEED_FORK);

	if (clock_needs_tick(period_ns))
		needs |= BIT(NEED_TICK);
	if (clock_needs_timer(period_ns))
		needs |= BIT(attached ? NEED_ATTACHED_TIMER : NEED_TIMER);
	return needs;
}

int profil_needs_get(unsigned int needs)
{
	int need;

	for (need = 0; need < NR_NEEDS; need++) {
		int err = needs & BIT(need) ?
				  profil_attachment_get(attachments[need]) :
				  0;

		if (err) {
			profil_needs_put(needs & (BIT(need) - 1));
			return err;
		}
	}
	return 0;
}

bool profil_needs_tryget(unsigned int needs)
{
	int need;

	for (need = 0; need < NR_NEEDS; need++)
		if (needs & BIT(need) &&
		    !profil_attachment_tryget(attachments[need])) {
			profil_needs_put(needs & (BIT(need) - 1));
			return false;
		}
	return true;
}

void profil_needs_put(unsigned int needs)
{
	int need;

	for (need = 0; need < NR_NEEDS; need++)
		if (needs & BIT(need))
			profil_attachment_put(attachments[need]);
}

void profil_needs_exit(void)
{
	int need;

	for (need = 0; need < NR_NEEDS; need++)
		profil_attachment_detach_now(attachments[need]);
	tracepoint_synchronize_unregister();
}
