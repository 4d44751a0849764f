// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#define MANY_REGIONS 600
#define FEW_REGIONS 6

/* The number of threads that change the session, or ALONE */
#define ALONE -1
static _Atomic int changing;

bool sessions_work(void)
{
	return !access(PROFIL_DEVICE, R_OK | W_OK);
}

bool session_share(void)
{
	int now = changing;

	while (now != ALONE)
		if (atomic_compare_exchange_strong(&changing, &now, now + 1))
			return true;
	return false;
}

void session_unshare(void)
{
	changing--;
}

bool session_seize(void)
{
	int none = 0;

	return atomic_compare_exchange_strong(&changing, &none, ALONE);
}

void session_release(void)
{
	changing = 0;
}

/* A descriptor of the call alone: no process keeps the module for long. */
static int call_once(unsigned long command, const void *argument)
{
	int fd = device_open(), result;

	if (fd < 0)
		return fd;
	result = call(fd, command, argument);
	close(fd);
	return result;
}

int session_start(struct profil_start *start)
{
	return board->quiet ? -EAGAIN : call_once(PROFIL_IOC_START, start);
}

int session_stop(struct profil_stats *stats)
{
	return call_once(PROFIL_IOC_STOP, stats);
}

int session_stats(struct profil_stats *stats)
{
	return call_once(PROFIL_IOC_STATS, stats);
}

bool session_fall_quiet(void)
{
	if (!session_share())
		return false;
	session_stop(NULL);
	session_unshare();
	return true;
}

/* A period: that of the tick, the shortest allowed, or between */
static __u64 draw_period(struct stream *random)
{
	static const __u64 us[] = { 0, 0, 0, 100, 250, 1000, 10000, 1000000 };

	return us[draw_below(random, ARRAY_LENGTH(us))] * NSEC_PER_USEC;
}

void use_cpu(struct stream *random)
{
	__u64 how = draw_below(random, 12), length = draw(random);
	unsigned int site = (unsigned int)draw_below(random, NR_SITES);

	if (how == 0)
		for (unsigned int i = 0; i < length % 1000; i++)
			syscall(SYS_getppid);
	else if (how == 1)
		sleep_ns(length % (2 * NSEC_PER_MSEC));
	else if (how == 2)
		sched_yield();
	else
		spin(site, length % (3 * NSEC_PER_MSEC));
}

static __u32 draw_scale(struct stream *random, __u32 width)
{
	__u64 number = draw(random);

	switch (draw_below(random, 5)) {
	case 0:
		return SITE_SCALE(width);
	case 1:
		return 0x10000;
	case 2: /* a page for each site */
		return SITE_SCALE(8) * (__u32)page_size() / width;
	case 3:
		return 2 + (__u32)(number & 0xffff);
	default:
		return (__u32)number;
	}
}

static const char *draw_text(struct stream *random)
{
	__u64 number = draw(random);

	switch (draw_below(random, 4)) {
	case 0:
		return profil_sites + number % SITES_BYTES;
	case 1:
		return NULL;
	default:
		return profil_sites;
	}
}

/* A region whose counters lie in the @bytes at @area */
static struct profil_region draw_region(struct stream *random, char *area,
					size_t bytes, __u32 width)
{
	size_t base = draw_below(random, bytes / 2) & -(size_t)width;
	size_t size = draw_one_in(random, 2) ? bytes - base :
					       draw_below(random, bytes - base);
	const char *text = draw_text(random);
	struct profil_region region =
		region_of(area + base, size, text, draw_scale(random, width));

	if (draw_one_in(random, 8))
		region.flags = PROFIL_REGION_OVERFLOW;
	return region;
}

static __u32 draw_flags(struct stream *random)
{
	__u32 flags = 0;

	if (draw_one_in(random, 6))
		flags |= PROFIL_F_ROUND_UP;
	if (draw_one_in(random, 6))
		flags |= PROFIL_F_USER_ONLY;
	if (draw_one_in(random, 6))
		flags |= PROFIL_F_BYTES;
	return flags;
}

static __u32 draw_nr(struct stream *random)
{
	return draw_one_in(random, 30) ?
		       MANY_REGIONS :
		       1 + (__u32)draw_below(random, FEW_REGIONS);
}

static int start_over_ledger(struct stream *random, unsigned int nr, char *area,
			     size_t bytes)
{
	struct profil_region regions[MANY_REGIONS];
	__u32 i, nr_regions = draw_nr(random), width = ledger_width(nr);
	struct profil_start start =
		start_of(regions, nr_regions, width, draw_period(random));

	for (i = 0; i < nr_regions; i++)
		regions[i] = draw_region(random, area, bytes, width);
	start.flags = draw_flags(random);
	return session_start(&start);
}

int session_start_ledger(struct stream *random)
{
	unsigned int nr = (unsigned int)draw_below(random, NR_LEDGERS);
	size_t bytes = draw_one_in(random, 2) ? LEDGER_BYTES : page_size();

	return start_over_ledger(random, nr, board->ledgers[nr].counters,
				 bytes);
}

static int run_ledger(struct actor *actor)
{
	int result = session_start_ledger(&actor->random);

	use_cpu(&actor->random);
	return result;
}

/* A mapping of its own of a ledger, unmapped while samples count in it */
static int run_ledger_view(struct actor *actor)
{
	unsigned int nr = (unsigned int)draw_below(&actor->random, NR_LEDGERS);
	char *view = mmap(NULL, LEDGER_BYTES, PROT_READ | PROT_WRITE,
			  MAP_SHARED, BOARD_FD, (off_t)ledger_offset(nr));
	int result;

	if (view == MAP_FAILED)
		return -errno;
	result = start_over_ledger(&actor->random, nr, view, LEDGER_BYTES);
	use_cpu(&actor->random);
	munmap(view, LEDGER_BYTES);
	return result;
}

/* Regions in one or two slots of the row */
static __u32 draw_slot_regions(struct actor *actor, __u32 width,
			       struct profil_region *regions)
{
	__u32 i, nr = draw_nr(&actor->random), some = 0;
	struct slot *chosen[] = { actor_slot(actor), actor_slot(actor) };

	for (i = 0; i < nr; i++) {
		struct slot *slot = chosen[i % 2];

		if (!slot->bytes)
			continue;
		slot_give(slot);
		regions[some++] = draw_region(&actor->random, slot->at,
					      slot->bytes, width);
	}
	return some;
}

static int run_start(struct actor *actor)
{
	struct profil_region regions[MANY_REGIONS];
	__u32 width = ledger_width((unsigned int)draw_below(&actor->random, 3));
	__u32 nr = draw_slot_regions(actor, width, regions);
	struct profil_start start =
		start_of(regions, nr, width, draw_period(&actor->random));
	int result;

	start.flags = draw_flags(&actor->random);
	if (draw_one_in(&actor->random, 8))
		start.flags |= PROFIL_F_STOP_AT_32767;
	result = session_start(&start);
	use_cpu(&actor->random);
	return result;
}

/* In a child: samples at each site, none of which has a counter here */
static void check_hole(struct actor *parent)
{
	actor_inherit(parent);
	for (unsigned int nr = 0; nr < 8; nr++)
		spin(nr, FAST_NS);
	slots_check();
}

/*
 * A child that lacks the counters of the session that it has, one for each site at the
 * beginning of the slot
 */
static int run_hole(struct actor *actor)
{
	struct slot *slot = actor->slot;
	struct profil_region region = sites_region(slot->at, 8);
	struct profil_start start = start_of(&region, 1, 8, FAST_NS);
	int result;

	slot_give(slot);
	result = session_start(&start);
	if (result)
		return result;
	slot->hole = (struct patch){ slot->at, slot->bytes };
	if (madvise(slot->at, slot->bytes, MADV_DONTFORK))
		return -errno;
	result = process_run(actor, check_hole);
	madvise(slot->at, slot->bytes, MADV_DOFORK);
	return result;
}

/* Arguments that START refuses, or any */
static int run_start_wrong(struct actor *actor)
{
	struct stream *random = &actor->random;
	struct profil_region region = {
		.base = draw(random) >> draw_below(random, 64),
		.size = draw(random) >> draw_below(random, 64),
		.offset = draw(random),
		.scale = (__u32)draw(random),
		.flags = (__u32)draw_below(random, 3),
	};
	struct profil_start start =
		start_of(&region, (__u32)draw_below(random, 3),
			 (__u32)draw_below(random, 10), draw_period(random));

	/* Nothing is mapped there: a session counts nowhere. */
	region.base |= 1ULL << 46;
	return session_start(&start);
}

void session_check_stats(const char *of, const struct profil_stats *stats)
{
	if (!adds_up(stats))
		board_fail(SAMPLES, "%s: %llu samples, and %llu + %llu + %llu",
			   of, stats->samples, stats->hits, stats->outside,
			   stats->lost);
}

static int stop_own(struct actor *actor, struct profil_stats *stats)
{
	int result = session_stop(stats);

	if (result)
		return result;
	row_uncover(actor->row);
	for (unsigned int i = 0; i < SLOTS; i++)
		if (!slots[actor->row][i].canary)
			slot_poison(&slots[actor->row][i]);
	return 0;
}

static int run_stop(struct actor *actor)
{
	struct profil_stats stats = stats_blank(NULL, 0);
	int result;

	result = stop_own(actor, &stats);
	if (!result)
		session_check_stats("STOP", &stats);
	return result;
}

static int run_stats(struct actor *actor)
{
	__u32 states[8];
	struct profil_stats stats = stats_blank(states, 8);
	int result = session_stats(&stats);

	(void)actor;
	if (!result)
		session_check_stats("STATS", &stats);
	return result;
}

static int run_version(struct actor *actor)
{
	struct profil_version version = version_blank();

	(void)actor;
	return call_once(PROFIL_IOC_VERSION, &version);
}

static int run_cpu(struct actor *actor)
{
	use_cpu(&actor->random);
	return 0;
}

static const struct operation list[] = {
	{ "use the CPU", run_cpu, 20 },
	{ "START on slots", run_start, 24, .shares = true },
	{ "START on a ledger", run_ledger, 16, .shares = true },
	{ "START, munmap ledger", run_ledger_view, 6, .shares = true },
	{ "START, DONTFORK, fork", run_hole, 5, .shares = true,
	  .mapped = true },
	{ "START, wrong", run_start_wrong, 3, .shares = true },
	{ "STOP", run_stop, 12, .shares = true },
	{ "STATS", run_stats, 4 },
	{ "VERSION", run_version, 1 },
	{ "compare with ticks", exact_run, 8 },
};

const struct operations session_operations = { list, ARRAY_LENGTH(list) };
