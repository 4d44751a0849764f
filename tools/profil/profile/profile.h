/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profile: samples of a recording with the names of their code
 *
 * A profile is what a profil.data contains. It needs no other file: functions,
 * source lines and inlined functions were looked up when the recording ended.
 * Tables refer to each other by index. Strings belong to the profile and are
 * unique, so equal strings have the same address.
 */
#ifndef PROFIL_PROFILE_H
#define PROFIL_PROFILE_H

#include <linux/profil.h>

#include "util/index_map.h"
#include "util/regular_file.h"

/*
 * Unique strings
 * @array: the strings by index, @nr elements; 0 is ""
 * @size: bytes of all
 * @set: their indices; private
 */
struct profile_strings {
	char **array;
	uint32_t nr;
	size_t size;
	struct index_set set;
};

struct profile_strings *profil_strings_new(void);
void profil_strings_free(struct profile_strings *strings);

/* Index of @string, which is copied, in O(1) */
uint32_t profil_strings_index(struct profile_strings *strings,
			      const char *string);

/* The same, of a string that is freed */
uint32_t profil_strings_take(struct profile_strings *strings, char *string);

/* The table's own copy of @string */
const char *profil_strings_add(struct profile_strings *strings,
			       const char *string);

/* Index of an element that does not exist */
#define PROFILE_NONE UINT32_MAX

/* Upper limit of the frames of a place: compilers inline no deeper. */
#define PROFILE_FRAMES 256

/**
 * enum profile_table - what a recording is about
 * @TABLE_NONE: none, as of a gmon.out, and of recordings before there were tables
 * @TABLE_MACHINE: all programs, or those in a cgroup
 * @TABLE_TREE: processes, and perhaps their children
 */
enum profile_table { TABLE_NONE, TABLE_MACHINE, TABLE_TREE };

/**
 * struct profile_head - what is known of a recording, samples apart
 *
 * Numbers and flags that a profil.data has are 64-bit numbers, for head.h.
 *
 * @argv: the command, @argc strings
 * @argc: elements of @argv
 * @host: name of the machine
 * @machine: its architecture, as of uname -m
 * @release: its kernel's release
 * @begin_ns: start, in nanoseconds since 1970
 * @wall_ns: nanoseconds from start to end, or to the snapshot
 * @cpu_ns: nanoseconds of CPU time of the command and the children it waited for
 * @kernel_ns: part of @cpu_ns in the kernel
 * @period_ns: nanoseconds of CPU time that a sample stands for; 0: no sample
 * @is_tick: samples were taken at the kernel's tick
 * @is_complete: the command has ended; false for a snapshot
 * @status: exit status as of a shell
 * @signal: signal that killed the command, or 0
 * @running: process ID of a command that is still running, or 0
 * @attached: ID of the process that profil was attached to, or 0: its exit status
 *	is not known
 * @samples: samples taken by the driver
 * @hits: samples in a counter
 * @outside: samples in no region
 * @lost: samples without a counter
 * @saturated: hits on a counter at its limit
 * @kernel_samples: samples taken in kernel mode
 * @sessions: sessions of the driver
 * @ended: sessions that have ended
 * @recordings: recordings that were added up, 1 for a file as recorded
 * @unused: 0, in place of numbers that older versions have written
 * @is_orphan: profil was killed while the command ran: its exit status is not
 *	known
 * @format: gmon.out or mon.out, if the profile comes from such a file, which has
 *	samples, calls and a rate and nothing else of this; otherwise NULL
 * @rate: samples a second of that file; 0 if not known
 * @is_rate_assumed: the file does not contain @rate
 * @table: of enum profile_table, the table of the driver that has the samples. @taken
 *	has what became of them: @hits are those that it has, @outside and @lost the
 *	others of programs. Of TABLE_MACHINE, the programs are all or those in @cgroup,
 *	and @cpu_ns is the time of these samples
 * @taken: sums over the table of the driver, and its processes; @waiting, @sequence
 *	and the members before @ticks are 0
 * @cgroup: path of the cgroup, or ""
 * @idle_ns: nanoseconds of all CPUs without a task; an idle CPU has few ticks
 * @busy_ns: those with a task, for TABLE_MACHINE
 * @stolen_ns: nanoseconds of all CPUs that the host of a virtual machine took
 * @is_virtual: the machine is known to be a virtual one
 */
struct profile_head {
	const char **argv;
	uint32_t argc;
	const char *host;
	const char *machine;
	const char *release;
	uint64_t begin_ns;
	uint64_t wall_ns;
	uint64_t cpu_ns;
	uint64_t kernel_ns;
	uint64_t period_ns;
	uint64_t is_tick;
	uint64_t is_complete;
	uint64_t status;
	uint64_t signal;
	uint64_t running;
	uint64_t attached;
	uint64_t samples;
	uint64_t hits;
	uint64_t outside;
	uint64_t lost;
	uint64_t saturated;
	uint64_t kernel_samples;
	uint64_t sessions;
	uint64_t ended;
	uint64_t recordings;
	uint64_t unused;
	uint64_t is_orphan;
	const char *format;
	unsigned int rate;
	bool is_rate_assumed;
	uint64_t table;
	struct profil_take taken;
	const char *cgroup;
	uint64_t idle_ns;
	uint64_t busy_ns;
	uint64_t stolen_ns;
	uint64_t is_virtual;
};

/*
 * A program, or a part of its processes
 * @path: path by which it was executed; a script that it interprets follows, after a space
 * @cgroup: cgroup of the processes, or "" if that was not recorded
 * @thread: name of the threads or, if these are not distinguished, of the processes where
 *	it is not that of @path; or ""
 * @file: path of its file, or "" if it is @path
 */
struct profile_program {
	const char *path;
	const char *cgroup;
	const char *thread;
	const char *file;
};

static inline const char *profile_file_of(const struct profile_program *program)
{
	return *program->file ? program->file : program->path;
}

/* Name of the recording profil as a program */
#define PROFILE_ITSELF "profil itself"

/* Bytes of the name of a process */
#define PROFILE_COMM 16

/**
 * struct profile_kernel - a function of the kernel in a program
 * @name: its name, with that of its module as in "function [module]"
 * @program: index of the program, or PROFILE_NONE for kernel threads, and where the
 *	program is not known
 * @stack: index of the stack that entered the kernel, or PROFILE_NONE if it is not known
 * @samples: samples in it, which places and @stack have as well, where programs entered
 *	the kernel
 */
struct profile_kernel {
	const char *name;
	uint32_t program;
	uint32_t stack;
	uint64_t samples;
};

/**
 * enum profile_kind - kind of an object
 * @PROFILE_FILE: a file, or [vdso]
 * @PROFILE_OUTSIDE: code of a program that is in none of its files
 * @PROFILE_JIT: code that a program has generated in memory
 */
enum profile_kind { PROFILE_FILE, PROFILE_OUTSIDE, PROFILE_JIT };

/**
 * enum profile_names - where the names of an object come from
 * @PROFILE_NAMES_READ: the file was read; it may have no symbols
 * @PROFILE_NAMES_UNREADABLE: the file is there, and could not be opened
 * @PROFILE_NAMES_REPLACED: the file was not the one that was profiled
 * @PROFILE_NAMES_SKIPPED: the lookup was interrupted
 * @PROFILE_NAMES_MISSING: there was no file with the path
 * @PROFILE_NAMES_FAILED: the process that reads files has failed, at this one or before
 */
enum profile_names {
	PROFILE_NAMES_READ,
	PROFILE_NAMES_UNREADABLE,
	PROFILE_NAMES_REPLACED,
	PROFILE_NAMES_SKIPPED,
	PROFILE_NAMES_MISSING,
	PROFILE_NAMES_FAILED,
};

/**
 * enum profile_lines - source lines of an object
 * @PROFILE_LINES_NONE: none are known
 * @PROFILE_LINES_KNOWN: lines and inlined functions are known
 * @PROFILE_LINES_PACKED: its debugging information is compressed in a way that elfutils
 *	could not read
 * @PROFILE_LINES_ALONE: lines are known, and some inlined functions are not, as a file
 *	with the other part of the debugging information was not found
 */
enum profile_lines {
	PROFILE_LINES_NONE,
	PROFILE_LINES_KNOWN,
	PROFILE_LINES_PACKED,
	PROFILE_LINES_ALONE,
};

/*
 * A file, or other code of a program
 * @path: path of the file; path of the program for other kinds
 * @build_id_size: bytes of @build_id; 0 if the file has none
 * @is_relocatable: loaded at any address: a shared object or a PIE
 */
struct profile_object {
	enum profile_kind kind;
	const char *path;
	uint32_t build_id_size;
	uint8_t build_id[FILE_BUILD_ID];
	enum profile_names names;
	enum profile_lines lines;
	bool is_relocatable;
};

/* Executable part of a file: its offset there, link-time address, and size in bytes */
struct profile_segment {
	uint32_t object;
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};

/*
 * A function with code of its own, or an inlined one
 * @symbol: symbol as in the file, mangled; "" if there is none
 * @name: printable name: demangled, or FILE+0xADDRESS without a symbol
 * @address: link-time address of the first instruction; 0 if inlined
 * @size: bytes of code; 0 if inlined or not known
 * @is_inlined: the function appears in frames of inlined code only
 * @file: source file with the function's declaration, or ""
 * @line: line of the declaration, or 0
 * @code: machine code, or NULL; @size bytes
 */
struct profile_function {
	uint32_t object;
	const char *symbol;
	const char *name;
	uint64_t address;
	uint64_t size;
	bool is_local;
	bool is_inlined;
	const char *file;
	uint32_t line;
	const uint8_t *code;
};

/*
 * A position in the source code, in @function; the others are "" or 0 if they are not
 * known
 */
struct profile_frame {
	uint32_t function;
	const char *file;
	uint32_t line;
	uint32_t column;
	uint32_t discriminator;
};

/*
 * Code: an instruction, which any program may have executed. Equal code is one place, and
 * keeps its index
 * @function: index of the function whose code contains it, or PROFILE_NONE for
 *	code that is in no file
 * @frames: index of the innermost frame; the frames of the functions that
 *	inlined it follow, the last is in @function
 * @nr_frames: frames; 0 if no source line is known
 * @offset: offset in the file; address in memory for other kinds
 * @address: link-time address
 */
struct profile_place {
	uint32_t object;
	uint32_t function;
	uint32_t frames;
	uint32_t nr_frames;
	uint64_t offset;
	uint64_t address;
};

/*
 * Who has executed a place, and how often
 * @place: index of the place
 * @program: index of the program
 * @user: samples in user mode
 * @kernel: samples in kernel mode
 */
struct profile_sample {
	uint32_t place;
	uint32_t program;
	uint64_t user;
	uint64_t kernel;
};

/*
 * A call stack: the one of its caller, and a place in it. Equal stacks are one, which keeps
 * its index
 * @sample: the members beside it: a place that was executed or has called, and samples with
 *	these callers, which the samples of the profile have as well
 * @parent: index of the stack without the place, which is a lower one; PROFILE_NONE: the
 *	place is the outermost one that is known
 * @end: without a parent, why there is none, of PROFIL_WALK_*
 */
struct profile_stack {
	union {
		struct profile_sample sample;
		struct {
			uint32_t place;
			uint32_t program;
			uint64_t user;
			uint64_t kernel;
		};
	};
	uint32_t parent;
	uint32_t end;
};

/* Calls of a function from one call site; an index of a function may be PROFILE_NONE */
struct profile_call {
	uint32_t caller;
	uint32_t callee;
	uint64_t count;
};

/*
 * All of a profile: its head, tables, and their strings
 *
 * Samples ascend by object, offset and program after profil_profile_sort(). Functions of
 * the kernel are there if they were recorded, and calls if a gmon.out or mon.out has them,
 * in any order, with duplicates of calls. @unit: counts of places and outside for one sample: 1,
 * or more where samples are divided between functions. @dropped_frames: frames beyond
 * PROFILE_FRAMES that were not read. @stacks: if callers were recorded. @lacks_kernel: a
 * profile that was added has samples in kernel mode, and no functions of the kernel.
 * @left_out: samples that profil_profile_keep_through() has taken from places; @is_through:
 * it has been called.
 * The indices and the sets are private.
 */
struct profile {
	struct profile_head head;
	struct profile_program *programs;
	uint32_t nr_programs;
	struct index_map program_index;
	struct profile_object *objects;
	uint32_t nr_objects;
	struct profile_segment *segments;
	uint32_t nr_segments;
	struct profile_function *functions;
	uint32_t nr_functions;
	struct profile_frame *frames;
	uint32_t nr_frames;
	struct profile_place *places;
	uint32_t nr_places;
	struct index_set place_set;
	struct profile_sample *samples;
	uint32_t nr_samples;
	struct profile_stack *stacks;
	uint32_t nr_stacks;
	struct index_set stack_set;
	struct profile_kernel *kernel;
	uint32_t nr_kernel;
	struct index_map kernel_index;
	struct profile_call *calls;
	uint32_t nr_calls;
	uint64_t unit;
	struct profile_strings *strings;
	uint64_t dropped_frames;
	bool lacks_kernel;
	uint64_t left_out;
	bool is_through;
};

/*
 * The frames of @place, the innermost first; NULL if it has none, as @profile may
 * have none either, and no address may be computed of such an array.
 */
static inline const struct profile_frame *
profile_frames_of(const struct profile *profile,
		  const struct profile_place *place)
{
	return place->nr_frames ? &profile->frames[place->frames] : NULL;
}

static inline const struct profile_place *
profile_place_of(const struct profile *profile,
		 const struct profile_sample *sample)
{
	return &profile->places[sample->place];
}

static inline uint64_t profile_samples_of(const struct profile_sample *sample)
{
	return sample->user + sample->kernel;
}

/* The command with spaces between its words, to be freed */
char *profil_head_command(const struct profile_head *head);

/* Build ID of @object as digits in base 16 */
void profil_object_build_id(const struct profile_object *object,
			    char text[2 * FILE_BUILD_ID + 1]);

/* Name of code in no function, to be freed: [outside], or [jit: PROGRAM] */
char *profil_object_code(const struct profile_object *object);

/*
 * @path is a file of the system, and not one of its user: below /usr, but for
 * /usr/local, or below /bin, /sbin or /lib; or the source of the standard library of
 * Go or Rust; or what compilers name so, as "<autogenerated>"
 */
bool profil_path_is_of_system(const char *path);

/* An empty profile; one recording, complete, every string "" */
void profil_profile_init(struct profile *profile);
void profil_profile_free(struct profile *profile);

/* The profile's own copy of @string, unique in it */
const char *profil_profile_string(struct profile *profile, const char *string);

/* The profile's own copy of @size bytes */
const uint8_t *profil_profile_bytes(struct profile *profile,
				    const uint8_t *bytes, size_t size);

/* Set the command. */
void profil_profile_set_command(struct profile *profile, uint32_t argc,
				const char *const *argv);

/*
 * Append an element, whose strings are copied, and return its index. Programs
 * are unique: the index of an equal one is returned.
 */
uint32_t profil_profile_add_program(struct profile *profile,
				    const struct profile_program *program);

/* Let @path be that of the program @index, whose samples stay. */
void profil_profile_rename_program(struct profile *profile, uint32_t index,
				   const char *path);

/* Store the name of the processes or threads of @program. */
void profil_program_comm(const struct profile_program *program,
			 char comm[PROFILE_COMM]);
uint32_t profil_profile_add_object(struct profile *profile,
				   const struct profile_object *object);
uint32_t profil_profile_add_segment(struct profile *profile,
				    const struct profile_segment *segment);
uint32_t profil_profile_add_function(struct profile *profile,
				     const struct profile_function *function);
uint32_t profil_profile_add_frame(struct profile *profile,
				  const struct profile_frame *frame);

/*
 * Index of the place that has the object, offset, function and number of frames of @place,
 * or had them when it was added; or of @place, which is added. Its frames are the last
 * ones of @profile: those of a place that is not added are removed.
 */
uint32_t profil_profile_add_place(struct profile *profile,
				  const struct profile_place *place);
uint32_t profil_profile_add_sample(struct profile *profile,
				   const struct profile_sample *sample);

/*
 * Index of the stack with the parent, place and program of @stack, which gets its samples;
 * of the function of the kernel with the name, program and stack of @kernel, which does, too
 */
uint32_t profil_profile_add_stack(struct profile *profile,
				  const struct profile_stack *stack);
uint32_t profil_profile_add_kernel(struct profile *profile,
				   const struct profile_kernel *kernel);
uint32_t profil_profile_add_call(struct profile *profile,
				 const struct profile_call *call);

/* Calls, and samples, of each function, to be freed */
uint64_t *profil_profile_calls(const struct profile *profile);
uint64_t *profil_profile_samples(const struct profile *profile);

/* Sort @nr samples, which may be none of the profile's own, by object, offset and program. */
void profil_samples_sort(const struct profile *profile,
			 struct profile_sample *samples, uint32_t nr);

/* Sort the samples of the profile so; those that are equal become one. */
void profil_profile_sort(struct profile *profile);

/*
 * Let the unit be 1. Sums from the first sample on are rounded, so that the total
 * is exact and that of each function right to one sample; samples that become 0 are
 * removed.
 */
void profil_profile_round(struct profile *profile);

/*
 * Samples in an object, and those in no function, or in one that has an offset in place
 * of a name
 */
struct naming {
	uint64_t samples;
	uint64_t nameless;
};

/* That of each object, to be freed */
struct naming *profil_profile_namings(const struct profile *profile);

/* Counts that are 100 %: in places, left out, outside, and lost */
uint64_t profil_profile_total(const struct profile *profile);

#endif
