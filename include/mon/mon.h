/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AIX's profil() and monitor(), for source that was written for AIX
 *
 * The header is in a directory of its own, which `pkg-config --cflags profil-mon`
 * names: profil() and struct prof differ from those in <unistd.h> and
 * <sys/profil.h>. A source file that includes it has the name profil bound to
 * profil_aix(); all other code keeps the C library's function. In the library
 * monitor() is named profil_monitor and _mondata profil_mondata, since other
 * libraries of a program may have a monitor of their own.
 */
#ifndef _MON_H
#define _MON_H

#ifdef _SYS_PROFIL_H
#error "<mon.h> and <sys/profil.h> have different structs prof: include one"
#endif

/* <unistd.h> declares glibc's profil(), before the name is redirected. */
#include <sys/types.h>
#include <unistd.h>

/* glibc defines caddr_t in <sys/types.h>, except for strict ISO C. */
#if defined(__GLIBC__) && !defined(__caddr_t_defined)
typedef char *caddr_t;
#define __caddr_t_defined
#endif

/*
 * Parameters of functions that source for AIX calls with integers as well as
 * pointers, as monstartup(-1, 0), and declares again without parameters. In C23,
 * in GCC from version 13 on, and in C++, () means no arguments.
 */
#if defined(__cplusplus) ||                                        \
	defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L && \
		(!defined(__GNUC__) || __GNUC__ >= 13 || defined(__clang__))
#define __MON_ARGUMENTS (...)
#else
#define __MON_ARGUMENTS ()
#endif

#ifdef __cplusplus
extern "C" {
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif

/* Counter of samples, which stops at USHRT_MAX */
typedef unsigned short HISTCOUNTER;

#define HIST_COUNTER_SIZE (sizeof(HISTCOUNTER))

/* Bytes of text per counter: one counter per instruction of 4 bytes */
#define INST_CNT_SIZE 4

/** NUM_HIST_COUNTERS - counters for @range bytes of text, one for 4 bytes */
#define NUM_HIST_COUNTERS(range) (((range) + INST_CNT_SIZE - 1) / INST_CNT_SIZE)
#define HIST_NUM_COUNTERS(range) NUM_HIST_COUNTERS(range)

/** HIST_STG_SIZE - bytes of that many counters */
#define HIST_STG_SIZE(range) (NUM_HIST_COUNTERS(range) * HIST_COUNTER_SIZE)

/* Scale of profil() for one counter per INST_CNT_SIZE bytes */
#define HIST_SCALE_1_TO_1 \
	((unsigned int)(0x10000 * HIST_COUNTER_SIZE / INST_CNT_SIZE))

/*
 * ROUNDUP - smallest multiple of @unit not below @value; ROUNDDOWN - largest one
 * not above @value; for integers that are not negative
 */
#ifndef ROUNDUP
#define ROUNDUP(value, unit) ((-1 + (value) + (unit)) / (unit) * (unit))
#endif
#ifndef ROUNDDOWN
#define ROUNDDOWN(value, unit) ((value) / (unit) * (unit))
#endif

/**
 * struct prof - one range of text and the counters for it
 * @p_low: first address of the range
 * @p_high: first address after the range; 0 ends the array, or profiling
 * @p_buff: the counters
 * @p_bufsize: room at @p_buff: in bytes for profil(), in HISTCOUNTERs for
 *	monitor()
 * @p_scale: a fixed-point fraction of 16 bits; -1 to have it computed from the
 *	range and the size. monitor() always computes it.
 */
struct prof {
	caddr_t p_low;
	caddr_t p_high;
	HISTCOUNTER *p_buff;
	int p_bufsize;
	unsigned int p_scale;
};

/**
 * profil_aix() - AIX's profil(), to which <mon.h> binds that name
 * @buffer: counters, or with a @size of -1 an array of struct prof
 * @size: bytes at @buffer, or -1
 * @offset: lowest program counter that counts; ignored if @size is -1
 * @scale: fraction of 16 bits, what is above them is ignored: 0xffff is a
 *	counter for 2 bytes of text, 2 one counter for everything, 0 and 1 stop;
 *	ignored if @size is -1
 *
 * A call has no effect if it would start profiling that is on, stop profiling
 * that is off, or stop profiling that the other syntax has started.
 *
 * Return: 0, or -1 with errno set: EFAULT for an address that is not valid or
 * counters that cannot be locked in memory; EINVAL if the p_high are not in
 * ascending order; ENODEV without the driver.
 */
int profil_aix(void *buffer, unsigned int size, unsigned long offset,
	       unsigned int scale);

/*
 * profil() takes pointers of any type, and integers for addresses. A program may
 * declare profil() again without parameters and with any result type: the manual
 * says void, and programs use the result.
 */
#ifdef __USE_MISC /* glibc has declared profil(). The name without a call is bound, too. */
extern __typeof__(profil) profil __asm__("profil_aix");
#else
int profil(unsigned short *buffer, size_t size, size_t offset,
	   unsigned int scale) __asm__("profil_aix");
#endif
#define __MON_5TH(a, b, c, d, e, ...) e
#define __MON_CALL(buffer, size, offset, scale)            \
	profil_aix((void *)(buffer), (unsigned int)(size), \
		   (unsigned long)(offset), (unsigned int)(scale))
#define __MON_DECLARE(nothing) __profil_declared(nothing)
#define profil(...)                                                   \
	(__MON_5TH(__VA_ARGS__, __MON_CALL, __MON_WRONG, __MON_WRONG, \
		   __MON_DECLARE, __MON_WRONG)(__VA_ARGS__))

/* struct monglobal.prof_type */
#define _PROF_TYPE_IS_P (-1) /* counts of calls, mon.out */
#define _PROF_TYPE_IS_PG 1 /* arcs from callers to callees, gmon.out */

/**
 * struct monglobal - state shared by monitor() and its related functions
 * @prof_type: kind of profile that monitor() makes, set by the program before
 *	the call, or by the start files of a program compiled with -pg
 * @mon_size: first of the arguments of profil() that monitor() has computed; -1
 *	if @mon_buffer is an array of struct prof
 * @mon_buffer: counters, or the array
 * @mon_offset: lowest program counter
 * @mon_scale: scale
 * @monstubuf: for the program's use; the library does not change it
 * @reserved: reserved
 */
struct monglobal {
	int prof_type;
	unsigned int mon_size;
	void *mon_buffer;
	unsigned long mon_offset;
	unsigned int mon_scale;
	void *monstubuf;
	unsigned int reserved[6];
};

extern struct monglobal _mondata __asm__("profil_mondata");

/**
 * struct frag - a range of text for monstartup()
 * @p_low: first address of the range
 * @p_high: first address after the range; 0 ends the array
 */
struct frag {
	caddr_t p_low;
	caddr_t p_high;
};

/**
 * struct poutcnt - number of calls of a function, in the layout of mon.out
 * @fn: address of the function
 * @count: number of calls
 */
struct poutcnt {
	void *fn;
	long count;
};

/*
 * Types for the size of the room for calls that a program that uses -pg leaves at
 * the front of its counters. The library counts calls in a table of its own, so
 * the room stays unused.
 */

/**
 * struct tostruct - a caller of a function
 * @selfpc: the call's address
 * @count: number of calls
 * @link: the next caller
 */
struct tostruct {
	unsigned long selfpc;
	long count;
	unsigned short link;
};

/**
 * struct gfctl - the head of one range's calls
 * @low: first address of the range
 * @high: first address after the range
 * @from: callers by address
 * @to: callers of each function
 * @tolimit: elements of @to
 */
struct gfctl {
	char *low;
	char *high;
	unsigned short *from;
	struct tostruct *to;
	unsigned long tolimit;
};

#define MINARCS 50
#define TO_MAX 65535

/** TO_NUM_ELEMENTS - arcs expected in @range bytes of text: 2 per 100 bytes */
#define TO_NUM_ELEMENTS(range) ((range) / 100 * 2)

/** FROM_STG_SIZE - bytes of the index of callers, a short per 4 bytes of text */
#define FROM_STG_SIZE(range) (NUM_HIST_COUNTERS(range) * sizeof(unsigned short))

/*
 * monitor() - start profiling, or stop it and write the file
 *
 * The first argument is the first address of the range, a pointer; 0 stops. The
 * other arguments of a start: the first address after the range (a pointer), the
 * counters (HISTCOUNTER *), their number (int), and the room for calls at their
 * front (int), in struct poutcnt if _mondata.prof_type is _PROF_TYPE_IS_P, in
 * bytes if _PROF_TYPE_IS_PG. If the number of counters is -1, the counters are an
 * array of struct prof, terminated by a p_high of 0; the ranges ascend and do not
 * overlap, all counters are contiguous, and the room for calls is at the front of
 * the first.
 *
 * Return: 0, or -1 with errno set, after a message on the standard error.
 */
int monitor __MON_ARGUMENTS __asm__("profil_monitor");

/*
 * monstartup() - profile ranges of text with memory of the library's
 *
 * Two arguments, both pointers or unsigned long: the first address of the range
 * and the first address after it; -1 and the address of an array of struct frag;
 * or -1 and 0, for the program and all loaded libraries.
 *
 * Return: 0, or -1 with errno set, after a message on the standard error if
 * _mondata.prof_type is set.
 */
int monstartup __MON_ARGUMENTS;

/**
 * moncontrol() - pause or resume profiling
 * @mode: 0 pauses
 *
 * Return: 1 if profiling was on before, 0 if it was off.
 */
int moncontrol(int mode);

#undef __MON_ARGUMENTS

#ifdef __cplusplus
}
#else
#pragma GCC diagnostic pop
#endif

#endif /* _MON_H */
