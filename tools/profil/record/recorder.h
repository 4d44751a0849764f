/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording of a command, of processes or the machine, from its start to the saved profile */
#ifndef PROFIL_RECORDER_H
#define PROFIL_RECORDER_H

#include <poll.h>
#include <signal.h>

#include "record/growing.h"
#include "util/option.h"

/**
 * struct record_request - what is recorded, and where it is saved
 * @rate: samples a second of CPU time
 * @delay_ns: time before the recording begins, or 0
 * @duration_ns: time after which the recording ends, or 0
 * @every_ns: time between snapshots, or 0
 * @spool: directory for a profile of each such time alone, or NULL
 * @pids: processes to attach to
 * @children: attach to their children, too
 * @is_machine: all programs are recorded
 * @cgroup: those in this cgroup alone; or NULL
 * @has_threads: threads of different names are distinguished
 * @needs_kernel: nothing is recorded without the functions of the kernel
 * @data: file for the profile, whose recording outlives a killed profil; or NULL
 * @is_required: the command is not run if @data cannot be written
 * @is_optional: the command is run without a profile if it cannot be recorded
 * @is_silent: the command's stdin, stdout and stderr are /dev/null
 * @is_quiet: neither a summary nor a heading and hints are printed
 * @argv: the command; with @pids and @is_machine, it is only waited for, and may be
 *	empty
 */
struct record_request {
	struct option_rate rate;
	uint64_t delay_ns;
	uint64_t duration_ns;
	uint64_t every_ns;
	const char *spool;
	struct option_numbers pids;
	bool children;
	bool is_machine;
	const char *cgroup;
	bool has_threads;
	bool needs_kernel;
	const char *data;
	bool is_required;
	bool is_optional;
	bool is_silent;
	bool is_quiet;
	char **argv;
};

/*
 * A command that is run; all 0 at first
 * @argv: name and arguments, ended by NULL; none: there is no command
 * @pid: its process, after profil_child_begin(); 0: there is no command
 * @status: after its end, its exit status, or 128 plus the signal that killed it; 127
 *	or 126 if it was not found or not executed
 * @killed_by: signal that killed it, or 0
 * @cpu: its CPU time, with that of the children that it waited for
 * @signal: signal that has ended the recording
 * @interrupted_ns: time of the first SIGINT or SIGTERM, or 0
 * @descriptor: descriptor that is readable when there is a signal
 * @front: descriptor that is readable when the process in front has ended; 0: there
 *	is none
 * @is_orphan: it has ended
 * @waited: signals that are waited for; private, as the next ones
 * @mask: signals that were blocked before
 * @sigchld: action of SIGCHLD before
 * @are_taken: the signals are blocked
 * @go: pipe that lets the child go on
 * @report: pipe with the error of execvp()
 * @command: pipe for @pid to the process in front, and its end in that one
 */
struct child {
	char **argv;
	bool stdout_is_stderr;
	bool is_silent;
	pid_t pid;
	bool has_ended;
	int status;
	int killed_by;
	struct cpu_time cpu;
	int signal;
	uint64_t interrupted_ns;
	int descriptor;
	int front;
	bool is_orphan;
	sigset_t waited;
	sigset_t mask;
	struct sigaction sigchld;
	bool are_taken;
	int go;
	int report;
	int command;
};

/* Deadline that is never reached */
#define CHILD_NEVER UINT64_MAX

/* Store the path of the program that execvp() executes for @name; false without one. */
bool profil_child_find(const char *name, char path[PATH_MAX]);

/*
 * Fork a process, the recorder, which continues with 0. The process in front of it gets
 * the ID of the recorder. It passes signals on, and ends with the status of the recorder
 * or, if that is killed, of the command.
 */
pid_t profil_child_outlive(struct child *child);
void profil_child_stand_in_front(const struct child *child, pid_t recorder)
	__attribute__((noreturn));

/*
 * The process in front was killed. From then on stdin, stdout and stderr are null
 * devices: a terminal, and pipes whose readers wait, are left.
 */
bool profil_child_is_orphan(struct child *child);

/*
 * Fork the process of the command, which waits for profil_child_execute(). From now on
 * SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are blocked; a terminal sends
 * its signals to the child itself, and other signals are passed on. Without a command,
 * each of them is a request of the user to end the recording. A recorder leaves the
 * session.
 */
void profil_child_begin(struct child *child);

/*
 * Let the child execute the command, if there is one. False if it was not executed: a
 * message has been printed, and the child ends.
 */
bool profil_child_execute(struct child *child);

/* The command has ended. */
bool profil_child_has_ended(struct child *child);

/*
 * Take and pass on the signals that have come. The user has ended the recording: the
 * command ignores a SIGINT or SIGTERM, or a second one followed more than a second
 * later.
 */
bool profil_child_is_interrupted(struct child *child);

/* Wait until a descriptor of @fds is ready, or up to @deadline: then false. */
bool profil_child_wait(struct pollfd *fds, size_t nr, uint64_t deadline);

/* Become the command @argv without a profile, or print why not and end. */
void profil_child_become(char **argv) __attribute__((noreturn));

/* Unblock the signals, and block them again for another wait. */
void profil_child_end(struct child *child);
void profil_child_take_signals(struct child *child);

/*
 * Samples by the table of the driver: of the machine, of the programs in a cgroup, or
 * of processes and their children
 */

/*
 * A table of the driver
 * @counters: counters of both halves, mapped
 * @cgroup: path of the cgroup below the root of cgroup2, or ""
 * @is_tick: samples are taken at the kernel's tick
 * @booted: time of all CPUs before the table was opened
 * @take_ns: time of profil_now() when the table is due to be taken, with all numbers
 * @see_ns: the same for its counters alone, so that processes are seen while they run
 * @interval_ns: time between the last take and @see_ns
 * @is_gone: the cgroup has been removed
 * @has_failed: the table could not be taken, and is not taken again
 * @is_unknown: a warning was printed that counters have keys of unknown kinds
 * @is_shared: a warning was printed that others take the table, too
 */
struct table {
	int fd;
	const struct profil_counter *counters;
	char *cgroup;
	uint64_t period_ns;
	bool is_tick;
	enum profile_table kind;
	struct machine_time booted;
	uint64_t take_ns;
	uint64_t see_ns;
	uint64_t interval_ns;
	bool is_gone;
	bool has_failed;
	bool is_unknown;
	bool is_shared;
};

/*
 * Open a table of the driver, which begins to count, and map it. Exits with a message if
 * that is refused.
 */
struct table *profil_table_open(const struct record_request *request);

/* Map it in a forked child, which has the descriptor and not the mapping. */
void profil_table_map(struct table *table);
void profil_table_close(struct table *table);

/* Add the process of @pidfd by PROFIL_ADD_* flags: 0 or -errno. */
int profil_table_add(const struct table *table, int pidfd, uint32_t flags);

/* All processes that were added have ended, or have been dropped. */
bool profil_table_has_ended(const struct table *table);

/* Half of the table is in use. */
bool profil_table_is_full(const struct table *table);

/* Add to @growing the counters since the last time, without the numbers beside them. */
void profil_table_see(struct table *table, struct growing *growing);

/* Add to @growing what was counted since the last time. */
void profil_table_take(struct table *table, struct growing *growing);

/* Take no samples from now on, and add to @growing those since the last time. */
void profil_table_end(struct table *table, struct growing *growing);

/* Set the numbers of @head, which are 0, to those from @then to @now. */
void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now,
			   struct profile_head *head);

/*
 * Let the functions of the kernel in @profile, whose head and places are set, be those of
 * the program, where that is known.
 */
void profil_table_set_kernel(struct profile *profile);

/* Counters of a half: 1 MiB. gcc has about 7,000 different PCs in 10,000 samples. */
#define TABLE_COUNTERS_LOG2 16
#define TABLE_COUNTERS ((size_t)1 << TABLE_COUNTERS_LOG2)

/*
 * Time after which a table is taken. The first takes are earlier: after the second one,
 * and after twice that of the one before, up to a second. Samples of a system call that
 * sleeps are lost by takes that follow each other soon.
 */
#define TABLE_TAKE_NS (10 * SECOND)
#define TABLE_FIRST_NS (SECOND / 10)

/* Processes that a recording is attached to */

/* A process with its CPU time before, and at the last look before its end */
struct counted {
	pid_t pid;
	struct cpu_time before;
	struct cpu_time now;
};

/*
 * Processes that a recording is attached to
 * @growing: gets their root directories
 * @have_children: a process has children that are not added
 * @counted: their CPU time, each process once
 * @fds: descriptors of those that run, behind one that the caller may set
 */
struct targets {
	const struct record_request *request;
	const struct table *table;
	struct growing *growing;
	bool have_children;
	struct counted *counted;
	size_t nr_counted;
	struct pollfd *fds;
	size_t nr;
};

/*
 * Attach to the processes, whose first members are set. Exits with a sentence if that
 * is not possible; a line has the number of descendants that were refused. The caller is
 * the ptracer of a process for that moment, and the process is not stopped.
 */
void profil_targets_attach(struct targets *targets);

/*
 * CPU time since then, by /proc; of a process that has ended, that at the last call
 * before its end
 */
struct cpu_time profil_targets_cpu(struct targets *targets);

/* All have ended; those that have are not in @targets->fds any more. */
bool profil_targets_have_ended(struct targets *targets);

void profil_targets_free(struct targets *targets);

/* Saving a profile, so that no other one is lost */

/**
 * struct save - where a profile is saved
 * @path: the file; - is stdout
 * @descriptor: open descriptor that @path names, or -1
 * @is_written: a profile of this recording has the name
 * @is_orphan: profil was killed: its pipes are not written to
 * @is_named: files have a name from the beginning, since linkat(2) has failed
 * @elsewhere: file in memory, if the file cannot be written; otherwise ""
 * @unfinished: file that is being written and is not the profile yet, or ""
 * @error: errno of writing the file, if @elsewhere is used or nothing was saved
 * @size: bytes of the profile
 */
struct save {
	char path[PATH_MAX];
	int descriptor;
	bool is_written;
	bool is_orphan;
	bool is_named;
	char elsewhere[PATH_MAX];
	char unfinished[PATH_MAX];
	int error;
	uint64_t size;
};

/* Descriptor that @path names, as - or /dev/fd/1, or -1; it may be closed. */
int profil_save_descriptor(const char *path);

/*
 * @path is a device, a FIFO or a descriptor: it is written directly, once. A link to
 * such a file counts if it belongs to root or to the caller. DATA_NAME, and the link
 * of another user, are replaced by a file.
 */
bool profil_save_is_special(const char *path);

/* Prepare to save in @path: 0, or -errno if a file cannot be written there. */
int profil_save_begin(struct save *save, const char *path);

/*
 * Save @profile: 0 or -errno. The file is complete whenever it is there, also
 * after the machine has crashed, and belongs to this user alone. If it cannot be
 * written, an older file is kept, and the profile is saved in memory or in a
 * directory for temporary files.
 */
int profil_save(struct save *save, const struct profile *profile);

/*
 * Save @profile, which is one of a part of the time, in a file of @directory: 0 or
 * -errno. The names of such files sort by the beginning of the part.
 */
int profil_save_part(const char *directory, const struct profile *profile);

/*
 * Why a wait is over: the deadline has passed, what is recorded has ended, or the user
 * has ended the recording
 */
enum record_event { RECORD_DEADLINE, RECORD_ENDED, RECORD_INTERRUPTED };

/*
 * A recording while it runs
 * @command: arguments of the command, or of the first process of the request
 * @spooled: what is in @request->spool
 * @start_ns: beginning of the recording, of profil_now()
 * @resolve_ns: time of profil_now() when names are looked up again
 * @is_stopped: no samples are taken any more
 * @refused: errno of preparing to save the profile, or 0
 * @is_saved: the profile was saved, perhaps elsewhere
 * @is_unspooled: the last profile could not be written to @request->spool
 */
struct recorder {
	const struct record_request *request;
	struct child child;
	char **command;
	struct table *table;
	struct growing growing;
	struct mark begin;
	struct mark spooled;
	struct targets targets;
	uint64_t start_ns;
	uint64_t resolve_ns;
	struct save save;
	enum record_event event;
	bool is_interrupted;
	bool is_stopped;
	int refused;
	bool is_saved;
	bool is_unspooled;
};

/*
 * The parts of profil_recorder_run(), for a caller that shows the profile meanwhile:
 * begin; wait up to a time of profil_now(), any number of times until
 * @recorder->event is not RECORD_DEADLINE; stop, after which the profile is complete;
 * and close. False, as of profil_recorder_run().
 */
bool profil_recorder_begin(struct recorder *recorder,
			   const struct record_request *request);
void profil_recorder_wait(struct recorder *recorder, uint64_t deadline);
void profil_recorder_stop(struct recorder *recorder);
void profil_recorder_close(struct recorder *recorder);

/* Count what there is so far, with its names. */
void profil_recorder_take(struct recorder *recorder);

/* The initialized @profile gets what was counted since @mark. */
void profil_recorder_read(const struct recorder *recorder,
			  const struct mark *mark, struct profile *profile);

/*
 * Record the command. False if it was not executed: a message was printed, and only
 * profil_recorder_end() may follow. Otherwise the initialized @profile is filled and
 * saved. Exits if the request cannot be met, or becomes the command if that is optional.
 */
bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile);

/* Wait for a command that has outlived its recording; its exit status */
int profil_recorder_end(struct recorder *recorder);

#endif
