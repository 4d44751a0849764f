// SPDX-License-Identifier: GPL-2.0-only
/* Recording of a command, of processes or the machine */
#include <sys/pidfd.h>
#include <sys/utsname.h>

#include "profile/head.h"
#include "record/device.h"
#include "record/extract.h"
#include "record/memory.h"
#include "record/recorder.h"
#include "record/sights.h"
#include "util/interrupt.h"

/*
 * Time between looks at the table, and between those at young processes, which a process
 * of 50 ms does not pass unseen
 */
#define LOOK_NS 250000000ULL
#define SEE_NS 25000000ULL

/* Between snapshots, the search for names has one part of this many of the time. */
#define PART 20

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

/* Up to the end of this the command has not started. */
static void prepare(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;

	if (request->is_optional) {
		unprofiled = request;
		atexit(run_unprofiled);
	}
	recorder->table = profil_device_open(request);
	if (request->data)
		recorder->refused =
			-profil_save_begin(&recorder->save, request->data);
	if (recorder->refused && request->is_required)
		die_err("cannot write %s (%s): name another file with -o",
			request->data, strerror(recorder->refused));
	unprofiled = NULL;
}

static bool is_of_command(const struct recorder *recorder)
{
	return !recorder->request->pids.nr && !recorder->request->is_machine;
}

/* The child is in the table before it executes the command. */
static void add_command(struct recorder *recorder)
{
	int pidfd = pidfd_open(recorder->child.pid, 0);
	int error = pidfd < 0 ? -errno :
				profil_table_add(recorder->table, pidfd,
						 PROFIL_ADD_CHILDREN |
							 PROFIL_ADD_ON_EXEC);

	if (pidfd >= 0)
		close(pidfd);
	if (!error)
		return;
	warnx("cannot profile the command: %s", strerror(-error));
	if (!recorder->request->is_optional)
		exit(EXIT_PROFIL);
}

/* Start the command; false if it was not executed. */
static bool start_command(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	struct child *child = &recorder->child;

	child->argv = request->argv;
	child->is_silent = request->is_silent;
	child->stdout_is_stderr = !request->data || !strcmp(request->data, "-");
	profil_child_begin(child);
	if (is_of_command(recorder))
		add_command(recorder);
	return profil_child_execute(child);
}

/* The recording begins @at, a time of profil_now(). */
static void begin_at(struct recorder *recorder, uint64_t at)
{
	recorder->growing.profile.head.begin_ns =
		profil_clock_now(CLOCK_REALTIME) - (profil_now() - at);
	recorder->start_ns = at;
}

static bool start(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;

	recorder->targets = (struct targets){
		.request = request,
		.table = recorder->table,
		.growing = &recorder->growing,
	};
	profil_file_limit_raise();
	profil_growing_begin(&recorder->growing);
	recorder->growing.has_threads = request->has_threads;
	profil_callers_attach(recorder->table, &request->pids);
	profil_targets_attach(&recorder->targets);
	recorder->growing.profile.head.table = recorder->table->kind;
	recorder->command =
		request->pids.nr ?
			profil_process_command(request->pids.items[0]) :
			request->argv;
	if (is_of_command(recorder))
		profil_callers_load(recorder->table, *request->argv);
	if (!start_command(recorder))
		return false;
	recorder->targets.fds[TARGET_SIGNALS].fd = recorder->child.descriptor;
	if (recorder->table->has_callers)
		recorder->targets.fds[TARGET_TABLE].fd = recorder->table->fd;
	begin_at(recorder, profil_now());
	return true;
}

/* A process that has ended has no CPU time: the last one seen is kept. */
static void look_at_cpu(struct recorder *recorder)
{
	struct numbers *now = &recorder->growing.now;
	struct cpu_time cpu;

	if (recorder->is_stopped || recorder->request->is_machine)
		return;
	if (is_of_command(recorder) && recorder->child.has_ended) {
		now->cpu = recorder->child.cpu;
		return;
	}
	cpu = is_of_command(recorder) ?
		      profil_cpu_time(recorder->child.pid, true) :
		      profil_targets_cpu(&recorder->targets);
	if (cpu.all_ns > now->cpu.all_ns)
		now->cpu = cpu;
}

/*
 * Without a command, the recording ends with the processes, or with the cgroup. With
 * one, the descriptors of processes that have ended are left out all the same.
 */
static bool is_over(struct recorder *recorder)
{
	bool have_ended = recorder->request->pids.nr &&
			  profil_targets_have_ended(&recorder->targets);

	if (recorder->child.pid)
		return profil_child_has_ended(&recorder->child);
	if (recorder->request->is_machine)
		return recorder->table->is_gone || recorder->table->has_failed;
	return have_ended;
}

/* What was counted ends with the take, and not when it has been read. */
static void set_wall(struct recorder *recorder)
{
	recorder->growing.now.wall_ns =
		recorder->table->taken_ns - recorder->start_ns;
}

static void take_table(struct recorder *recorder)
{
	look_at_cpu(recorder);
	if (recorder->is_stopped)
		return;
	profil_table_take(recorder->table, &recorder->growing);
	set_wall(recorder);
}

/* A signal is passed on while names are looked up, too. */
static void take_signals(void *data)
{
	struct recorder *recorder = data;

	if (profil_child_is_interrupted(&recorder->child))
		recorder->is_interrupted = true;
}

/*
 * Look up names, and note when they may be looked up again. The signals of the last
 * search are those of profil_interrupt_begin().
 */
static void resolve(struct recorder *recorder, bool is_last)
{
	uint64_t begin_ns = profil_now(), end_ns;

	profil_interrupt_watch(is_last ? NULL : take_signals, recorder);
	profil_growing_resolve(&recorder->growing, is_last);
	profil_interrupt_watch(NULL, NULL);
	end_ns = profil_now();
	recorder->resolve_ns = end_ns + PART * (end_ns - begin_ns);
}

void profil_recorder_take(struct recorder *recorder)
{
	take_table(recorder);
	resolve(recorder, false);
}

/* See processes, unless a take is about to do so, which would be late. */
static void see(struct recorder *recorder, uint64_t now, uint64_t deadline)
{
	struct table *table = recorder->table;

	if (now < deadline && deadline - now < LOOK_NS)
		table->see_ns = deadline;
	else
		profil_table_see(table, &recorder->growing);
}

/*
 * Names are looked up while the files are there. A descriptor of a process that has
 * ended is ready for ever: have_ended() has left it out.
 */
static void look(struct recorder *recorder, uint64_t deadline)
{
	struct table *table = recorder->table;
	uint64_t now = profil_now();

	profil_child_is_orphan(&recorder->child);
	if (now >= table->take_ns || profil_table_is_full(table)) {
		take_table(recorder);
		if (profil_now() >= recorder->resolve_ns)
			resolve(recorder, false);
	} else if (now >= table->see_ns && !recorder->is_stopped) {
		see(recorder, now, deadline);
	}
}

/*
 * While a child compiles rows, it is waited for in place of the table, and while rows wait
 * for room neither is. A table whose
 * processes have all ended or been dropped would be ready for ever.
 */
static void serve(struct recorder *recorder)
{
	struct pollfd *fd = &recorder->targets.fds[TARGET_TABLE];
	struct compiling *compiling = &recorder->compiling;
	bool was_busy = compiling->is_busy;

	profil_callers_serve(recorder->table, compiling);
	if (compiling->is_busy)
		*fd = (struct pollfd){ compiling->child.socket, POLLIN };
	else if (was_busy)
		*fd = (struct pollfd){ recorder->table->fd, POLLPRI };
	else if (fd->revents & POLLHUP)
		fd->fd = -1;
}

/* Wait for an event, up to a look or @deadline, and see young processes meanwhile. */
static void wait_and_see(struct recorder *recorder, uint64_t deadline)
{
	struct targets *targets = &recorder->targets;
	uint64_t end = lesser(profil_now() + LOOK_NS, deadline), now;
	bool is_ready;

	if (!recorder->is_stopped)
		end = lesser(end, recorder->table->see_ns);
	do {
		profil_sights_look(&recorder->growing, profil_memory_see);
		now = profil_now();
		is_ready = profil_child_wait(targets->fds, targets->nr,
					     lesser(now + SEE_NS, end));
		if (!recorder->is_stopped)
			serve(recorder);
	} while (!is_ready && profil_now() < end);
}

void profil_recorder_wait(struct recorder *recorder, uint64_t deadline)
{
	recorder->event = RECORD_DEADLINE;
	do {
		look(recorder, deadline);
		wait_and_see(recorder, deadline);
		if (recorder->request->pids.nr)
			look_at_cpu(recorder);
		take_signals(recorder);
		if (recorder->is_interrupted)
			recorder->event = RECORD_INTERRUPTED;
		if (is_over(recorder))
			recorder->event = RECORD_ENDED;
	} while (recorder->event == RECORD_DEADLINE && profil_now() < deadline);
}

/* Samples of the delay are not in the profile. */
static bool wait_for_begin(struct recorder *recorder)
{
	profil_recorder_wait(recorder,
			     recorder->start_ns + recorder->request->delay_ns);
	if (recorder->event == RECORD_ENDED)
		profil_recorder_stop(recorder);
	else
		profil_recorder_take(recorder);
	begin_at(recorder, recorder->table->taken_ns);
	recorder->growing.now.wall_ns = 0;
	profil_growing_mark(&recorder->growing, &recorder->begin);
	profil_growing_mark(&recorder->growing, &recorder->spooled);
	if (recorder->event != RECORD_DEADLINE)
		warnx("the command ended before --delay: the profile is empty");
	return recorder->event == RECORD_DEADLINE;
}

static void set_status(const struct recorder *recorder,
		       struct profile_head *head)
{
	head->is_complete =
		recorder->is_stopped &&
		(!is_of_command(recorder) || recorder->event == RECORD_ENDED);
	head->status = recorder->child.status & 0xff;
	head->signal = recorder->child.killed_by;
	if (is_of_command(recorder) && !head->is_complete)
		head->running = recorder->child.pid;
}

static void set_names(const struct recorder *recorder, struct profile *profile)
{
	const struct option_numbers *pids = &recorder->request->pids;
	struct profile_head *head = &profile->head;
	struct utsname system;
	uint32_t argc = 0;

	while (recorder->command[argc])
		argc++;
	profil_profile_set_command(profile, argc,
				   (const char *const *)recorder->command);
	head->cgroup = profil_profile_string(profile, recorder->table->cgroup);
	if (pids->nr)
		head->attached = pids->items[0];
	if (uname(&system))
		return;
	head->host = profil_profile_string(profile, system.nodename);
	head->machine = profil_profile_string(profile, system.machine);
	head->release = profil_profile_string(profile, system.release);
}

void profil_recorder_read(const struct recorder *recorder,
			  const struct mark *mark, struct profile *profile)
{
	struct profile_head *head = &profile->head;

	set_names(recorder, profile);
	head->begin_ns =
		recorder->growing.profile.head.begin_ns + mark->numbers.wall_ns;
	set_status(recorder, head);
	profil_growing_since(&recorder->growing, mark, profile);
	for (uint32_t i = 0; i < profile->nr_samples; i++)
		head->kernel_samples += profile->samples[i].kernel;
	profil_table_set_head(recorder->table, &mark->numbers,
			      &recorder->growing.now, head);
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
	profil_recorder_read(recorder, &recorder->spooled, &profile);
	profil_taken_clear(&profile.head.taken, TAKEN_NOW);
	if (profil_profile_total(&profile))
		error = -profil_save_part(directory, &profile);
	if (!error)
		profil_growing_mark(&recorder->growing, &recorder->spooled);
	else if (!recorder->is_unspooled)
		warnx("cannot write to %s (%s): the next profile there has these samples",
		      directory, strerror(error));
	recorder->is_unspooled = error;
	profil_profile_free(&profile);
}

/* Fill the initialized @profile, and save it. */
static void save(struct recorder *recorder, struct profile *profile)
{
	profil_recorder_read(recorder, &recorder->begin, profile);
	recorder->save.is_orphan = profil_child_is_orphan(&recorder->child);
	if (!recorder->refused)
		recorder->is_saved = !profil_save(&recorder->save, profile);
	spool(recorder);
}

/* The next multiple of @interval after @begin, however long a save has taken */
static uint64_t next_time(uint64_t begin, uint64_t interval)
{
	uint64_t passed = profil_now() - begin;

	return begin + (passed / interval + 1) * interval;
}

static void record(struct recorder *recorder)
{
	const struct record_request *request = recorder->request;
	uint64_t begin, end = CHILD_NEVER, next = CHILD_NEVER;
	struct profile snapshot;

	if (request->delay_ns && !wait_for_begin(recorder))
		return;
	begin = recorder->start_ns;
	if (request->duration_ns)
		end = begin + request->duration_ns;
	for (;;) {
		if (request->every_ns)
			next = next_time(begin, request->every_ns);
		profil_recorder_wait(recorder, lesser(next, end));
		if (recorder->event != RECORD_DEADLINE || profil_now() >= end)
			return;
		profil_recorder_take(recorder);
		profil_profile_init(&snapshot);
		save(recorder, &snapshot);
		profil_profile_free(&snapshot);
	}
}

/*
 * The CPU time of an attached process is that of the last look before its end; its
 * samples may stand for more.
 */
static void extend_cpu_time(struct recorder *recorder)
{
	struct numbers *now = &recorder->growing.now;
	const struct numbers *begin = &recorder->begin.numbers;
	struct profile_head head = { 0 };
	uint64_t least;

	profil_table_set_head(recorder->table, begin, now, &head);
	least = begin->cpu.all_ns + profile_sampled(&head) * head.period_ns;
	if (recorder->request->pids.nr && now->cpu.all_ns < least)
		now->cpu.all_ns = least;
}

/*
 * Reading a half takes a while, in which the processes run and have samples: their CPU
 * time is that of the end, which is a take of little.
 *
 * While names are looked up, a signal ends the search and not profil. A signal is the
 * usual end of a recording without a command.
 */
void profil_recorder_stop(struct recorder *recorder)
{
	struct child *child = &recorder->child;

	if (recorder->is_stopped)
		return;
	take_table(recorder);
	look_at_cpu(recorder);
	profil_callers_end(&recorder->compiling);
	profil_table_end(recorder->table, &recorder->growing);
	set_wall(recorder);
	recorder->is_stopped = true;
	extend_cpu_time(recorder);
	if (recorder->table->is_gone)
		warnx("the cgroup has been removed: the recording ended then");
	if (recorder->event == RECORD_INTERRUPTED && child->pid)
		child->status = 128 + child->signal;
	profil_interrupt_begin();
	profil_child_end(child);
	resolve(recorder, true);
}

void profil_recorder_close(struct recorder *recorder)
{
	profil_targets_free(&recorder->targets);
	profil_growing_free(&recorder->growing);
	profil_mark_free(&recorder->begin);
	profil_mark_free(&recorder->spooled);
	profil_device_close(recorder->table);
}

/* Continue in a forked process, which does not have the mapping of the table. */
static void outlive(struct recorder *recorder)
{
	pid_t other = profil_child_outlive(&recorder->child);

	if (other) {
		profil_device_close(recorder->table);
		profil_child_stand_in_front(&recorder->child, other);
	}
	profil_device_map(recorder->table);
}

bool profil_recorder_begin(struct recorder *recorder,
			   const struct record_request *request)
{
	struct child *child = &recorder->child;

	*recorder = (struct recorder){ .request = request };
	prepare(recorder);
	if (request->data)
		outlive(recorder);
	if (start(recorder))
		return true;
	while (!profil_child_has_ended(child))
		profil_child_wait(NULL, 0, profil_now() + LOOK_NS / 50);
	profil_child_end(child);
	profil_recorder_close(recorder);
	return false;
}

bool profil_recorder_run(struct recorder *recorder,
			 const struct record_request *request,
			 struct profile *profile)
{
	if (!profil_recorder_begin(recorder, request))
		return false;
	record(recorder);
	profil_recorder_stop(recorder);
	save(recorder, profile);
	profil_recorder_close(recorder);
	return true;
}

int profil_recorder_end(struct recorder *recorder)
{
	struct child *child = &recorder->child;
	struct pollfd signals = { .fd = child->descriptor, .events = POLLIN };

	if (!child->pid || child->has_ended ||
	    recorder->event != RECORD_DEADLINE)
		return child->status;
	profil_child_take_signals(child);
	while (!profil_child_has_ended(child)) {
		profil_child_wait(&signals, 1, CHILD_NEVER);
		if (profil_child_is_interrupted(child))
			return 128 + child->signal;
	}
	return child->status;
}
