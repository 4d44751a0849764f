// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contract of uapi/linux/profil.h: sizes, errors, their order, and what is
 * written where. abi32 is this program once more, built for 32 bits.
 */
#include "harness.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

#define MIB 0x100000UL

/* Fixed places, so that a table of constants can name them. */
#define ARENA 0x10000000UL
#define COUNTERS (ARENA)
#define HOLE (ARENA + MIB)
#define READONLY (ARENA + 2 * MIB)
#define SHARED (ARENA + 3 * MIB)
#define ARENA_BYTES (4 * MIB)
#define KERNEL 0xffff800000000000ULL
#define OTHER_COUNTERS (COUNTERS + 0x8000)
/* Nothing is there; who drops the upper half takes it for SHARED. */
#define ABOVE_4_GIB ((1ULL << 32) + SHARED)

/* An argument as long as a newer header might have it, and what it refers to. */
struct attempt {
	union {
		struct profil_start start;
		struct profil_stats stats;
		struct profil_version version;
		char bytes[128];
	};
	struct profil_region regions[2];
	__u32 states[4];
};

static size_t known_size(unsigned long command)
{
	if (command == PROFIL_IOC_VERSION)
		return sizeof(struct profil_version);
	if (command == PROFIL_IOC_START)
		return sizeof(struct profil_start);
	return sizeof(struct profil_stats);
}

/* @size is that of the structure as @command knows it, or longer. */
static void set_up(struct attempt *attempt, unsigned long command, size_t size)
{
	memset(attempt, 0, sizeof(*attempt));
	attempt->regions[0] = region_of((void *)OTHER_COUNTERS, 128,
					profil_sites, SITE_SCALE(2));
	attempt->regions[1] = attempt->regions[0];
	if (command == PROFIL_IOC_VERSION)
		attempt->version = version_blank();
	else if (command == PROFIL_IOC_START)
		attempt->start = start_of(attempt->regions, 2, 2, FAST_NS);
	else
		attempt->stats = stats_blank(attempt->states, 2);
	attempt->start.size = (__u32)size;
}

static bool map_at(unsigned long address, int protection, int flags)
{
	return mmap((void *)address, MIB, protection,
		    flags | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == (void *)address;
}

/* Take the whole range first: what is then given back is surely a hole. */
static bool map_arena(void)
{
	void *arena = mmap((void *)ARENA, ARENA_BYTES, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			   -1, 0);

	return arena == (void *)ARENA &&
	       map_at(COUNTERS, PROT_READ | PROT_WRITE, MAP_PRIVATE) &&
	       map_at(READONLY, PROT_READ, MAP_PRIVATE) &&
	       map_at(SHARED, PROT_READ | PROT_WRITE, MAP_SHARED) &&
	       !munmap((void *)HOLE, MIB);
}

/* A running session that no failing call may change. */
static int start_witness(int fd)
{
	return start_sites(fd, (void *)COUNTERS, 2, FAST_NS);
}

static bool witness_runs(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return !stats(fd, &seen) && seen.flags == PROFIL_STATS_SESSION &&
	       seen.nr_regions == 1 && seen.period_ns == FAST_NS &&
	       adds_up(&seen);
}

/* Whether a session still counts at the witness's counters and only there. */
static bool witness_counts(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 before = counter((void *)COUNTERS, 2, 5);

	return spin_till(5, (void *)COUNTERS, 2, before + 2) &&
	       !stats(fd, &seen) &&
	       counters_sum((void *)COUNTERS, 2, NR_SITES) == seen.hits &&
	       all_bytes((void *)OTHER_COUNTERS, 0, 128);
}

/*
 * What holds for each command's structure
 */
FIXTURE(structure)
{
	int fd;
	struct attempt *attempt;
	size_t known;
};

FIXTURE_VARIANT(structure)
{
	unsigned long command;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(structure, version) {
	.command = PROFIL_IOC_VERSION,
};

FIXTURE_VARIANT_ADD(structure, start) {
	.command = PROFIL_IOC_START,
};

FIXTURE_VARIANT_ADD(structure, stop) {
	.command = PROFIL_IOC_STOP,
};

FIXTURE_VARIANT_ADD(structure, stats) {
	.command = PROFIL_IOC_STATS,
};

/* clang-format on */

FIXTURE_SETUP(structure)
{
	ASSERT_TRUE(map_arena());
	self->fd = device_open();
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("Cannot open %s: load the profil module first",
		       PROFIL_DEVICE);
	}
	SKIP_UNLESS_FAST(self->fd);
	self->known = known_size(variant->command);
	self->attempt = (void *)(COUNTERS + 0x10000);
	set_up(self->attempt, variant->command, self->known);
	ASSERT_OK(start_witness(self->fd));
}

FIXTURE_TEARDOWN(structure)
{
	close(self->fd);
}

TEST_F(structure, is_taken_at_its_exact_size)
{
	EXPECT_OK(call(self->fd, variant->command, self->attempt));
	EXPECT_EQ(self->known, self->attempt->start.size);
}

TEST_F(structure, is_refused_when_shorter)
{
	__u32 size;

	for (size = 0; size < self->known; size++) {
		struct attempt before;

		self->attempt->start.size = size;
		before = *self->attempt;
		EXPECT_EQ(-EINVAL,
			  call(self->fd, variant->command, self->attempt));
		EXPECT_EQ(0, memcmp(&before, self->attempt, sizeof(before)));
	}
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, is_taken_when_longer_with_a_zero_tail)
{
	size_t size;

	for (size = self->known + 1; size <= 128; size++) {
		set_up(self->attempt, variant->command, size);
		EXPECT_OK(call(self->fd, variant->command, self->attempt));
		EXPECT_EQ(size, self->attempt->start.size);
		EXPECT_TRUE(all_bytes(self->attempt->bytes + self->known, 0,
				      128 - self->known));
	}
}

TEST_F(structure, is_refused_when_longer_with_any_byte_in_the_tail)
{
	size_t at;

	for (at = self->known; at < 128; at++) {
		struct attempt before;

		set_up(self->attempt, variant->command, 128);
		self->attempt->bytes[at] = 1;
		before = *self->attempt;
		EXPECT_EQ(-E2BIG,
			  call(self->fd, variant->command, self->attempt));
		EXPECT_EQ(0, memcmp(&before, self->attempt, sizeof(before)));
	}
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, is_not_written_beyond_the_size_given)
{
	set_up(self->attempt, variant->command, self->known);
	memset(self->attempt->bytes + self->known, POISON, 128 - self->known);
	EXPECT_OK(call(self->fd, variant->command, self->attempt));
	EXPECT_TRUE(all_bytes(self->attempt->bytes + self->known, POISON,
			      128 - self->known));
}

TEST_F(structure, may_be_a_page_long_but_no_longer)
{
	size_t page = page_size();
	char *bytes = new_pages(2 * page);

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = (__u32)page;
	EXPECT_OK(call(self->fd, variant->command, bytes));
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = (__u32)page + 1;
	EXPECT_EQ(-E2BIG, call(self->fd, variant->command, bytes));
	*(__u32 *)bytes = UINT32_MAX;
	EXPECT_EQ(-E2BIG, call(self->fd, variant->command, bytes));
	*(__u32 *)bytes = 1U << 31;
	EXPECT_EQ(-E2BIG, call(self->fd, variant->command, bytes));
}

TEST_F(structure, may_end_where_the_mapping_ends)
{
	void *bytes = new_at_hole(self->known);

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	EXPECT_OK(call(self->fd, variant->command, bytes));
}

/* The size alone is looked at before anything else is. */
TEST_F(structure, is_efault_when_it_runs_into_a_hole)
{
	size_t mapped;

	for (mapped = 4; mapped < self->known; mapped += 4) {
		char *bytes = new_at_hole(mapped);

		ASSERT_NE(NULL, bytes);
		memcpy(bytes, self->attempt, mapped);
		EXPECT_EQ(-EFAULT, call(self->fd, variant->command, bytes));
		*(__u32 *)bytes = (__u32)self->known - 1;
		EXPECT_EQ(-EINVAL, call(self->fd, variant->command, bytes));
		*(__u32 *)bytes = (__u32)page_size() + 1;
		EXPECT_EQ(-E2BIG, call(self->fd, variant->command, bytes));
	}
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, is_efault_when_its_tail_runs_into_a_hole)
{
	char *bytes = new_at_hole(self->known + 8);

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = (__u32)self->known + 16;
	EXPECT_EQ(-EFAULT, call(self->fd, variant->command, bytes));
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, is_efault_where_there_is_none)
{
	static const unsigned long nowhere[] = { 1, HOLE, HOLE - 2, -4096UL,
						 -1UL };
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(nowhere); i++)
		EXPECT_EQ(-EFAULT,
			  call(self->fd, variant->command, (void *)nowhere[i]));
	if (variant->command != PROFIL_IOC_STOP)
		EXPECT_EQ(-EFAULT, call(self->fd, variant->command, NULL));
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, is_efault_when_it_cannot_be_written)
{
	char *bytes = new_pages(page_size());

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	ASSERT_OK(mprotect(bytes, page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->fd, variant->command, bytes));
	EXPECT_EQ(variant->command != PROFIL_IOC_STOP, witness_runs(self->fd));
	if (variant->command != PROFIL_IOC_STOP)
		EXPECT_TRUE(witness_counts(self->fd));
}

/*
 * Faults in the order in which they are looked for, each a value written to
 * one place. Two that overlap cannot be had at once.
 */
struct fault {
	const char *name;
	size_t at;
	size_t bytes;
	__u64 value;
	int error;
};

#define ANY (*(struct attempt *)0)
#define AT(place) .at = (size_t)(&(place)), .bytes = sizeof(typeof(place))

static void apply(struct attempt *attempt, const struct fault *fault)
{
	/* Both are little-endian machines, see common.h. */
	memcpy((char *)attempt + fault->at, &fault->value, fault->bytes);
}

static bool compatible(const struct fault *a, const struct fault *b)
{
	return a->at + a->bytes <= b->at || b->at + b->bytes <= a->at;
}

/* Longer than known, so that the fault in the tail is within the structure. */
static int attempt_with(int fd, struct attempt *attempt, unsigned long command,
			const struct fault *first, const struct fault *second)
{
	set_up(attempt, command, known_size(command) + 8);
	apply(attempt, second);
	apply(attempt, first);
	return call(fd, command, attempt);
}

FIXTURE(errors)
{
	int fd;
	struct attempt *attempt;
};

FIXTURE_SETUP(errors)
{
	ASSERT_TRUE(map_arena());
	self->fd = device_open();
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("Cannot open %s: load the profil module first",
		       PROFIL_DEVICE);
	}
	SKIP_UNLESS_FAST(self->fd);
	self->attempt = (void *)(COUNTERS + 0x10000);
	ASSERT_OK(start_witness(self->fd));
}

FIXTURE_TEARDOWN(errors)
{
	close(self->fd);
}

/* Each fault alone, then each with every later one: the earlier is reported. */
static void check_order(struct __test_metadata *_metadata, int fd,
			struct attempt *attempt, unsigned long command,
			const struct fault *faults, size_t nr)
{
	size_t i, j;

	for (i = 0; i < nr; i++)
		for (j = i; j < nr; j++) {
			if (j != i && !compatible(&faults[i], &faults[j]))
				continue;
			EXPECT_EQ(-faults[i].error,
				  attempt_with(fd, attempt, command, &faults[i],
					       &faults[j]))
			{
				TH_LOG("faults: %s, %s", faults[i].name,
				       faults[j].name);
			}
			EXPECT_TRUE(witness_runs(fd));
		}
}

static const struct fault start_faults[] = {
	{ "size short", AT(ANY.start.size), 39, EINVAL },
	{ "tail", AT(ANY.bytes[sizeof(struct profil_start)]), 1, E2BIG },
	{ "flag", AT(ANY.start.flags), 1U << 4, EINVAL },
	{ "highest flag", AT(ANY.start.flags), 1U << 31, EINVAL },
	{ "width 0", AT(ANY.start.width), 0, EINVAL },
	{ "width 1", AT(ANY.start.width), 1, EINVAL },
	{ "width 3", AT(ANY.start.width), 3, EINVAL },
	{ "width 16", AT(ANY.start.width), 16, EINVAL },
	{ "no regions", AT(ANY.start.nr_regions), 0, EINVAL },
	{ "many regions", AT(ANY.start.nr_regions), 4097, E2BIG },
	{ "most regions", AT(ANY.start.nr_regions), UINT32_MAX, E2BIG },
	{ "short period", AT(ANY.start.period_ns), 99999, EINVAL },
	{ "long period", AT(ANY.start.period_ns), 1000000001, EINVAL },
	{ "longest period", AT(ANY.start.period_ns), UINT64_MAX, EINVAL },
	{ "odd totals", AT(ANY.start.totals), SHARED + 8, EINVAL },
	{ "totals half a structure on", AT(ANY.start.totals), SHARED + 64,
	  EINVAL },
	{ "kernel totals", AT(ANY.start.totals), KERNEL, EFAULT },
	{ "regions in a hole", AT(ANY.start.regions), HOLE, EFAULT },
	{ "regions in the kernel", AT(ANY.start.regions), KERNEL, EFAULT },
	{ "regions above 4 GiB", AT(ANY.start.regions), ABOVE_4_GIB, EFAULT },
	{ "region flag", AT(ANY.regions[0].flags), 2, EINVAL },
	{ "odd base", AT(ANY.regions[0].base), COUNTERS + 1, EINVAL },
	{ "wraps", AT(ANY.regions[0].size), -(__u64)COUNTERS, EFAULT },
	{ "kernel base", AT(ANY.regions[0].base), KERNEL, EFAULT },
	{ "second region's flag", AT(ANY.regions[1].flags), 1U << 31, EINVAL },
	{ "second base odd", AT(ANY.regions[1].base), COUNTERS + 1, EINVAL },
	{ "second base in the kernel", AT(ANY.regions[1].base), KERNEL,
	  EFAULT },
	{ "counters in a hole", AT(ANY.regions[0].base), HOLE, EFAULT },
	{ "counters read-only", AT(ANY.regions[1].base), READONLY, EFAULT },
	{ "counters above 4 GiB", AT(ANY.regions[0].base), ABOVE_4_GIB,
	  EFAULT },
	{ "totals above 4 GiB", AT(ANY.start.totals), ABOVE_4_GIB, EFAULT },
	{ "totals private", AT(ANY.start.totals), COUNTERS, EINVAL },
};

TEST_F(errors, of_start_come_in_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_START,
		    start_faults, ARRAY_LENGTH(start_faults));
	EXPECT_TRUE(witness_counts(self->fd));
}

static const struct fault stats_faults[] = {
	{ "size short", AT(ANY.stats.size), 95, EINVAL },
	{ "tail", AT(ANY.bytes[sizeof(struct profil_stats)]), 1, E2BIG },
	{ "states in a hole", AT(ANY.stats.states), HOLE, EFAULT },
	{ "states read-only", AT(ANY.stats.states), READONLY, EFAULT },
	{ "states in the kernel", AT(ANY.stats.states), KERNEL, EFAULT },
};

TEST_F(errors, of_stats_come_in_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_STATS,
		    stats_faults, ARRAY_LENGTH(stats_faults));
	EXPECT_TRUE(witness_counts(self->fd));
}

/* All but the last three, which are found when the session has ended. */
TEST_F(errors, of_stop_come_in_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_STOP,
		    stats_faults, ARRAY_LENGTH(stats_faults) - 3);
	EXPECT_TRUE(witness_counts(self->fd));
}

TEST_F(errors, of_stop_writing_back_come_after_the_end)
{
	set_up(self->attempt, PROFIL_IOC_STOP, sizeof(struct profil_stats));
	self->attempt->stats.states = HOLE;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_STOP, self->attempt));
	EXPECT_FALSE(witness_runs(self->fd));
}

TEST_F(errors, of_start_with_no_session_start_none)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	size_t i;

	ASSERT_OK(stop(self->fd, NULL));
	for (i = 0; i < ARRAY_LENGTH(start_faults); i++)
		EXPECT_EQ(-start_faults[i].error,
			  attempt_with(self->fd, self->attempt,
				       PROFIL_IOC_START, &start_faults[i],
				       &start_faults[i]));
	ASSERT_OK(stats(self->fd, &seen));
	EXPECT_EQ(0, seen.flags);
}

TEST_F(errors, name_the_first_bad_region)
{
	struct attempt *attempt = self->attempt;

	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	attempt->regions[0].base = KERNEL;
	attempt->regions[1].flags = 2;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_START, attempt));
	attempt->regions[1].base = KERNEL;
	attempt->regions[0].flags = 2;
	EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(errors, say_strict_wants_the_overflow_bin_last)
{
	struct attempt *attempt = self->attempt;

	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	attempt->start.flags = PROFIL_F_STRICT;
	attempt->regions[0].flags = PROFIL_REGION_OVERFLOW;
	EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	attempt->regions[0].base = KERNEL;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_START, attempt));
	EXPECT_TRUE(witness_runs(self->fd));

	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	attempt->start.flags = PROFIL_F_STRICT;
	attempt->regions[1].flags = PROFIL_REGION_OVERFLOW;
	EXPECT_OK(call(self->fd, PROFIL_IOC_START, attempt));
}

TEST_F(errors, do_not_look_at_the_buffer_of_a_region_that_is_off)
{
	static const __u64 bases[] = { HOLE, READONLY, KERNEL, -4096ULL };
	struct attempt *attempt = self->attempt;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(bases); i++) {
		set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
		attempt->regions[0].scale = (__u32)i % 2;
		attempt->regions[0].base = bases[i];
		attempt->regions[0].size = 0x10000;
		EXPECT_OK(call(self->fd, PROFIL_IOC_START, attempt));
		attempt->regions[0].flags = 2;
		EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	}
}

TEST_F(errors, of_totals_tell_unmapped_from_private)
{
	struct attempt *attempt = self->attempt;

	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	attempt->start.totals = HOLE;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_START, attempt));
	attempt->start.totals = COUNTERS;
	EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	ASSERT_OK(mprotect((void *)SHARED, MIB, PROT_READ));
	attempt->start.totals = SHARED;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_START, attempt));
	ASSERT_OK(mprotect((void *)SHARED, MIB, PROT_READ | PROT_WRITE));
	EXPECT_TRUE(witness_runs(self->fd));
	EXPECT_OK(call(self->fd, PROFIL_IOC_START, attempt));
}

TEST_F(errors, are_enotty_for_every_other_command)
{
	unsigned long nr, magic;

	for (nr = 4; nr < 256; nr++)
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IO(PROFIL_IOC_MAGIC, nr), NULL));
	/* Some with magic 0 are answered for every kind of file. */
	for (magic = 1; magic < 256; magic++)
		for (nr = 0; magic != PROFIL_IOC_MAGIC && nr < 4; nr++)
			EXPECT_EQ(-ENOTTY,
				  call(self->fd, _IO(magic, nr), NULL));
	for (nr = 0; nr < 4; nr++) {
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IOWR(PROFIL_IOC_MAGIC, nr, int),
			       self->attempt));
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IOC(0, PROFIL_IOC_MAGIC, nr, 40),
			       self->attempt));
	}
	EXPECT_TRUE(witness_counts(self->fd));
}

/*
 * What is written
 */
TEST_F(profil, version_tells_what_the_driver_is)
{
	struct profil_version answer = version_blank();
	char text[32];

	ASSERT_OK(version(self->fd, &answer));
	EXPECT_EQ(sizeof(answer), answer.size);
	EXPECT_EQ(PROFIL_ABI, answer.abi);
	EXPECT_EQ(PROFIL_MAX_REGIONS, answer.max_regions);
	EXPECT_EQ(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP |
			  PROFIL_F_USER_ONLY | PROFIL_F_STRICT,
		  answer.start_flags);
	EXPECT_LE(PROFIL_CLOCK_FTRACE, answer.clock);
	EXPECT_GE(PROFIL_CLOCK_TIMER, answer.clock);
	EXPECT_EQ(0, answer.reserved);
	/* HZ is from 24, on old Alphas, to 1024. */
	EXPECT_LE(NSEC_PER_SEC / 1024, answer.tick_ns);
	EXPECT_GE(NSEC_PER_SEC / 24, answer.tick_ns);
	ASSERT_OK(param_read("min_period_us", text, sizeof(text)));
	EXPECT_EQ(strtoull(text, NULL, 0) * NSEC_PER_USEC,
		  answer.min_period_ns);
}

TEST_F(profil, device_is_for_everybody)
{
	struct stat seen;

	ASSERT_OK(stat(PROFIL_DEVICE, &seen));
	EXPECT_TRUE(S_ISCHR(seen.st_mode));
	EXPECT_EQ(0666, seen.st_mode & 07777);
}

TEST_F(profil, start_writes_the_period_and_nothing_else)
{
	struct profil_region region = sites_region(self->counters, 2);
	struct profil_start args = start_of(&region, 1, 2, 0), before = args;

	ASSERT_OK(start(self->fd, &args));
	EXPECT_EQ(tick_ns(self->fd), args.period_ns);
	args.period_ns = before.period_ns;
	EXPECT_EQ(0, memcmp(&before, &args, sizeof(args)));
}

static bool defined(const struct profil_stats *seen)
{
	return seen->flags != POISON_U32 && seen->nr_regions != POISON_U32 &&
	       seen->period_ns != POISON_U64 && seen->samples != POISON_U64 &&
	       seen->hits != POISON_U64 && seen->outside != POISON_U64 &&
	       seen->lost != POISON_U64 && seen->saturated != POISON_U64 &&
	       seen->kernel_samples != POISON_U64 &&
	       seen->pinned_pages != POISON_U64 &&
	       seen->unprofiled_children != POISON_U64;
}

TEST_F(profil, stats_writes_every_field)
{
	__u32 states[2] = { POISON_U32, POISON_U32 };
	struct profil_stats seen = stats_blank(states, 2);

	ASSERT_OK(start_sites(self->fd, self->counters, 2, 0));
	ASSERT_OK(stats(self->fd, &seen));
	EXPECT_TRUE(defined(&seen));
	EXPECT_EQ(sizeof(seen), seen.size);
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(2, seen.nr_states);
	EXPECT_EQ(1, seen.nr_regions);
	EXPECT_EQ(0, seen.unprofiled_children);
	EXPECT_EQ((uintptr_t)states, seen.states);
	EXPECT_EQ(tick_ns(self->fd), seen.period_ns);
	EXPECT_EQ(1, seen.pinned_pages);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(PROFIL_REGION_ON, states[0]);
	EXPECT_EQ(POISON_U32, states[1]);
}

static void expect_nothing(struct __test_metadata *_metadata,
			   const struct profil_stats *seen, const __u32 *states)
{
	struct profil_stats zero = { .size = sizeof(zero), .nr_states = 1 };

	zero.states = (uintptr_t)states;
	EXPECT_EQ(0, memcmp(&zero, seen, sizeof(zero)));
	EXPECT_EQ(POISON_U32, *states);
}

TEST_F(profil, stats_and_stop_of_nothing_write_zeros)
{
	__u32 states[1] = { POISON_U32 };
	struct profil_stats seen = stats_blank(states, 1);

	ASSERT_OK(stats(self->fd, &seen));
	expect_nothing(_metadata, &seen, states);
	seen = stats_blank(states, 1);
	ASSERT_OK(stop(self->fd, &seen));
	expect_nothing(_metadata, &seen, states);
	EXPECT_OK(stop(self->fd, NULL));
}

TEST_F(profil, states_are_not_written_without_room)
{
	struct profil_stats seen;

	ASSERT_OK(start_sites(self->fd, self->counters, 2, 0));
	seen = stats_blank((__u32 *)HOLE, 0);
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(1, seen.nr_regions);
	seen = stats_blank(NULL, 7);
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(7, seen.nr_states);
	EXPECT_EQ(1, seen.nr_regions);
}

TEST_F(profil, every_width_counts)
{
	void *counters = self->counters;
	__u32 width;

	for (width = 2; width <= 8; width *= 2) {
		struct profil_stats seen = stats_blank(NULL, 0);

		memset(counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, counters, width, FAST_NS));
		EXPECT_TRUE(spin_till(9, counters, width, 2));
		ASSERT_OK(stop(self->fd, &seen));
		EXPECT_TRUE(adds_up(&seen));
		EXPECT_EQ(seen.hits, counter(counters, width, 9));
		EXPECT_EQ(seen.hits,
			  counters_sum(self->counters, width, NR_SITES));
	}
}

/*
 * Fuzzing: right arguments, with a few fields made wrong, or nearly so
 */
struct field {
	size_t at;
	size_t bytes;
};

static const struct field fields[] = {
	{ AT(ANY.start.size) },	       { AT(ANY.start.flags) },
	{ AT(ANY.start.width) },       { AT(ANY.start.nr_regions) },
	{ AT(ANY.start.regions) },     { AT(ANY.start.period_ns) },
	{ AT(ANY.start.totals) },      { AT(ANY.stats.samples) },
	{ AT(ANY.regions[0].base) },   { AT(ANY.regions[0].size) },
	{ AT(ANY.regions[0].offset) }, { AT(ANY.regions[0].scale) },
	{ AT(ANY.regions[0].flags) },  { AT(ANY.regions[1].base) },
	{ AT(ANY.regions[1].size) },   { AT(ANY.regions[1].offset) },
	{ AT(ANY.regions[1].scale) },  { AT(ANY.bytes[40]) },
};

/* xorshift: the same numbers on every run. */
static __u64 dice(void)
{
	static __u64 state = 0x9e3779b97f4a7c15ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* No address here is one of memory that the program needs for itself. */
static __u64 odd_value(void)
{
	static const __u64 values[] = {
		0,	  1,	   2,	       3,	   4,
		8,	  40,	   88,	       128,	   4096,
		4097,	  0xffff,  0x10000,    0x20000,	   0x7fffffff,
		1U << 31, FAST_NS, 100000,     1000000000, UINT32_MAX,
		COUNTERS, SHARED,  SHARED + 8, READONLY,   HOLE,
		HOLE - 2, KERNEL,  1ULL << 47, -4096ULL,   UINT64_MAX,
		MIB,	  2 * MIB, INT64_MAX,  1ULL << 63, 1ULL << 32,
	};
	__u64 roll = dice() % (ARRAY_LENGTH(values) + 4);

	return roll < ARRAY_LENGTH(values) ? values[roll] : dice() | 1ULL << 63;
}

static unsigned long fuzzed(struct attempt *attempt)
{
	static const unsigned long commands[] = {
		PROFIL_IOC_VERSION, PROFIL_IOC_START, PROFIL_IOC_START,
		PROFIL_IOC_START,   PROFIL_IOC_STOP,  PROFIL_IOC_STATS,
	};
	unsigned long command = commands[dice() % ARRAY_LENGTH(commands)];
	__u64 changes = dice() % 4;

	set_up(attempt, command, known_size(command));
	while (changes--) {
		const struct field *field =
			&fields[dice() % ARRAY_LENGTH(fields)];
		__u64 value = odd_value();

		memcpy((char *)attempt + field->at, &value, field->bytes);
	}
	return command;
}

static bool documented(unsigned long command, int result)
{
	switch (-result) {
	case 0:
	case EFAULT:
	case EINVAL:
	case E2BIG:
		return true;
	case ENOMEM:
		return command == PROFIL_IOC_START;
	default:
		return false;
	}
}

TEST_F(errors, are_documented_ones_whatever_the_argument)
{
	__u64 until = wall_ns() + 1500 * NSEC_PER_MSEC;
	unsigned int calls = 0, taken = 0;

	while (wall_ns() < until) {
		unsigned long command = fuzzed(self->attempt);
		int result = call(self->fd, command, self->attempt);

		ASSERT_TRUE(documented(command, result))
		{
			TH_LOG("command %#lx after %u calls: %d", command,
			       calls, result);
		}
		calls++;
		taken += command == PROFIL_IOC_START && !result;
	}
	TH_LOG("%u calls, %u sessions", calls, taken);
	EXPECT_LT(0, taken);
	ASSERT_OK(stop(self->fd, NULL));
	memset((void *)COUNTERS, 0, 0x10000);
	ASSERT_OK(start_witness(self->fd));
	EXPECT_TRUE(witness_counts(self->fd));
}

TEST_HARNESS_MAIN
