// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two files and memory without a file in turn at one address, by each call that replaces
 * a mapping: no sample goes to the wrong one.
 */
#include "one_table.h"

#define ROUNDS 50
#define ROUND_NS (4 * FAST_NS)

#define FILES 2

/* The first file is executed at site 1, the second at site 2, and memory at site 3. */
#define TEXTS 3

/**
 * struct ground - texts that take turns at one address
 * @files: descriptors of the files
 * @seen: what stat(2) says of them
 * @at: the address, of SITES_BYTES
 * @turn: number of the text that is mapped there
 * @executed_ns: CPU time around the execution of each
 * @own: samples of each at its own site
 * @wrong: samples of each elsewhere in it
 */
struct ground {
	int files[FILES];
	struct stat seen[FILES];
	const char *at;
	unsigned int turn;
	__u64 executed_ns[TEXTS];
	__u64 own[TEXTS];
	__u64 wrong[TEXTS];
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

/* The text of the turn at @at, or anywhere; NULL if it is not there. */
static const char *map_text(const struct ground *ground, const char *at)
{
	const int protection = PROT_READ | PROT_WRITE;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
	void *memory;

	if (ground->turn < FILES)
		return code_map(ground->files[ground->turn], at);
	memory = mmap((void *)at, SITES_BYTES, protection, flags, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	memcpy(memory, profil_sites, SITES_BYTES);
	return mprotect(memory, SITES_BYTES, PROT_READ | PROT_EXEC) ? NULL :
								      memory;
}

/* The ways to replace a mapping. Each returns whether it could. */
static bool map_over(const struct ground *ground)
{
	return map_text(ground, ground->at);
}

static bool unmap_and_map(const struct ground *ground)
{
	return !munmap((void *)ground->at, SITES_BYTES) && map_over(ground);
}

static bool move_over(const struct ground *ground)
{
	const char *from = map_text(ground, NULL);

	return from && mremap((void *)from, SITES_BYTES, SITES_BYTES,
			      MREMAP_MAYMOVE | MREMAP_FIXED,
			      ground->at) == (void *)ground->at;
}

static bool protect(const struct ground *ground, int protection)
{
	return !mprotect((void *)ground->at, SITES_BYTES, protection);
}

/* The first is never executable at the same time as the second is written. */
static bool protect_and_map(const struct ground *ground)
{
	return protect(ground, PROT_NONE) && map_over(ground);
}

/* No mapping of a file is executable when it comes or goes. */
static bool map_and_protect(const struct ground *ground)
{
	if (!protect(ground, PROT_READ) ||
	    munmap((void *)ground->at, SITES_BYTES))
		return false;
	if (ground->turn == FILES)
		return map_over(ground);
	return mmap((void *)ground->at, SITES_BYTES, PROT_READ,
		    MAP_PRIVATE | MAP_FIXED, ground->files[ground->turn],
		    CODE_AT) == ground->at &&
	       protect(ground, PROT_READ | PROT_EXEC);
}

static void take_turns(struct ground *ground,
		       bool (*replace)(const struct ground *ground))
{
	for (unsigned int i = 0; i < ROUNDS; i++) {
		__u64 begin;

		ground->turn = i % TEXTS;
		ASSERT_TRUE(replace(ground));
		begin = thread_ns();
		spin_at(ground->at + (ground->turn + 1) * SITE_BYTES, ROUND_NS);
		ground->executed_ns[ground->turn] += thread_ns() - begin;
	}
}

static bool is_of(const struct table_row *row, const struct ground *ground,
		  unsigned int nr)
{
	if (nr == FILES)
		return row->file.kind == PROFIL_NAME_MEMORY &&
		       row->text.pid == (__u32)getpid();
	return row->file.inode == ground->seen[nr].st_ino &&
	       row->file.file_size == (__u64)ground->seen[nr].st_size;
}

/* The part of the offset of each sample of the text @nr that is its site */
static __u64 site_of(const struct ground *ground, unsigned int nr)
{
	__u64 at = nr == FILES ? (__u32)(uintptr_t)ground->at : CODE_AT;

	return at / SITE_BYTES + nr + 1;
}

/* Add the samples in user mode of the text @nr in the half that was taken last. */
static void add_samples(const struct table *table, struct ground *ground,
			unsigned int nr)
{
	struct table_row row;

	FOR_EACH_ROW(table, &row)
	{
		if (row.kernel || !is_of(&row, ground, nr))
			continue;
		if (row.offset / SITE_BYTES == site_of(ground, nr))
			ground->own[nr] += row.count;
		else
			ground->wrong[nr] += row.count;
	}
}

/* True once each text has a sample at its own site. */
static bool are_sampled(struct table *table, struct ground *ground)
{
	bool all = true;

	take(table, 0);
	for (unsigned int i = 0; i < TEXTS; i++) {
		add_samples(table, ground, i);
		all &= ground->own[i] > 0;
	}
	return all;
}

static void check_turns(one_table_data *self,
			bool (*replace)(const struct ground *ground))
{
	struct table *table = begin(self, PROFIL_TABLE_ADDRESSES, FAST_NS);
	struct ground ground = ground_new();

	take_turns(&ground, replace);
	EXPECT_TRUE(EVENTUALLY(are_sampled(table, &ground),
			       take_turns(&ground, replace)));
	for (unsigned int i = 0; i < TEXTS; i++) {
		TH_LOG("text %u: %llu samples at its site, %llu elsewhere; %llu us",
		       i, ground.own[i], ground.wrong[i],
		       ground.executed_ns[i] / NSEC_PER_USEC);
		EXPECT_EQ(0, ground.wrong[i]);
	}
	for (unsigned int i = 0; i < FILES; i++)
		close(ground.files[i]);
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
	check_turns(self, map_and_protect);
}

TEST_HARNESS_MAIN
