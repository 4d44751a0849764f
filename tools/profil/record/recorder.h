/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording of a command, a process or the machine, from its start to the saved profile */
#ifndef PROFIL_RECORDER_H
#define PROFIL_RECORDER_H

#include "attach/origins.h"
#include "attach/targets.h"
#include "profile/profile.h"
#include "record/collect.h"
#include "record/guardian.h"
#include "record/recording.h"
#include "resolve/known.h"
#include "util/option.h"

/**
 * struct record_request - what is recorded, and where it is saved
 * @rate: samples a second of CPU time
 * @delay_ns: time before the recording begins, or 0
 * @duration_ns: time after which the recording ends, or 0
 * @every_ns: time between snapshots, or 0
 * @spool: directory for a profile of each such time alone, or NULL
 * @pid: process to attach to, or 0
 * @children: attach to its children, too
 * @is_machine: all programs are recorded
 * @cgroup: those in this cgroup alone; or NULL
 * @has_threads: threads of different names are distinguished
 * @data: file for the profile, or NULL
 * @is_required: the command is not run if @data cannot be written
 * @is_optional: the command is run without a profile if it cannot be recorded
 * @is_silent: the command's stdin, stdout and stderr are /dev/null
 * @argv: the command; with @pid and @is_machine, it is only waited for, and may be
 *	empty
 */
struct record_request {
	struct option_rate rate;
	uint64_t delay_ns;
	uint64_t duration_ns;
	uint64_t every_ns;
	const char *spool;
	long pid;
	bool children;
	bool is_machine;
	const char *cgroup;
	bool has_threads;
	const char *data;
	bool is_required;
	bool is_optional;
	bool is_silent;
	char **argv;
};

/**
 * struct recorder - a recording while it runs
 * @request: the request
 * @recording: the recording
 * @guardian: saves the profile if profil is killed
 * @child: the command
 * @targets: programs that are attached
 * @origins: processes whose mappings are read, or in which code was sampled that has
 *	no names yet
 * @run: value of the environment variable PROFIL_RUN
 * @baseline: what was counted before the recording began
 * @interval: what is not in @request->spool yet
 * @known: the last snapshot
 * @nr_processes: processes of an attached tree when the recording ended; 0 if they
 *	had ended before
 * @event: reason for the end of the recording
 * @is_stopped: the sessions have ended, and the times are final
 * @refused: errno of preparing to save the profile, or 0
 * @is_saved: the profile was saved, perhaps elsewhere
 * @is_unspooled: the last profile could not be written to @request->spool
 */
struct recorder {
	const struct record_request *request;
	struct recording *recording;
	struct guardian guardian;
	struct child child;
	struct targets targets;
	struct origins origins;
	char run[64];
	struct baseline baseline;
	struct interval interval;
	struct known known;
	size_t nr_processes;
	enum child_event event;
	bool is_stopped;
	int refused;
	bool is_saved;
	bool is_unspooled;
};

/*
 * The parts of profil_recorder_run(), for a caller that shows the profile meanwhile:
 * begin; wait up to a time of profil_child_now(), any number of times until
 * @recorder->event is not CHILD_DEADLINE; stop the sessions, after which the
 * profile is complete; and close. False, as of profil_recorder_run().
 */
bool profil_recorder_begin(struct recorder *recorder,
			   const struct record_request *request);
void profil_recorder_wait(struct recorder *recorder, uint64_t deadline);
void profil_recorder_stop(struct recorder *recorder);
void profil_recorder_close(struct recorder *recorder);

/* The initialized @profile gets what was recorded so far. */
void profil_recorder_read(struct recorder *recorder, struct profile *profile);

/*
 * Record the command. False if it was not executed: a message was printed, and
 * only profil_recorder_end() may follow. Otherwise the initialized @profile is
 * filled and saved. Exits if the request cannot be met, or becomes the command if that
 * is optional.
 */
bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile);

/* Processes that are recorded and run now; 0 for the machine */
size_t profil_recorder_processes(const struct recorder *recorder);

/* Wait for a command that has outlived its recording; its exit status */
int profil_recorder_end(struct recorder *recorder);

#endif
