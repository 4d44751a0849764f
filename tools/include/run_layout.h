/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file in which a run's counters lie, shared by `profil run`, which makes
 * it, and by libprofil in each process of the command, which counts into it
 *
 * It is a memfd, so nothing of it is ever left behind. The environment variable
 * PROFIL_RUN names it through /proc. It is far longer than memory, and only
 * what is written takes any.
 *
 * A text is a range of a file that some process has mapped executable. It owns
 * a stretch of the run's file: a page-aligned record, then the counters, one of
 * 4 bytes for each 4 bytes of text. Processes that map the same range find the
 * same text, so where each has it loaded makes no difference. Code that is in
 * none of a program's files has one more text, with a single counter.
 *
 * Any process may be killed at any instruction, so there are no locks: space
 * and table entries are taken by atomic addition and never given back, and an
 * entry counts once its key is set. Two processes may enter the same text at
 * the same time; then it is there twice, and the counters add up.
 */
#ifndef PROFIL_RUN_LAYOUT_H
#define PROFIL_RUN_LAYOUT_H

#include <linux/profil.h>
#include <linux/types.h>

#define RUN_ENVIRONMENT "PROFIL_RUN"
#define RUN_MAGIC 0x324e55524c464f52ULL
#define RUN_SIZE 0x10000000000ULL
#define RUN_TEXTS 65536
#define RUN_COUNTER 4
#define RUN_UNSEEN 256

/* Bytes of a text's record; a path that is longer is cut. */
#define RUN_RECORD 8192

/* Bytes of the longest build ID that is kept; the rest of a longer one is cut. */
#define RUN_BUILD_ID 32

/**
 * struct run_identity - what a file was known by when it was mapped
 * @device: st_dev of stat(2); 0, as all the rest, if there was no such file
 * @inode: st_ino
 * @size: st_size
 * @mtime_ns: st_mtim, in nanoseconds
 * @build_id_size: bytes of @build_id; 0 if the file has none
 * @build_id: the build ID that the linker gave it
 * @zero: zero, for all of it is compared
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

/* struct run_text.kind: a file, or the rest of what a program executes */
#define RUN_TEXT_FILE 0
#define RUN_TEXT_OUTSIDE 1

/**
 * struct run_text - the record of one text
 * @major: device of the file, as in /proc/self/maps
 * @minor: device of the file
 * @inode: the file
 * @from: where the range starts in the file
 * @to: where it ends
 * @kind: RUN_TEXT_*
 * @jit: whether a process of an RUN_TEXT_OUTSIDE had made code in memory
 * @identity: what is known of the file
 * @path: path of the file, or [vdso]; of the program, if the kind is no file
 */
struct run_text {
	__u32 major;
	__u32 minor;
	__u64 inode;
	__u64 from;
	__u64 to;
	__u32 kind;
	__u32 jit;
	struct run_identity identity;
	char path[];
};

/**
 * struct run_entry - one entry of the table of texts
 * @where: place of the record in the file
 * @key: hash of the record; 0 while the entry does not count
 */
struct run_entry {
	__u64 where;
	__u64 key;
};

/**
 * struct run_unseen - a program that was executed and does not get libprofil
 * @key: hash of @path and @reach; 0 while the entry does not count
 * @reach: why, one of enum reach
 * @processes: how often it was executed
 * @path: its path as it was executed, or the end of it
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
 * @period_ns: period that START is given
 * @true_period_ns: period that START has answered
 * @space: how much of the file is given out
 * @claimed: table entries that are given out
 * @processes: processes that have found the file
 * @starts: sessions that these have begun, in place of earlier ones or not
 * @failed: processes that could not start, once or more often
 * @error: errno of the first of them
 * @yielded: processes that called profil() or sprofil() themselves
 * @dropped: texts that found no room in a table
 * @nr_unseen: elements of @unseen that are given out
 * @unnamed: programs executed for which there was no room in @unseen
 * @totals: what the sessions came to, written by the driver, which wants it
 *	at a multiple of its size
 * @texts: the table of texts
 * @unseen: the programs executed that do not take part
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
	struct profil_totals totals
		__attribute__((aligned(sizeof(struct profil_totals))));
	struct run_entry texts[RUN_TEXTS];
	struct run_unseen unseen[RUN_UNSEEN];
};

/* Note in a program that has libprofil.a linked in: its name, and its type */
#define RUN_NOTE_NAME "profil"
#define RUN_NOTE_TYPE 1

#endif
