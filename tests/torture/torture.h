/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes of the torture, what they share, and their operations */
#ifndef TORTURE_H
#define TORTURE_H

#include <linux/profil.h>
#include <stdatomic.h>

#include "common.h"
#include "random.h"

/*
 * The board: memory that all processes of the torture share, also after execve():
 * the round, what operations have returned, failures, and the ledgers.
 *
 * A ledger is memory for counters of one width that no operation ever clears or
 * cuts off. Nothing beside the counters is written, however the processes have died
 * and whatever they have done to their mappings of it.
 */

#define BOARD_FD 90

#define NR_ERRORS 134
#define MAX_OPERATIONS 96
#define FAILURE_ROOM 240
#define NR_LEDGERS 3

/* As large as the largest page of any kernel */
#define UNIT 0x10000
/* Too many pages of 4 KiB to be pinned at START */
#define LEDGER_BYTES (8 * UNIT)

/* What failures are about; each is one result of the torture. */
enum subject {
	SAMPLES,
	BYTES,
	SESSIONS,
	PINS,
	MODULE_REFERENCES,
	PROCESSES,
	NR_SUBJECTS,
};

/**
 * struct tally - results of one operation
 * @done: times without an error
 * @failed: times with each error number
 */
struct tally {
	_Atomic __u64 done;
	_Atomic __u64 failed[NR_ERRORS];
};

/**
 * struct ledger - counters of one width
 * @before: poison
 * @counters: only the driver writes them
 * @after: poison
 */
struct ledger {
	char before[UNIT];
	char counters[LEDGER_BYTES];
	char after[UNIT];
};

enum { STALE, BUSY, DENIED, CANCELLED, NR_TREE_OUTCOMES };

/**
 * struct board - see above
 * @seed: of the round
 * @stop: processes shall end
 * @quiet: processes shall stop their sessions and start none, so that the driver
 *	can be unloaded
 * @crowd: processes that run, without the short-lived
 * @tick_ns: time between two ticks, or 0 where sessions are not compared with them
 * @processes: begun in all rounds
 * @exact_runs: sessions whose samples were compared with the ticks
 * @exact_samples: their samples
 * @trees: tables of trees
 * @members: processes that were added to them
 * @tree_samples: their samples
 * @tree_outcomes: those that were stale, busy, denied and cancelled
 * @dropped: processes of them that were dropped
 * @walks: samples with callers, in some of these tables, up to the base of a stack
 * @loads: of rows for them
 * @checked_bytes: of canaries
 * @failures: of each subject
 * @failure: text of the first failure of each subject
 * @tallies: of each operation
 * @ledgers: for counters of 2, 4 and 8 bytes
 */
struct board {
	__u64 seed;
	_Atomic bool stop;
	_Atomic bool quiet;
	_Atomic int crowd;
	__u64 tick_ns;
	_Atomic __u64 processes;
	_Atomic __u64 exact_runs;
	_Atomic __u64 exact_samples;
	_Atomic __u64 trees;
	_Atomic __u64 members;
	_Atomic __u64 tree_samples;
	_Atomic __u64 tree_outcomes[NR_TREE_OUTCOMES];
	_Atomic __u64 dropped;
	_Atomic __u64 walks;
	_Atomic __u64 loads;
	_Atomic __u64 checked_bytes;
	_Atomic __u64 failures[NR_SUBJECTS];
	char failure[NR_SUBJECTS][FAILURE_ROOM];
	struct tally tallies[MAX_OPERATIONS];
	struct ledger ledgers[NR_LEDGERS] __attribute__((aligned(UNIT)));
};

extern struct board *board;

/* Make the board, at BOARD_FD. False without memory. */
bool board_create(void);

/* Map the board of the program before execve(). */
bool board_open(void);

/* Bytes of counters of ledger @nr: 2, 4 or 8 */
__u32 ledger_width(unsigned int nr);

/* The position of a ledger's counters in the file BOARD_FD */
__u64 ledger_offset(unsigned int nr);

/* Note a failure; the text of the first of each subject is kept. */
void board_fail(enum subject subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Count the result of an operation: 0 or a negative errno. */
void board_count(unsigned int operation, int result);

/*
 * Access to memory that may be missing: a file may have been cut off, a huge page
 * may not be had, a server may not answer. A signal in any other access is a
 * failure of the process.
 */

/* Handle SIGSEGV and SIGBUS in this process. */
void guard_begin(void);

/* Fill memory. False if some of it is missing. */
bool guard_fill(void *at, int value, size_t bytes);

/* The result of guard_check() */
enum canary { UNTOUCHED, TOUCHED, MISSING };

/*
 * Check that each page is full of poison, or full of zeros if @zeros is set.
 * *@found is the address of the first other word.
 */
enum canary guard_check(const void *at, size_t bytes, bool zeros,
			const void **found);

/*
 * File systems of the torture: FUSE, whose server is a process of its own, and
 * ext4 on a loop device.
 */

/*
 * True in the guest of tests/qemu, as root: elsewhere the torture changes nothing but
 * itself.
 */
bool is_guest(void);

/* A directory on a file system that is in memory and not swapped */
#define FILES_HOME "/tmp/torture"

/*
 * Make FILES_HOME, and mount the file systems that the kernel has; remove all of it. Any
 * process may open the files that they have, FUSE_FILE and EXT4_FILE; the content is zero.
 */
void files_begin(void);
void files_end(void);

/* A copy of busybox that sets its user, to the first of all */
#define SET_USER_PROGRAM FILES_HOME "/sh"

#define FUSE_FILE FILES_HOME "/fuse/" FUSE_GOOD
#define EXT4_FILE FILES_HOME "/ext4/file"

/*
 * Slots: memory that operations map, change, and give to sessions as counters.
 *
 * Each thread has a row of slots and touches no other, so operations of threads
 * do not disturb each other, while sessions and forks meet all rows. A slot that
 * no session covers is a canary: full of poison, which no sample may change.
 *
 * A child of fork has copies of its parent's slots. Where the copy of @canary is
 * set, the parent's thread had not called START over the slot, so no session of
 * the child covers it, whatever other threads do during the fork. The kernel
 * copies pinned pages, which had been counters, before it copies @canary: what
 * another thread has filled with poison since the fork began is no canary in the
 * child. Where a copy is missing, the child maps memory, which has to stay
 * untouched, too.
 */

#define ROWS 4
#define SLOTS 4
#define WINDOW 0x1000000UL
/* Too many pages to be pinned at START */
#define SLOT_PAGES_MAX 100

/* Kinds of memory */
enum kind {
	ANONYMOUS,
	SHARED_ANONYMOUS,
	MEMFD,
	HUGE,
	HUGETLB,
	SHARED_HUGETLB,
	FUSE_PRIVATE,
	FUSE_SHARED,
	EXT4_PRIVATE,
	EXT4_SHARED,
	NR_KINDS,
};

/**
 * struct patch - a canary that has replaced a part of a slot
 * @at: its address
 * @bytes: its size; 0 if there is none
 */
struct patch {
	char *at;
	_Atomic size_t bytes;
};

/**
 * struct slot - a mapping in a window of its own
 * @window: WINDOW bytes of addresses that mmap() does not choose
 * @at: the mapping, in the first or the second half of the window
 * @bytes: its size; 0 if there is none
 * @kind: of the memory
 * @file: descriptor of a memfd, or -1
 * @canary: a number, if no session covers the slot and it is full of poison
 * @zeros: pages of it may have become zero
 * @wipes: a child's copy of it may be zero
 * @counted: START over it has been called; if the memory is shared, children
 *	may go on counting in it
 * @covered: START over it has been called, and nothing since that ended it
 * @patch: a part that other memory has replaced
 * @hole: a part with MADV_DONTFORK
 */
struct slot {
	char *window;
	char *at;
	size_t bytes;
	enum kind kind;
	int file;
	_Atomic unsigned int canary;
	bool zeros;
	bool wipes;
	bool counted;
	bool covered;
	struct patch patch;
	struct patch hole;
};

/* The slots of this process; private memory, which fork() copies. */
extern struct slot slots[ROWS][SLOTS];

/* Give each slot its window. Once in each program. */
void slots_begin(void);

/*
 * Replace all of the slot's window by @bytes of fresh memory, a canary. Return 0
 * or a negative errno, without a mapping then.
 */
int slot_map(struct slot *slot, enum kind kind, size_t bytes);

int slot_unmap(struct slot *slot);

/* The memory is about to change, or to be counters: no canary from here on. */
void slot_yield(struct slot *slot);

/* The memory is about to be counters. */
void slot_give(struct slot *slot);

/*
 * Fill the slot, which no session of this process covers, with poison: a canary,
 * unless children may count in it.
 */
void slot_poison(struct slot *slot);

/* Map fresh memory over a part of the slot: a canary. */
int slot_patch(struct slot *slot, char *at, size_t bytes);

/* Check the slot, if it is a canary, and its patch. */
void slot_check(struct slot *slot);
void row_check(unsigned int row);

/* Check all rows, in a process without other threads. */
void slots_check(void);

/* No session of this process covers a slot of @row. */
void row_uncover(unsigned int row);

/* Note which slots are canaries, before this thread calls fork(). */
void slots_before_fork(void);

/*
 * In a child: fill holes with canaries. Memory that is shared with the parent is
 * none, as the parent writes it.
 */
void slots_inherit(void);

/*
 * In a child: replace the memory of @row that the parent writes. False if that
 * fails: then an operation on the row would write the parent's canaries.
 */
bool row_disown(unsigned int row);

/*
 * Actors: threads that draw operations and run them. An actor has an index, which
 * depends on those of its ancestors and on the operations that made them, and
 * draws all its numbers from the seed and that index.
 */

#define DEPTH_MAX 3

/**
 * struct actor - a thread
 * @index: identifies the actor in all runs with this seed
 * @row: of slots
 * @depth: number of forks from the first process
 * @operation: number of the current operation
 * @argument: of the current operation
 * @slot: of the current operation, which is about one that is mapped
 * @random: its numbers
 */
struct actor {
	__u64 index;
	unsigned int row;
	unsigned int depth;
	unsigned int operation;
	int argument;
	struct slot *slot;
	struct stream random;
};

/* A slot of the actor's row */
struct slot *actor_slot(struct actor *actor);

/* The life of a first process, or of one after execve(). Does not return. */
void actor_live(__u64 index, unsigned int depth) __attribute__((noreturn));

/*
 * The life of a forked child of @parent, which has called actor_inherit(). Does
 * not return.
 */
void actor_live_on(const struct actor *parent) __attribute__((noreturn));

/* In a child of fork: check the memory that it has copies of. */
void actor_inherit(const struct actor *parent);

/* Start a thread of this process, with a row of its own. */
int actor_start_thread(struct actor *actor);

/*
 * True if this process has never had another thread, or a thread of the kernel's
 * that works for it: actor_had_company().
 */
bool actor_is_alone(void);
void actor_had_company(void);

/*
 * The account of a round, after all of its processes have ended: sessions,
 * canaries, pins, and the module.
 */

/*
 * Begin the keepers of the round with @seed, which are those of every second round:
 * while they are there, the driver cannot be unloaded.
 */
void keepers_begin(unsigned long long seed);

/* Find failures, and note them on the board. */
void account_check(void);

/*
 * The operations. Each returns 0 or a negative errno, which is counted and is no
 * failure: with changes all around, almost any call may fail, and a kernel may not have
 * it.
 */

/**
 * struct operation - one operation
 * @name: in the table
 * @run: performs it, or NULL if a forked child does
 * @weight: how often actors draw it
 * @argument: of @run or @life, in the actor
 * @shares: changes the session of the process, and so is not run while another thread
 *	has it to itself
 * @mapped: is about a slot that is mapped: -ENOENT if the actor draws another
 * @life: of that child
 * @waits: for the end of the child: process_run(), and not process_begin()
 */
struct operation {
	const char *name;
	int (*run)(struct actor *actor);
	unsigned int weight;
	int argument;
	bool shares;
	bool mapped;
	void (*life)(struct actor *actor);
	bool waits;
};

/* A list of operations of one subject */
struct operations {
	const struct operation *list;
	size_t nr;
};

extern const struct operations memory_operations, advice_operations,
	session_operations, tree_operations, process_operations,
	user_operations, other_operations, machine_operations;

/* Draw an operation of actors, and run it. */
void operations_run_any(struct actor *actor);

/* Draw an operation of the machine, and run it. */
void operations_run_machine(struct actor *actor);

/* Print how often each operation was done, and failed by which error. */
void operations_print(void);

/*
 * START and STOP of this process. A thread that compares numbers of samples has
 * the session to itself; the others then do without.
 */

/* The driver is loaded. */
bool sessions_work(void);

/*
 * Begin to change the session of this process; false while another thread has it
 * to itself.
 */
bool session_share(void);
void session_unshare(void);

/*
 * Have the session to itself; false while other threads change it. session_release() is
 * also for a child of fork, whose only thread neither has the session to itself nor
 * changes it.
 */
bool session_seize(void);
void session_release(void);

/*
 * The ioctls, by a descriptor of their own. Return 0 or a negative errno: EAGAIN
 * for START while the board is quiet.
 */
int session_start(struct profil_start *start);
int session_stop(struct profil_stats *stats);
int session_stats(struct profil_stats *stats);

/* Stop the session of this process; false if another thread has it to itself. */
bool session_fall_quiet(void);

/* Start a session over a ledger, with regions drawn from @random. */
int session_start_ledger(struct stream *random);

/* A failure if the outcomes of @stats, which @of returned, do not add up */
void session_check_stats(const char *of, const struct profil_stats *stats);

/* Use the CPU at a site, or in the kernel. */
void use_cpu(struct stream *random);

/*
 * Processes of the torture. Every fork and every wait is by these functions, which
 * count the processes that run. A thread waits for its own children only.
 */

/* The path of this program */
extern const char *program;

/* As fork(); EAGAIN if there are many processes. */
pid_t process_fork(void);

/*
 * Fork a child of @actor's thread, which calls @life and ends when that returns.
 * Return 0 or a negative errno: EAGAIN if there are many processes, or if the
 * first process is DEPTH_MAX forks away.
 */
int process_begin(struct actor *actor, void (*life)(struct actor *actor));

/* Fork a child that calls @life, at any depth, and wait for its end. */
int process_run(struct actor *actor, void (*life)(struct actor *actor));

/* Wait for @child, of this thread, or collect all that have ended. */
void process_wait(pid_t child);
void process_collect(void);

/* Count a process that has ended, if @child is one. */
void process_ended(pid_t child);

/* Execute the program again, to be the process @index. */
void process_execute(__u64 index, unsigned int depth);

/*
 * Sessions whose samples are compared with the ticks that the kernel charges to
 * the process: each tick that finds the process is one sample, in the same
 * interrupt, whether the tick comes late or not at all. So the numbers are equal,
 * but for ticks during START and STOP, on a machine however busy.
 */

/* Find out whether the kernel's clock counts ticks. */
void exact_begin(void);

int exact_run(struct actor *actor);

/*
 * The machine, changed by a process of its own during a round: its CPUs, memory,
 * swap, and the module.
 */

/* Prepare what operations on the machine need, and undo that. */
void machine_begin(void);
void machine_end(void);

/* Change the machine until the round ends. Does not return. */
__attribute__((noreturn)) void machine_change(void);

/* Undo all changes of a round. */
void machine_restore(void);

/* Enter the memory control group whose limit the machine changes, if any. */
void machine_join_group(void);

/* Users whose processes share limits of pinned memory */

#define FIRST_USER 71000
#define NR_USERS 4

/*
 * True if no page is charged to the users, after all of their processes have
 * ended. Needs root and the driver.
 */
bool users_have_nothing_pinned(void);

#endif /* TORTURE_H */
