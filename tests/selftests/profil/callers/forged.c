// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks that a program forges, and rows that its tracer does: each walk has an end, no
 * page is brought into memory for it, and the program notices nothing.
 */
#include "absent_page.h"
#include "numbers.h"
#include "stack_table.h"

#ifndef MAP_32BIT
#define MAP_32BIT 0 /* a flag of x86 */
#endif

static __u64 forged_sp;
static __u64 forged_bp;
static bool is_absent; /* the page there, which stays so */

/* Is the page at @address in memory? */
static bool is_present(const void *address)
{
	off_t at = (uintptr_t)address / page_size() * sizeof(__u64);
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	__u64 entry = 0;
	bool could = pread(fd, &entry, sizeof(entry), at) == sizeof(entry);

	close(fd);
	return could && entry >> 63;
}

static int spin_forged(unsigned long unused)
{
	(void)unused;
	do
		spin_with(forged_sp, 4 * LOOPS, forged_bp, 0);
	while (!is_absent || !is_present((void *)forged_sp));
	return 1;
}

/* Most samples are in the loop; the others are at their end without rows. */
static void expect_end(one_table_data *self, const __u64 *walks,
		       const char *what)
{
	struct table *table = &self->table;

	run_for(table, spin_forged, 0, 200);
	EXPECT_LT(150, *walks)
	{
		TH_LOG("%s", what);
	}
	EXPECT_LE(table->taken.hits, *walks + table->taken.walk_no_rows);
}

static char *page_without(int protection)
{
	char *page = new_pages(2 * page_size());

	mprotect(page, 2 * page_size(), protection);
	return page;
}

static char *behind_a_file(void)
{
	int fd = memfd_create("short", MFD_CLOEXEC);
	char *at = mmap(NULL, 2 * page_size(), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);

	ASSERT_NE(MAP_FAILED, at);
	close(fd);
	return at;
}

TEST_F(one_table, memory_that_is_not_there_ends_a_walk)
{
	const __u64 *fault = &self->table.taken.walk_fault;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	begin_stacks(self, 0, STACK_LOG2);
	forged_sp = 0x1000;
	expect_end(self, fault, "no mapping");
	forged_sp = (uintptr_t)page_without(PROT_NONE);
	expect_end(self, fault, "no rights");
	forged_sp = (uintptr_t)behind_a_file();
	expect_end(self, fault, "behind the end of a file");
	is_absent = true;
	forged_sp = (uintptr_t)new_reserved(1 << 20);
	expect_end(self, fault, "a page that was never used");
	is_absent = false;
	forged_sp = 0xffff888000000000;
	expect_end(self, fault, "the kernel");
	forged_sp = 0x800000000000;
	expect_end(self, fault, "no address");
	/* Without random addresses it is above the first stack, and zero. */
	forged_sp = 0x7ffffffff000 - 8;
	expect_end(self,
		   is_present((void *)forged_sp) ?
			   &self->table.taken.walk_base :
			   fault,
		   "the last word of user memory");
	forged_sp = -8ULL;
	expect_end(self, &self->table.taken.walk_bad, "the last word");
}

/* The child's own page: it has no server. A walk that waited would end the loop. */
static int spin_on_userfaultfd(unsigned long unused)
{
	char *page = new_reserved(page_size());

	if (absent_page_keep(page) < 0)
		return 1;
	forged_sp = (uintptr_t)page;
	return spin_forged(unused);
}

TEST_F(one_table, a_walk_does_not_wait_for_a_page)
{
	int fd = absent_page_keep(new_reserved(page_size()));
	struct table *table;

	if (!HAVE_STACKS || fd < 0)
		SKIP(return, "no code for this processor, or no userfaultfd");
	close(fd);
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, spin_on_userfaultfd, 0, 200);
	EXPECT_LT(150, table->taken.walk_fault);
}

/* The return address of the call in base_b() */
static __u64 in_base_b(void)
{
	return (uintptr_t)base_b + 8;
}

/* Swap on a file in memory; no page of that is swapped. */
#define SWAP "/tmp/forged-swap"
#define DEVICE SWAP "-device"
#define SWAP_ON                                                            \
	"{ dd if=/dev/zero of=" SWAP " bs=1M count=8 && "                  \
	"device=$(losetup -f) && losetup $device " SWAP " && "             \
	"ln -s $device " DEVICE " && mkswap $device && swapon $device; } " \
	">/dev/null 2>&1"
#define SWAP_OFF                                                              \
	"{ swapoff " DEVICE "; losetup -d " DEVICE "; rm -f " DEVICE " " SWAP \
	"; } >/dev/null 2>&1"

/* A stack in swap */
static void *swapped_page(void)
{
	__u64 *words = new_pages(page_size());

	words[0] = in_base_b();
	EXPECT_TRUE(WAIT_FOR(!madvise(words, page_size(), MADV_PAGEOUT) &&
			     !is_present(words)));
	return words;
}

TEST_F(one_table, a_stack_in_swap_stays_there)
{
	if (!HAVE_STACKS || system(SWAP_ON)) {
		system(SWAP_OFF);
		SKIP(return, "no code for this processor, or no swap");
	}
	begin_stacks(self, 0, STACK_LOG2);
	is_absent = true;
	forged_sp = (uintptr_t)swapped_page();
	expect_end(self, &self->table.taken.walk_fault, "a page in swap");
	EXPECT_EQ(0, system(SWAP_OFF));
}

TEST_F(one_table, data_is_no_return_address)
{
	__u64 *words = new_pages(page_size());

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	begin_stacks(self, 0, STACK_LOG2);
	forged_sp = (uintptr_t)words;
	words[0] = (uintptr_t)words;
	expect_end(self, &self->table.taken.walk_unmapped, "data");
	words[0] = 0x1234567890abcdef;
	expect_end(self, &self->table.taken.walk_unmapped, "no address");
	words[0] = 0;
	expect_end(self, &self->table.taken.walk_base, "zero");
}

/* A stack of return addresses into the loop itself */
TEST_F(one_table, an_endless_stack_ends_at_its_depth)
{
	size_t bytes = 64 * page_size();
	__u64 *words = new_pages(bytes);

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	begin_stacks(self, 0, STACK_LOG2);
	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = (uintptr_t)spin_with_loop + 2;
	forged_sp = (uintptr_t)words;
	expect_end(self, &self->table.taken.walk_depth, "endless");
}

/* The samples in the loop that end so, with @nr functions */
static __u64 loops_with(const struct table *table, __u32 end, unsigned int nr)
{
	struct stack stack;
	__u64 sum = 0;

	FOR_EACH_STACK(table, &stack)
	if (stack.end == end && stack.nr == nr &&
	    stack.at[nr - 1] == IN_SPIN_WITH)
		sum += stack.count;
	return sum;
}

/* Two kinds of a stack by turns, of which the loop has the same rsp */
static void expect_turns(one_table_data *self,
			 int (*body)(unsigned long unused), __u32 end,
			 unsigned int nr, __u32 other_end,
			 unsigned int other_nr)
{
	struct table *table = begin_stacks(self, 0, STACK_LOG2);

	run_for(table, body, 0, 2000);
	EXPECT_LT(400, loops_with(table, end, nr));
	EXPECT_LT(400, loops_with(table, other_end, other_nr));
}

static int end_by_zero(unsigned long unused)
{
	__u64 *words = new_pages(page_size());

	(void)unused;
	for (unsigned int i = 0;; i++) {
		words[0] = i % 2 ? in_base_b() : 0;
		spin_with((uintptr_t)words, LOOPS, 0, 0);
	}
	return 0;
}

static int end_by_fault(unsigned long unused)
{
	__u64 *words = new_pages(page_size());

	(void)unused;
	for (unsigned int i = 0;; i++) {
		if (i % 20 == 0)
			words[0] = in_base_b();
		if (i % 20 == 10)
			madvise(words, page_size(), MADV_DONTNEED);
		spin_with((uintptr_t)words, LOOPS, 0, 0);
	}
	return 0;
}

/* The caller's text is there, or is not. */
static int end_by_text(unsigned long unused)
{
	int fd = code_file(NULL);
	__u64 *words = new_pages(page_size());
	char *text = new_pages(SITES_BYTES);

	(void)unused;
	words[0] = (uintptr_t)text + 8;
	for (unsigned int i = 0;; i++) {
		if (i % 100 == 0)
			munmap(text, SITES_BYTES);
		if (i % 100 == 50 && !code_map(fd, text))
			return 1;
		spin_with((uintptr_t)words, LOOPS, 0, 0);
	}
	return 0;
}

/* A file is mapped when memory is text no more, and not when it becomes text. */
static int end_by_memory(unsigned long unused)
{
	int fd = code_file(NULL);
	char *text = new_pages(page_size());
	__u64 *words = new_pages(page_size());

	(void)unused;
	words[0] = (uintptr_t)text + 8;
	for (unsigned int i = 0;; i++) {
		if (i % 800 == 0) {
			mprotect(text, page_size(), PROT_READ);
			munmap((void *)code_map(fd, NULL), SITES_BYTES);
		}
		if (i % 800 == 400)
			mprotect(text, page_size(), PROT_READ | PROT_EXEC);
		spin_with((uintptr_t)words, LOOPS, 0, 0);
	}
	return 0;
}

TEST_F(one_table, what_ended_a_walk_is_looked_at_again)
{
	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	expect_turns(self, end_by_zero, PROFIL_WALK_BASE, 1, PROFIL_WALK_BASE,
		     2);
	expect_turns(self, end_by_fault, PROFIL_WALK_FAULT, 1, PROFIL_WALK_BASE,
		     2);
	expect_turns(self, end_by_text, PROFIL_WALK_UNMAPPED, 1,
		     PROFIL_WALK_NO_ROWS, 2);
	expect_turns(self, end_by_memory, PROFIL_WALK_UNMAPPED, 1,
		     PROFIL_WALK_BY_RBP, 2);
}

static int spin_32(unsigned long unused)
{
	unsigned char *page =
		mmap(NULL, page_size(), PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	(void)unused;
	if (page == MAP_FAILED)
		return 1;
	narrow_code(page);
	for (;;)
		spin_narrow(page, LOOPS);
	return 0;
}

TEST_F(one_table, narrow_code_has_its_leaf_alone)
{
	struct table *table;
	struct stack stack;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, spin_32, 0, 200);
	EXPECT_LT(150, table->taken.walk_narrow);
	FOR_EACH_STACK(table, &stack)
	if (stack.end == PROFIL_WALK_NARROW)
		EXPECT_EQ(1, stack.nr);
}

/* Rows that are valid, of random rules */
static struct profil_row random_row(__u32 offset)
{
	struct profil_row row = { .offset = offset };
	__u64 bits = random_next();

	switch (bits % 8) {
	case PROFIL_RULE_NONE:
		row.rule = bits & 0x100 ? PROFIL_RULE_BY_RBP : 0;
		return row;
	case PROFIL_RULE_END:
		row.rule = PROFIL_RULE_SIGNAL;
		return row;
	case PROFIL_RULE_SP:
		row.rule = PROFIL_RULE_SP | (1 + (bits >> 8) % 16) << 3;
		break;
	case PROFIL_RULE_PLT:
		row.rule = PROFIL_RULE_PLT | (bits >> 8) % 16 << 3;
		return row;
	case PROFIL_RULE_SIGNAL:
		row.rule = PROFIL_RULE_BP | (bits >> 8 & 0x1fff) << 3;
		break;
	default:
		row.rule = bits % 8 | ((bits >> 8) % 32 - 8) << 3;
	}
	row.bp = bits >> 32 & 1 ? -1 - (bits >> 40) % 128 :
		 bits >> 33 & 1 ? PROFIL_ROW_AT_BP :
				  0;
	row.bx = bits >> 34 & 1 ? -1 - (bits >> 48) % 128 : 0;
	return row;
}

/* Words that are text, addresses of the stack, or anything */
static __u64 random_word(const __u64 *words, size_t nr)
{
	__u64 bits = random_next();

	switch (bits >> 62) {
	case 0:
		return bits << 2;
	case 1:
		return (uintptr_t)&words[(bits >> 8) % nr];
	default:
		return (uintptr_t)stacks_begin + (bits >> 8) % 256;
	}
}

static int spin_at_random(unsigned long unused)
{
	size_t nr = 4 * page_size() / sizeof(__u64);
	__u64 *words = new_pages(4 * page_size());

	(void)unused;
	for (unsigned int turn = 0;; turn++) {
		for (size_t i = turn % 64; i < nr; i += 64)
			words[i] = random_word(words, nr);
		spin_with(random_word(words, nr), LOOPS / 8,
			  random_word(words, nr), random_word(words, nr));
	}
	return 0;
}

#define RANDOM_ROWS 2000
/* Each waits for the kernel twice, which a busy host makes long. */
#define TIMES 40

TEST_F(one_table, random_rows_over_random_stacks_have_ends)
{
	static struct profil_row rows[RANDOM_ROWS];
	__u64 until = wall_ns() + TIMEOUT_NS;
	unsigned int nr = rounds_of(TIMES, 15);
	struct table *table;
	__u32 begin;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	TH_LOG("SEED=%llu", random_begin());
	begin = (__u32)offset_of(stacks_begin);
	table = begin_stacks(self, 0, STACK_LOG2);
	pid = child_that_waits(spin_at_random, 0);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	for (unsigned int i = 0; i < nr && wall_ns() < until; i++) {
		for (size_t r = 0; r < RANDOM_ROWS; r++)
			rows[r] = random_row(begin + r);
		EXPECT_OK(stack_load_again(table, rows, RANDOM_ROWS));
		sleep_ns(100 * NSEC_PER_MSEC);
		take(table, 0);
	}
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	kill_child(pid);
	take_last(table);
	EXPECT_LT(0, table->sum.walk_fault);
	EXPECT_LT(0, table->sum.walk_bad);
	EXPECT_LT(0, table->sum.walk_unmapped);
	TH_LOG("%llu walks, %llu at a fault, %llu bad", table->sum.hits,
	       table->sum.walk_fault, table->sum.walk_bad);
}

TEST_HARNESS_MAIN
