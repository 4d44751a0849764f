/* SPDX-License-Identifier: GPL-2.0-only */
/* The arena, the processes beside the fuzzer, the fields and the oracle of calls, and inputs */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <linux/profil.h>
#include <linux/types.h>

#include "common.h"
#include "module/profil_trace.h"
#include "random.h"

/*
 * The arena: all user memory that arguments of calls may name, at fixed addresses
 * below 4 GiB, which 32-bit callers can name, too. The program is linked so that
 * its own memory lies high above.
 *
 * The arena has blocks of 64 KiB, a multiple of every page size. Each block has
 * an access, which decides what a call on it has to return.
 */

#define BLOCK 0x10000UL
#define NR_BLOCKS 16

#define ARENA 0x10000000UL
#define ARENA_END (ARENA + NR_BLOCKS * BLOCK)
#define COUNTERS ARENA /* more than START pins */
#define COUNTERS_BLOCKS 8
#define READONLY (ARENA + 8 * BLOCK)
#define REGIONS (ARENA + 9 * BLOCK) /* room for the most regions */
#define STATES (ARENA + 12 * BLOCK)
#define SHARED (ARENA + 13 * BLOCK)
#define ARGUMENT (ARENA + 14 * BLOCK)
#define HOLE (ARENA + 15 * BLOCK)

#define KERNEL 0xffff800000000000ULL
/* Above this address no program has memory. */
#define USER_END 0x7ffffffff000ULL
#define ABOVE_4_GIB 0x100000000ULL

/* Map all blocks as they are named. False if an address is in use. */
bool memory_map(void);

/* Changes of a block's mapping */
enum change { UNMAP, PROTECT, DISCARD, RENEW, NR_CHANGES };

void memory_change(unsigned int block, enum change change);

/*
 * The arena has a shadow, a copy in memory of the program. memory_write() writes
 * to both, as far as the arena can be written. The driver writes to the arena
 * only, and only to bytes that memory_allow() has named.
 */
void memory_write(__u64 at, const void *from, size_t bytes);
void memory_allow(__u64 at, __u64 bytes);

/*
 * The address of a byte that the driver has written and was not allowed to, or 0.
 * Without @all, only blocks that are small or hold no counters are compared.
 */
__u64 memory_touched(bool all);

/*
 * Give the arena its first mappings, and the contents of the shadow. Nothing is
 * allowed any more. The last session has to have ended.
 */
void memory_restore(void);

/* True if all of [@at, @at + @bytes) can be read, or written. */
bool memory_reads(__u64 at, __u64 bytes);
bool memory_writes(__u64 at, __u64 bytes);

/*
 * @address if a call may be given it: it lies in the arena or near it, or where
 * no program has memory. Else an address in the arena.
 */
__u64 memory_harmless(__u64 address);

/*
 * Processes that ADD may name, by descriptors with fixed numbers. Peers are children.
 */

#define NR_PEERS 2

#define PIDFD_PEER 200 /* the first of NR_PEERS */
#define PIDFD_FORBIDDEN (PIDFD_PEER + NR_PEERS) /* a process of root */
#define PIDFD_ENDED (PIDFD_FORBIDDEN + 1)
#define NO_PIDFD (PIDFD_ENDED + 1) /* a descriptor of a file */

/*
 * Make this process one of a user without privileges, to whom the driver applies
 * limits, which are infinite. It may trace its children.
 */
bool peers_drop_privileges(void);

/* Create the peers and the descriptors. False if that fails. */
bool peers_create(void);

/* Create the peers anew that have ended. */
bool peers_renew(void);

void peer_end(unsigned int nr);
void peers_end(void);

/**
 * struct chore - what a peer does
 * @site: where it spins
 * @ns: for how long, in CPU time
 * @forks: a child does all that
 * @maps: another thread maps a file meanwhile, and unmaps it
 * @hides: it is not dumpable while it spins, and dumpable afterwards
 */
struct chore {
	unsigned int site;
	__u64 ns;
	bool forks;
	bool maps;
	bool hides;
};

/* Have the peer do that, and wait for its end. False if that fails. */
bool peer_work(unsigned int nr, const struct chore *chore);

/* Descriptors: of /dev/profil, and of a table of a tree */
enum { DEVICE, TREE, NR_DEVICES };

/* Open both. False if that fails. */
bool devices_open(void);
void devices_close(void);

int device_fd(unsigned int device);

/* Close the table, and open a new one. */
bool tree_renew(void);

/*
 * As many sessions as the table is charged as, 1 unless tree_measure() has found out. That
 * changes the limit, as root, to this number. False if it cannot.
 */
unsigned int tree_sessions(void);
bool tree_measure(void);

/* The descriptor that @command is meant for */
static inline unsigned int device_of(unsigned long command)
{
	switch (command) {
	case PROFIL_TABLE_IOC_ADD:
	case PROFIL_TABLE_IOC_TAKE:
	case PROFIL_TABLE_IOC_TEXT:
	case PROFIL_TABLE_IOC_NAME:
	case PROFIL_TABLE_IOC_SYMBOL:
	case PROFIL_TABLE_IOC_WANTED:
	case PROFIL_TABLE_IOC_ROWS:
		return TREE;
	default:
		return DEVICE;
	}
}

/*
 * The results that Documentation/profil.rst allows for a call, from the memory of
 * the arena before the call. The oracle knows the documents, not the driver.
 */

/**
 * struct expected - a session as the documents promise it
 * @exists: there is one
 * @nr_regions: its number of regions
 * @flags: PROFIL_F_* flags
 * @period_ns: its period
 * @apart: no counter of it lies in the block of ARGUMENT
 */
struct expected {
	bool exists;
	__u32 nr_regions;
	__u32 flags;
	__u64 period_ns;
	bool apart;
};

/* Steps of an input */
#define STEPS_MAX 6

/**
 * struct world - what results depend on, beside the memory
 * @tick_ns: nanoseconds from one scheduler tick to the next
 * @min_period_ns: the parameter min_period_us, in nanoseconds
 * @restricted: periods shorter than the tick are refused
 * @limited: RLIMIT_MEMLOCK may refuse a page
 * @most_sessions: the parameter max_sessions
 * @tree_sessions: the table is charged as so many
 * @session: that of the program
 * @last: the table takes no samples any more
 * @takes: number of TAKEs of the table
 * @unsummed: the result of one of them is not known
 * @texts: IDs of texts in the half that was taken last, from 1 on
 * @names: the same of names
 * @ticks: sum of those of all
 * @outcomes: sum of the samples with an outcome
 * @hidden: a process in the table may have been not dumpable
 * @peers: processes; those that have been added to the table
 * @files: that have rows in the table, each with the last ROWS
 * @nr_files: number of these
 * @are_unknown: other files may have rows
 */
struct world {
	__u64 tick_ns;
	__u64 min_period_ns;
	bool restricted;
	bool limited;
	__u64 most_sessions;
	__u64 tree_sessions;
	struct expected session;
	bool last;
	__u64 takes;
	bool unsummed;
	__u32 texts;
	__u32 names;
	__u64 ticks;
	__u64 outcomes;
	bool hidden;
	struct {
		bool ended;
		bool added;
	} peers[NR_PEERS];
	struct profil_rows files[STEPS_MAX];
	unsigned int nr_files;
	bool are_unknown;
};

/* Room for an argument, and for what is behind it */
#define ARGUMENT_BYTES 512

/**
 * struct called - a call, with its argument as it was before
 * @device: the descriptor
 * @command: the command
 * @valid: the argument passes all checks of its structure, or is not needed
 * @apart: of the session that START may begin
 * @start: for START
 * @add: for ADD
 * @take: for TAKE
 * @rows: for ROWS
 * @bytes: for any
 */
struct called {
	unsigned int device;
	unsigned long command;
	bool valid;
	bool apart;
	union {
		struct profil_start start;
		struct profil_add add;
		struct profil_take take;
		struct profil_rows rows;
		char bytes[ARGUMENT_BYTES];
	};
};

/* The flags of START, of its regions, of TABLE and of ADD that are documented */
#define ORACLE_START_FLAGS                                                 \
	(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP | PROFIL_F_USER_ONLY | \
	 PROFIL_F_BYTES)
#define ORACLE_REGION_FLAGS PROFIL_REGION_OVERFLOW
#define ORACLE_TABLE_FLAGS                                                   \
	(PROFIL_TABLE_CGROUP | PROFIL_TABLE_KERNEL_PCS |                     \
	 PROFIL_TABLE_THREADS | PROFIL_TABLE_TREE | PROFIL_TABLE_ADDRESSES | \
	 PROFIL_TABLE_CALLERS)
/* Callers are found on x86-64 alone. */
#ifdef __x86_64__
#define ORACLE_CALLERS PROFIL_TABLE_CALLERS
#else
#define ORACLE_CALLERS 0
#endif

#define ORACLE_ADD_FLAGS (PROFIL_ADD_CHILDREN | PROFIL_ADD_ON_EXEC)

/* A set of results: bit 0 for success, a bit for each error. */
typedef __u64 results;

#define SUCCESS ((results)1)
/* The last two have bits of errors that are never used here. */
#define ERROR(number)                                 \
	((results)1 << ((number) == EALREADY   ? 63 : \
			(number) == EOPNOTSUPP ? 62 : \
						 (number)))

/* Sessions of forked children may reach the limit: some may have none. */
bool oracle_has_low_limit(const struct world *world);

/*
 * The results of a command on @device that are allowed for the argument at @at.
 */
results oracle_allows(const struct world *world, unsigned int device,
		      unsigned long command, __u64 at);

/* What the call has done if it has returned @result, 0 or a negative errno. */
void oracle_follow(struct world *world, const struct called *called,
		   int result);

/* Bytes of the longest path, with its NUL */
#define LONGEST_PATH 4096

/* The bytes at its path that NAME may write */
__u32 oracle_room(const struct profil_name *name);

/* True if @at has an argument that passes all checks of its structure. */
bool oracle_takes(unsigned long command, __u64 at);

/* Bytes of the structure of ABI 1, or 0 for an unknown command */
__u32 oracle_size(unsigned long command);

/* Calls as data: the argument, the list of regions, and their fields */

#define REGIONS_MAX 3
#define ROWS_MAX 4

/**
 * struct request - an argument of a call, and the list that it names
 * @command: the ioctl
 * @at: address of the argument
 * @start: the argument of START
 * @stats: that of STATS and STOP
 * @version: that of VERSION
 * @table: that of TABLE
 * @add: that of ADD
 * @take: that of TAKE
 * @text: that of TEXT
 * @name: that of NAME
 * @symbol: that of SYMBOL
 * @wanted: that of WANTED
 * @rows: that of ROWS
 * @bytes: the argument and what is behind it
 * @regions: the list of regions, repeated up to the number in @start
 * @row_list: the list of rows, each a struct profil_row
 */
struct request {
	__u64 command;
	__u64 at;
	union {
		struct profil_start start;
		struct profil_stats stats;
		struct profil_version version;
		struct profil_table table;
		struct profil_add add;
		struct profil_take take;
		struct profil_text text;
		struct profil_name name;
		struct profil_symbol symbol;
		struct profil_wanted wanted;
		struct profil_rows rows;
		char bytes[ARGUMENT_BYTES];
	};
	union {
		struct profil_region regions[REGIONS_MAX];
		__u64 row_list[ROWS_MAX];
	};
};

/**
 * struct field - a field of a request
 * @name: as in linux/profil.h
 * @at: bytes from the beginning of the request
 * @bytes: 4 or 8; or more, of which the first 8 have a value, of an array that is out
 * @is_address: the field has to be harmless: memory_harmless()
 * @is_out: the driver writes the field, and ignores what it was
 * @is_period: the driver writes the tick's in the place of 0
 */
struct field {
	const char *name;
	size_t at;
	unsigned int bytes;
	bool is_address;
	bool is_out;
	bool is_period;
};

/*
 * The fields of a command: those of its structure, those that are only out
 * included, what lies behind it, and its address; for START also those of two
 * regions
 */
const struct field *fields_of(unsigned long command, unsigned int *nr);

/*
 * True if each byte of the command's structure in linux/profil.h, and for START
 * of two regions, is in one of its fields.
 */
bool fields_are_complete(unsigned long command);

__u64 field_get(const struct request *request, const struct field *field);
void field_set(struct request *request, const struct field *field, __u64 value);

/* Boundary values: sizes, limits, addresses, and their neighbours */
extern const __u64 boundary_values[];
extern const unsigned int nr_boundary_values;

/* A valid request over the arena. ADD names the first peer. */
void request_init(struct request *request, unsigned long command);

/* Write the request to the arena, as far as that has memory. */
void request_place(const struct request *request);

/* One call of a 64-bit or a 32-bit program, compared with the oracle */

enum caller { CALLER_64, CALLER_32, NR_CALLERS };

/* True if the kernel takes system calls of 32-bit programs. */
bool caller_works(enum caller caller, int fd);

/**
 * struct attempt_call - a call and its result
 * @device: the descriptor
 * @caller: of what kind the calling program is
 * @world: what the result depends on; followed
 * @request: placed in the arena
 * @allowed: results that are documented
 * @result: of the call
 * @wrong: a field of the argument that is not as documented afterwards, or NULL
 */
struct attempt_call {
	unsigned int device;
	enum caller caller;
	struct world *world;
	const struct request *request;
	results allowed;
	int result;
	const char *wrong;
};

/* What the kernel and the module allow now */
struct world world_now(void);

/* Make the call. False if the result, or what it writes, is not documented. */
bool attempt_as_documented(struct attempt_call *attempt);

/*
 * Make the call while the memory of arguments may change: any error of the
 * command is documented, and all of the arena may be written.
 */
bool attempt_anything(struct attempt_call *attempt);

/* End the session, and renew the table if the call may have changed it. */
void attempt_end(struct attempt_call *attempt);

/*
 * The first field of @after that Documentation/profil.rst does not allow, or NULL.
 * @before: a request of the same command, with the argument before a successful
 * call, whose result was written to nothing else in the argument's memory
 * @world: before the call
 * Fields that are only out have their documented values, whatever they were. The
 * other fields are unchanged.
 */
const char *outputs_wrong(const struct world *world,
			  const struct request *before,
			  const struct request *after);

/* Inputs of the fuzzer: a few steps, each a call or something that changes it */

enum kind { CALL, SPIN, CHANGE, FORK, LIMIT, PEER, NR_KINDS };

/* What a second thread does during a call */
enum race { ALONE, FLIP, STOP, REMAP, BRANCH, NR_RACES };

/**
 * struct step - one step
 * @kind: what to do
 * @device: for CALL, and FORK's calls: the descriptor
 * @caller: for CALL: of a 64-bit or a 32-bit program
 * @race: for CALL: what a second thread does meanwhile
 * @flipped: for FLIP: the index of the field that changes
 * @value: for FLIP: the field's other value; else the step's parameter
 * @request: for CALL: the call
 */
struct step {
	enum kind kind;
	unsigned int device;
	enum caller caller;
	enum race race;
	unsigned int flipped;
	__u64 value;
	struct request request;
};

struct input {
	unsigned int nr;
	struct step steps[STEPS_MAX];
};

/* A new input, and a variation of one. @callers: see enum caller */
void input_create(struct input *input, struct stream *random,
		  unsigned int callers);
void input_vary(struct input *input, struct stream *random,
		unsigned int callers);

/* Print the input, a line for each step, for a report. */
void input_print(const struct input *input);

/* Execution of inputs */

/* Prepare this process, which has no privileges, and its peers. False if that fails. */
bool execute_begin(void);

/*
 * Execute the input, and end its sessions. False, with a reason, if a result is
 * not documented, the samples do not add up, the counters differ from the hits,
 * or other memory was written.
 */
bool execute(const struct input *input, char *reason, size_t room);

/* A second thread, which works against a call while it is made */

/* Start the thread, once in each process. False if that fails. */
bool rival_create(void);

/* Let the thread do what @step says, until rival_end(). */
void rival_begin(const struct step *step);
void rival_end(void);

/*
 * Places of the driver that calls have reached: see module/profil_trace.h. Only in the
 * guest of tests/fuzz/run.
 */

/* Map the device. False without one. */
bool trace_open(void);

/* Trace this thread from now on. */
void trace_this_thread(void);

/* Forget what the thread has executed since. */
void trace_begin(void);

/*
 * Add the places, and the steps from one place to the next, since trace_begin().
 * Return how many are new.
 */
unsigned int trace_end(void);

/* Places that this program's threads have traced, and steps between places */
unsigned int trace_places(void);
unsigned int trace_steps(void);

/*
 * Operands of a comparison since the program began, chosen by @number. False if
 * there are none.
 */
bool trace_pair(__u64 number, struct trace_pair *pair);

#endif /* TESTS_FUZZ_FUZZ_H */
