// SPDX-License-Identifier: GPL-2.0-only
/*
 * The region of a PC, in lists that are unsorted, overlapping, nested, long, or
 * have overflow bins. All bounds lie between sites, so that all samples of a
 * site belong to one region. The test finds it by a linear search.
 */
#include "harness.h"

#define PERIOD_NS (100 * NSEC_PER_USEC)
#define MOST 16
#define SLOT 256 /* bytes of counters for a region of a small list */
#define NONE ((size_t)-1)

/* A list of regions, the size of their counters, and the sites to spin at. */
struct list {
	struct profil_region regions[MOST];
	__u32 nr;
	__u32 width;
	unsigned int sites[4];
	unsigned int nr_sites;
};

static char *slot(void *counters, size_t nr)
{
	return (char *)counters + nr * SLOT;
}

static void set_region(struct list *list, void *counters, size_t nr,
		       long first_site, size_t nr_counters, __u32 scale)
{
	const char *text = profil_sites + first_site * SITE_BYTES;

	list->regions[nr] = region_of(slot(counters, nr),
				      nr_counters * list->width, text, scale);
	if (nr >= list->nr)
		list->nr = (__u32)nr + 1;
}

static void set_overflow(struct list *list, void *counters, size_t nr)
{
	set_region(list, counters, nr, 0, 3, 2);
	list->regions[nr].offset = 0;
	list->regions[nr].flags = PROFIL_REGION_OVERFLOW;
}

static bool counts(const struct profil_region *region, __u32 width)
{
	return region->size / width &&
	       (region->scale > 1 || region->flags & PROFIL_REGION_OVERFLOW);
}

/* The index of @pc's counter in @region; NONE if @pc is outside. */
static size_t index_in(const struct profil_region *region, __u32 width,
		       __u64 pc)
{
	unsigned __int128 index = pc - region->offset;

	if (!counts(region, width) || region->flags || pc < region->offset)
		return NONE;
	index = index / width * region->scale / 0x10000;
	return index < region->size / width ? (size_t)index : NONE;
}

/* The region of @pc: the highest offset, then the first in the list. */
static size_t winner(const struct list *list, __u64 pc)
{
	size_t i, best = NONE;

	for (i = 0; i < list->nr; i++)
		if (index_in(&list->regions[i], list->width, pc) != NONE &&
		    (best == NONE ||
		     list->regions[i].offset > list->regions[best].offset))
			best = i;
	for (i = 0; best == NONE && i < list->nr; i++)
		if (list->regions[i].flags & PROFIL_REGION_OVERFLOW &&
		    counts(&list->regions[i], list->width))
			best = i;
	return best;
}

/* The counter of a sample at @pc; NULL if it is outside all regions. */
static const void *expected_counter(const struct list *list, void *counters,
				    __u64 pc)
{
	size_t best = winner(list, pc), index = 0;

	if (best == NONE)
		return NULL;
	if (!list->regions[best].flags)
		index = index_in(&list->regions[best], list->width, pc);
	return slot(counters, best) + index * list->width;
}

/* Spin at a site until it has a sample, recorded rightly or wrongly. */
static bool visit(int fd, const struct list *list, void *counters,
		  unsigned int nr)
{
	const void *at = expected_counter(list, counters, (uintptr_t)site(nr));

	if (!at)
		return spin_until_samples(fd, nr, 5);
	return spin_until_at(nr, at, list->width,
			     counter(at, list->width, 0) + 1);
}

static void run(int fd, struct list *list, void *counters,
		struct profil_stats *seen)
{
	struct profil_start args =
		start_of(list->regions, list->nr, list->width, PERIOD_NS);

	ASSERT_OK(start(fd, &args));
	for (unsigned int i = 0; i < list->nr_sites; i++) {
		EXPECT_TRUE(visit(fd, list, counters, list->sites[i]))
		{
			TH_LOG("site %u: region %zu", list->sites[i],
			       winner(list, (uintptr_t)site(list->sites[i])));
		}
	}
	*seen = stats_blank(NULL, 0);
	ASSERT_OK(stop(fd, seen));
}

/*
 * Only the counters of visited sites may be nonzero, and that of all text outside the
 * regions, which has the rest of the program.
 */
static bool may_count(const struct list *list, void *counters, const void *at)
{
	for (unsigned int i = 0; i < list->nr_sites; i++)
		if (at == expected_counter(list, counters,
					   (uintptr_t)site(list->sites[i])))
			return true;
	return at == expected_counter(list, counters, 0);
}

static void check_counters(const struct list *list, void *counters,
			   const struct profil_stats *seen)
{
	__u64 sum = 0;

	for (size_t i = 0; i < list->nr * SLOT / list->width; i++) {
		__u64 value = counter(counters, list->width, i);

		sum += value;
		EXPECT_TRUE(!value ||
			    may_count(list, counters,
				      (char *)counters + i * list->width))
		{
			TH_LOG("counter %zu is %llu", i, value);
		}
	}
	EXPECT_EQ(seen->hits, sum);
	EXPECT_TRUE(adds_up(seen));
	EXPECT_EQ(0, seen->lost);
	EXPECT_TRUE(winner(list, 0) == NONE || !seen->outside);
}

static void check(int fd, struct list *list, void *counters)
{
	struct profil_stats seen;

	memset(counters, 0, MOST * SLOT);
	run(fd, list, counters, &seen);
	check_counters(list, counters, &seen);
}

/* For counters of 2 bytes */
static const __u32 random_scales[] = { 0, 1, 0x400, 0x800, 0x1000, 0x2000 };

/* A region from a site on, or at the top of the address space */
static void set_random(struct list *list, void *counters, size_t nr)
{
	__u32 scale = random_scales[rand() % 6];
	int counters_of_region = rand() % (48 / (int)list->width) * 4;

	if (scale > 1)
		scale *= list->width / 2;
	set_region(list, counters, nr, rand() % NR_SITES,
		   (size_t)counters_of_region, scale);
	list->regions[nr].size += (__u64)rand() % list->width;
	if (rand() % 12 == 0)
		list->regions[nr].offset = UINT64_MAX - rand() % 0x20000;
}

/* A bin, which may lack the room of a counter, and whose other fields are ignored */
static void set_random_overflow(struct list *list, void *counters, size_t nr)
{
	set_overflow(list, counters, nr);
	if (rand() % 4 == 0)
		list->regions[nr].size = list->width - 1;
	list->regions[nr].offset = rand() % 2 ? UINT64_MAX : (uintptr_t)site(4);
	list->regions[nr].scale = (__u32)rand() % 3;
}

/*
 * A random list. All bounds lie between sites; a counter is for a site or less,
 * or for several whole sites.
 */
static void random_list(struct list *list, void *counters)
{
	size_t nr = 1 + (size_t)rand() % MOST, i;

	memset(list, 0, sizeof(*list));
	list->width = 2U << rand() % 3;
	for (i = 0; i < nr; i++) {
		if (rand() % 12)
			set_random(list, counters, i);
		else
			set_random_overflow(list, counters, i);
	}
	for (list->nr_sites = 0; list->nr_sites < 3; list->nr_sites++)
		list->sites[list->nr_sites] = (unsigned int)rand() % NR_SITES;
}

TEST_F(profil, random_lists_agree_with_a_linear_search)
{
	srand(2);
	for (unsigned int round = 0; round < 150; round++) {
		struct list list;

		random_list(&list, self->counters);
		check(self->fd, &list, self->counters);
		ASSERT_EQ(0, _metadata->exit_code)
		{
			TH_LOG("in round %u", round);
		}
	}
}

/* Each byte of text has a region of one counter. */
TEST_F(profil, maximum_number_of_regions_works)
{
	static struct profil_region regions[PROFIL_MAX_REGIONS];
	static __u16 counters[PROFIL_MAX_REGIONS];
	struct profil_start args =
		start_of(regions, PROFIL_MAX_REGIONS, 2, PERIOD_NS);
	struct profil_stats seen = stats_blank(NULL, 0);
	size_t i, place = 37 * SITE_BYTES;

	ASSERT_EQ(PROFIL_MAX_REGIONS, SITES_BYTES);
	for (i = 0; i < PROFIL_MAX_REGIONS; i++)
		/* 2531 and 4096 are coprime: every i occurs once */
		regions[i] = region_of(&counters[i], 2,
				       profil_sites + i * 2531 % SITES_BYTES,
				       0x10000);
	ASSERT_OK(start(self->fd, &args));
	EXPECT_TRUE(spin_until_hits(self->fd, 37, 5));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_MAX_REGIONS, seen.nr_regions);
	EXPECT_LE(5, seen.hits);
	EXPECT_EQ(seen.hits, counters_sum(counters, 2, PROFIL_MAX_REGIONS));
	for (i = 0; i < PROFIL_MAX_REGIONS; i++)
		EXPECT_TRUE(!counters[i] ||
			    i * 2531 % SITES_BYTES - place < SITE_BYTES);
}

TEST_F(profil, states_follow_the_order_of_the_list)
{
	static const __u32 expected[5] = { PROFIL_REGION_ON, PROFIL_REGION_OFF,
					   PROFIL_REGION_OFF, PROFIL_REGION_ON,
					   PROFIL_REGION_ON };
	struct list list = { .width = 4 };
	struct profil_start args;

	set_region(&list, self->counters, 0, 50, 4, SITE_SCALE(4));
	set_region(&list, self->counters, 1, 40, 4, 1);
	set_region(&list, self->counters, 2, 30, 4, SITE_SCALE(4));
	list.regions[2].size = 3;
	set_overflow(&list, self->counters, 3);
	set_region(&list, self->counters, 4, 20, 4, UINT32_MAX);
	args = start_of(list.regions, list.nr, 4, 0);
	ASSERT_OK(start(self->fd, &args));
	for (__u32 room = 0; room < 8; room++) {
		__u32 states[8], nr = room < 5 ? room : 5;
		size_t filled = nr * sizeof(*states);
		struct profil_stats seen = stats_blank(states, room);

		memset(states, POISON, sizeof(states));
		ASSERT_OK(stats(self->fd, &seen));
		EXPECT_EQ(5, seen.nr_regions);
		EXPECT_EQ(0, memcmp(states, expected, filled));
		EXPECT_TRUE(all_bytes(states + nr, POISON,
				      sizeof(states) - filled));
	}
}

TEST_F(profil, states_of_a_long_list_are_complete)
{
	static struct profil_region regions[PROFIL_MAX_REGIONS];
	static __u32 states[PROFIL_MAX_REGIONS + 1];
	struct profil_start args = start_of(regions, PROFIL_MAX_REGIONS, 2, 0);
	struct profil_stats seen = stats_blank(states, PROFIL_MAX_REGIONS + 1);

	for (size_t i = 0; i < PROFIL_MAX_REGIONS; i++)
		regions[i] = region_of(self->counters, 2, site(0),
				       i % 3 ? 0x10000 : 0);
	ASSERT_OK(start(self->fd, &args));
	memset(states, POISON, sizeof(states));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_MAX_REGIONS, seen.nr_regions);
	for (size_t i = 0; i < PROFIL_MAX_REGIONS; i++)
		ASSERT_EQ(i % 3 ? PROFIL_REGION_ON : PROFIL_REGION_OFF,
			  states[i]);
	EXPECT_EQ(POISON_U32, states[PROFIL_MAX_REGIONS]);
}

TEST_HARNESS_MAIN
