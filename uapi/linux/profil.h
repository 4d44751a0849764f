/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * /dev/profil: histograms of the user program counter, kept by the kernel
 *
 * A session is the profile of one address space. Threads and vfork children,
 * which share the address space, share the session; a forked child gets a
 * session of its own; exec and exit end the session. None of these sessions
 * depends on an open descriptor.
 *
 * A descriptor may be attached to other address spaces. Its session then counts
 * the samples of those, in counters of the caller, and ends with the descriptor.
 *
 * Every structure begins with its own size, set by the caller. Structures only
 * grow: the driver accepts one of the size in ABI 1, none that is shorter, and
 * one longer than its own if the fields that it does not know are zero.
 * Documentation/profil.rst lists the errors of each command in the order in
 * which they are checked.
 */
#ifndef _UAPI_LINUX_PROFIL_H
#define _UAPI_LINUX_PROFIL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PROFIL_DEVICE "/dev/profil"
#define PROFIL_ABI 1
#define PROFIL_MAX_REGIONS 4096

/* struct profil_version.clock: the source of ticks */
#define PROFIL_CLOCK_FTRACE 1
#define PROFIL_CLOCK_TIMER 2

/**
 * struct profil_version - version and abilities of the driver
 * @size: in: sizeof(struct profil_version)
 * @abi: out: PROFIL_ABI of the driver
 * @max_regions: out: the most regions a session may have
 * @start_flags: out: the PROFIL_F_* flags known to the driver
 * @clock: out: the source of ticks, a PROFIL_CLOCK_* value
 * @region_flags: out: the PROFIL_REGION_* flags known to the driver
 * @tick_ns: out: period of the scheduler tick, in nanoseconds
 * @min_period_ns: out: the shortest period that START accepts now, in
 *	nanoseconds; that of the tick while shorter ones are refused
 * @attach_flags: out: the PROFIL_ATTACH_* flags known to the driver
 * @reserved: out: zero
 */
struct profil_version {
	__u32 size;
	__u32 abi;
	__u32 max_regions;
	__u32 start_flags;
	__u32 clock;
	__u32 region_flags;
	__u64 tick_ns;
	__u64 min_period_ns;
	__u32 attach_flags;
	__u32 reserved;
};

/*
 * struct profil_region.flags: the region is the overflow bin. Its first counter
 * counts every PC that is in no other region; offset and scale are ignored.
 */
#define PROFIL_REGION_OVERFLOW 0x1

/*
 * struct profil_region.flags: the counters are two halves of equal size. The
 * first half counts samples in user mode, the second samples in kernel mode, at
 * the PC at which the program entered the kernel.
 */
#define PROFIL_REGION_SPLIT 0x2

/**
 * struct profil_region - one range of text and the counters for it
 * @base: address of the first counter, a multiple of the counters' width; not
 *	in a shared mapping of a file, unless that is on tmpfs or hugetlbfs
 * @size: bytes of counters, of both halves with PROFIL_REGION_SPLIT; rounded
 *	down to whole counters, so that both halves have as many
 * @offset: lowest PC of the region
 * @scale: bytes of counters for each byte of text, a fixed-point number with
 *	16 bits of fraction: 0x10000 is one counter for as many bytes of text as
 *	the counter is wide; 0 and 1 switch the region off. With PROFIL_F_BYTES
 *	the width of a counter times 0x10000 is one counter for each byte of text
 * @flags: PROFIL_REGION_* flags
 */
struct profil_region {
	__u64 base;
	__u64 size;
	__u64 offset;
	__u32 scale;
	__u32 flags;
};

/* struct profil_start.flags */
#define PROFIL_F_STOP_AT_32767 0x1 /* SVR4: stop when a counter reaches 32767 */
#define PROFIL_F_ROUND_UP 0x2 /* AIX: round up to the next counter */
#define PROFIL_F_USER_ONLY 0x4 /* no samples in kernel mode */
#define PROFIL_F_BYTES 0x8 /* scale single bytes of text, not whole counters */

/**
 * struct profil_start - begin a session in place of the running one
 * @size: in: sizeof(struct profil_start)
 * @flags: in: PROFIL_F_* flags
 * @width: in: bytes of a counter: 2, 4 or 8
 * @nr_regions: in: number of regions, 1 to PROFIL_MAX_REGIONS
 * @regions: in: address of an array of struct profil_region
 * @period_ns: in: nanoseconds of CPU time between two samples of a thread, 0
 *	for the scheduler tick; out: the period used
 * @totals: in: address of a struct profil_totals, a multiple of its size, in
 *	a MAP_SHARED mapping of memory or of a file on tmpfs or hugetlbfs; or 0
 */
struct profil_start {
	__u32 size;
	__u32 flags;
	__u32 width;
	__u32 nr_regions;
	__u64 regions;
	__u64 period_ns;
	__u64 totals;
};

/**
 * struct profil_totals - sums over sessions that have ended
 * @samples: samples taken
 * @hits: samples that fell on a counter
 * @outside: samples in no region
 * @lost: samples in a region whose counter could not be written
 * @saturated: hits on a counter at its limit
 * @kernel_samples: ticks that found the program in kernel mode
 * @sessions: sessions begun with these totals, those of forked children
 *	included
 * @ended: those of @sessions that have ended
 * @unprofiled_children: forked children without a session, for lack of memory
 *	or beyond the module's parameter max_sessions
 * @cpu_ns: CPU time of the profiled processes from the begin to the end of their
 *	sessions, in nanoseconds, of sessions for which the driver knows it
 * @sampled_ns: the part of @cpu_ns that the samples of these sessions stand for:
 *	the number of times that a clock found the processes, in periods
 * @reserved: zero
 *
 * The driver adds to the totals when a session ends, however it ends, so they
 * outlive the program. Any number of sessions and processes may share totals.
 * The sums are complete when @ended equals @sessions.
 */
struct profil_totals {
	__u64 samples;
	__u64 hits;
	__u64 outside;
	__u64 lost;
	__u64 saturated;
	__u64 kernel_samples;
	__u64 sessions;
	__u64 ended;
	__u64 unprofiled_children;
	__u64 cpu_ns;
	__u64 sampled_ns;
	__u64 reserved[5];
};

/* The state of a region in struct profil_stats.states */
#define PROFIL_REGION_OFF 0 /* scale 0 or 1, or no room for a counter */
#define PROFIL_REGION_ON 1 /* counting */
#define PROFIL_REGION_UNMAPPED 2 /* ended: its counters were unmapped */
#define PROFIL_REGION_FAULT 3 /* ended: a counter cannot be written */
#define PROFIL_REGION_LIMIT 4 /* on, but a sample was lost for lack of memory */

/* struct profil_stats.flags */
#define PROFIL_STATS_SESSION 0x1 /* a session exists, or did until STOP */
#define PROFIL_STATS_FULL 0x2 /* stopped by a counter at 32767 */
#define PROFIL_STATS_GONE 0x4 /* attached, and no program is left to profile */

/**
 * struct profil_stats - statistics of a session
 * @size: in: sizeof(struct profil_stats)
 * @flags: out: PROFIL_STATS_* flags
 * @nr_states: in: room at @states, in elements
 * @nr_regions: out: regions of the session
 * @states: in: address of an array of __u32 for the state of each region
 *	(PROFIL_REGION_OFF to PROFIL_REGION_LIMIT), in the order of START; or 0
 * @period_ns: out: nanoseconds between two samples
 * @samples: out: samples taken: @hits + @outside + @lost, always
 * @hits: out: samples that fell on a counter
 * @outside: out: samples in no region
 * @lost: out: samples in a region whose counter could not be written
 * @saturated: out: hits on a counter at its limit
 * @kernel_samples: out: ticks that found the program in kernel mode
 * @pinned_pages: out: pages of counters that are pinned now
 * @unprofiled_children: out: forked children without a session, for lack of
 *	memory or beyond the module's parameter max_sessions
 */
struct profil_stats {
	__u32 size;
	__u32 flags;
	__u32 nr_states;
	__u32 nr_regions;
	__u64 states;
	__u64 period_ns;
	__u64 samples;
	__u64 hits;
	__u64 outside;
	__u64 lost;
	__u64 saturated;
	__u64 kernel_samples;
	__u64 pinned_pages;
	__u64 unprofiled_children;
};

/*
 * struct profil_attach.flags: children that the process forks later are
 * profiled, too, and their children
 */
#define PROFIL_ATTACH_CHILDREN 0x1

/**
 * struct profil_attach - profile another process by this descriptor
 * @size: in: sizeof(struct profil_attach)
 * @flags: in: PROFIL_ATTACH_* flags
 * @pidfd: in: a descriptor of pidfd_open(2). The caller is the ptracer of the
 *	process at the time of the call
 * @reserved: in: zero
 *
 * The other commands on the descriptor are then about its own session, which
 * samples the attached programs: START takes counters in the caller's memory,
 * and a region's offset is a PC of the attached program. The programs' own
 * sessions are not affected. exec detaches a program. To attach further
 * processes to the descriptor is possible at any time.
 */
struct profil_attach {
	__u32 size;
	__u32 flags;
	__s32 pidfd;
	__u32 reserved;
};

/*
 * The driver compares the type and the number of a command, and not its
 * direction and size: these are for decoders such as strace(1), and the size
 * changes when the structure grows.
 *
 * VERSION, START, STATS and ATTACH take the address of their structure. STOP
 * takes that of a struct profil_stats for the final statistics of the session,
 * or 0.
 */
#define PROFIL_IOC_MAGIC 0x9E
#define PROFIL_IOC_VERSION _IOWR(PROFIL_IOC_MAGIC, 0, struct profil_version)
#define PROFIL_IOC_START _IOWR(PROFIL_IOC_MAGIC, 1, struct profil_start)
#define PROFIL_IOC_STOP _IOWR(PROFIL_IOC_MAGIC, 2, struct profil_stats)
#define PROFIL_IOC_STATS _IOWR(PROFIL_IOC_MAGIC, 3, struct profil_stats)
#define PROFIL_IOC_ATTACH _IOWR(PROFIL_IOC_MAGIC, 4, struct profil_attach)

#endif /* _UAPI_LINUX_PROFIL_H */
