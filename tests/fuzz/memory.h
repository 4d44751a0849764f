/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arena: all user memory that arguments of calls may name, at fixed addresses
 * below 4 GiB, which 32-bit callers can name, too. The program is linked so that
 * its own memory lies high above.
 *
 * The arena has blocks of 64 KiB, a multiple of every page size. Each block has
 * an access, which decides what a call on it has to return.
 */
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define BLOCK 0x10000UL
#define NR_BLOCKS 16

#define ARENA 0x10000000UL
#define ARENA_END (ARENA + NR_BLOCKS * BLOCK)
#define COUNTERS ARENA /* more than START pins */
#define COUNTERS_BLOCKS 8
#define READONLY (ARENA + 8 * BLOCK)
#define REGIONS (ARENA + 9 * BLOCK) /* room for the most regions */
#define REGIONS_BLOCKS 3
#define STATES (ARENA + 12 * BLOCK)
#define SHARED (ARENA + 13 * BLOCK)
#define ARGUMENT (ARENA + 14 * BLOCK)
#define HOLE (ARENA + 15 * BLOCK)

#define KERNEL 0xffff800000000000ULL
/* Above this address no program has memory. */
#define USER_END 0x7ffffffff000ULL
#define ABOVE_4_GIB 0x100000000ULL

/* Map all blocks as they are named. False if an address is in use. */
bool memory_map(void);

/* Changes of a block's mapping */
enum change { UNMAP, PROTECT, DISCARD, RENEW, NR_CHANGES };

void memory_change(unsigned int block, enum change change);

/*
 * The arena has a shadow, a copy in memory of the program. memory_write() writes
 * to both, as far as the arena can be written. The driver writes to the arena
 * only, and only to bytes that memory_allow() has named.
 */
void memory_write(__u64 at, const void *from, size_t bytes);
void memory_allow(__u64 at, __u64 bytes);

/*
 * The address of a byte that the driver has written and was not allowed to, or 0.
 * Without @all, only blocks that are small or hold no counters are compared.
 */
__u64 memory_touched(bool all);

/*
 * Give the arena its first mappings, and the contents of the shadow. Nothing is
 * allowed any more. The last session has to have ended.
 */
void memory_restore(void);

/* True if all of [@at, @at + @bytes) can be read, or written. */
bool memory_reads(__u64 at, __u64 bytes);
bool memory_writes(__u64 at, __u64 bytes);

/* True if the address has memory of any access, or shared memory. */
bool memory_is_mapped(__u64 at);
bool memory_is_shared(__u64 at);

/*
 * @address if a call may be given it: it lies in the arena or near it, or where
 * no program has memory. Else an address in the arena.
 */
__u64 memory_harmless(__u64 address);

#endif /* FUZZ_MEMORY_H */
