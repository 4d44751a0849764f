// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by the table of the driver
 *
 * A table has two halves of bounded size, so it is taken from time to time: what it
 * counted is added here, with the names of the files, which the driver forgets.
 */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "profile/head.h"
#include "record/memory.h"
#include "record/program.h"
#include "record/seen.h"
#include "record/table.h"

int profil_table_add(const struct table *table, int pidfd, uint32_t flags)
{
	struct profil_add add = {
		.size = sizeof(add),
		.flags = flags,
		.pidfd = pidfd,
	};

	return ioctl(table->fd, PROFIL_TABLE_IOC_ADD, &add) ? -errno : 0;
}

static short events_of(const struct table *table)
{
	struct pollfd poller = { .fd = table->fd, .events = POLLIN };

	return poll(&poller, 1, 0) > 0 ? poller.revents : 0;
}

bool profil_table_has_ended(const struct table *table)
{
	return events_of(table) & POLLHUP;
}

bool profil_table_is_full(const struct table *table)
{
	return events_of(table) & POLLIN;
}

/* A sample that waits is taken when it is counted. */
static void add_numbers(struct profil_take *sum, const struct profil_take *take)
{
	profil_taken_clear(sum, TAKEN_NOW);
	profil_taken_add(sum, take, 1);
	sum->ticks += sum->waiting - take->waiting;
	sum->waiting = take->waiting;
	sum->sequence = take->sequence;
}

#define DELETED " (deleted)"
#define UNKNOWN "[unknown]"

/**
 * struct name - a name of the half that was taken
 * @kind: PROFIL_NAME_*, or 0 if it is not known
 * @path: path
 * @base: upper half of the addresses in memory without a file
 * @identity: identity of a file
 */
struct name {
	uint32_t kind;
	char *path;
	uint64_t base;
	struct file_identity identity;
};

/*
 * A text of the half: its @first place, without an object if it was not read
 * @executed_by: index of the program in the profile
 * @memory: index of the memory of its process, for generated code; INDEX_NONE: not known
 * @program: what the process executes
 * @file: the file that its offsets are of, if that is memory; kind PROFILE_JIT otherwise
 */
struct text {
	struct profile_place first;
	uint32_t executed_by;
	uint32_t memory;
	const struct name *program;
	struct code file;
};

/*
 * A half of the table @fd that is read. By their IDs it has @names, without a path if
 * they were not read, and @texts.
 * @is_alone: one process has all samples so far
 * @unknown: samples of counters with keys of unknown kinds
 */
struct half {
	int fd;
	struct growing *growing;
	struct name *names;
	uint32_t nr_names;
	struct text *texts;
	uint32_t nr_texts;
	bool is_alone;
	uint64_t unknown;
};

static void read_name(const struct half *half, uint32_t id, struct name *name)
{
	char path[PATH_MAX + sizeof(DELETED)] = "";
	struct profil_name it = {
		.size = sizeof(it),
		.id = id,
		.room = sizeof(path),
		.path = (uintptr_t)path,
	};
	struct file_identity *identity = &name->identity;
	size_t length, mark = strlen(DELETED);

	if (id && !ioctl(half->fd, PROFIL_TABLE_IOC_NAME, &it))
		name->kind = it.kind;
	length = strlen(path);
	if (name->kind == PROFIL_NAME_FILE && length > mark &&
	    !strcmp(path + length - mark, DELETED))
		path[length - mark] = '\0';
	if (!*path && name->kind != PROFIL_NAME_CGROUP)
		strcat(path, UNKNOWN);
	name->path = profil_copy_string(path);
	if (name->kind == PROFIL_NAME_MEMORY)
		name->base = it.device;
	if (name->kind != PROFIL_NAME_FILE)
		return;
	identity->device = (uint64_t)major(it.device) << 32 | minor(it.device);
	identity->inode = it.inode;
	identity->size = it.file_size;
	identity->mtime_ns = it.mtime_ns;
	identity->build_id_size = it.build_id_size;
	memcpy(identity->build_id, it.build_id, sizeof(it.build_id));
}

static struct name *name_of(const struct half *half, uint32_t id)
{
	struct name *name = &half->names[id < half->nr_names ? id : 0];

	if (!name->path)
		read_name(half, id, name);
	return name;
}

/*
 * A file without a build ID in the memory of the driver is known by its inode. In
 * overlayfs stat(2) has another one.
 */
static void complete_identity(struct name *file, uint32_t pid)
{
	struct file_identity *identity = &file->identity, seen;
	char *path;

	if (identity->build_id_size || *file->path != '/')
		return;
	path = profil_format("%s%s",
			     pid ? profil_process_path(pid, "root").text : "",
			     file->path);
	seen = profil_file_identity(path);
	if (seen.size == identity->size && seen.mtime_ns == identity->mtime_ns)
		*identity = seen;
	free(path);
}

/* Code that the process of @it has generated, and that it may have moved */
static void read_generated(struct half *half, const struct profil_text *it,
			   const struct name *program, struct text *text)
{
	struct code code = {
		.kind = PROFILE_JIT,
		.path = program->path,
		.pid = it->pid,
		.origin = { .pid = it->pid, .root = INDEX_NONE },
	};
	const struct resolve_origin *process = NULL;

	if (it->pid) {
		process = profil_growing_generator(half->growing, it->pid,
						   it->begin_ns);
		text->memory =
			profil_memory_find(half->growing, it->pid, process);
	}
	if (process)
		code.origin = *process;
	code.origin.begin_ns = it->begin_ns;
	text->program = program;
	text->first.object = profil_growing_object(half->growing, &code);
}

static void read_file(struct half *half, const struct profil_text *it,
		      struct name *file, const struct name *program,
		      struct text *text)
{
	struct code code = {
		.kind = PROFILE_FILE,
		.path = file->path,
		.origin = { .pid = it->pid, .root = INDEX_NONE },
	};

	complete_identity(file, it->pid);
	code.origin.identity = file->identity;
	if (it->pid &&
	    profil_growing_is_memory(half->growing, &code, it->pid)) {
		text->file = code;
		read_generated(half, it, program, text);
	} else {
		text->first.object = profil_growing_file(half->growing, &code,
							 it->pid, it->begin_ns);
	}
}

static void read_outside(struct half *half, const struct name *program,
			 struct text *text)
{
	const struct code code = {
		.kind = PROFILE_OUTSIDE,
		.path = program->path,
		.origin.root = INDEX_NONE,
	};

	text->first.object = profil_growing_object(half->growing, &code);
}

static void read_text(struct half *half, uint32_t id, struct text *text)
{
	struct profil_text it = { .size = sizeof(it), .id = id };
	struct executed executed = { .is_alone = half->is_alone };
	struct name *file, *program;

	if (ioctl(half->fd, PROFIL_TABLE_IOC_TEXT, &it))
		it = (struct profil_text){ 0 };
	file = name_of(half, it.file);
	program = name_of(half, it.program);
	executed.file = program->path;
	executed.identity = &program->identity;
	executed.cgroup = name_of(half, it.cgroup)->path;
	executed.pid = it.begin_ns ? it.pid : 0;
	memcpy(executed.thread, it.thread, sizeof(it.thread));
	text->file.kind = PROFILE_JIT;
	text->memory = INDEX_NONE;
	if (file->kind == PROFIL_NAME_FILE || !strcmp(file->path, "[vdso]"))
		read_file(half, &it, file, program, text);
	else if (file->kind == PROFIL_NAME_MEMORY)
		read_generated(half, &it, program, text);
	else
		read_outside(half, program, text);
	text->executed_by = profil_growing_program(half->growing, &executed);
	text->first.offset = file->base;
}

static bool find_in_memory(struct half *half, const struct text *text,
			   struct profile_place *place)
{
	const struct code program = {
		.kind = PROFILE_FILE,
		.path = text->program->path,
		.origin = { .identity = text->program->identity,
			    .root = INDEX_NONE },
	};
	const struct file_identity *file = NULL;

	if (text->file.kind == PROFILE_FILE)
		file = &text->file.origin.identity;
	return profil_memory_place(half->growing, text->memory, file, &program,
				   place);
}

/* An offset in a file that is memory is one of an address, if that is known. */
static void set_place(struct half *half, const struct text *text,
		      struct profile_place *place)
{
	bool is_known = text->memory != INDEX_NONE &&
			find_in_memory(half, text, place);

	if (text->file.kind == PROFILE_FILE && !is_known)
		place->object =
			profil_growing_object(half->growing, &text->file);
}

static const struct text *text_of(struct half *half, uint64_t key)
{
	uint32_t id = PROFIL_KEY_TEXT(key);
	struct text *text = &half->texts[id < half->nr_texts ? id : 0];

	if (text->first.object == INDEX_NONE)
		read_text(half, id, text);
	return text;
}

/* A function of the kernel has samples that places have as well. */
static void add_symbol(struct half *half, const struct profil_counter *counter)
{
	struct profil_symbol symbol = {
		.size = sizeof(symbol),
		.offset = PROFIL_KEY_OFFSET(counter->key),
	};
	struct profile_kernel kernel = {
		.name = UNKNOWN,
		.program = PROFILE_NONE,
		.samples = counter->count,
	};

	if (!ioctl(half->fd, PROFIL_TABLE_IOC_SYMBOL, &symbol) && *symbol.name)
		kernel.name = symbol.name;
	if (PROFIL_KEY_TEXT(counter->key) != PROFIL_TEXT_KERNEL)
		kernel.program = text_of(half, counter->key)->executed_by;
	profil_growing_add_kernel(half->growing, &kernel);
}

static void add_counter(struct half *half, const struct profil_counter *counter)
{
	struct profile_sample sample = { 0 };
	struct profile_place place;
	const struct text *text;

	if (PROFIL_KEY_KIND(counter->key) == PROFIL_KIND_KERNEL) {
		add_symbol(half, counter);
		return;
	}
	if (PROFIL_KEY_KIND(counter->key) != PROFIL_KIND_TEXT) {
		half->unknown += counter->count;
		return;
	}
	text = text_of(half, counter->key);
	place = text->first;
	place.offset += PROFIL_KEY_OFFSET(counter->key);
	sample.program = text->executed_by;
	*(counter->key & PROFIL_KEY_KERNEL ? &sample.kernel : &sample.user) =
		counter->count;
	set_place(half, text, &place);
	profil_growing_add(half->growing, &place, &sample);
}

/* Add the counters to @growing; the samples of those with keys of unknown kinds */
static uint64_t read_half(const struct table *table,
			  const struct profil_take *take,
			  struct growing *growing)
{
	const struct profil_counter *counter =
		table->counters + take->half * table->nr_counters;
	struct half half = {
		.fd = table->fd,
		.growing = growing,
		.nr_names = take->names + 1,
		.nr_texts = take->texts + 1,
		.is_alone = take->processes == 1,
	};

	half.names = profil_zeros(half.nr_names, sizeof(*half.names));
	half.texts = profil_zeros(half.nr_texts, sizeof(*half.texts));
	for (uint32_t i = 0; i < half.nr_texts; i++)
		half.texts[i].first.object = INDEX_NONE;
	for (size_t i = 0; i < table->nr_counters; i++, counter++)
		if (counter->key && counter->count)
			add_counter(&half, counter);
	for (uint32_t i = 0; i < half.nr_names; i++)
		free(half.names[i].path);
	free(half.names);
	free(half.texts);
	return half.unknown;
}

static const char has_unknown_keys[] =
	"the driver counts by unknown keys: install the profil of the driver's version";

static const char is_taken_by_others[] =
	"another process has taken samples of this recording: the counts are incomplete";

static void warn_once(bool *is_warned, const char *warning)
{
	if (!*is_warned)
		warnx("%s", warning);
	*is_warned = true;
}

/* Samples of unknown keys are not hits for this profil: they are lost. */
static void lose_unknown(struct table *table, struct profil_take *take,
			 uint64_t unknown)
{
	uint64_t lost = lesser(unknown, take->hits);

	take->hits -= lost;
	take->cancelled += lost;
	if (unknown)
		warn_once(&table->is_unknown, has_unknown_keys);
}

static void take_once(struct table *table, struct growing *growing,
		      uint32_t flags)
{
	struct profil_take take = { .size = sizeof(take), .flags = flags };
	struct profil_take *sum = &growing->now.taken;
	int error;

	if (table->has_failed)
		return;
	do {
		error = ioctl(table->fd, PROFIL_TABLE_IOC_TAKE, &take);
	} while (error && errno == EINTR);
	if (error) {
		warn("cannot take the table of %s", PROFIL_DEVICE);
		table->has_failed = true;
		return;
	}
	table->is_gone = take.flags & PROFIL_TAKE_CGROUP_GONE;
	if (take.sequence != sum->sequence + 1)
		warn_once(&table->is_shared, is_taken_by_others);
	lose_unknown(table, &take, read_half(table, &take, growing));
	add_numbers(sum, &take);
}

/* The kernel's figures may decrease. */
static void let_grow(uint64_t *number, uint64_t now, uint64_t booted)
{
	if (now > booted + *number)
		*number = now - booted;
}

static void look_at_machine(struct table *table, struct numbers *now)
{
	const struct machine_time *booted = &table->booted;
	struct machine_time time = profil_machine_time();

	let_grow(&now->machine.idle_ns, time.idle_ns, booted->idle_ns);
	let_grow(&now->machine.stolen_ns, time.stolen_ns, booted->stolen_ns);
}

void profil_table_see(struct table *table, struct growing *growing)
{
	take_once(table, growing, 0);
	table->interval_ns *= 2;
	if (table->interval_ns > SECOND)
		table->interval_ns = TABLE_TAKE_NS;
	table->see_ns = profil_now() + table->interval_ns;
}

void profil_table_take(struct table *table, struct growing *growing)
{
	profil_table_see(table, growing);
	look_at_machine(table, &growing->now);
	table->take_ns = profil_now() + TABLE_TAKE_NS;
}

/* No sample waits after the last take, unless that has failed. */
void profil_table_end(struct table *table, struct growing *growing)
{
	struct profil_take *taken = &growing->now.taken;

	take_once(table, growing, PROFIL_TAKE_LAST);
	look_at_machine(table, &growing->now);
	taken->ticks += taken->waiting;
	taken->cancelled += taken->waiting;
	taken->waiting = 0;
}

static uint64_t difference(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* A hypervisor shows itself to the programs of its machines. */
static bool is_virtual(void)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return false;
#endif
}

/* CPU time of the machine is that of its samples; of its CPUs, that in which they had a task. */
static void set_machine(const struct numbers *then, const struct numbers *now,
			struct profile_head *head)
{
	uint64_t all_ns = head->wall_ns * sysconf(_SC_NPROCESSORS_ONLN);

	head->idle_ns = now->machine.idle_ns - then->machine.idle_ns;
	head->busy_ns = difference(all_ns, head->idle_ns);
	head->cpu_ns = head->samples * head->period_ns;
	head->kernel_ns = head->kernel_samples * head->period_ns;
}

static void set_times(const struct numbers *then, const struct numbers *now,
		      struct profile_head *head)
{
	head->wall_ns = now->wall_ns - then->wall_ns;
	head->stolen_ns = now->machine.stolen_ns - then->machine.stolen_ns;
	head->is_virtual = is_virtual();
	if (head->table == TABLE_MACHINE) {
		set_machine(then, now, head);
		return;
	}
	head->cpu_ns = difference(now->cpu.all_ns, then->cpu.all_ns);
	head->kernel_ns = difference(now->cpu.kernel_ns, then->cpu.kernel_ns);
	/* /proc has it in clock ticks, and all CPU time is in nanoseconds. */
	if (head->kernel_ns > head->cpu_ns)
		head->kernel_ns = head->cpu_ns;
}

void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now, struct profile_head *head)
{
	struct profil_take *taken = &head->taken, before = then->taken;

	profil_taken_clear(&before, TAKEN_NOW);
	profil_taken_add(taken, &now->taken, 1);
	profil_taken_add(taken, &before, -1);
	head->table = table->kind;
	head->period_ns = table->period_ns;
	head->is_tick = table->is_tick;
	head->hits = taken->hits;
	head->outside = taken->unmapped;
	head->lost = profil_taken_sum(taken, TAKEN_LOST);
	head->samples = head->hits + head->outside + head->lost;
	set_times(then, now, head);
}
