// SPDX-License-Identifier: GPL-2.0-only
/*
 * Size and place of each command's structure.
 */
#include "harness.h"

#include <sys/mman.h>

#include "attempt.h"

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

TEST_F(structure, is_accepted_at_its_exact_size)
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

TEST_F(structure, is_accepted_when_longer_with_a_zero_tail)
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

TEST_F(structure, is_refused_with_a_nonzero_tail)
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

TEST_F(structure, is_not_written_beyond_its_size)
{
	set_up(self->attempt, variant->command, self->known);
	memset(self->attempt->bytes + self->known, POISON, 128 - self->known);
	EXPECT_OK(call(self->fd, variant->command, self->attempt));
	EXPECT_TRUE(all_bytes(self->attempt->bytes + self->known, POISON,
			      128 - self->known));
}

/* START returns what it was given. */
static bool is_answered(unsigned long command, const struct attempt *attempt)
{
	if (command == PROFIL_IOC_VERSION)
		return attempt->version.abi == PROFIL_ABI &&
		       attempt->version.min_period_ns != POISON_U64;
	if (command == PROFIL_IOC_START)
		return attempt->start.period_ns == FAST_NS;
	return attempt->stats.flags == PROFIL_STATS_SESSION &&
	       attempt->stats.unprofiled_children == 0;
}

/*
 * A caller that knows more fields gets those that the driver knows, and no byte
 * behind them: these lie in a page that cannot be written.
 */
TEST_F(structure, is_written_as_the_driver_knows_it_when_longer)
{
	char *pages = new_pages(2 * page_size());
	char *bytes = pages + page_size() - self->known;

	ASSERT_NE(NULL, pages);
	ASSERT_OK(mprotect(pages + page_size(), page_size(), PROT_READ));
	set_up(self->attempt, variant->command, self->known + 64);
	memcpy(bytes, self->attempt, self->known);
	EXPECT_OK(call(self->fd, variant->command, bytes));
	memcpy(self->attempt, bytes, self->known);
	EXPECT_EQ(self->known + 64, self->attempt->start.size);
	EXPECT_TRUE(is_answered(variant->command, self->attempt));
}

TEST_F(structure, may_have_4096_bytes_but_no_more)
{
	char *bytes = new_pages(2 * page_size());

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = 4096;
	EXPECT_OK(call(self->fd, variant->command, bytes));
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = 4097;
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

/* The driver checks the size before it reads the rest. */
TEST_F(structure, gives_efault_when_it_reaches_unmapped_memory)
{
	size_t mapped;

	for (mapped = 4; mapped < self->known; mapped += 4) {
		char *bytes = new_at_hole(mapped);

		ASSERT_NE(NULL, bytes);
		memcpy(bytes, self->attempt, mapped);
		EXPECT_EQ(-EFAULT, call(self->fd, variant->command, bytes));
		*(__u32 *)bytes = (__u32)self->known - 1;
		EXPECT_EQ(-EINVAL, call(self->fd, variant->command, bytes));
		*(__u32 *)bytes = 4097;
		EXPECT_EQ(-E2BIG, call(self->fd, variant->command, bytes));
	}
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, gives_efault_when_its_tail_reaches_unmapped_memory)
{
	char *bytes = new_at_hole(self->known + 8);

	ASSERT_NE(NULL, bytes);
	memcpy(bytes, self->attempt, self->known);
	*(__u32 *)bytes = (__u32)self->known + 16;
	EXPECT_EQ(-EFAULT, call(self->fd, variant->command, bytes));
	EXPECT_TRUE(witness_runs(self->fd));
}

TEST_F(structure, gives_efault_at_bad_addresses)
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

TEST_F(structure, gives_efault_when_it_is_read_only)
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

TEST_HARNESS_MAIN
