// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processor of the test machine follows its manual in a case that QEMU
 * before version 8.0 emulates wrongly.
 */
#include <cpuid.h>

#include "../selftests/profil/common.h"
#include "tap.h"

/* IF, and the bit that is always set */
#define FLAGS_KNOWN 0x202UL
/* CF, PF, AF, ZF, SF and OF, which the addition below sets */
#define FLAGS_ARITHMETIC 0x8d5UL

#define PROBE                        \
	"push %[known]\n\t"          \
	"popf\n\t"                   \
	"add %[operand], %[sum]\n\t" \
	"cmpxchg16b %[pair]\n\t"     \
	"pushf\n\t"                  \
	"pop %[flags]\n\t"           \
	"cld"

static uint64_t pair[2] __attribute__((aligned(16)));

static bool has_cmpxchg16b(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx & bit_CMPXCHG16B;
}

/*
 * Flags after cmpxchg16b, from FLAGS_KNOWN, where an addition of @operand was
 * the last instruction to set flags. The direction flag is clear on return.
 */
static uint64_t flags_after_cmpxchg16b(uint64_t operand)
{
	uint64_t sum = 0, flags, rax = 0, rdx = 0;

	__asm__ volatile(PROBE
			 : [flags] "=&r"(flags), [sum] "+&r"(sum), "+a"(rax),
			   "+d"(rdx), [pair] "+m"(pair)
			 : [known] "i"(FLAGS_KNOWN), [operand] "r"(operand),
			   "b"(0UL), "c"(0UL)
			 : "memory", "cc");
	return flags;
}

/* Bit 8, the single step flag, is left out: it would take effect. */
TEST("cmpxchg16b, if present, changes no flag but ZF")
{
	if (!has_cmpxchg16b())
		return true;
	for (unsigned int bit = 9; bit < 22; bit++) {
		uint64_t flags = flags_after_cmpxchg16b(1UL << bit);

		CHECK_EQUAL(FLAGS_KNOWN, flags & ~FLAGS_ARITHMETIC);
	}
	return true;
}
