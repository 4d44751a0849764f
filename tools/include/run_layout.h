/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of a run's file, which `profil run` creates and libprofil counts into,
 * in each process of the command
 *
 * The file is a memfd, so it vanishes with its last user. The environment
 * variable PROFIL_RUN names it through /proc. It is sparse: far longer than
 * memory, with pages only where it was written.
 *
 * A text is a range of a file that a program has mapped executable. It owns a
 * range of the run's file: an aligned record, the counters of user mode, then
 * as many of kernel mode. Processes of one program share the text, wherever each
 * has loaded it. Another text of each program, with one counter of each mode,
 * counts samples in code that belongs to no file of the program.
 *
 * Any process may be killed at any instruction, so there are no locks: space and
 * table entries are claimed by atomic addition and never released, and an entry
 * is valid once its key is set. Two processes may add the same text at the same
 * time; the text is in the table twice then, and its counters add up.
 */
#ifndef PROFIL_RUN_LAYOUT_H
#define PROFIL_RUN_LAYOUT_H

#include <linux/profil.h>
#include <linux/types.h>

#define RUN_ENVIRONMENT "PROFIL_RUN"
#define RUN_MAGIC 0x334e55524c464f52ULL
#define RUN_SIZE 0x400000000000ULL
#define RUN_TEXTS 65536
#define RUN_COUNTER 4
#define RUN_UNSEEN 256

/* Bytes of a text's record */
#define RUN_RECORD 8192

/* A text begins at a multiple of this, which is as large as any page. */
#define RUN_ALIGNMENT 0x10000

/* Bytes of a path and its zero; a longer path is cut. */
#define RUN_PATH 4032

/* Bytes of a build ID; a longer one is cut. */
#define RUN_BUILD_ID 32

/**
 * struct run_identity - identity of a file when it was mapped
 * @device: st_dev of stat(2); 0, like all other fields, if there was no file
 * @inode: st_ino
 * @size: st_size
 * @mtime_ns: st_mtim, in nanoseconds
 * @build_id_size: bytes of @build_id; 0 if the file has none
 * @build_id: build ID from the linker
 * @zero: zero, since the whole structure is compared
 */
struct run_identity {
	__u64 device;
	__u64 inode;
	__u64 size;
	__u64 mtime_ns;
	__u32 build_id_size;
	__u8 build_id[RUN_BUILD_ID];
	__u8 zero[4];
};

/*
 * struct run_text.kind: part of a file, all code in no text of the program, or
 * anonymous executable memory of one process and its forked children
 */
#define RUN_TEXT_FILE 0
#define RUN_TEXT_OUTSIDE 1
#define RUN_TEXT_JIT 2

/**
 * struct run_text - the record of one text
 * @major: device of the file, as in /proc/self/maps
 * @minor: device of the file
 * @inode: inode of the file
 * @from: offset of the range in the file; for RUN_TEXT_JIT, its address
 * @to: offset or address after the range
 * @kind: RUN_TEXT_*
 * @jit: for RUN_TEXT_OUTSIDE: a process had code in anonymous memory
 * @pid: for RUN_TEXT_JIT: the process of the text, by its ID for the process that has
 *	added the text; else 0
 * @text_bytes: bytes of text for each counter, 1 or 4
 * @zero: zero
 * @identity: identity of the file
 * @path: path of the file, or [vdso]; of the program, if the kind is no file
 * @program: path of the program
 */
struct run_text {
	__u32 major;
	__u32 minor;
	__u64 inode;
	__u64 from;
	__u64 to;
	__u32 kind;
	__u32 jit;
	__u32 pid;
	__u32 text_bytes;
	__u32 zero[2];
	struct run_identity identity;
	char path[RUN_PATH];
	char program[RUN_PATH];
};

/**
 * struct run_entry - one entry of the table of texts
 * @where: offset of the record in the run's file
 * @key: hash of the record; 0 while the entry is not valid
 */
struct run_entry {
	__u64 where;
	__u64 key;
};

/**
 * struct run_unseen - an executed program that does not get libprofil
 * @key: hash of @path and @reach; 0 while the entry is not valid
 * @reach: the reason, one of enum reach
 * @processes: number of processes that executed the program
 * @path: path given to exec, or its end
 */
struct run_unseen {
	__u64 key;
	__u32 reach;
	__u32 processes;
	char path[240];
};

/**
 * struct run - the head of the file
 * @magic: RUN_MAGIC
 * @period_ns: period requested from START
 * @true_period_ns: period returned by START
 * @space: offset of the free space in the file
 * @claimed: claimed entries of @texts
 * @processes: processes that have opened the file
 * @starts: sessions started, including those that replaced an earlier one
 * @failed: failed starts of sessions
 * @error: errno of the first failed start
 * @yielded: processes that called profil() or sprofil() themselves
 * @dropped: texts without room in a table
 * @nr_unseen: claimed elements of @unseen
 * @unnamed: executed programs without room in @unseen
 * @crowd: sessions under way, from which on a new process has a counter for 4
 *	bytes of text, which locks less memory; 0: none has. Other processes have
 *	a counter for each byte. Set by the command
 * @totals: totals of the sessions, written by the driver, aligned to their size
 * @texts: the table of texts
 * @unseen: executed programs that do not take part
 */
struct run {
	__u64 magic;
	__u64 period_ns;
	__u64 true_period_ns;
	__u64 space;
	__u32 claimed;
	__u32 processes;
	__u32 starts;
	__u32 failed;
	__u32 error;
	__u32 yielded;
	__u32 dropped;
	__u32 nr_unseen;
	__u32 unnamed;
	__u32 crowd;
	struct profil_totals totals
		__attribute__((aligned(sizeof(struct profil_totals))));
	struct run_entry texts[RUN_TEXTS];
	struct run_unseen unseen[RUN_UNSEEN];
};

_Static_assert(sizeof(struct run_text) == RUN_RECORD,
	       "the counters follow the record");

/*
 * Bytes of the counters of one mode of a text of @length bytes; RUN_TEXT_OUTSIDE
 * has one counter of each mode
 */
static inline __u64 run_counters_size(__u32 kind, __u64 length,
				      __u32 text_bytes)
{
	if (kind == RUN_TEXT_OUTSIDE)
		return RUN_COUNTER;
	return length * RUN_COUNTER / text_bytes;
}

/* The first place for a text behind @where */
static inline __u64 run_align(__u64 where)
{
	return (where + RUN_ALIGNMENT - 1) / RUN_ALIGNMENT * RUN_ALIGNMENT;
}

/* Name and type of the ELF note in a program that contains libprofil.a */
#define RUN_NOTE_NAME "profil"
#define RUN_NOTE_TYPE 1

#endif
