// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors, and the order of their checks, as uapi/linux/profil.h documents them.
 */
#include "fault_order.h"

/*
 * Arguments of the calls at fixed addresses, so that a table of constants can
 * name good and bad places.
 */
#define MIB 0x100000UL

#define ARENA 0x10000000UL
#define COUNTERS (ARENA)
#define HOLE (ARENA + MIB)
#define READONLY (ARENA + 2 * MIB)
#define ARENA_BYTES (3 * MIB)
#define KERNEL 0xffff800000000000ULL
#define OTHER_COUNTERS (COUNTERS + 0x8000)
/* Unmapped; its lower 32 bits are the address of OTHER_COUNTERS. */
#define ABOVE_4_GIB ((1ULL << 32) + OTHER_COUNTERS)

/*
 * An argument, longer than any structure of today, and the arrays it points to.
 */
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

static struct attempt *const attempt = (void *)(COUNTERS + 0x10000);

static size_t known_size(unsigned long command)
{
	if (command == PROFIL_IOC_VERSION)
		return sizeof(struct profil_version);
	if (command == PROFIL_IOC_START)
		return sizeof(struct profil_start);
	return sizeof(struct profil_stats);
}

/*
 * Fill the attempt with a valid argument of @command. @size is known_size() or
 * more.
 */
static void set_up(unsigned long command, size_t size)
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

static bool map_at(unsigned long address, int protection)
{
	return mmap((void *)address, MIB, protection,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == (void *)address;
}

/* Reserve the whole range first, so that the unmapped part is surely a hole. */
static bool map_arena(void)
{
	void *arena = mmap((void *)ARENA, ARENA_BYTES, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			   -1, 0);

	return arena == (void *)ARENA &&
	       map_at(COUNTERS, PROT_READ | PROT_WRITE) &&
	       map_at(READONLY, PROT_READ) && !munmap((void *)HOLE, MIB);
}

/* The witness: a running session that no failing call may change */
static bool witness_runs(int fd)
{
	struct profil_stats seen = stats_now(fd);

	return seen.flags == PROFIL_STATS_SESSION && seen.nr_regions == 1 &&
	       seen.period_ns == FAST_NS && adds_up(&seen);
}

/* True if the session counts at the witness's counters and nowhere else. */
static bool witness_counts(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 before = counter((void *)COUNTERS, 2, 5);

	return spin_until(5, (void *)COUNTERS, 2, before + 2) &&
	       !stats(fd, &seen) &&
	       counters_sum((void *)COUNTERS, 2, NR_SITES) == seen.hits &&
	       all_bytes((void *)OTHER_COUNTERS, 0, 128);
}

#define AT(place) FAULT_AT(struct attempt, place)

FIXTURE(errors)
{
	int fd;
};

FIXTURE_SETUP(errors)
{
	ASSERT_TRUE(map_arena());
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	ASSERT_OK(start_sites(self->fd, (void *)COUNTERS, 2, FAST_NS));
}

CLOSE_IN_TEARDOWN(errors)

static unsigned long tried;

/* No fault changes the running session. */
static int try_faults(int fd, const struct fault *first,
		      const struct fault *second)
{
	int result;

	/* The size is longer than known, so that it includes the fault in the tail. */
	set_up(tried, known_size(tried) + 8);
	fault_apply(attempt, second);
	fault_apply(attempt, first);
	result = call(fd, tried, attempt);
	EXPECT_TRUE(witness_runs(fd));
	return result;
}

static void check_order(int fd, unsigned long command,
			const struct fault *faults, size_t nr)
{
	tried = command;
	check_fault_order(fd, try_faults, faults, nr, 0);
	EXPECT_TRUE(witness_counts(fd));
}

static const struct fault start_faults[] = {
	{ "size short", AT(start.size), 31, EINVAL },
	{ "tail", AT(bytes[sizeof(struct profil_start)]), 1, E2BIG },
	{ "flag", AT(start.flags), 1U << 4, EINVAL },
	{ "highest flag", AT(start.flags), 1U << 31, EINVAL },
	{ "width 0", AT(start.width), 0, EINVAL },
	{ "width 1", AT(start.width), 1, EINVAL },
	{ "width 3", AT(start.width), 3, EINVAL },
	{ "width 16", AT(start.width), 16, EINVAL },
	{ "no regions", AT(start.nr_regions), 0, EINVAL },
	{ "many regions", AT(start.nr_regions), 4097, E2BIG },
	{ "most regions", AT(start.nr_regions), UINT32_MAX, E2BIG },
	{ "short period", AT(start.period_ns), 99999, EINVAL },
	{ "long period", AT(start.period_ns), 1000000001, EINVAL },
	{ "longest period", AT(start.period_ns), UINT64_MAX, EINVAL },
	{ "regions in a hole", AT(start.regions), HOLE, EFAULT },
	{ "regions in the kernel", AT(start.regions), KERNEL, EFAULT },
	{ "regions above 4 GiB", AT(start.regions), ABOVE_4_GIB, EFAULT },
	{ "region flag", AT(regions[0].flags), 2, EINVAL },
	{ "odd base", AT(regions[0].base), COUNTERS + 1, EINVAL },
	{ "wraps", AT(regions[0].size), -(__u64)COUNTERS, EFAULT },
	{ "kernel base", AT(regions[0].base), KERNEL, EFAULT },
	{ "second region's flag", AT(regions[1].flags), 1U << 31, EINVAL },
	{ "second base odd", AT(regions[1].base), COUNTERS + 1, EINVAL },
	{ "second base in the kernel", AT(regions[1].base), KERNEL, EFAULT },
	{ "counters in a hole", AT(regions[0].base), HOLE, EFAULT },
	{ "counters read-only", AT(regions[1].base), READONLY, EFAULT },
	{ "counters above 4 GiB", AT(regions[0].base), ABOVE_4_GIB, EFAULT },
};

TEST_F(errors, of_start_follow_the_order_and_change_nothing)
{
	check_order(self->fd, PROFIL_IOC_START, start_faults,
		    ARRAY_LENGTH(start_faults));
}

static const struct fault stats_faults[] = {
	{ "size short", AT(stats.size), 95, EINVAL },
	{ "tail", AT(bytes[sizeof(struct profil_stats)]), 1, E2BIG },
	{ "states in a hole", AT(stats.states), HOLE, EFAULT },
	{ "states read-only", AT(stats.states), READONLY, EFAULT },
	{ "states in the kernel", AT(stats.states), KERNEL, EFAULT },
};

/* STOP reports the last three only after it has ended the session. */
TEST_F(errors, of_stats_and_stop_follow_the_order_and_change_nothing)
{
	check_order(self->fd, PROFIL_IOC_STATS, stats_faults,
		    ARRAY_LENGTH(stats_faults));
	check_order(self->fd, PROFIL_IOC_STOP, stats_faults,
		    ARRAY_LENGTH(stats_faults) - 3);
}

TEST_F(errors, ignore_the_buffer_of_a_disabled_region)
{
	static const __u64 bases[] = { HOLE, READONLY, KERNEL, -4096ULL,
				       HOLE + 1 };

	for (size_t i = 0; i < ARRAY_LENGTH(bases); i++) {
		set_up(PROFIL_IOC_START, sizeof(struct profil_start));
		attempt->regions[0].scale = (__u32)i % 2;
		attempt->regions[0].base = bases[i];
		attempt->regions[0].size = 0x10000;
		EXPECT_OK(call(self->fd, PROFIL_IOC_START, attempt));
		attempt->regions[0].flags = 2;
		EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	}
}

#define COMMANDS 6 /* have the numbers 0 to 5 */

TEST_F(errors, are_enotty_for_unknown_commands)
{
	unsigned long nr, magic;

	for (nr = COMMANDS; nr < 256; nr++) {
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IO(PROFIL_IOC_MAGIC, nr), NULL));
		EXPECT_EQ(-ENOTTY,
			  call(self->fd,
			       _IOWR(PROFIL_IOC_MAGIC, nr, struct profil_start),
			       attempt));
	}
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_STATS, NULL));
	/* The VFS itself handles some commands with magic 0. */
	for (magic = 1; magic < 256; magic++)
		for (nr = 0; magic != PROFIL_IOC_MAGIC && nr < COMMANDS; nr++)
			EXPECT_EQ(-ENOTTY,
				  call(self->fd, _IO(magic, nr), NULL));
	EXPECT_TRUE(witness_counts(self->fd));
}

/* The size in a command is that of the caller's structure, which may grow. */
TEST_F(errors, do_not_depend_on_direction_and_size_in_a_command)
{
	static const unsigned int sizes[] = { 0, 4, 32, 96, 104, 16383 };

	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
		for (unsigned long direction = 0; direction < 4; direction++) {
			unsigned long command =
				_IOC(direction, PROFIL_IOC_MAGIC,
				     _IOC_NR(PROFIL_IOC_STATS), sizes[i]);

			set_up(PROFIL_IOC_STATS, sizeof(struct profil_stats));
			EXPECT_OK(call(self->fd, command, attempt));
			EXPECT_EQ(PROFIL_STATS_SESSION, attempt->stats.flags);
			attempt->stats.size--;
			EXPECT_EQ(-EINVAL, call(self->fd, command, attempt));
		}
}

TEST_HARNESS_MAIN
