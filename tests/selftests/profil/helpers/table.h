/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of /dev/profil
 */
#ifndef PROFIL_TEST_TABLE_H
#define PROFIL_TEST_TABLE_H

#include "common.h"

/* Counters of the tables of most tests */
#define TABLE_LOG2 14

/**
 * struct table - an open table
 * @fd: its descriptor
 * @counters: its mapping, of both halves
 * @nr: counters of a half
 * @callers: it has PROFIL_TABLE_CALLERS
 * @taken: what the last TAKE has written
 * @sum: sums over all TAKEs; waiting is that of the last
 * @takes: number of TAKEs that have succeeded
 */
struct table {
	int fd;
	const struct profil_counter *counters;
	size_t nr;
	bool callers;
	struct profil_take taken;
	struct profil_take sum;
	__u64 takes;
};

/* Valid arguments of TABLE */
struct profil_table table_args(__u32 flags, __u64 period_ns);

/* TABLE by @fd, a descriptor of the device. A descriptor or a negative errno. */
int table_open(int fd, const void *args);

/* TABLE, and map the counters. 0 or a negative errno. */
int table_begin(struct table *table, int fd, struct profil_table args);

/* Map the counters, as a forked child does not inherit that. The same. */
int table_map(struct table *table);
void table_end(struct table *table);

/*
 * TAKE, into poison. 0 or a negative errno. Samples that have neither an outcome nor wait
 * end the program.
 */
int table_take(struct table *table, __u32 flags);

/* The samples that have an outcome. Each has one; the others wait. */
__u64 table_outcomes(const struct profil_take *sum);

/*
 * True if every sample of all TAKEs has one outcome or waits, and, in a table with
 * callers, every hit one end of its walk; and the counters of the last half agree with
 * its sums.
 */
bool table_adds_up(const struct table *table);

/* True if no other holder of the table's descriptor has made a TAKE. */
bool table_has_all_takes(const struct table *table);

/* Samples in the counters of both halves now: TAKE empties the half that it begins. */
__u64 table_counted(const struct table *table);

/* ADD by a pidfd, or of a process. 0 or a negative errno. */
int table_add_by(const struct table *table, int pidfd, __u32 flags);
int table_add(const struct table *table, pid_t pid, __u32 flags);

/*
 * The same of any process that may be traced, the caller's included: another process
 * traces it and adds it.
 */
int table_add_traced(const struct table *table, pid_t pid, __u32 flags);

/* The events of poll(2), without waiting, or a negative errno */
int table_events(const struct table *table);

/*
 * A child that waits in poll(2) for @events, without a limit; and what it reported, 0 if
 * nothing has woken it.
 */
pid_t table_poller(const struct table *table, short events);
int table_polled(pid_t poller);

/*
 * Fork a child that stops, and runs @body(@argument) after SIGCONT; the result is the
 * exit status. The child is killed when the calling thread ends. The program ends as
 * failed if there is no child.
 */
pid_t child_that_waits(int (*body)(unsigned long argument),
		       unsigned long argument);

/* The same of a child that spins at site @nr until it is killed */
pid_t child_that_spins(unsigned int nr);

/* The half that was taken last */
const struct profil_counter *table_half(const struct table *table);

/**
 * struct table_row - a counter, with all that its key stands for
 * @count: samples
 * @offset: of the PC in its file
 * @kernel: in kernel mode
 * @kernel_pc: the PC is one in the kernel
 * @text: what TEXT answers; zero, as are the next, of a PC in the kernel without a text
 * @program: what NAME answers of the program; zero if it is not known
 * @file: the same of the file
 * @cgroup: the same of the cgroup
 * @path: path of @file
 * @cgroup_path: path of @cgroup
 * @error: 0, or a negative errno of TEXT or NAME
 */
struct table_row {
	__u64 count;
	__u32 offset;
	bool kernel;
	bool kernel_pc;
	struct profil_text text;
	struct profil_name program;
	struct profil_name file;
	struct profil_name cgroup;
	char path[256];
	char cgroup_path[256];
	int error;
};

/* The first row of the half that was taken last, from counter *@at on, but for nodes. */
bool table_row(const struct table *table, size_t *at, struct table_row *row);

#define FOR_EACH_ROW(table, row) \
	for (size_t at_ = 0; table_row(table, &at_, row); at_++)

/* ROWS: load @nr rows of the file of @fd. 0 or a negative errno */
int table_load(const struct table *table, int fd, const struct profil_row *rows,
	       __u32 nr);

/* WANTED, with the path in @path; 0 or a negative errno */
int table_wanted(const struct table *table, struct profil_wanted *wanted,
		 char path[256]);

/* TEXT and NAME; 0 or a negative errno */
int table_text(const struct table *table, __u32 id, struct profil_text *text);
int table_name(const struct table *table, __u32 id, struct profil_name *name,
	       char *path, __u32 room);

/* The time at which @pid was forked, in ticks of 10 ms since boot, as proc(5) has it */
unsigned long long start_of_process(pid_t pid);

/*
 * The samples of the half that was taken last in the file @file at @offset, in user mode
 * or in kernel mode
 */
__u64 table_samples(const struct table *table, const struct stat *file,
		    __u64 offset, bool kernel);

/* The same of all files of the program @program, in both modes */
__u64 table_program_samples(const struct table *table,
			    const struct stat *program);

#endif /* PROFIL_TEST_TABLE_H */
