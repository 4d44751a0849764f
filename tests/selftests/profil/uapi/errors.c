// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors, and the order of their checks, as uapi/linux/profil.h documents them.
 */
#include "harness.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attempt.h"

/*
 * Faults in the order of the driver's checks. Each is a value at one place of
 * the argument; two faults can be combined unless their places overlap.
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
	/* The machine is little-endian, see common.c. */
	memcpy((char *)attempt + fault->at, &fault->value, fault->bytes);
}

static bool compatible(const struct fault *a, const struct fault *b)
{
	return a->at + a->bytes <= b->at || b->at + b->bytes <= a->at;
}

/* The size is longer than known, so that it includes the fault in the tail. */
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

/* Try each fault alone, then with each later fault: the earlier is reported. */
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
	{ "region flag", AT(ANY.regions[0].flags), 4, EINVAL },
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

/* The last of these are found when there is a session. */
#define FAULTS_OF_MEMORY 5

TEST_F(errors, of_start_follow_the_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_START,
		    start_faults, ARRAY_LENGTH(start_faults));
	EXPECT_TRUE(witness_counts(self->fd));
}

/*
 * The user has as many sessions as the limit: that of this test. EAGAIN comes before
 * what START finds in memory, and after all else.
 */
static void check_at_limit(struct __test_metadata *_metadata, int fd,
			   struct attempt *attempt)
{
	size_t i, nr = ARRAY_LENGTH(start_faults);

	for (i = 0; i < nr; i++) {
		const struct fault *fault = &start_faults[i];
		int error = i < nr - FAULTS_OF_MEMORY ? fault->error : EAGAIN;

		EXPECT_EQ(-error, attempt_with(fd, attempt, PROFIL_IOC_START,
					       fault, fault))
		{
			TH_LOG("fault: %s", fault->name);
		}
	}
	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	EXPECT_EQ(-EAGAIN, call(fd, PROFIL_IOC_START, attempt));
	EXPECT_TRUE(witness_runs(fd));
}

TEST_F(errors, of_start_at_the_limit_of_sessions_follow_the_order)
{
	char limit[32];

	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_OK(param_read("max_sessions", limit, sizeof(limit)));
	ASSERT_OK(param_write("max_sessions", "1"));
	check_at_limit(_metadata, self->fd, self->attempt);
	ASSERT_OK(param_write("max_sessions", limit));
	EXPECT_TRUE(witness_counts(self->fd));
}

static const struct fault stats_faults[] = {
	{ "size short", AT(ANY.stats.size), 95, EINVAL },
	{ "tail", AT(ANY.bytes[sizeof(struct profil_stats)]), 1, E2BIG },
	{ "states in a hole", AT(ANY.stats.states), HOLE, EFAULT },
	{ "states read-only", AT(ANY.stats.states), READONLY, EFAULT },
	{ "states in the kernel", AT(ANY.stats.states), KERNEL, EFAULT },
};

TEST_F(errors, of_stats_follow_the_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_STATS,
		    stats_faults, ARRAY_LENGTH(stats_faults));
	EXPECT_TRUE(witness_counts(self->fd));
}

/* STOP reports the last three only after it has ended the session. */
TEST_F(errors, of_stop_follow_the_order_and_change_nothing)
{
	check_order(_metadata, self->fd, self->attempt, PROFIL_IOC_STOP,
		    stats_faults, ARRAY_LENGTH(stats_faults) - 3);
	EXPECT_TRUE(witness_counts(self->fd));
}

TEST_F(errors, of_stop_in_writing_results_end_the_session)
{
	set_up(self->attempt, PROFIL_IOC_STOP, sizeof(struct profil_stats));
	self->attempt->stats.states = HOLE;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_STOP, self->attempt));
	EXPECT_FALSE(witness_runs(self->fd));
}

TEST_F(errors, of_start_without_a_session_start_none)
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

TEST_F(errors, are_those_of_the_first_bad_region)
{
	struct attempt *attempt = self->attempt;

	set_up(attempt, PROFIL_IOC_START, sizeof(struct profil_start));
	attempt->regions[0].base = KERNEL;
	attempt->regions[1].flags = 4;
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_START, attempt));
	attempt->regions[1].base = KERNEL;
	attempt->regions[0].flags = 4;
	EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(errors, ignore_the_buffer_of_a_disabled_region)
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
		attempt->regions[0].flags = 4;
		EXPECT_EQ(-EINVAL, call(self->fd, PROFIL_IOC_START, attempt));
	}
}

TEST_F(errors, of_totals_distinguish_unmapped_from_private)
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

#define COMMANDS 5 /* have the numbers 0 to 4 */

TEST_F(errors, are_enotty_for_unknown_commands)
{
	unsigned long nr, magic;

	for (nr = COMMANDS; nr < 256; nr++) {
		EXPECT_EQ(-ENOTTY,
			  call(self->fd, _IO(PROFIL_IOC_MAGIC, nr), NULL));
		EXPECT_EQ(-ENOTTY,
			  call(self->fd,
			       _IOWR(PROFIL_IOC_MAGIC, nr, struct profil_start),
			       self->attempt));
	}
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
	static const unsigned int sizes[] = { 0, 4, 40, 96, 104, 16383 };
	unsigned long direction;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(sizes); i++)
		for (direction = 0; direction < 4; direction++) {
			unsigned long command =
				_IOC(direction, PROFIL_IOC_MAGIC,
				     _IOC_NR(PROFIL_IOC_STATS), sizes[i]);

			set_up(self->attempt, PROFIL_IOC_STATS,
			       sizeof(struct profil_stats));
			EXPECT_OK(call(self->fd, command, self->attempt));
			EXPECT_EQ(PROFIL_STATS_SESSION,
				  self->attempt->stats.flags);
			self->attempt->stats.size--;
			EXPECT_EQ(-EINVAL,
				  call(self->fd, command, self->attempt));
		}
}

/*
 * Random arguments: valid ones, with a few fields replaced by edge cases
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

/* xorshift gives the same numbers on every run. */
static __u64 dice(void)
{
	static __u64 state = 0x9e3779b97f4a7c15ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* No value is an address of memory that the program uses itself. */
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

TEST_F(errors, are_documented_for_random_arguments)
{
	__u64 until = wall_ns() + 1500 * NSEC_PER_MSEC;
	unsigned int calls = 0, taken = 0;

	while (wall_ns() < until ||
	       (!taken && wall_ns() < until + TIMEOUT_NS)) {
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
