// SPDX-License-Identifier: GPL-2.0-only
/*
 * A half of the driver's table that was taken: counters become samples of places, and
 * stacks of these, with the names of the files, which the driver forgets
 */
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "record/half.h"
#include "record/memory.h"
#include "record/program.h"
#include "record/seen.h"

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
 * @counters: its counters, @nr of them
 * @added: with callers, the index in @growing of the stack of each counter, or of the
 *	function of the kernel, or INDEX_NONE
 * @is_alone: one process has all samples so far
 * @unknown: samples of counters with keys of unknown kinds
 */
struct half {
	int fd;
	const struct profil_counter *counters;
	uint32_t nr;
	uint32_t *added;
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
static uint32_t add_symbol(struct half *half,
			   const struct profil_counter *counter)
{
	struct profil_symbol symbol = {
		.size = sizeof(symbol),
		.offset = PROFIL_KEY_OFFSET(counter->key),
	};
	struct profile_kernel kernel = {
		.name = UNKNOWN,
		.program = PROFILE_NONE,
		.stack = PROFILE_NONE,
		.samples = counter->count,
	};

	if (!ioctl(half->fd, PROFIL_TABLE_IOC_SYMBOL, &symbol) && *symbol.name)
		kernel.name = symbol.name;
	if (PROFIL_KEY_TEXT(counter->key) != PROFIL_TEXT_KERNEL)
		kernel.program = text_of(half, counter->key)->executed_by;
	return profil_profile_add_kernel(&half->growing->profile, &kernel);
}

/* The place of @key, and @samples of the program there */
static void locate(struct half *half, uint64_t key, uint64_t samples,
		   struct profile_place *place, struct profile_sample *sample)
{
	const struct text *text = text_of(half, key);

	*place = text->first;
	place->offset += PROFIL_KEY_OFFSET(key);
	*sample = (struct profile_sample){ .program = text->executed_by };
	*(key & PROFIL_KEY_KERNEL ? &sample->kernel : &sample->user) = samples;
	set_place(half, text, place);
}

static void add_counter(struct half *half, uint32_t at)
{
	const struct profil_counter *counter = &half->counters[at];
	struct profile_sample sample;
	struct profile_place place;
	uint32_t kind = PROFIL_KEY_KIND(counter->key), function;

	if (half->added && kind == PROFIL_KIND_NODE)
		return;
	if (kind == PROFIL_KIND_KERNEL) {
		function = add_symbol(half, counter);
		if (half->added)
			half->added[at] = function;
	} else if (kind != PROFIL_KIND_TEXT) {
		half->unknown += counter->count;
	} else {
		locate(half, counter->key, counter->count, &place, &sample);
		profil_growing_add(half->growing, &place, &sample);
	}
}

/*
 * Stacks
 *
 * A counter for a stack refers to those of its caller and of its PC, so that one is added
 * after its callers.
 */

/* The counter for the stack of the caller of the one at @at; @half->nr or more: none */
static uint32_t caller_of(const struct half *half, uint32_t at)
{
	return PROFIL_NODE_PARENT(half->counters[at].key);
}

/* There is a counter at @at, for a stack. */
static bool is_stack(const struct half *half, uint32_t at)
{
	return at < half->nr &&
	       PROFIL_KEY_KIND(half->counters[at].key) == PROFIL_KIND_NODE;
}

/* Why a walk has ended at a stack without a caller */
static uint32_t end_of(uint64_t key)
{
	uint32_t end = PROFIL_NODE_PARENT(key) - PROFIL_NODE_ROOT;

	return end < PROFIL_NR_WALKS ? end : PROFIL_WALK_BASE;
}

/* Samples of the function of the kernel @index were those of a stack, too. */
static void move_to_stack(struct growing *growing, uint32_t index,
			  uint32_t stack, uint64_t samples)
{
	struct profile_kernel kernel = growing->profile.kernel[index];

	kernel.samples = lesser(samples, kernel.samples);
	growing->profile.kernel[index].samples -= kernel.samples;
	kernel.stack = stack;
	profil_profile_add_kernel(&growing->profile, &kernel);
}

/*
 * Add the samples of a function of the kernel, those of the counter @pc, to the stack that
 * entered the kernel
 */
static void add_entry(struct half *half, uint32_t pc, uint32_t stack,
		      uint64_t samples)
{
	if (stack == PROFILE_NONE)
		return;
	half->growing->profile.stacks[stack].kernel += samples;
	if (half->added[pc] != INDEX_NONE)
		move_to_stack(half->growing, half->added[pc], stack, samples);
}

/*
 * Add the stack of the counter @at, whose callers are those of the stack @parent, which is
 * also where a function of the kernel was entered
 */
static uint32_t add_stack(struct half *half, uint32_t at, uint32_t parent)
{
	const struct profil_counter *counter = &half->counters[at];
	uint32_t pc = PROFIL_NODE_PC(counter->key);
	uint64_t key = pc < half->nr ? half->counters[pc].key : 0;
	uint32_t end = parent == PROFILE_NONE ? end_of(counter->key) : 0;
	struct profile_sample sample;
	struct profile_place place;

	if (PROFIL_KEY_KIND(key) == PROFIL_KIND_KERNEL) {
		add_entry(half, pc, parent, counter->count);
		return parent;
	}
	locate(half, key, counter->count, &place, &sample);
	return profil_growing_add_stack(half->growing, parent, end, &place,
					&sample);
}

/* Callers at most, for a table that is not right */
#define MOST_CALLERS 1024

/* Add the stack of the counter @at with its callers, if it was not added yet. */
static void add_callers(struct half *half, uint32_t at)
{
	uint32_t path[MOST_CALLERS], nr = 0, parent = PROFILE_NONE;

	while (is_stack(half, at) && half->added[at] == INDEX_NONE &&
	       nr < MOST_CALLERS) {
		path[nr++] = at;
		at = caller_of(half, at);
	}
	if (is_stack(half, at))
		parent = half->added[at];
	while (nr--) {
		parent = add_stack(half, path[nr], parent);
		half->added[path[nr]] = parent;
	}
}

static void add_stacks(struct half *half)
{
	for (uint32_t i = 0; half->added && i < half->nr; i++)
		if (is_stack(half, i) && half->counters[i].count)
			add_callers(half, i);
}

uint64_t profil_half_read(const struct table *table,
			  const struct profil_take *take,
			  struct growing *growing)
{
	struct half half = {
		.fd = table->fd,
		.counters = table->counters + take->half * table->nr_counters,
		.nr = table->nr_counters,
		.growing = growing,
		.nr_names = take->names + 1,
		.nr_texts = take->texts + 1,
		.is_alone = take->processes == 1,
	};

	if (table->has_callers)
		half.added = profil_indices(half.nr);
	half.names = profil_zeros(half.nr_names, sizeof(*half.names));
	half.texts = profil_zeros(half.nr_texts, sizeof(*half.texts));
	for (uint32_t i = 0; i < half.nr_texts; i++)
		half.texts[i].first.object = INDEX_NONE;
	for (uint32_t i = 0; i < half.nr; i++)
		if (half.counters[i].key && half.counters[i].count)
			add_counter(&half, i);
	add_stacks(&half);
	for (uint32_t i = 0; i < half.nr_names; i++)
		free(half.names[i].path);
	free(half.names);
	free(half.texts);
	free(half.added);
	return half.unknown;
}
