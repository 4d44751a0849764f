// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counter of a PC. A thread stays at one PC, an instruction that jumps to
 * itself, while the test starts sessions with different regions around that PC.
 * The test computes the expected counter with 128-bit integers.
 */
#include "harness.h"

/*
 * The PC is far from all other text, so that no region of a test contains
 * another PC. It is odd, where an instruction can be, and above 2^41, so that
 * its product with a scale of 2^24 exceeds 64 bits.
 */
#define TEXT 0x30000000000ULL
#ifdef __aarch64__
#define PC (TEXT + 0x6d4)
#else
#define PC (TEXT + 0x6d7)
#endif

/*
 * The program's own text is below OTHER_TEXT, so no region that begins here has
 * it.
 */
#define OTHER_TEXT 0x10000000ULL

#define PERIOD_NS (100 * NSEC_PER_USEC)
#define GUARD 4096
#define ROOM 16384

struct situation {
	__u64 distance; /* PC minus the region's offset */
	__u32 scale;
	__u32 width;
	__u32 flags;
};

static unsigned __int128 index_of(const struct situation *at)
{
	unsigned __int128 distance = at->distance;

	if (at->flags & PROFIL_F_ROUND_UP)
		return (distance * at->scale / 0x10000 + at->width - 1) /
		       at->width;
	if (at->flags & PROFIL_F_BYTES)
		return distance * at->scale / 0x10000 / at->width;
	return distance / at->width * at->scale / 0x10000;
}

static void *stand_still(void *nothing)
{
	((void (*)(void))(uintptr_t)PC)();
	return nothing;
}

static pthread_t standing;

/* The instruction jumps to itself. */
#ifdef __aarch64__
static const unsigned char jump[] = { 0, 0, 0, 0x14 };
#else
static const unsigned char jump[] = { 0xeb, 0xfe };
#endif

/* The thread ends with the process. */
static bool occupy_pc(void)
{
	if (mmap((void *)TEXT, page_size(), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		 0) != (void *)TEXT)
		return false;
	memcpy((void *)PC, jump, sizeof(jump));
	__builtin___clear_cache((char *)PC, (char *)PC + sizeof(jump));
	return !mprotect((void *)TEXT, page_size(), PROT_READ | PROT_EXEC) &&
	       !pthread_create(&standing, NULL, stand_still, NULL);
}

FIXTURE(arithmetic)
{
	int fd;
	char *guarded; /* GUARD + ROOM + GUARD bytes */
};

FIXTURE_SETUP(arithmetic)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	self->guarded = new_pages(2 * GUARD + ROOM);
	ASSERT_TRUE(occupy_pc());
}

CLOSE_IN_TEARDOWN(arithmetic)

static __u64 standing_ns(void)
{
	clockid_t clock;

	return pthread_getcpuclockid(standing, &clock) ? 0 : clock_ns(clock);
}

/*
 * Wait for two hits of the standing thread; if it should have none, for CPU
 * time and samples in which hits would have occurred.
 */
static int wait_for_samples(int fd, bool expected)
{
	__u64 until = wall_ns() + TIMEOUT_NS, begin = standing_ns();

	while (wall_ns() < until) {
		struct profil_stats seen = stats_blank(NULL, 0);
		int error = stats(fd, &seen);

		if (error || seen.hits >= 2)
			return error;
		if (!expected && seen.outside >= 6 &&
		    standing_ns() - begin >= 6 * PERIOD_NS)
			return 0;
		sleep_ns(2 * PERIOD_NS);
	}
	return -ETIMEDOUT;
}

static int sample(int fd, const struct situation *at, void *counters,
		  size_t size, struct profil_stats *seen)
{
	void *text = (void *)(uintptr_t)(PC - at->distance);
	int error;

	error = start_one(fd, region_of(counters, size, text, at->scale),
			  at->width, PERIOD_NS, at->flags);
	if (error)
		return error;
	error = wait_for_samples(fd, index_of(at) < size / at->width);
	*seen = stats_blank(NULL, 0);
	return error ? error : stop(fd, seen);
}

/*
 * Run a session with @size bytes of counters between poisoned guards; bytes of
 * @size that make no counter are poisoned, too. All hits must be in counter
 * @index; there must be none if @index is outside.
 */
static void check(int fd, char *guarded, const struct situation *at,
		  size_t size, __u64 index)
{
	size_t nr = size / at->width, used = nr * at->width;
	struct profil_stats seen;
	char *counters = guarded + GUARD;
	__u64 hits = 0;

	memset(guarded, POISON, 2 * GUARD + ROOM);
	memset(counters, 0, used);
	EXPECT_OK(sample(fd, at, counters, size, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	if (index < nr) {
		hits = counter(counters, at->width, index);
		EXPECT_LE(2, hits);
	}
	EXPECT_EQ(hits, seen.hits);
	EXPECT_EQ(hits, counters_sum(counters, at->width, nr));
	EXPECT_TRUE(all_bytes(guarded, POISON, GUARD));
	EXPECT_TRUE(all_bytes(counters + used, POISON, GUARD + ROOM - used));
	if (_metadata->exit_code)
		TH_LOG("distance %#llx scale %#x width %u flags %u size %zu",
		       at->distance, at->scale, at->width, at->flags, size);
}

/* Run a session with the expected counter as the last, then one without it. */
static void check_both_sides(int fd, char *guarded, const struct situation *at)
{
	unsigned __int128 index = index_of(at);
	size_t end;

	if (index >= ROOM / at->width - 1)
		return;
	end = ((size_t)index + 1) * at->width;
	check(fd, guarded, at, end + at->width - 1, (__u64)index);
	ASSERT_EQ(0, _metadata->exit_code);
	check(fd, guarded, at, end - 1, (__u64)index);
	ASSERT_EQ(0, _metadata->exit_code);
}

static const __u64 distances[] = { 0,	  1,	 2,	 3,	  5,	  7,
				   0x7ff, 0x800, 0xffff, 0x10000, 0x12345 };
static const __u32 scales[] = { 2,	 3,	  0x4000,    0x8000,
				0xffff,	 0x10000, 0x10001,   0x20000,
				0x40000, 0x80000, 0xffffffff };

/*
 * Each distance has each scale with 16-bit counters, and every third one with the other
 * widths and rules: tests/unit computes all of them.
 */
static const struct {
	__u32 width;
	__u32 flags;
	size_t step;
} rules[] = {
	{ 2, 0, 1 },
	{ 4, 0, 3 },
	{ 8, 0, 3 },
	{ 2, PROFIL_F_ROUND_UP, 3 },
	{ 8, PROFIL_F_ROUND_UP, 3 },
	{ 2, PROFIL_F_BYTES, 3 },
	{ 4, PROFIL_F_BYTES, 3 },
	{ 8, PROFIL_F_BYTES, 3 },
	{ 4, PROFIL_F_BYTES | PROFIL_F_ROUND_UP, 3 },
};

TEST_F(arithmetic, of_each_width_and_rule)
{
	for (size_t rule = 0; rule < ARRAY_LENGTH(rules); rule++)
		for (size_t i = 0; i < ARRAY_LENGTH(distances); i++)
			for (size_t j = (i + rule) % rules[rule].step;
			     j < ARRAY_LENGTH(scales); j += rules[rule].step) {
				struct situation at = { distances[i], scales[j],
							rules[rule].width,
							rules[rule].flags };

				check_both_sides(self->fd, self->guarded, &at);
			}
}

/* With 64-bit products each of these PCs would seem to be in the region. */
TEST_F(arithmetic, does_not_wrap_at_64_bits)
{
	static const struct situation far[] = {
		{ 1ULL << 41, 1U << 24, 2, 0 },
		{ (1ULL << 41) + 2, 1U << 24, 2, 0 },
		{ 1ULL << 41, 1U << 25, 4, 0 },
		{ 1ULL << 41, 1U << 26, 8, 0 },
		{ 1ULL << 41, 1U << 23, 2, PROFIL_F_ROUND_UP },
		{ 1ULL << 41, 1U << 23, 2, PROFIL_F_BYTES },
		{ 1ULL << 41, 1U << 26, 8, PROFIL_F_BYTES },
		{ 1ULL << 34, 1U << 31, 2, 0 },
		{ 1ULL << 34, UINT32_MAX, 2, 0 },
		{ PC, 1U << 31, 2, 0 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(far); i++)
		check(self->fd, self->guarded, &far[i], ROOM, ROOM);
}

/* Distances above 32 bits. At scale 2 the buffer still has the counters. */
TEST_F(arithmetic, reaches_far_counters)
{
	static const struct situation far[] = {
		{ 1ULL << 33, 2, 2, 0 },
		{ (1ULL << 33) + 0xfffe, 3, 4, 0 },
		{ 1ULL << 41, 2, 2, 0 },
		{ 1ULL << 41, 3, 2, PROFIL_F_ROUND_UP },
		{ PC - OTHER_TEXT, 2, 8, 0 },
		{ PC - OTHER_TEXT, 3, 8, 0 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(far); i++) {
		__u32 width = far[i].width;
		__u64 index = (__u64)index_of(&far[i]);
		size_t size = (size_t)(index + 1) * width;
		struct profil_stats seen;
		char *counters = new_reserved(size);

		ASSERT_OK(sample(self->fd, &far[i], counters, size, &seen));
		EXPECT_LE(2, seen.hits);
		EXPECT_EQ(seen.hits, counter(counters, width, index));
		ASSERT_OK(sample(self->fd, &far[i], counters, size - 1, &seen));
		EXPECT_EQ(0, seen.hits);
		munmap(counters, size);
	}
}

TEST_HARNESS_MAIN
