/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording of a command, of processes or the machine, from its start to the saved profile */
#ifndef PROFIL_RECORDER_H
#define PROFIL_RECORDER_H

#include "process/child.h"
#include "profile/save.h"
#include "record/callers.h"
#include "record/table.h"
#include "record/targets.h"

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
 * @lacks_callers: the callers of the samples are not recorded. Otherwise they are, if the
 *	driver has them
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
	bool lacks_callers;
	bool needs_kernel;
	const char *data;
	bool is_required;
	bool is_optional;
	bool is_silent;
	bool is_quiet;
	char **argv;
};

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
	struct compiling compiling;
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
