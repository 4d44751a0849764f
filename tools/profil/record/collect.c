// SPDX-License-Identifier: GPL-2.0-only
/* From the run's file to a profile */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "record/collect.h"
#include "resolve/resolve.h"
#include "util/memory.h"

/* CPU time of another user than the command counts as none. */
static uint64_t difference(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t kernel_samples(const struct sample_table *table)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < table->nr; i++)
		for (size_t j = 0; j < table->objects[i].nr; j++)
			if (table->objects[i].kind != CODE_KERNEL)
				sum += table->objects[i].samples[j].kernel;
	return sum;
}

/*
 * The driver adds a session to the totals when it ends. Until then its counters
 * tell the hits.
 */
static void add_running_sessions(struct profil_totals *totals,
				 const struct sample_table *table)
{
	if (totals->sessions == totals->ended)
		return;
	totals->hits = table->counted + totals->saturated;
	totals->samples = totals->hits + totals->outside + totals->lost;
	totals->kernel_samples = kernel_samples(table);
}

void profil_baseline_read(struct baseline *baseline,
			  const struct recording *recording)
{
	const struct machine *machine = recording->machine;
	struct profil_totals *totals = &baseline->totals;

	if (machine) {
		baseline->taken = machine->taken;
		baseline->idle_ns = machine->idle_ns;
		profil_sample_table_copy(&baseline->table, &machine->table);
		return;
	}
	*totals = profil_run_file_totals(&recording->file);
	profil_run_file_read(&recording->file, &baseline->table);
	add_running_sessions(totals, &baseline->table);
	baseline->cpu = profil_recording_cpu(recording);
}

static void set_host(struct profile *profile)
{
	struct utsname system;

	if (uname(&system))
		return;
	profile->head.host = profil_profile_string(profile, system.nodename);
	profile->head.machine = profil_profile_string(profile, system.machine);
	profile->head.release = profil_profile_string(profile, system.release);
}

/* Profiled programs write the run's file: a value is read once. */
static uint32_t load(const __u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void set_times(struct profile_head *head,
		      const struct recording *recording,
		      const struct baseline *baseline)
{
	const struct run *run = recording->file.run;

	head->begin_ns = recording->begin_ns;
	head->wall_ns = recording->wall_ns;
	if (recording->machine)
		return;
	head->cpu_ns = difference(recording->cpu.all_ns, baseline->cpu.all_ns);
	head->kernel_ns =
		difference(recording->cpu.kernel_ns, baseline->cpu.kernel_ns);
	head->period_ns =
		__atomic_load_n(&run->true_period_ns, __ATOMIC_RELAXED);
	head->is_tick = !run->period_ns;
}

static void set_status(struct profile_head *head,
		       const struct recording *recording)
{
	head->is_complete = recording->is_complete;
	head->is_orphan = recording->is_orphan;
	head->status = recording->result.status & 0xff;
	head->signal = recording->result.signal;
	if (recording->is_attached)
		head->attached = recording->pid;
	else if (!recording->is_complete && !recording->machine)
		head->running = recording->pid;
}

/* The CPU time of a session that ran at @then has a part from before. */
static void set_totals(struct profile_head *head,
		       const struct profil_totals *now,
		       const struct profil_totals *then)
{
	head->samples = difference(now->samples, then->samples);
	head->hits = difference(now->hits, then->hits);
	head->outside = difference(now->outside, then->outside);
	head->lost = difference(now->lost, then->lost);
	head->saturated = difference(now->saturated, then->saturated);
	head->kernel_samples =
		difference(now->kernel_samples, then->kernel_samples);
	head->sessions = now->sessions;
	head->ended = now->ended;
	head->unprofiled_children = now->unprofiled_children;
	if (then->sessions != then->ended)
		return;
	head->session_ns = difference(now->cpu_ns, then->cpu_ns);
	head->sampled_ns = difference(now->sampled_ns, then->sampled_ns);
}

/*
 * The CPU time of an attached process is that of the last look before its end; all
 * its samples since @first, the beginning of the recording, may stand for more. A part
 * of the recording is too short to tell.
 */
static void extend_cpu_time(struct profile_head *head,
			    const struct recording *recording,
			    const struct profil_totals *now,
			    const struct moment *first)
{
	uint64_t sampled =
		difference(now->samples, first->samples) * head->period_ns;
	uint64_t cpu = difference(recording->cpu.all_ns, first->cpu_ns);

	if (head->attached && head->is_complete)
		head->cpu_ns += difference(sampled, cpu);
}

/* The limit is of use only where counters did not fit: not to a crowd of any size. */
static void set_processes(struct profile_head *head,
			  const struct run_file *file)
{
	const struct run *run = file->run;
	struct rlimit limit;

	head->processes = load(&run->processes);
	head->starts = load(&run->starts);
	head->failed = load(&run->failed);
	head->error = load(&run->error) & 0xfff;
	head->yielded = load(&run->yielded);
	head->dropped = load(&run->dropped);
	head->unnamed = load(&run->unnamed);
	head->counter_bytes = profil_run_file_counter_bytes(file);
	if (run->crowd && !getrlimit(RLIMIT_MEMLOCK, &limit) &&
	    limit.rlim_cur != RLIM_INFINITY)
		head->memlock = limit.rlim_cur;
}

static void add_unseen(struct profile *profile, const struct run *run)
{
	uint32_t nr = load(&run->nr_unseen);

	for (uint32_t i = 0; i < nr && i < RUN_UNSEEN; i++) {
		const struct run_unseen *entry = &run->unseen[i];
		char path[sizeof(entry->path) + 1] = "";
		struct profile_unseen unseen = {
			.path = path,
			.reach = load(&entry->reach),
			.processes = load(&entry->processes),
		};

		memcpy(path, entry->path, sizeof(entry->path));
		if (__atomic_load_n(&entry->key, __ATOMIC_ACQUIRE) &&
		    unseen.processes)
			profil_profile_add_unseen(profile, &unseen);
	}
}

/**
 * struct object_origins - origins of the objects of a profile
 * @processes: processes that were attached, or NULL
 * @array: the origins
 * @nr: elements of @array
 */
struct object_origins {
	const struct origins *processes;
	struct resolve_origin *array;
	uint32_t nr;
};

static int by_object(const void *a, const void *b)
{
	const struct code_object *one = *(void *const *)a;
	const struct code_object *other = *(void *const *)b;
	int order = strcmp(one->path, other->path);

	if (!order)
		order = (one->kind > other->kind) - (one->kind < other->kind);
	if (!order)
		order = (one->pid > other->pid) - (one->pid < other->pid);
	return order ? order :
		       memcmp(&one->identity, &other->identity,
			      sizeof(one->identity));
}

/* A process that was not attached has no other ID, and no other root directory. */
static struct resolve_origin origin_of(const struct code_object *object,
				       const struct origins *processes)
{
	const struct origins_entry *process =
		profil_origins_find(processes, object->pid);
	struct resolve_origin origin = {
		.identity = object->identity,
		.pid = object->pid,
	};

	if (process) {
		origin.pid = process->inner;
		origin.begin_ns = process->begin_ns;
		origin.owner = process->owner;
		origin.roots = &processes->roots[process->root];
		origin.nr_roots = 1;
	} else if (processes && !object->pid) {
		origin.roots = processes->roots;
		origin.nr_roots = processes->nr_roots;
	}
	return origin;
}

static void add_object(struct profile *profile,
		       const struct code_object *object,
		       struct object_origins *origins)
{
	static const enum profile_kind kinds[] = {
		[CODE_FILE] = PROFILE_FILE,
		[CODE_OUTSIDE] = PROFILE_OUTSIDE,
		[CODE_JIT] = PROFILE_JIT,
	};
	const struct run_identity *identity = &object->identity;
	struct profile_object mine = {
		.kind = kinds[object->kind],
		.path = object->path,
		.build_id_size = identity->build_id_size,
	};

	if (mine.build_id_size > PROFILE_BUILD_ID)
		mine.build_id_size = PROFILE_BUILD_ID;
	memcpy(mine.build_id, identity->build_id, mine.build_id_size);
	profil_profile_add_object(profile, &mine);
	origins->array = profil_grow(origins->array, origins->nr + 1,
				     sizeof(*origins->array));
	origins->array[origins->nr++] = origin_of(object, origins->processes);
}

static uint32_t add_program(struct profile *profile,
			    const struct code_object *object)
{
	struct profile_program program = {
		.path = object->program,
		.cgroup = object->cgroup,
		.thread = object->thread,
	};

	return profil_profile_add_program(profile, &program);
}

static void add_kernel(struct profile *profile,
		       const struct code_object *object)
{
	struct profile_kernel kernel = { .name = object->path };

	for (size_t i = 0; i < object->nr; i++)
		kernel.samples += object->samples[i].kernel;
	if (kernel.samples)
		profil_profile_add_kernel(profile, &kernel);
}

/* Add the samples of @object, which is the last one of @profile. */
static void add_places(struct profile *profile,
		       const struct code_object *object)
{
	uint32_t program = add_program(profile, object);

	for (size_t i = 0; i < object->nr; i++) {
		const struct sample *sample = &object->samples[i];
		struct profile_place place = {
			.object = profile->nr_objects - 1,
			.program = program,
			.offset = sample->offset,
			.function = PROFILE_NONE,
			.user = sample->user,
			.kernel = sample->kernel,
		};

		if (sample_count(sample))
			profil_profile_add_place(profile, &place);
	}
}

static bool has_samples(const struct code_object *object)
{
	for (size_t i = 0; i < object->nr; i++)
		if (sample_count(&object->samples[i]))
			return true;
	return false;
}

/* All parts have the first program, whose build ID is a label. */
static bool is_in_part(const struct profile *profile,
		       const struct code_object *object)
{
	return object->kind == CODE_FILE &&
	       !strcmp(object->path, profile->programs[0].path);
}

/* Objects that differ by their program alone are one object of the profile. */
static void add_table(struct profile *profile, const struct sample_table *table,
		      struct object_origins *origins, bool is_part)
{
	const struct code_object **sorted =
		profil_grow(NULL, table->nr + 1, sizeof(*sorted));
	const struct code_object *last = NULL;

	for (size_t i = 0; i < table->nr; i++) {
		sorted[i] = &table->objects[i];
		if (sorted[i]->kind != CODE_KERNEL)
			add_program(profile, sorted[i]);
	}
	qsort(sorted, table->nr, sizeof(*sorted), by_object);
	for (size_t i = 0; i < table->nr; i++) {
		if (!has_samples(sorted[i]) &&
		    !(is_part && is_in_part(profile, sorted[i])))
			continue;
		if (sorted[i]->kind == CODE_KERNEL) {
			add_kernel(profile, sorted[i]);
			continue;
		}
		if (!last || by_object(&last, &sorted[i]))
			add_object(profile, sorted[i], origins);
		last = sorted[i];
		add_places(profile, last);
	}
	free(sorted);
	profil_profile_sort(profile);
}

static void read_counts(struct profile *profile,
			const struct recording *recording,
			const struct baseline *baseline,
			const struct moment *first,
			struct object_origins *origins, struct baseline *now)
{
	struct profil_totals totals = profil_run_file_totals(&recording->file);
	struct sample_table table = { 0 };

	profil_run_file_read(&recording->file, &table);
	add_running_sessions(&totals, &table);
	if (now) {
		now->totals = totals;
		now->cpu = recording->cpu;
		profil_sample_table_copy(&now->table, &table);
	}
	set_totals(&profile->head, &totals, &baseline->totals);
	extend_cpu_time(&profile->head, recording, &totals, first);
	profil_sample_table_subtract(&table, &baseline->table);
	add_table(profile, &table, origins, now);
	profil_sample_table_free(&table);
}

static void read_machine(struct profile *profile, const struct machine *machine,
			 const struct baseline *baseline,
			 struct object_origins *origins, struct baseline *now)
{
	struct profile_head *head = &profile->head;
	struct sample_table table;

	profil_sample_table_copy(&table, &machine->table);
	if (now) {
		now->taken = machine->taken;
		now->idle_ns = machine->idle_ns;
		profil_sample_table_copy(&now->table, &table);
	}
	profil_sample_table_subtract(&table, &baseline->table);
	profil_machine_set_head(machine, &baseline->taken, head);
	head->cgroup = profil_profile_string(profile, machine->cgroup);
	head->idle_ns = difference(machine->idle_ns, baseline->idle_ns);
	head->kernel_samples = kernel_samples(&table);
	head->kernel_ns = head->kernel_samples * head->period_ns;
	add_table(profile, &table, origins, false);
	profil_sample_table_free(&table);
}

static struct moment moment_of(const struct baseline *baseline)
{
	return (struct moment){
		.samples = baseline->totals.samples,
		.cpu_ns = baseline->cpu.all_ns,
	};
}

/*
 * As profil_collect(). The recording began at @first; @now, unless NULL, is what was
 * counted by now.
 */
static void collect(struct profile *profile, const struct recording *recording,
		    const struct origins *processes,
		    const struct baseline *baseline, const struct moment *first,
		    struct known *known, struct baseline *now)
{
	struct object_origins origins = { .processes = processes };
	uint32_t argc = 0;

	while (recording->argv[argc])
		argc++;
	profil_profile_set_command(profile, argc,
				   (const char *const *)recording->argv);
	set_host(profile);
	set_times(&profile->head, recording, baseline);
	set_status(&profile->head, recording);
	if (recording->machine)
		read_machine(profile, recording->machine, baseline, &origins,
			     now);
	else
		read_counts(profile, recording, baseline, first, &origins, now);
	profil_resolve(profile, origins.array, known);
	if (known)
		profil_known_set_origins(known, origins.array);
	else
		free(origins.array);
}

void profil_collect(struct profile *profile, const struct recording *recording,
		    const struct origins *origins,
		    const struct baseline *baseline, struct known *known)
{
	struct moment first = moment_of(baseline);

	if (!recording->machine) {
		set_processes(&profile->head, &recording->file);
		add_unseen(profile, recording->file.run);
	}
	collect(profile, recording, origins, baseline, &first, known, NULL);
}

void profil_interval_begin(struct interval *interval,
			   const struct baseline *baseline)
{
	struct baseline *begin = &interval->begin;

	interval->first = moment_of(baseline);
	begin->totals = baseline->totals;
	begin->taken = baseline->taken;
	begin->idle_ns = baseline->idle_ns;
	begin->cpu = baseline->cpu;
	profil_sample_table_copy(&begin->table, &baseline->table);
}

void profil_interval_collect(struct interval *interval, struct profile *profile,
			     const struct recording *recording,
			     const struct origins *origins, struct known *known)
{
	struct profile_head *head = &profile->head;
	struct baseline now = { 0 };

	collect(profile, recording, origins, &interval->begin, &interval->first,
		known, &now);
	profil_sample_table_free(&interval->end.table);
	interval->end = now;
	interval->end_wall_ns = recording->wall_ns;
	head->begin_ns += interval->wall_ns;
	head->wall_ns = difference(head->wall_ns, interval->wall_ns);
	head->sessions = 0;
	head->ended = 0;
	head->unprofiled_children = 0;
}

void profil_interval_next(struct interval *interval)
{
	profil_sample_table_free(&interval->begin.table);
	interval->begin = interval->end;
	interval->wall_ns = interval->end_wall_ns;
	interval->end = (struct baseline){ 0 };
}

void profil_interval_free(struct interval *interval)
{
	profil_sample_table_free(&interval->begin.table);
	profil_sample_table_free(&interval->end.table);
}
