// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs with more mapped text than is looked up at once: their stacks are whole, and they
 * go on, whatever a sample of them takes.
 */
#include "stack_table.h"

/* More than a table knows of a program */
#define MAPPINGS 300

/* Memory without a file, each page a mapping: callers go by rbp. */
static char *map_pages(size_t nr)
{
	size_t step = 2 * page_size();
	char *pages = mmap(NULL, nr * step, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		if (mprotect(pages + i * step, page_size(),
			     PROT_READ | PROT_EXEC))
			return NULL;
	return pages;
}

#define CALLERS 6

/* Each caller is in another mapping, above all that are looked up at once. */
static int spin_below_mappings(unsigned long unused)
{
	char *pages = map_pages(MAPPINGS);
	__u64 *words = new_pages(page_size());

	(void)unused;
	if (!pages)
		return 1;
	for (unsigned int i = 0; i < CALLERS; i++) {
		size_t nr = MAPPINGS - 1 - i;

		words[2 * i] = i < CALLERS - 1 ? (uintptr_t)&words[2 * i + 2] :
						 0;
		words[2 * i + 1] = (uintptr_t)pages + nr * 2 * page_size() + 1;
	}
	for (;;)
		spin_with((uintptr_t)&words[1], LOOPS, (uintptr_t)&words[2], 0);
	return 0;
}

TEST_F(one_table, stacks_over_many_mappings_are_whole)
{
	struct table *table;
	struct stack stack;
	__u64 whole = 0;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, spin_below_mappings, 0, 1000);
	FOR_EACH_STACK(table, &stack)
	if (stack.end == PROFIL_WALK_BY_RBP && stack.nr == CALLERS + 1 &&
	    stack.at[CALLERS] == IN_SPIN_WITH)
		whole += stack.count;
	EXPECT_LT(800, whole);
	EXPECT_LT(table->taken.walk_deferred, table->taken.hits / 4);
}

/* More names than a small table has room for, and mappings of a file without one */
#define FILES 120
#define NAMELESS 20000

static const char *map_without_names(void)
{
	size_t page = page_size();
	char *at = new_reserved(NAMELESS * page);
	int fd = code_file(NULL);

	for (size_t i = 0; i < rounds_of(NAMELESS, 1000); i++)
		if (mmap(at + i * page, page, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, fd, CODE_AT) == MAP_FAILED)
			return NULL;
	/* New mappings are below those, so that they have the names. */
	for (unsigned int i = 0; i < FILES; i++)
		if (!code_map(code_file(NULL), NULL))
			return NULL;
	return at;
}

static volatile __u64 *turns;

static int count_turns(unsigned long unused)
{
	const char *code = map_without_names();

	(void)unused;
	if (!code)
		return 1;
	for (;; ++*turns)
		spin_at(code, FAST_NS);
	return 0;
}

TEST_F(one_table, program_goes_on_while_its_text_is_looked_up)
{
	struct table *table;
	__u64 before;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, PROFIL_TABLE_MIN_LOG2);
	turns = new_shared(page_size());
	pid = child_that_waits(count_turns, 0);
	kill(pid, SIGCONT);
	ASSERT_TRUE(WAIT_FOR(*turns));
	ASSERT_OK(table_add(table, pid, 0));
	before = *turns;
	EXPECT_TRUE(WAIT_FOR(*turns > before + 20));
	kill_child(pid);
	take(table, 0);
	EXPECT_LT(0, table->taken.full);
}

TEST_HARNESS_MAIN
