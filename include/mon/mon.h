/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * AIX's profil() and monitor(), for source that was written for AIX
 *
 * It is in a directory of its own, which `pkg-config --cflags profil-mon` names:
 * here profil() is another function, and struct prof another structure, than in
 * <unistd.h> and <sys/profil.h>. Including it binds the name profil to
 * profil_aix(), and leaves the C library's function to everybody else. In the
 * library monitor() is profil_monitor and _mondata is profil_mondata, as other
 * libraries of a program may well have a monitor of their own.
 */
#ifndef _MON_H
#define _MON_H

#ifdef _SYS_PROFIL_H
#error "<mon.h> and <sys/profil.h> have different structs prof: include one"
#endif

/* What this declares of glibc's profil() has to come before the redirection. */
#include <sys/types.h>
#include <unistd.h>

/* glibc has it in <sys/types.h>, if it is not to be ISO C alone. */
#if defined(__GLIBC__) && !defined(__caddr_t_defined)
typedef char *caddr_t;
#define __caddr_t_defined
#endif

/*
 * Functions that source for AIX calls with integers as well as with pointers,
 * as monstartup(-1, 0), and declares itself once more without parameters. In C23,
 * which GCC has from version 13 on, that is without arguments, as in C++.
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

/* A counter of program counters; a full one stays at USHRT_MAX. */
typedef unsigned short HISTCOUNTER;

#define HIST_COUNTER_SIZE (sizeof(HISTCOUNTER))

/* Bytes of text to a counter: one for each instruction, where these have 4 */
#define INST_CNT_SIZE 4

/** NUM_HIST_COUNTERS - counters for @range bytes of text, one for 4 bytes */
#define NUM_HIST_COUNTERS(range) (((range) + INST_CNT_SIZE - 1) / INST_CNT_SIZE)
#define HIST_NUM_COUNTERS(range) NUM_HIST_COUNTERS(range)

/** HIST_STG_SIZE - bytes of that many counters */
#define HIST_STG_SIZE(range) (NUM_HIST_COUNTERS(range) * HIST_COUNTER_SIZE)

/* The scale of profil() with which there are as many */
#define HIST_SCALE_1_TO_1 \
	((unsigned int)(0x10000 * HIST_COUNTER_SIZE / INST_CNT_SIZE))

/*
 * ROUNDUP - the multiple of @unit that is not below @value, and ROUNDDOWN the
 * one that is not above it, for integers that are not negative
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
 * @p_high: first address behind it; 0 ends the array, or profiling
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
 * profil_aix() - AIX's profil(), by which name <mon.h> has it called
 * @buffer: counters, or with a @size of -1 an array of struct prof
 * @size: bytes at @buffer, or -1
 * @offset: lowest program counter that counts; ignored if @size is -1
 * @scale: fraction of 16 bits, what is above them is ignored: 0xffff is a
 *	counter for 2 bytes of text, 2 one counter for everything, 0 and 1 stop;
 *	ignored if @size is -1
 *
 * It has no effect if profiling is on and it would start, if profiling is off
 * and it would stop, and if it would stop what the other syntax has started.
 *
 * Return: 0, or -1 with errno set: EFAULT for an address that is not valid or
 * counters that cannot be locked in memory; EINVAL if the p_high are not in
 * ascending order; ENODEV without the driver.
 */
int profil_aix(void *buffer, unsigned int size, unsigned long offset,
	       unsigned int scale);

/*
 * profil() takes pointers of any type, and integers for addresses. It may be
 * declared once more without parameters, of whichever type: the manual has it
 * void, and programs look at what it returns.
 */
#ifdef __USE_MISC /* glibc has declared it. Its name without a call is AIX's. */
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
#define _PROF_TYPE_IS_PG 1 /* who called whom, gmon.out */

/**
 * struct monglobal - what monitor() and its kin know of each other
 * @prof_type: which kind of profile monitor() makes, to be set before; the
 *	start-up code of a program compiled with -pg sets it, too
 * @mon_size: the arguments of profil() that monitor() has found, with which
 * @mon_buffer: moncontrol() switches profiling off and on; a @mon_size of -1
 * @mon_offset: says that @mon_buffer is an array of struct prof
 * @mon_scale: the last of them
 * @monstubuf: for a program to note its counters in; the library leaves it alone
 * @reserved: not to be used
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
 * @p_high: first address behind it; 0 ends the array
 */
struct frag {
	caddr_t p_low;
	caddr_t p_high;
};

/**
 * struct poutcnt - how often a function was called, as mon.out has it
 * @fn: its address
 * @count: calls
 */
struct poutcnt {
	void *fn;
	long count;
};

/*
 * The room for calls that a program that uses -pg leaves at the front of its
 * counters. The library keeps calls in a table that grows, so these say only
 * how much is left unused there.
 */

/**
 * struct tostruct - a caller of a function
 * @selfpc: the call's address
 * @count: how often
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
 * @high: first address behind it
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

/** TO_NUM_ELEMENTS - calls expected in @range bytes of text: 2 in 100 bytes */
#define TO_NUM_ELEMENTS(range) ((range) / 100 * 2)

/** FROM_STG_SIZE - bytes of callers by address, a short for 4 bytes of text */
#define FROM_STG_SIZE(range) (NUM_HIST_COUNTERS(range) * sizeof(unsigned short))

/*
 * monitor() - start profiling, or stop it and write the file
 *
 * The first argument is the first address of the range, a pointer; 0 stops. What
 * follows, unless it is 0: the first address behind the range (a pointer),
 * the counters (HISTCOUNTER *), how many of them there are (int), and the room
 * for calls at their front (int): in struct poutcnt if _mondata.prof_type is
 * _PROF_TYPE_IS_P, in bytes if it is _PROF_TYPE_IS_PG. With -1 counters, in
 * their place stands an array of struct prof, which an element ends that has a
 * p_high of 0; the ranges ascend and do not overlap, the counters are in one
 * piece, and the room for calls is at the front of the first.
 *
 * Return: 0, or -1 after a sentence on the standard error, with errno set.
 */
int monitor __MON_ARGUMENTS __asm__("profil_monitor");

/*
 * monstartup() - profile ranges of text with memory of the library's
 *
 * There are two arguments, both of them pointers or of type unsigned long: the
 * first address of the range and the first one behind it; -1 and the address of
 * an array of struct frag; or -1 and 0, for the program and all libraries that
 * are loaded.
 *
 * Return: 0, or -1 with errno set, and if _mondata.prof_type is set after a
 * sentence on the standard error.
 */
int monstartup __MON_ARGUMENTS;

/**
 * moncontrol() - switch off, and on again, what was started
 * @mode: 0 for off
 *
 * Return: 1 if it was on, 0 if it was off.
 */
int moncontrol(int mode);

#undef __MON_ARGUMENTS

#ifdef __cplusplus
}
#else
#pragma GCC diagnostic pop
#endif

#endif /* _MON_H */
