/* SPDX-License-Identifier: GPL-2.0-only */
/* Recording of a command, from its start to the saved profile */
#ifndef PROFIL_RECORDER_H
#define PROFIL_RECORDER_H

#include "profile/profile.h"
#include "push/stream.h"
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
 * @stream: server that gets the profile of each such time, or NULL
 * @data: file for the profile
 * @is_required: the command is not run if @data cannot be written
 * @argv: the command
 */
struct record_request {
	struct option_rate rate;
	uint64_t delay_ns;
	uint64_t duration_ns;
	uint64_t every_ns;
	struct stream *stream;
	const char *data;
	bool is_required;
	char **argv;
};

/**
 * struct recorder - a recording while it runs
 * @request: the request
 * @recording: the recording
 * @guardian: saves the profile if profil is killed
 * @child: the command
 * @run: value of the environment variable PROFIL_RUN
 * @baseline: what was counted before the recording began
 * @interval: what is not in @request->stream yet
 * @known: the last snapshot
 * @event: reason for the end of the recording
 * @refused: errno of preparing to save the profile, or 0
 * @is_saved: the profile was saved, perhaps elsewhere
 */
struct recorder {
	const struct record_request *request;
	struct recording *recording;
	struct guardian guardian;
	struct child child;
	char run[64];
	struct baseline baseline;
	struct interval interval;
	struct known known;
	enum child_event event;
	int refused;
	bool is_saved;
};

/*
 * Record the command. False if it was not executed: a message was printed, and
 * only profil_recorder_end() may follow. Otherwise the initialized @profile is
 * filled and saved. Exits if the request cannot be met.
 */
bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile);

/* Wait for a command that has outlived its recording; its exit status */
int profil_recorder_end(struct recorder *recorder);

#endif
