// SPDX-License-Identifier: GPL-2.0-only
/* Recording of a command */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/collect.h"
#include "record/command_reach.h"
#include "record/device.h"
#include "record/preload_check.h"
#include "record/recorder.h"
#include "util/exit_status.h"
#include "util/interrupt.h"

/* A worker of the kernel adds sessions to the totals after a process ends. */
#define DRAIN_TIMEOUT_MS 1000
#define DRAIN_STEP_MS 5

static void prepare(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	struct recording *recording = recorder->recording;
	struct profil_version version;
	uint64_t period_ns = 0;

	profil_device_require(&version);
	recorder->child.library = profil_preload_library();
	if (request->rate.is_set)
		period_ns = profil_device_period(&version, request->rate.hz);
	recorder->refused = -profil_save_begin(&recording->save, request->data);
	if (recorder->refused && request->is_required)
		errx(EXIT_PROFIL,
		     "cannot write %s (%s): name another file with -o",
		     request->data, strerror(recorder->refused));
	profil_run_file_create(&recording->file, period_ns);
	profil_command_reach_note(recording->file.run, request->argv[0]);
}

/* Programs open the run's file through the guardian, which outlives profil. */
static bool start(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;
	struct child *child = &recorder->child;

	profil_guardian_begin(&recorder->guardian, recording);
	snprintf(recorder->run, sizeof(recorder->run), "/proc/%d/fd/%d",
		 recorder->guardian.pid, recording->file.fd);
	child->argv = recorder->request->argv;
	child->run = recorder->run;
	child->stdout_is_stderr = !strcmp(recorder->request->data, "-");
	if (!profil_child_begin(child))
		return false;
	recording->pid = child->pid;
	profil_guardian_follow(&recorder->guardian, child->pid);
	profil_recording_begin(recording);
	recording->is_guarded = true;
	return true;
}

static void set_times(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	recording->wall_ns = profil_child_now() - recording->start_ns;
	recording->is_complete = recorder->event == CHILD_ENDED;
	recording->cpu = recording->is_complete ?
				 recording->result.cpu :
				 profil_cpu_time(recording->pid);
}

static enum child_event wait_until(struct recorder *recorder, uint64_t deadline)
{
	recorder->event = profil_child_wait(&recorder->child, deadline,
					    &recorder->recording->result);
	return recorder->event;
}

/* Samples of the delay are not in the profile. */
static bool wait_for_begin(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	wait_until(recorder, recording->start_ns + recording->delay_ns);
	profil_guardian_read_baseline(&recorder->guardian);
	profil_baseline_read(&recorder->baseline, recording);
	profil_interval_begin(&recorder->interval, &recorder->baseline);
	if (recorder->event != CHILD_DEADLINE)
		warnx("the command ended before --delay: the profile is empty");
	profil_recording_begin(recording);
	return recorder->event == CHILD_DEADLINE;
}

static void save(struct recorder *recorder, struct profile *profile)
{
	struct recording *recording = recorder->recording;

	profil_collect(profile, recording, &recorder->baseline,
		       &recorder->known);
	if (!recorder->refused)
		recorder->is_saved = !profil_save(&recording->save, profile);
}

/* Give the part that is new to the server. */
static void push(struct recorder *recorder)
{
	struct profile profile;

	if (!recorder->request->stream)
		return;
	profil_profile_init(&profile);
	profil_interval_collect(&recorder->interval, &profile,
				recorder->recording, &recorder->known);
	profil_stream_add(recorder->request->stream, &profile);
	profil_profile_free(&profile);
}

static void save_snapshot(struct recorder *recorder)
{
	struct profile profile;

	set_times(recorder);
	profil_profile_init(&profile);
	save(recorder, &profile);
	profil_known_keep(&recorder->known, &profile);
	push(recorder);
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static void record(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	uint64_t end, next = CHILD_NEVER;

	if (request->delay_ns && !wait_for_begin(recorder))
		return;
	end = recorder->recording->end_ns;
	for (;;) {
		if (request->every_ns)
			next = profil_child_now() + request->every_ns;
		wait_until(recorder, sooner(next, end));
		if (recorder->event != CHILD_DEADLINE ||
		    profil_child_now() >= end)
			return;
		save_snapshot(recorder);
	}
}

static void wait_for_sessions(const struct run_file *file)
{
	struct timespec step = { .tv_nsec = DRAIN_STEP_MS * 1000000L };

	for (int waited = 0; waited < DRAIN_TIMEOUT_MS;
	     waited += DRAIN_STEP_MS) {
		struct profil_totals totals = profil_run_file_totals(file);

		if (totals.ended == totals.sessions)
			return;
		nanosleep(&step, NULL);
	}
}

/* While names are looked up, a signal ends the search and not profil. */
static void finish(struct recorder *recorder, struct profile *profile)
{
	struct recording *recording = recorder->recording;

	set_times(recorder);
	if (recording->is_complete)
		wait_for_sessions(&recording->file);
	if (recorder->event == CHILD_INTERRUPTED)
		recording->result.status = 128 + recorder->child.signal;
	profil_interrupt_begin();
	profil_child_end(&recorder->child);
	save(recorder, profile);
	push(recorder);
	profil_interval_free(&recorder->interval);
	profil_known_free(&recorder->known);
	profil_guardian_end(&recorder->guardian, recording);
}

bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile)
{
	*recorder = (struct recorder){
		.request = request,
		.recording = profil_guardian_share(),
	};
	recorder->recording->argv = request->argv;
	recorder->recording->delay_ns = request->delay_ns;
	recorder->recording->duration_ns = request->duration_ns;
	prepare(recorder);
	if (!start(recorder)) {
		wait_until(recorder, CHILD_NEVER);
		profil_child_end(&recorder->child);
		profil_guardian_end(&recorder->guardian, recorder->recording);
		return false;
	}
	record(recorder);
	finish(recorder, profile);
	return true;
}

int profil_recorder_end(struct recorder *recorder)
{
	struct child_result *result = &recorder->recording->result;

	if (recorder->event == CHILD_DEADLINE) {
		profil_child_resume(&recorder->child);
		if (wait_until(recorder, CHILD_NEVER) == CHILD_INTERRUPTED)
			result->status = 128 + recorder->child.signal;
	}
	return result->status;
}
