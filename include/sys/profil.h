/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * profil() and sprofil(): profiles of a program's CPU time, as histograms of the
 * program counter that the kernel keeps in the program's own memory
 *
 * The prototypes, the structure and the constants are glibc's, so that source
 * written for either header compiles with both, and binaries built with either
 * run with both libraries. PROF_UINT64, PROF_STRICT, PROFIL_MAX and profil_svr4()
 * are additions. AIX's calls are in <mon.h>.
 */
#ifndef _SYS_PROFIL_H
#define _SYS_PROFIL_H

#ifdef _MON_H
#error "<mon.h> and <sys/profil.h> have different structs prof: include one"
#endif

#include <stddef.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#if __cplusplus >= 201103L
#define __PROFIL_NOTHROW noexcept
#else
#define __PROFIL_NOTHROW throw()
#endif
#else
#define __PROFIL_NOTHROW
#endif

/* Type of pr_off on IRIX: an unsigned integer of a pointer's size */
typedef unsigned long __psunsigned_t;

/** PROFIL_MAX - the most regions that sprofil() takes */
#define PROFIL_MAX 4096

/**
 * struct prof - one range of text and the counters for it
 * @pr_base: first counter, aligned to the counter's width
 * @pr_size: bytes of counters; a last counter that does not fit is not used
 * @pr_off: lowest program counter of the region
 * @pr_scale: counters for text, a fixed-point number with 16 bits of fraction:
 *	0x10000 is one counter for as many bytes of text as the counter is
 *	wide, 0x8000 one for twice as many; 0 and 1 switch the region off. It
 *	must fit in 32 bits.
 *
 * A region with a @pr_off of 0 and a @pr_scale of 2 is the overflow bin, at any
 * index of the list: its first counter counts the samples in no other region.
 */
struct prof {
	void *pr_base;
	size_t pr_size;
	size_t pr_off;
	unsigned long pr_scale;
};

/* Flags of sprofil(): one width, and PROF_FAST or not */
enum {
	PROF_USHORT = 0, /* 16-bit counters, which stop at 65535 */
	PROF_UINT = 1 << 0, /* 32-bit counters, which stop at 4294967295 */
	PROF_FAST = 1 << 1, /* a sample each millisecond of CPU time */
	PROF_UINT64 = 1 << 2, /* 64-bit counters, not in glibc */
	PROF_STRICT = 1 << 3 /* IRIX's errors, and no others; not in glibc */
};

/**
 * profil() - count program counters of this process in @buf, or stop
 * @buf: 16-bit counters, aligned to 2 bytes; NULL stops
 * @bufsiz: bytes at @buf; less than 2 stops, too
 * @offset: lowest program counter that counts
 * @scale: as in struct prof; 0 and 1 stop
 *
 * At each tick of the scheduler clock that a thread of the process runs in, the
 * counter with the index ((pc - offset) / 2) * scale / 65536 is incremented if
 * it lies in the buffer. The call replaces the profile that is on. See
 * profil(3profil).
 *
 * Return: 0, or -1 with errno set, and then no profile is on: EFAULT if @buf is
 * not writable memory, EINVAL if it is misaligned, ENOMEM if memory or
 * RLIMIT_MEMLOCK does not suffice, ENODEV if the driver is absent and
 * PROFIL_REQUIRE=1, or there is no such function in the C library.
 */
int profil(unsigned short *buf, size_t bufsiz, size_t offset,
	   unsigned int scale) __PROFIL_NOTHROW;

/**
 * profil_svr4() - profil() as SVR4 has it
 * @buf: 16-bit counters, aligned to 2 bytes
 * @bufsiz: bytes at @buf; less than 2 stops
 * @offset: lowest program counter that counts
 * @scale: a fraction of 16 bits; higher bits are ignored, except for 0x10000,
 *	which is a counter per 2 bytes of text; 0 and 1 stop
 *
 * Profiling ends when a counter has reached 32767. See profil_svr4(3profil).
 *
 * Return: as profil().
 */
int profil_svr4(unsigned short *buf, size_t bufsiz, size_t offset,
		unsigned int scale) __PROFIL_NOTHROW;

/**
 * sprofil() - count program counters of this process in several regions
 * @profp: the regions, in any order; they may overlap
 * @profcnt: how many, at most PROFIL_MAX; 0 stops, unless PROF_STRICT is there
 * @tvp: takes the time between two samples of a thread, unless NULL
 * @flags: PROF_* flags
 *
 * A program counter counts in the region with the largest pr_off among those
 * that have a counter for it; of several with the same pr_off, in the first. The call
 * replaces the profile that is on. See sprofil(3profil).
 *
 * Return: 0, or -1 with errno set, and then no profile is on. In this order:
 * E2BIG if @profcnt is negative or more than PROFIL_MAX, or 0 with PROF_STRICT,
 * EINVAL for @flags, EFAULT for @profp, EINVAL for a pr_scale of more than 32
 * bits, EACCES for PROF_FAST where it is switched off or impossible, for each
 * region EINVAL if pr_base is misaligned and EFAULT if it is not writable memory,
 * which with PROF_STRICT only switch the region off, and, with PROF_STRICT,
 * EINVAL if it is the overflow bin and not the last, ENOMEM, EFAULT for @tvp;
 * ENODEV as for profil().
 */
int sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
	    unsigned int flags) __PROFIL_NOTHROW;

#undef __PROFIL_NOTHROW

#ifdef __cplusplus
}
#endif

#endif /* _SYS_PROFIL_H */
