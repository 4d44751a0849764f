// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two files in turn at one address, by each call that replaces a mapping: no sample goes
 * to the wrong one.
 */
#include "one_table.h"

#define ROUNDS 50
#define ROUND_NS (4 * FAST_NS)

/* The first file is executed at site 1, the second at site 2, and so on. */
#define FILES 2

/**
 * struct ground - files that take turns at one address
 * @files: their descriptors
 * @seen: what stat(2) says of them
 * @at: the address, of SITES_BYTES
 * @turn: number of the file that is mapped there
 * @executed_ns: CPU time around the execution of each
 * @own: samples of each at its own site
 * @wrong: samples of each elsewhere in it
 */
struct ground {
	int files[FILES];
	struct stat seen[FILES];
	const char *at;
	unsigned int turn;
	__u64 executed_ns[FILES];
	__u64 own[FILES];
	__u64 wrong[FILES];
};

static struct ground ground_new(void)
{
	struct ground ground = { .at = new_pages(SITES_BYTES) };

	for (unsigned int i = 0; i < FILES; i++) {
		ground.files[i] = code_file(NULL);
		/* The length tells files on different devices apart. */
		EXPECT_OK(ftruncate(ground.files[i],
				    CODE_AT + 0x10000 * (i + 1)));
		EXPECT_OK(fstat(ground.files[i], &ground.seen[i]));
	}
	return ground;
}

/* The ways to replace a mapping. Each returns whether it could. */
static bool map_over(const struct ground *ground)
{
	return code_map(ground->files[ground->turn], ground->at);
}

static bool unmap_and_map(const struct ground *ground)
{
	return !munmap((void *)ground->at, SITES_BYTES) && map_over(ground);
}

static bool move_over(const struct ground *ground)
{
	const char *from = code_map(ground->files[ground->turn], NULL);

	return from && mremap((void *)from, SITES_BYTES, SITES_BYTES,
			      MREMAP_MAYMOVE | MREMAP_FIXED,
			      ground->at) == (void *)ground->at;
}

/* The first is never executable at the same time as the second is written. */
static bool protect_and_map(const struct ground *ground)
{
	return !mprotect((void *)ground->at, SITES_BYTES, PROT_NONE) &&
	       map_over(ground);
}

static void take_turns(struct ground *ground,
		       bool (*replace)(const struct ground *ground))
{
	for (unsigned int i = 0; i < ROUNDS; i++) {
		__u64 begin;

		ground->turn = i % FILES;
		ASSERT_TRUE(replace(ground));
		begin = thread_ns();
		spin_at(ground->at + (ground->turn + 1) * SITE_BYTES, ROUND_NS);
		ground->executed_ns[ground->turn] += thread_ns() - begin;
	}
}

/* Add the samples in user mode of the file @nr in the half that was taken last. */
static void add_samples(const struct table *table, struct ground *ground,
			unsigned int nr)
{
	const __u64 site = code_offset(nr + 1) / SITE_BYTES;
	struct table_row row;

	FOR_EACH_ROW(table, &row)
	{
		if (row.kernel || row.file.inode != ground->seen[nr].st_ino ||
		    row.file.file_size != (__u64)ground->seen[nr].st_size)
			continue;
		if (row.offset / SITE_BYTES == site)
			ground->own[nr] += row.count;
		else
			ground->wrong[nr] += row.count;
	}
}

/* True once each file has a sample at its own site. */
static bool are_sampled(struct table *table, struct ground *ground)
{
	bool all = true;

	take(table, 0);
	for (unsigned int i = 0; i < FILES; i++) {
		add_samples(table, ground, i);
		all &= ground->own[i] > 0;
	}
	return all;
}

static void check_turns(one_table_data *self,
			bool (*replace)(const struct ground *ground))
{
	struct table *table = begin(self, 0, FAST_NS);
	struct ground ground = ground_new();

	take_turns(&ground, replace);
	EXPECT_TRUE(EVENTUALLY(are_sampled(table, &ground),
			       take_turns(&ground, replace)));
	for (unsigned int i = 0; i < FILES; i++) {
		TH_LOG("file %u: %llu samples at its site, %llu elsewhere; %llu us",
		       i, ground.own[i], ground.wrong[i],
		       ground.executed_ns[i] / NSEC_PER_USEC);
		EXPECT_EQ(0, ground.wrong[i]);
		close(ground.files[i]);
	}
	take_last(table);
	EXPECT_EQ(0, table->sum.unmapped);
	munmap((void *)ground.at, SITES_BYTES);
}

TEST_F(one_table, each_way_to_replace_a_mapping)
{
	check_turns(self, map_over);
	check_turns(self, unmap_and_map);
	check_turns(self, move_over);
	check_turns(self, protect_and_map);
}

TEST_HARNESS_MAIN
