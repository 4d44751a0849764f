// SPDX-License-Identifier: GPL-2.0-only
#include <linux/highmem.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/profil.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "totals.h"
#include "mappings.h"
#include "memlock.h"
#include "session.h"

/**
 * struct totals_page - a pinned struct profil_totals
 * @page: the page that contains it; one is enough, as it is aligned to its size
 * @offset: bytes from the start of the page
 * @mm: address space whose VmPin includes the page
 * @memlock: the user who is charged
 * @charge: pages charged: all of the folio
 */
struct totals_page {
	struct page *page;
	unsigned int offset;
	struct mm_struct *mm;
	const struct memlock *memlock;
	unsigned long charge;
};

static_assert(sizeof(struct profil_totals) == 128);

/*
 * The program may change its mappings between this check and the pin. The
 * totals are then in private memory of the program, which no other process
 * reads.
 */
static int check_shared(unsigned long addr)
{
	unsigned long flags, end;
	int err = profil_mappings_find(current->mm, addr, &flags, &end);

	if (err)
		return err;
	return flags & VM_SHARED ? 0 : -EINVAL;
}

static int pin_page(struct totals_page *totals, unsigned long addr)
{
	int err;

	do {
		err = check_shared(addr) ?:
			      profil_mappings_pin(current->mm, addr & PAGE_MASK,
						  1, &totals->page);
	} while (err == -EAGAIN);
	if (err)
		return err;
	totals->charge = folio_nr_pages(page_folio(totals->page));
	if (profil_memlock_charge(totals->memlock, current->mm, totals->charge))
		return 0;
	unpin_user_page(totals->page);
	return -ENOMEM;
}

int profil_totals_open(struct config *config)
{
	struct totals_page *totals;
	int err;

	if (!config->totals_addr)
		return 0;
	totals = kzalloc(sizeof(*totals), GFP_KERNEL_ACCOUNT);
	if (!totals)
		return -ENOMEM;
	totals->memlock = &config->memlock;
	err = pin_page(totals, config->totals_addr);
	if (err) {
		kfree(totals);
		return err;
	}
	totals->offset = offset_in_page(config->totals_addr);
	totals->mm = current->mm;
	mmgrab(totals->mm);
	config->totals = totals;
	return 0;
}

void profil_totals_close(struct totals_page *totals)
{
	profil_mappings_unpin(&totals->page, 1);
	profil_memlock_uncharge(totals->memlock, totals->mm, totals->charge);
	mmdrop(totals->mm);
	kfree(totals);
}

/* Other sessions may add at the same time. The program reads a __u64. */
static void add(u64 *field, s64 value)
{
	atomic64_add(value, (atomic64_t *)field);
}

void profil_totals_begin(struct totals_page *totals)
{
	void *page = kmap_local_page(totals->page);
	struct profil_totals *user = page + totals->offset;

	add(&user->sessions, 1);
	kunmap_local(page);
}

/*
 * A session that a counter at its limit ended has no time of its end. A sample that is
 * recorded after the end may reach the limit, too.
 */
static void add_times(struct profil_totals *user, const struct session *session,
		      s64 ticks)
{
	const struct config *config = session->config;

	if (!session->end_ns)
		return;
	if (config->flags & PROFIL_F_USER_ONLY)
		ticks += atomic64_read(&session->tally.kernel_samples);
	add(&user->cpu_ns, session->end_ns - session->begin_ns);
	add(&user->sampled_ns, ticks * (config->period_ns ?: TICK_NSEC));
}

void profil_totals_end(struct totals_page *totals,
		       const struct session *session)
{
	void *page = kmap_local_page(totals->page);
	struct profil_totals *user = page + totals->offset;
	const struct tally *tally = &session->tally;
	s64 hits = atomic64_read(&tally->hits);
	s64 outside = atomic64_read(&tally->outside);
	s64 lost = atomic64_read(&tally->lost);
	s64 samples = hits + outside + lost;

	add(&user->samples, samples);
	add(&user->hits, hits);
	add(&user->outside, outside);
	add(&user->lost, lost);
	add(&user->saturated, atomic64_read(&tally->saturated));
	add(&user->kernel_samples, atomic64_read(&tally->kernel_samples));
	add(&user->unprofiled_children,
	    atomic64_read(&tally->unprofiled_children));
	add_times(user, session, samples);
	/* A reader that sees the session in @ended sees its tally, too. */
	smp_mb__before_atomic();
	add(&user->ended, 1);
	kunmap_local(page);
}
