// SPDX-License-Identifier: GPL-2.0-only
/* Recording of a command, a process or the machine */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/exec_stop.h"
#include "attach/permission.h"
#include "record/attached_command.h"
#include "record/collect.h"
#include "record/command_reach.h"
#include "record/device.h"
#include "record/preload_check.h"
#include "record/process_tree.h"
#include "record/recorder.h"
#include "util/exit_status.h"
#include "util/interrupt.h"
#include "util/regular_file.h"

/* A worker of the kernel adds sessions to the totals after a process ends. */
#define DRAIN_TIMEOUT_MS 1000
#define DRAIN_STEP_MS 5

/* Time between looks at the table of the machine */
#define LOOK_NS 250000000ULL

/* The command in place of an exit, or NULL */
static const struct record_request *unprofiled;

/* A message was printed, as for any exit: the command is run in place of it. */
static void run_unprofiled(void)
{
	if (!unprofiled)
		return;
	if (!strcmp(unprofiled->data, "-"))
		dup2(STDERR_FILENO, STDOUT_FILENO);
	profil_child_become(unprofiled->argv);
}

/* Up to prepare_end() the command has not started. */
static void prepare_begin(const struct record_request *request)
{
	if (!request->is_optional)
		return;
	unprofiled = request;
	atexit(run_unprofiled);
}

static void prepare_end(void)
{
	unprofiled = NULL;
}

static void open_machine(struct recorder *recorder,
			 const struct profil_version *version,
			 uint64_t period_ns)
{
	struct machine_request request = {
		.cgroup = recorder->request->cgroup,
		.has_threads = recorder->request->has_threads,
		.period_ns = period_ns,
	};

	recorder->recording->machine = profil_machine_open(version, &request);
}

static void prepare(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	struct recording *recording = recorder->recording;
	struct profil_version version;
	uint64_t period_ns = 0;

	prepare_begin(request);
	profil_device_require(&version);
	if (!request->pid && !request->is_machine)
		recorder->child.library = profil_preload_library();
	if (request->rate.is_set)
		period_ns = profil_device_period(&version, request->rate.hz);
	if (request->is_machine)
		open_machine(recorder, &version, period_ns);
	if (request->data)
		recorder->refused =
			-profil_save_begin(&recording->save, request->data);
	if (recorder->refused && request->is_required)
		errx(EXIT_PROFIL,
		     "cannot write %s (%s): name another file with -o",
		     request->data, strerror(recorder->refused));
	if (!request->is_machine)
		profil_run_file_create(&recording->file, period_ns);
	prepare_end();
}

/* Attach to the process @pid and perhaps its children: 0 or -errno */
static int begin_targets(struct recorder *recorder, pid_t pid, bool children)
{
	int error = profil_targets_begin(&recorder->targets,
					 &recorder->recording->file,
					 &recorder->origins, pid, children);

	profil_guardian_add_origins(&recorder->guardian, &recorder->origins);
	return error;
}

/* The command has a session of its own from its first instruction on. */
static void attach_at_exec(struct recorder *recorder, enum reach reach)
{
	const struct run_file *file = &recorder->recording->file;
	const struct child *child = &recorder->child;

	if (!child->is_traced || begin_targets(recorder, child->pid, true))
		profil_command_reach_note(file->run, child->argv[0], reach);
	if (child->is_traced)
		profil_exec_stop_end(child->pid);
}

/* Start the command; false if it was not executed. */
static bool start_command(struct recorder *recorder)
{
	struct child *child = &recorder->child;
	enum reach reach = REACH_YES;
	bool is_begun;

	if (recorder->recording->machine)
		return profil_child_begin(child);
	if (child->library)
		reach = profil_command_reach(child->argv[0]);
	child->is_traced = profil_command_reach_attaches(reach);
	is_begun = profil_child_begin(child);
	if (is_begun)
		attach_at_exec(recorder, reach);
	return is_begun;
}

/* Attach to a process that runs; exits if that is not possible. */
static void attach(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	struct recording *recording = recorder->recording;
	int error = begin_targets(recorder, request->pid, request->children);

	if (error)
		profil_permission_explain(request->pid, -error);
	recording->cpu_before = profil_recording_cpu(recording);
}

/* Programs open the run's file through the guardian, which outlives profil. */
static bool start(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	struct recording *recording = recorder->recording;
	struct child *child = &recorder->child;

	profil_file_limit_raise();
	if (!recording->machine)
		profil_guardian_begin(&recorder->guardian, recording);
	snprintf(recorder->run, sizeof(recorder->run), "/proc/%d/fd/%d",
		 recorder->guardian.pid, recording->file.fd);
	child->argv = request->argv;
	child->run = recorder->run;
	child->is_silent = request->is_silent;
	child->stdout_is_stderr = !request->data || !strcmp(request->data, "-");
	if (request->pid)
		attach(recorder);
	if (!*request->argv)
		profil_child_begin_none(child);
	else if (!start_command(recorder))
		return false;
	if (!request->pid) {
		recording->pid = child->pid;
		profil_guardian_follow(&recorder->guardian, child->pid);
	}
	profil_recording_begin(recording);
	recording->is_guarded = request->data && !recording->machine;
	return true;
}

/* A process that has ended has no CPU time: the last one seen is kept. */
static void look_at_cpu(struct recording *recording)
{
	struct cpu_time now = profil_recording_cpu(recording);

	if (now.all_ns > recording->cpu.all_ns)
		recording->cpu = now;
}

static void set_times(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	if (recorder->is_stopped)
		return;
	recording->wall_ns = profil_child_now() - recording->start_ns;
	recording->is_complete = recorder->event == CHILD_ENDED;
	if (recording->machine)
		profil_machine_take(recording->machine, &recorder->origins,
				    false);
	else if (recording->is_attached)
		look_at_cpu(recording);
	else
		recording->cpu = recording->is_complete ?
					 recording->result.cpu :
					 profil_recording_cpu(recording);
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* The process has ended, or has executed another program; or the cgroup has gone. */
static bool is_over(const struct recorder *recorder)
{
	const struct recorder *r = recorder;

	if (r->event != CHILD_DEADLINE || r->child.pid)
		return false;
	return r->recording->machine ? r->recording->machine->is_gone :
				       profil_targets_are_gone(&r->targets);
}

/*
 * Take the table of the machine, and look up names while the files are there. The last
 * snapshot of a recording without a file is that of the last page.
 */
static void take_machine(struct recorder *recorder)
{
	struct profile profile;

	if (!recorder->request->data) {
		profil_machine_take(recorder->recording->machine,
				    &recorder->origins, false);
		return;
	}
	profil_profile_init(&profile);
	profil_recorder_read(recorder, &profile);
	profil_known_keep(&recorder->known, &profile);
}

/* The time of the next call */
static uint64_t look_at_machine(struct recorder *recorder)
{
	if (profil_machine_is_due(recorder->recording->machine))
		take_machine(recorder);
	return profil_child_now() + LOOK_NS;
}

static uint64_t look(struct recorder *recorder)
{
	return recorder->recording->machine ?
		       look_at_machine(recorder) :
		       profil_targets_look(&recorder->targets);
}

void profil_recorder_wait(struct recorder *recorder, uint64_t deadline)
{
	struct recording *recording = recorder->recording;

	do {
		uint64_t next = look(recorder);

		if (recording->is_attached)
			look_at_cpu(recording);
		recorder->event = profil_child_wait(&recorder->child,
						    sooner(next, deadline),
						    &recording->result);
		if (is_over(recorder))
			recorder->event = CHILD_ENDED;
	} while (recorder->event == CHILD_DEADLINE &&
		 profil_child_now() < deadline);
}

static enum child_event wait_until(struct recorder *recorder, uint64_t deadline)
{
	profil_recorder_wait(recorder, deadline);
	return recorder->event;
}

static void wait_for_sessions(const struct run_file *file)
{
	struct timespec step = { .tv_nsec = DRAIN_STEP_MS * 1000000L };

	if (!file->run)
		return;

	for (int waited = 0; waited < DRAIN_TIMEOUT_MS;
	     waited += DRAIN_STEP_MS) {
		struct profil_totals totals = profil_run_file_totals(file);

		if (totals.ended == totals.sessions)
			return;
		nanosleep(&step, NULL);
	}
}

/*
 * Samples of the delay are not in the profile, nor those of a command that has ended
 * in it, which a session records up to its end.
 */
static bool wait_for_begin(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	wait_until(recorder, recording->start_ns + recording->delay_ns);
	if (recorder->event == CHILD_ENDED)
		wait_for_sessions(&recording->file);
	profil_guardian_read_baseline(&recorder->guardian);
	if (recording->machine)
		profil_machine_take(recording->machine, &recorder->origins,
				    false);
	profil_baseline_read(&recorder->baseline, recording);
	/* A command that has ended has no CPU time in /proc. */
	if (recorder->event == CHILD_ENDED)
		recorder->baseline.cpu = recording->result.cpu;
	profil_interval_begin(&recorder->interval, &recorder->baseline);
	if (recorder->event != CHILD_DEADLINE)
		warnx("the command ended before --delay: the profile is empty");
	profil_recording_begin(recording);
	return recorder->event == CHILD_DEADLINE;
}

void profil_recorder_read(struct recorder *recorder, struct profile *profile)
{
	set_times(recorder);
	profil_collect(profile, recorder->recording, &recorder->origins,
		       &recorder->baseline, &recorder->known);
	if (recorder->recording->machine && !recorder->is_stopped)
		profil_origins_free(&recorder->origins);
}

static void save(struct recorder *recorder, const struct profile *profile)
{
	if (!recorder->refused)
		recorder->is_saved =
			!profil_save(&recorder->recording->save, profile);
}

/* Save the part that is new. One that cannot be written is in the next one, too. */
static void spool(struct recorder *recorder)
{
	const char *directory = recorder->request->spool;
	struct profile profile;
	int error = 0;

	if (!directory)
		return;
	profil_profile_init(&profile);
	profil_interval_collect(&recorder->interval, &profile,
				recorder->recording, &recorder->origins,
				&recorder->known);
	if (profil_profile_total(&profile))
		error = -profil_save_part(directory, &profile);
	if (!error)
		profil_interval_next(&recorder->interval);
	else if (!recorder->is_unspooled)
		warnx("cannot write to %s (%s): the next profile there has these samples",
		      directory, strerror(error));
	recorder->is_unspooled = error;
	profil_profile_free(&profile);
}

static void save_snapshot(struct recorder *recorder)
{
	struct profile profile;

	profil_profile_init(&profile);
	profil_recorder_read(recorder, &profile);
	save(recorder, &profile);
	profil_known_keep(&recorder->known, &profile);
	spool(recorder);
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

/* A process that has ended has no program. */
static bool is_over_by_exec(const struct recorder *recorder)
{
	const struct recording *recording = recorder->recording;

	return recording->is_attached && !recorder->child.pid &&
	       recorder->event == CHILD_ENDED &&
	       profil_target_image(recording->pid);
}

static size_t tree_of(const struct recording *recording)
{
	struct process *tree;
	size_t nr;

	tree = profil_process_tree(recording->pid, &nr);
	free(tree);
	return nr;
}

size_t profil_recorder_processes(const struct recorder *recorder)
{
	const struct recording *recording = recorder->recording;
	size_t nr = recording->machine ? 0 : tree_of(recording);

	if (nr && recording->is_attached && !recording->with_children)
		return 1;
	return nr;
}

/* The end of such a recording is what was asked for, not that of a process. */
static void end_attached(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	if (!recording->is_attached && !recording->machine)
		return;
	recording->is_complete = true;
	if (recording->machine)
		profil_machine_take(recording->machine, &recorder->origins,
				    true);
	else
		recorder->nr_processes = tree_of(recording);
}

/*
 * While names are looked up, a signal ends the search and not profil. A signal is the
 * usual end of a recording without a command.
 */
void profil_recorder_stop(struct recorder *recorder)
{
	struct recording *recording = recorder->recording;

	set_times(recorder);
	recorder->is_stopped = true;
	if (is_over_by_exec(recorder))
		warnx("process %d has executed another program: the recording ended then",
		      recording->pid);
	if (recording->machine && recording->machine->is_gone)
		warnx("the cgroup has been removed: the recording ended then");
	end_attached(recorder);
	profil_targets_end(&recorder->targets);
	if (recording->is_complete)
		wait_for_sessions(&recording->file);
	if (recorder->event == CHILD_INTERRUPTED && recorder->child.pid)
		recording->result.status = 128 + recorder->child.signal;
	profil_interrupt_begin();
	profil_child_end(&recorder->child);
}

void profil_recorder_close(struct recorder *recorder)
{
	profil_known_free(&recorder->known);
	profil_origins_free(&recorder->origins);
	profil_guardian_end(&recorder->guardian, recorder->recording);
	profil_machine_close(recorder->recording->machine);
	recorder->recording->machine = NULL;
}

static void finish(struct recorder *recorder, struct profile *profile)
{
	profil_recorder_stop(recorder);
	profil_recorder_read(recorder, profile);
	save(recorder, profile);
	spool(recorder);
	profil_interval_free(&recorder->interval);
	profil_recorder_close(recorder);
}

bool profil_recorder_begin(struct recorder *recorder,
			   const struct record_request *request)
{
	*recorder = (struct recorder){
		.request = request,
		.recording = profil_guardian_share(),
	};
	*recorder->recording = (struct recording){
		.argv = request->argv,
		.delay_ns = request->delay_ns,
		.duration_ns = request->duration_ns,
		.pid = request->pid,
		.is_attached = request->pid,
		.with_children = request->children,
	};
	if (request->pid)
		recorder->recording->argv =
			profil_attached_command(request->pid);
	prepare(recorder);
	if (start(recorder))
		return true;
	wait_until(recorder, CHILD_NEVER);
	profil_targets_end(&recorder->targets);
	profil_child_end(&recorder->child);
	profil_origins_free(&recorder->origins);
	profil_guardian_end(&recorder->guardian, recorder->recording);
	return false;
}

bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile)
{
	if (!profil_recorder_begin(recorder, request))
		return false;
	record(recorder);
	finish(recorder, profile);
	return true;
}

int profil_recorder_end(struct recorder *recorder)
{
	struct child_result *result = &recorder->recording->result;

	if (recorder->event == CHILD_DEADLINE && recorder->child.pid) {
		profil_child_resume(&recorder->child);
		if (wait_until(recorder, CHILD_NEVER) == CHILD_INTERRUPTED)
			result->status = 128 + recorder->child.signal;
	}
	return result->status;
}
