/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * /dev/profil: histograms of the user program counter, kept by the kernel
 *
 * A session is the profile of one address space. Threads and vfork children,
 * which share the address space, share the session; a forked child gets a
 * session of its own; exec and exit end the session. No session depends on an open
 * descriptor.
 *
 * A table counts the samples of all programs, of those in a cgroup, or of a tree of
 * processes, in memory of the kernel, by file and offset. It has a descriptor of its
 * own.
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
 * @table_flags: out: the PROFIL_TABLE_* flags known to the driver
 * @add_flags: out: the PROFIL_ADD_* flags known to the driver
 * @max_sessions: out: the most sessions that a user may have now
 * @max_tables: out: the most tables without PROFIL_TABLE_TREE that may be open
 * @max_trees: out: the most tables that a process may be in
 * @max_tree_log2: out: the largest counters_log2 of a tree without CAP_PERFMON
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
	__u32 table_flags;
	__u32 add_flags;
	__u32 max_sessions;
	__u32 max_tables;
	__u32 max_trees;
	__u32 max_tree_log2;
};

/*
 * struct profil_region.flags: the region is the overflow bin. Its first counter
 * counts every PC that is in no other region; offset and scale are ignored.
 */
#define PROFIL_REGION_OVERFLOW 0x1

/**
 * struct profil_region - one range of text and the counters for it
 * @base: address of the first counter, a multiple of the counters' width; not
 *	in a shared mapping of a file, unless that is on tmpfs or hugetlbfs
 * @size: bytes of counters; rounded down to whole counters
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
 */
struct profil_start {
	__u32 size;
	__u32 flags;
	__u32 width;
	__u32 nr_regions;
	__u64 regions;
	__u64 period_ns;
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
 * @unprofiled_children: out: forked children whose session could not be made, for
 *	lack of memory or beyond the module's parameter max_sessions
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

/* struct profil_table.flags */
#define PROFIL_TABLE_CGROUP 0x1 /* only tasks in @cgroup, or below it */
#define PROFIL_TABLE_KERNEL_PCS 0x2 /* count PCs in the kernel as well */
#define PROFIL_TABLE_THREADS 0x4 /* a text belongs to a task's name, too */
#define PROFIL_TABLE_TREE 0x8 /* only processes that ADD has added */
#define PROFIL_TABLE_ADDRESSES 0x10 /* memory without a file by address */
#define PROFIL_TABLE_CALLERS 0x20 /* count the callers of each sample as well */

/* struct profil_table.counters_log2 */
#define PROFIL_TABLE_MIN_LOG2 10
#define PROFIL_TABLE_MAX_LOG2 24
#define PROFIL_TREE_MAX_LOG2 18 /* of a tree, without CAP_PERFMON */
#define PROFIL_CALLERS_MAX_LOG2 23 /* with PROFIL_TABLE_CALLERS */

/* The most tables without PROFIL_TABLE_TREE that may be open at the same time */
#define PROFIL_MAX_TABLES 8

/* The most tables that a process may be in, unless who adds it has CAP_SYS_PTRACE */
#define PROFIL_MAX_TREES 8

/**
 * struct profil_table - open a table: profile the machine, a cgroup, or processes
 * @size: in: sizeof(struct profil_table)
 * @flags: in: PROFIL_TABLE_* flags
 * @cgroup: in: with PROFIL_TABLE_CGROUP a descriptor of a directory of cgroup2,
 *	else -1
 * @counters_log2: in: binary logarithm of the number of counters,
 *	PROFIL_TABLE_MIN_LOG2 to PROFIL_TABLE_MAX_LOG2, with PROFIL_TABLE_CALLERS to
 *	PROFIL_CALLERS_MAX_LOG2
 * @period_ns: in: nanoseconds between two samples of a CPU that is not idle, 0
 *	for the scheduler tick; out: the period used
 *
 * The caller has CAP_PERFMON in the initial user namespace, unless @flags has
 * PROFIL_TABLE_TREE, and not PROFIL_TABLE_KERNEL_PCS. The result is a descriptor,
 * close-on-exec; the table ends when its last copy is closed and its last mapping is
 * gone.
 *
 * A table has two halves. Samples are counted in one; PROFIL_TABLE_IOC_TAKE makes
 * them go to the other, and the first is then at rest, to be read. mmap(2) of the
 * descriptor, for reading only, has the counters of both halves, one behind the
 * other: an array of 2 << @counters_log2 struct profil_counter. A forked child does
 * not inherit the mapping, which cannot be made executable. poll(2) reports POLLIN when
 * half of the counters or of the memory for names are in use, and POLLHUP when all
 * processes that were added to a PROFIL_TABLE_TREE have ended or were dropped. POLLPRI
 * is reported while PROFIL_TABLE_IOC_WANTED has a file. POLLIN and POLLPRI wake the
 * caller; POLLHUP may or may not.
 */
struct profil_table {
	__u32 size;
	__u32 flags;
	__s32 cgroup;
	__u32 counters_log2;
	__u64 period_ns;
};

/*
 * struct profil_counter.key: the two highest bits are its kind. A reader refuses kinds
 * that it does not know. Keys of PROFIL_KIND_NODE are in tables with
 * PROFIL_TABLE_CALLERS; the reserved kind is for flags that are not defined yet.
 */
#define PROFIL_KEY_KIND(key) ((__u32)((key) >> 62))
#define PROFIL_KIND_TEXT 0
#define PROFIL_KIND_NODE 1
#define PROFIL_KIND_ROOT 2 /* reserved */
#define PROFIL_KIND_KERNEL 3 /* a PC in the kernel */

/* Of the others: a bit for the mode, the ID of a text, and an offset */
#define PROFIL_KEY_KERNEL 0x2000000000000000ULL /* in kernel mode */
#define PROFIL_KEY_TEXT(key) ((__u32)((key) >> 32) & 0x1fffffffU)
#define PROFIL_KEY_OFFSET(key) ((__u32)(key))

/* PROFIL_KEY_TEXT() of PROFIL_KIND_KERNEL for samples that belong to no text */
#define PROFIL_TEXT_KERNEL 0x1fffffffU

/* Reserved for ticks of a task that runs a virtual machine. No other text has the ID. */
#define PROFIL_TEXT_GUEST 0x1ffffffeU

/*
 * With PROFIL_KIND_NODE: a call stack, from its base to a PC. Both parts are numbers of
 * counters in the half, from 0 on: that of the node without the last PC, and that of the
 * last PC, of PROFIL_KIND_TEXT or, below the PC at which a program has entered the kernel,
 * of PROFIL_KIND_KERNEL. The PC of a caller is the address to which the call
 * returns, less one; that of a function that a signal has interrupted is exact. The
 * parent of a node with one PC is no counter, but PROFIL_NODE_ROOT and the end of the walk
 * that went from the leaf to this PC, a PROFIL_WALK_* value. The count of a node is that of
 * the samples whose leaf is its PC; those of nodes below it are not in it.
 */
#define PROFIL_NODE_PARENT(key) ((__u32)((key) >> 24) & 0xffffffU)
#define PROFIL_NODE_PC(key) (0xffffffU & (__u32)(key))
#define PROFIL_NODE_ROOT 0xfffff0U

/* Why a walk from the leaf to its callers has ended */
#define PROFIL_WALK_BASE 0 /* at the outermost caller */
#define PROFIL_WALK_DEPTH 1 /* at the last caller that a walk looks for */
#define PROFIL_WALK_FAULT 2 /* at a word of the stack that is not in memory */
#define PROFIL_WALK_BAD 3 /* at a frame that no rule can have made */
#define PROFIL_WALK_UNMAPPED 4 /* at a return address where no text is mapped */
#define PROFIL_WALK_NO_ROWS 5 /* at a PC without a rule */
#define PROFIL_WALK_NARROW 6 /* at the leaf: 32-bit code */
#define PROFIL_WALK_BY_RBP \
	7 /* anywhere, after a step by the frame pointer alone */
#define PROFIL_NR_WALKS 8

/**
 * struct profil_counter - a counter of a table
 * @key: 0: the counter is not in use. The offset is that of the PC in the file, in
 *	bytes, modulo 2^32; with PROFIL_KEY_KERNEL, of the PC at which the program
 *	entered the kernel. In a text without a file it is 0 or, with
 *	PROFIL_TABLE_ADDRESSES, the lower half of the PC. With PROFIL_KIND_KERNEL the
 *	text is that of the PC at which the program entered the kernel; the offset is
 *	that of the PC in the kernel, relative to an address that does not tell where
 *	the kernel is: PROFIL_TABLE_IOC_SYMBOL has its name
 * @count: samples
 */
struct profil_counter {
	__u64 key;
	__u64 count;
};

/* struct profil_add.flags */
#define PROFIL_ADD_CHILDREN 0x1 /* with children that it forks from now on */
#define PROFIL_ADD_ON_EXEC 0x2 /* take samples from its next execve(2) on */

/**
 * struct profil_add - take samples of a process, in a table with PROFIL_TABLE_TREE
 * @size: in: sizeof(struct profil_add)
 * @flags: in: PROFIL_ADD_* flags
 * @pidfd: in: a descriptor of pidfd_open(2). The process is a child of the caller's
 *	process, or the caller is its ptracer at the time of the call
 *
 * A process stays in the table over execve(2). Samples of a program that is not
 * dumpable are denied. A process whose program has gained rights, that is, has
 * credentials which who opened the table may not trace by ptrace(2), is dropped from
 * the table. Neither holds if who opened the table had CAP_SYS_PTRACE in a user
 * namespace that contains that of the program.
 */
struct profil_add {
	__u32 size;
	__u32 flags;
	__s32 pidfd;
};

/* struct profil_take.flags */
#define PROFIL_TAKE_LAST 0x1 /* in: take no samples any more */
#define PROFIL_TAKE_CGROUP_GONE 0x2 /* out: the cgroup has been removed */

/**
 * struct profil_take - take what a table has counted since it was last taken
 * @size: in: sizeof(struct profil_take)
 * @flags: in and out: PROFIL_TAKE_* flags
 * @half: out: the half of the mapping that has been taken, 0 or 1
 * @counters: out: counters in use in that half
 * @texts: out: IDs of texts are 1 to @texts
 * @names: out: IDs of names are 1 to @names
 * @ticks: out: samples taken. Each of them is in one of the following once it is
 *	not in @waiting any more
 * @hits: out: counted in the table
 * @idle: out: the CPU was idle. A period other than the tick takes no such samples,
 *	nor does a CPU of nohz_full
 * @kernel_threads: out: a task without a program
 * @filtered: out: a task in another cgroup
 * @starting: out: a program in its execve(2)
 * @exiting: out: a program in its exit, whose mappings are gone
 * @unmapped: out: no mapping at the PC
 * @denied: out: a program that who opened the table may not profile
 * @cancelled: out: the code was not looked up before PROFIL_TAKE_LAST, or before the
 *	end of the second interval between two TAKEs that the sample waited in
 * @no_item: out: too many samples waited to be looked up, in all or of the user, or were
 *	taken in look-ups of the same task
 * @no_memory: out: no memory for a name
 * @full: out: no room for another counter or another name
 * @busy: out: the mappings of the program were being changed, and the mapping at the PC
 *	had not been looked up before
 * @waiting: out: samples that wait to be looked up now; they are counted in the
 *	half that is in use then
 * @stale: out: of @hits: the mappings of the program were being changed, and the
 *	sample was counted by the mapping that was at the PC before
 * @kernel_pcs: out: samples counted at a PC in the kernel, when their outcome is known
 * @kernel_full: out: such samples without room for another counter
 * @processes: out: processes that have been added so far, forked children included
 * @running: out: those that have neither ended nor been dropped; 0 after
 *	PROFIL_TAKE_LAST
 * @unfollowed: out: children so far that were not added, for lack of memory, as the
 *	table had as many processes as a half has counters, or as they were in
 *	PROFIL_MAX_TREES
 * @dropped: out: processes so far whose program has gained rights
 * @sequence: out: number of TAKEs of the table, this one included
 * @walk_base: out: with PROFIL_TABLE_CALLERS, of @hits: the walk from the leaf to its
 *	callers reached the outermost one
 * @walk_depth: out: there were more callers than a walk looks for
 * @walk_fault: out: a word of the stack was not in memory, or cannot be read
 * @walk_bad: out: a frame was not above the one that it had called, or not aligned
 * @walk_unmapped: out: no text was mapped at a return address
 * @walk_no_rows: out: a PC had no rule: no rows are loaded for its file, or these have
 *	none for it
 * @walk_narrow: out: the program executed 32-bit code, whose callers are not looked for
 * @walk_by_rbp: out: a step was taken by the frame pointer, where no rule is known, such
 *	as in generated code: callers may be missing
 * @walk_shortened: out: of @hits: no room for all nodes of the stack. The sample was
 *	counted at the one that is farthest from the base and exists, and at its leaf
 * @walk_deferred: out: of @hits: the stack was not walked in the interrupt
 *
 * The numbers are those of the half that has been taken. A sum over all takes
 * with @waiting of the last is exact: @ticks is the sum of all from @hits to
 * @busy, and @waiting. With PROFIL_TABLE_CALLERS @hits is the sum of all from @walk_base
 * to @walk_by_rbp, in the order of the PROFIL_WALK_* values.
 */
struct profil_take {
	__u32 size;
	__u32 flags;
	__u32 half;
	__u32 counters;
	__u32 texts;
	__u32 names;
	__u64 ticks;
	__u64 hits;
	__u64 idle;
	__u64 kernel_threads;
	__u64 filtered;
	__u64 starting;
	__u64 exiting;
	__u64 unmapped;
	__u64 denied;
	__u64 cancelled;
	__u64 no_item;
	__u64 no_memory;
	__u64 full;
	__u64 busy;
	__u64 waiting;
	__u64 stale;
	__u64 kernel_pcs;
	__u64 kernel_full;
	__u64 processes;
	__u64 running;
	__u64 unfollowed;
	__u64 dropped;
	__u64 sequence;
	__u64 walk_base;
	__u64 walk_depth;
	__u64 walk_fault;
	__u64 walk_bad;
	__u64 walk_unmapped;
	__u64 walk_no_rows;
	__u64 walk_narrow;
	__u64 walk_by_rbp;
	__u64 walk_shortened;
	__u64 walk_deferred;
};

/**
 * struct profil_text - what a text is: a file in a program in a cgroup
 * @size: in: sizeof(struct profil_text)
 * @id: in: ID of a text in the half that was taken last
 * @program: out: ID of the name of the file that the program was started from; 0
 *	if that is not known
 * @file: out: ID of the name of the file that is mapped
 * @cgroup: out: ID of the name of the cgroup
 * @pid: out: a process in which the text was sampled, in the caller's PID
 *	namespace; 0 if it is not there
 * @thread: out: the name of the task with PROFIL_TABLE_THREADS, else that of its process
 * @begin_ns: out: when the process was forked, in nanoseconds since boot; 0 if it has
 *	ended
 */
struct profil_text {
	__u32 size;
	__u32 id;
	__u32 program;
	__u32 file;
	__u32 cgroup;
	__u32 pid;
	char thread[16];
	__u64 begin_ns;
};

/* struct profil_name.kind */
#define PROFIL_NAME_FILE 1 /* a file */
#define PROFIL_NAME_MEMORY 2 /* executable memory without a file */
#define PROFIL_NAME_SPECIAL 3 /* a mapping of the kernel's, as [vdso] */
#define PROFIL_NAME_CGROUP 4 /* a directory of cgroup2 */

/**
 * struct profil_name - what a file or a cgroup is
 * @size: in: sizeof(struct profil_name)
 * @id: in: ID of a name in the half that was taken last
 * @kind: out: PROFIL_NAME_*
 * @room: in: bytes at @path; out: bytes of the path, with its NUL
 * @path: in: address for the path as the program's mount namespace and root have
 *	it, NUL-terminated; or 0. Of a deleted file " (deleted)" follows it
 * @device: out: st_dev of the file, as the kernel has it; of a file in overlayfs
 *	that of the layer. With PROFIL_TABLE_ADDRESSES, the upper half of the PCs in
 *	PROFIL_NAME_MEMORY, << 32; each process has names of its own then. Else zero if
 *	@kind is not PROFIL_NAME_FILE, as are the next
 * @inode: out: inode number of the file; of a cgroup its ID
 * @file_size: out: bytes of the file
 * @mtime_ns: out: modification time of the file, nanoseconds since the epoch
 * @generation: out: generation of the inode
 * @build_id_size: out: bytes of @build_id, 0 if it is not known
 * @build_id: out: GNU build ID of the file
 * @reserved: out: zero
 */
struct profil_name {
	__u32 size;
	__u32 id;
	__u32 kind;
	__u32 room;
	__u64 path;
	__u64 device;
	__u64 inode;
	__u64 file_size;
	__u64 mtime_ns;
	__u32 generation;
	__u32 build_id_size;
	__u8 build_id[20];
	__u32 reserved;
};

/**
 * struct profil_symbol - the name of a PC in the kernel
 * @size: in: sizeof(struct profil_symbol)
 * @offset: in: PROFIL_KEY_OFFSET() of a key with PROFIL_KIND_KERNEL
 * @start: out: offset of the first byte of the function
 * @reserved: out: zero
 * @name: out: name of the function, then the module as in "function [module]";
 *	"" if the kernel knows none, as for a module that has been unloaded
 */
struct profil_symbol {
	__u32 size;
	__u32 offset;
	__u32 start;
	__u32 reserved;
	char name[256];
};

/*
 * struct profil_row.rule: the low three bits are how the CFA is found, the value of rsp
 * before the call. The others, as a signed number, are N, a multiple of 8. The return
 * address is at CFA - 8, and rsp of the caller is the CFA.
 */
#define PROFIL_RULE_KIND(rule) (7 & (rule))
#define PROFIL_RULE_N(rule) ((__s16)((rule) & ~7))
#define PROFIL_RULE_NONE 0 /* not known; N is 0, see PROFIL_RULE_BY_RBP */
#define PROFIL_RULE_END 1 /* the outermost function: no caller; N is 0 */
#define PROFIL_RULE_SP 2 /* rsp + N; N > 0 */
#define PROFIL_RULE_BP 3 /* rbp + N */
#define PROFIL_RULE_BP_DEREF 4 /* *(rbp + N) */
#define PROFIL_RULE_PLT 5 /* rsp + 8 + 8 * ((PC & 15) >= N / 8); 0 <= N < 128 */
#define PROFIL_RULE_SIGNAL 6 /* none: struct rt_sigframe is at rsp; N is 0 */
#define PROFIL_RULE_BX 7 /* rbx + N */

/* Text that no table describes: PROFIL_RULE_NONE, and the frame pointer may be right. */
#define PROFIL_RULE_BY_RBP 8

/* struct profil_row.bp: rbp was saved at *rbp */
#define PROFIL_ROW_AT_BP 127

/*
 * On arm64 the rule is PROFIL_RULE_NONE, PROFIL_RULE_BY_RBP (of x29), PROFIL_RULE_END or one
 * of these. With the first, bp is -2.
 */
#define PROFIL_RULE_RECORD (PROFIL_RULE_BP | 16) /* a frame record is at x29 */
#define PROFIL_RULE_LR \
	7 /* the return address is in x30, and x29 is that of the caller */

/**
 * struct profil_row - how to go from a function to its caller on x86-64 and arm64
 * @offset: of the first byte of text in the file, modulo 2^32. The row holds up to the
 *	next one
 * @rule: PROFIL_RULE_*, and N
 * @bp: where rbp was saved: 0 if it is unchanged, below 0 at CFA + 8 * @bp, or
 *	PROFIL_ROW_AT_BP. 0 with PROFIL_RULE_NONE, END, PLT and SIGNAL, as is the next
 * @bx: the same of rbx, without PROFIL_ROW_AT_BP
 */
struct profil_row {
	__u32 offset;
	__u16 rule;
	__s8 bp;
	__s8 bx;
};

#define PROFIL_MAX_ROWS 0x400000 /* of a file */

/* struct profil_rows.kind: the file that the descriptor @inode is of */
#define PROFIL_ROWS_BY_FD 0x100

/**
 * struct profil_rows - load rows of a file, in place of those that it has
 * @size: in: sizeof(struct profil_rows)
 * @kind: in: PROFIL_NAME_FILE, PROFIL_NAME_SPECIAL or PROFIL_ROWS_BY_FD
 * @device: in: with the next ones, what struct profil_wanted has of the file. Rows of
 *	another version of it, with another size or modification time, are not used. Zero
 *	if @kind is not PROFIL_NAME_FILE, as are the others but @inode
 * @inode: in: the inode number of the file. With PROFIL_NAME_SPECIAL the first eight bytes
 *	of the name, such as "[vdso]" and two NULs, in memory of the caller; with
 *	PROFIL_ROWS_BY_FD a descriptor
 * @file_size: in: bytes of the file
 * @mtime_ns: in: modification time of the file
 * @generation: in: generation of the inode
 * @nr_rows: in: number of rows, up to PROFIL_MAX_ROWS; 0 removes those of the file
 * @rows: in: address of an array of struct profil_row, with rising offsets
 *
 * For tables with PROFIL_TABLE_CALLERS. The rows stay over TAKE, until the table ends.
 */
struct profil_rows {
	__u32 size;
	__u32 kind;
	__u64 device;
	__u64 inode;
	__u64 file_size;
	__u64 mtime_ns;
	__u32 generation;
	__u32 nr_rows;
	__u64 rows;
};

/**
 * struct profil_wanted - the next file without rows
 * @size: in: sizeof(struct profil_wanted)
 * @kind: out: PROFIL_NAME_FILE or PROFIL_NAME_SPECIAL
 * @pid: out: a process that maps the file, in the caller's PID namespace; 0 if it is not
 *	there
 * @room: in: bytes at @path; out: bytes of the path, with its NUL
 * @path: in: address for the path, as in struct profil_name; or 0
 * @device: out: with the next ones as struct profil_rows takes them
 * @inode: out: the inode number of the file, or the name
 * @file_size: out: bytes of the file
 * @mtime_ns: out: modification time of the file
 * @generation: out: generation of the inode
 * @build_id_size: out: bytes of @build_id, 0 if it is not known
 * @build_id: out: GNU build ID of the file
 * @reserved: out: zero
 *
 * For tables with PROFIL_TABLE_CALLERS. A file in which a walk has found no rows waits in
 * a queue of PROFIL_MAX_WANTED, of which a user has half; the call takes it from there, and
 * users whose files wait have turns. A file comes once as a rule,
 * and again when its rows have been removed, or when the driver has forgotten that among
 * some thousands of others. One comes also if its rows were loaded while it waited.
 */
struct profil_wanted {
	__u32 size;
	__u32 kind;
	__u32 pid;
	__u32 room;
	__u64 path;
	__u64 device;
	__u64 inode;
	__u64 file_size;
	__u64 mtime_ns;
	__u32 generation;
	__u32 build_id_size;
	__u8 build_id[20];
	__u32 reserved;
};

#define PROFIL_MAX_WANTED 64

/*
 * The driver compares the type and the number of a command, and not its
 * direction and size: these are for decoders such as strace(1), and the size
 * changes when the structure grows.
 *
 * VERSION, START, STATS and TABLE take the address of their structure, as
 * do the commands of a table's descriptor. STOP takes that of a struct
 * profil_stats for the final statistics of the session, or 0.
 */
#define PROFIL_IOC_MAGIC 0x9E
#define PROFIL_IOC_VERSION _IOWR(PROFIL_IOC_MAGIC, 0, struct profil_version)
#define PROFIL_IOC_START _IOWR(PROFIL_IOC_MAGIC, 1, struct profil_start)
#define PROFIL_IOC_STOP _IOWR(PROFIL_IOC_MAGIC, 2, struct profil_stats)
#define PROFIL_IOC_STATS _IOWR(PROFIL_IOC_MAGIC, 3, struct profil_stats)
#define PROFIL_IOC_TABLE _IOWR(PROFIL_IOC_MAGIC, 4, struct profil_table)

/* Commands of the descriptor of a table */
#define PROFIL_TABLE_IOC_TAKE _IOWR(PROFIL_IOC_MAGIC, 16, struct profil_take)
#define PROFIL_TABLE_IOC_TEXT _IOWR(PROFIL_IOC_MAGIC, 17, struct profil_text)
#define PROFIL_TABLE_IOC_NAME _IOWR(PROFIL_IOC_MAGIC, 18, struct profil_name)
#define PROFIL_TABLE_IOC_SYMBOL \
	_IOWR(PROFIL_IOC_MAGIC, 19, struct profil_symbol)
#define PROFIL_TABLE_IOC_ADD _IOW(PROFIL_IOC_MAGIC, 20, struct profil_add)
#define PROFIL_TABLE_IOC_WANTED \
	_IOWR(PROFIL_IOC_MAGIC, 21, struct profil_wanted)
#define PROFIL_TABLE_IOC_ROWS _IOW(PROFIL_IOC_MAGIC, 22, struct profil_rows)

#endif /* _UAPI_LINUX_PROFIL_H */
