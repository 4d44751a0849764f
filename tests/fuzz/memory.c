// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

enum access { NOTHING, READ, WRITE };

#define RANGES_MAX 64

struct range {
	__u64 from;
	__u64 to;
};

/* The access of each block now, and whether it is to be mapped anew */
static enum access accesses[NR_BLOCKS];
static bool changed[NR_BLOCKS];

static char shadow[NR_BLOCKS * BLOCK];

/* The bytes that the driver may write; all bytes, if there are more ranges */
static struct range allowed[RANGES_MAX];
static unsigned int nr_allowed;

static void *address_of(unsigned int block)
{
	return (void *)(ARENA + block * BLOCK);
}

static bool is_shared(unsigned int block)
{
	return address_of(block) == (void *)SHARED;
}

static char *shadow_of(__u64 at)
{
	return shadow + (at - ARENA);
}

/* The block has new memory, which is zero. */
static bool map_block(unsigned int block)
{
	int kind = is_shared(block) ? MAP_SHARED : MAP_PRIVATE;
	void *at = address_of(block);

	memset(shadow + block * BLOCK, 0, BLOCK);
	accesses[block] = at == (void *)HOLE	 ? NOTHING :
			  at == (void *)READONLY ? READ :
						   WRITE;
	if (accesses[block] == NOTHING)
		return !munmap(at, BLOCK);
	return mmap(at, BLOCK,
		    PROT_READ | (accesses[block] == WRITE ? PROT_WRITE : 0),
		    kind | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
}

/* The whole range is reserved first, so that the hole is surely one. */
bool memory_map(void)
{
	bool good = mmap((void *)ARENA, ARENA_END - ARENA, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0) == (void *)ARENA;

	for (unsigned int block = 0; good && block < NR_BLOCKS; block++)
		good = map_block(block);
	return good;
}

void memory_change(unsigned int block, enum change change)
{
	void *at = address_of(block);

	changed[block] = true;
	if (change == UNMAP) {
		munmap(at, BLOCK);
		accesses[block] = NOTHING;
	} else if (change == PROTECT && accesses[block] == WRITE) {
		mprotect(at, BLOCK, PROT_READ);
		accesses[block] = READ;
	} else if (change == DISCARD && accesses[block] != NOTHING) {
		madvise(at, BLOCK, MADV_DONTNEED);
		if (!is_shared(block))
			memset(shadow + block * BLOCK, 0, BLOCK);
	} else if (change == RENEW) {
		map_block(block);
	}
}

static bool has(__u64 at, __u64 bytes, enum access least)
{
	if (at < ARENA || at > ARENA_END || bytes > ARENA_END - at)
		return !bytes;
	for (__u64 block = (at - ARENA) / BLOCK;
	     bytes && block <= (at + bytes - 1 - ARENA) / BLOCK; block++)
		if (accesses[block] < least)
			return false;
	return true;
}

bool memory_reads(__u64 at, __u64 bytes)
{
	return has(at, bytes, READ);
}

bool memory_writes(__u64 at, __u64 bytes)
{
	return has(at, bytes, WRITE);
}

__u64 memory_harmless(__u64 address)
{
	__u64 low = address & ~ABOVE_4_GIB;

	if (low < BLOCK || address >= USER_END - BLOCK)
		return address;
	if (low >= ARENA - BLOCK && low < ARENA_END + BLOCK)
		return address;
	return ARENA + address % (ARENA_END - ARENA);
}

static void write_both(__u64 at, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)at, from, bytes);
	memcpy(shadow_of(at), from, bytes);
}

void memory_write(__u64 at, const void *from, size_t bytes)
{
	const char *next = from;

	if (memory_writes(at, bytes)) {
		write_both(at, from, bytes);
		return;
	}
	for (; bytes--; at++, next++)
		if (memory_writes(at, 1))
			write_both(at, next, 1);
}

void memory_allow(__u64 at, __u64 bytes)
{
	__u64 to = bytes > ARENA_END ? ARENA_END : at + bytes;

	if (at >= ARENA_END || to <= ARENA || !bytes)
		return;
	if (nr_allowed < RANGES_MAX)
		allowed[nr_allowed] = (struct range){ at, to };
	nr_allowed++;
}

static bool is_allowed(__u64 at)
{
	for (unsigned int i = 0; i < nr_allowed && i < RANGES_MAX; i++)
		if (at >= allowed[i].from && at < allowed[i].to)
			return true;
	return nr_allowed > RANGES_MAX;
}

static __u64 touched_in_page(__u64 at)
{
	__u64 end = at + page_size();

	if (!memcmp((void *)(uintptr_t)at, shadow_of(at), page_size()))
		return 0;
	for (; at < end; at++)
		if (*(char *)(uintptr_t)at != *shadow_of(at) && !is_allowed(at))
			return at;
	return 0;
}

/*
 * A page that is not resident is as it was mapped. It is not compared: most of the
 * time would be spent on page faults.
 */
static __u64 touched_in(__u64 at)
{
	unsigned char resident[BLOCK / 4096];
	size_t page = page_size(), i;
	__u64 found = 0;

	if (mincore((void *)(uintptr_t)at, BLOCK, resident))
		return at;
	for (i = 0; i < BLOCK / page && !found; i++)
		if (resident[i] & 1)
			found = touched_in_page(at + i * page);
	return found;
}

__u64 memory_touched(bool all)
{
	__u64 at, found = 0;

	for (at = all ? ARENA : STATES; at < ARENA_END && !found; at += BLOCK)
		if (memory_reads(at, BLOCK))
			found = touched_in(at);
	return found;
}

/* A block that is mapped anew is left out. */
static void restore_range(struct range range)
{
	__u64 from = range.from < ARENA ? ARENA : range.from;
	__u64 to = range.to > ARENA_END ? ARENA_END : range.to;

	for (; from < to; from += BLOCK - from % BLOCK) {
		__u64 end = from + BLOCK - from % BLOCK;

		if (end > to)
			end = to;
		if (!changed[(from - ARENA) / BLOCK] && memory_writes(from, 1))
			memcpy((void *)(uintptr_t)from, shadow_of(from),
			       end - from);
	}
}

void memory_restore(void)
{
	if (nr_allowed > RANGES_MAX)
		allowed[0] = (struct range){ ARENA, ARENA_END };
	for (unsigned int i = 0; i < nr_allowed && i < RANGES_MAX; i++)
		restore_range(allowed[i]);
	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		if (changed[i])
			map_block(i);
		changed[i] = false;
	}
	nr_allowed = 0;
}

#define RANDOMIZE "/proc/sys/kernel/randomize_va_space"
#define EXECUTED "PROFIL_RANDOM_ADDRESSES"

/* The letter of the setting before */
static char randomize(char letter)
{
	int fd = open(RANDOMIZE, O_RDWR | O_CLOEXEC);
	char before = '2';

	if (pread(fd, &before, 1, 0) != 1 || pwrite(fd, &letter, 1, 0) != 1)
		before = '2';
	close(fd);
	return before;
}

/*
 * In a guest without random addresses the stack reaches to USER_END, where no call may
 * read. The program executes itself again, at random ones.
 */
static __attribute__((constructor)) void execute_at_random(int argc,
							   char **argv)
{
	char before;

	(void)argc;
	if (getenv(EXECUTED)) {
		randomize('0');
		unsetenv(EXECUTED);
		return;
	}
	before = randomize('2');
	if (before != '0') {
		randomize(before);
		return;
	}
	setenv(EXECUTED, "1", 1);
	execv("/proc/self/exe", argv);
	abort();
}
