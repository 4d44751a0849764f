// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of a few KB, without a C library, that spends some 200,000 instructions in
 * heavy() and exits. That is eight periods of day.sh, each of which has a sample, so one
 * is in heavy() also where a thread of the kernel interrupts it. many_programs makes
 * programs of it that differ in their build ID, in place of its own: see the Makefile.
 */
#define ROUNDS 100000

#if defined(__x86_64__)
#define EXIT "syscall" ::"a"(60), "D"(0)
#elif defined(__aarch64__)
#define EXIT "mov x8, #93\n\tmov x0, #0\n\tsvc #0" :: : "x0", "x8"
#else
#error "The system call exit() of this processor is missing here."
#endif

__attribute__((noinline)) void heavy(unsigned long rounds)
{
	while (rounds--)
		__asm__ volatile("" ::: "memory");
}

_Noreturn void _start(void)
{
	heavy(ROUNDS);
	for (;;)
		__asm__ volatile(EXIT);
}
