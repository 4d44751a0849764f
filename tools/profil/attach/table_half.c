// SPDX-License-Identifier: GPL-2.0-only
/* A half of a table of the driver becomes samples by code */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "attach/table_half.h"
#include "run/file_identity.h"
#include "util/memory.h"

#define DELETED " (deleted)"

#define UNKNOWN "[unknown]"

/**
 * struct name - a name of the half that was taken
 * @kind: PROFIL_NAME_*, or 0 if it is not known
 * @path: path
 * @identity: identity of a file
 */
struct name {
	uint32_t kind;
	char *path;
	struct run_identity identity;
};

/**
 * struct taking - a half that is read
 * @half: the half
 * @names: names by their ID, or without a path
 * @nr_names: elements of @names
 * @objects: index of the object of each text, by its ID, or INDEX_NONE
 * @nr_objects: elements of @objects
 */
struct taking {
	const struct table_half *half;
	struct name *names;
	uint32_t nr_names;
	uint32_t *objects;
	uint32_t nr_objects;
};

static void read_name(const struct taking *taking, uint32_t id,
		      struct name *name)
{
	char path[PATH_MAX + sizeof(DELETED)] = "";
	struct profil_name it = {
		.size = sizeof(it),
		.id = id,
		.room = sizeof(path),
		.path = (uintptr_t)path,
	};
	struct run_identity *identity = &name->identity;
	char *deleted;

	if (id && !ioctl(taking->half->fd, PROFIL_TABLE_IOC_NAME, &it))
		name->kind = it.kind;
	deleted = strstr(path, DELETED);
	if (deleted && !deleted[strlen(DELETED)])
		*deleted = '\0';
	if (!*path && name->kind != PROFIL_NAME_CGROUP)
		strcat(path, UNKNOWN);
	name->path = profil_copy_string(path);
	if (name->kind != PROFIL_NAME_FILE)
		return;
	identity->device = (uint64_t)major(it.device) << 32 | minor(it.device);
	identity->inode = it.inode;
	identity->size = it.file_size;
	identity->mtime_ns = it.mtime_ns;
	identity->build_id_size = it.build_id_size;
	memcpy(identity->build_id, it.build_id, sizeof(it.build_id));
}

static struct name *name_of(const struct taking *taking, uint32_t id)
{
	struct name *name = &taking->names[id < taking->nr_names ? id : 0];

	if (!name->path)
		read_name(taking, id, name);
	return name;
}

/*
 * A file without a build ID in the memory of the driver is known by its inode. In
 * overlayfs stat(2) has another one.
 */
static void complete_identity(struct name *file, const char *root)
{
	struct run_identity *identity = &file->identity, seen;
	char *path;

	if (identity->build_id_size || *file->path != '/')
		return;
	if (asprintf(&path, "%s%s", root, file->path) < 0)
		profil_memory_exhausted();
	profil_file_identity(path, &seen);
	if (seen.size == identity->size &&
	    seen.mtime_ns == identity->mtime_ns) {
		profil_file_build_id(path, &seen);
		*identity = seen;
	}
	free(path);
}

/* Paths of names begin at the root directory of the process. */
static void add_process(struct taking *taking, struct name *file, pid_t pid)
{
	struct origin origin;
	char root[32];

	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	complete_identity(file, pid ? root : "");
	if (!pid || profil_origins_find(taking->half->origins, pid))
		return;
	profil_origin_read(&origin, pid);
	if (origin.root.directory < 0 && *origin.outer)
		origin.root.directory =
			open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*origin.outer = '\0';
	profil_origins_add(taking->half->origins, &origin);
}

static uint32_t index_in(struct sample_table *table,
			 const struct code_object *wanted)
{
	return profil_sample_table_object(table, wanted) - table->objects;
}

static uint32_t read_text(struct taking *taking, uint32_t id)
{
	struct profil_text text = { .size = sizeof(text), .id = id };
	struct code_object object = { .kind = CODE_OUTSIDE };
	struct name *file;

	if (ioctl(taking->half->fd, PROFIL_TABLE_IOC_TEXT, &text))
		text = (struct profil_text){ 0 };
	file = name_of(taking, text.file);
	object.program = name_of(taking, text.program)->path;
	object.cgroup = name_of(taking, text.cgroup)->path;
	object.thread = text.thread;
	object.path = object.program;
	if (file->kind == PROFIL_NAME_MEMORY)
		object.kind = CODE_JIT;
	if (file->kind == PROFIL_NAME_FILE || !strcmp(file->path, "[vdso]")) {
		add_process(taking, file, text.pid);
		object.kind = CODE_FILE;
		object.path = file->path;
		object.identity = file->identity;
	}
	return index_in(taking->half->samples, &object);
}

/* A function of the kernel is an object. */
static uint32_t read_symbol(struct taking *taking, uint32_t offset)
{
	struct profil_symbol symbol = {
		.size = sizeof(symbol),
		.offset = offset,
	};
	struct code_object object = {
		.kind = CODE_KERNEL,
		.path = symbol.name,
		.program = UNKNOWN,
	};

	if (ioctl(taking->half->fd, PROFIL_TABLE_IOC_SYMBOL, &symbol) ||
	    !*symbol.name)
		object.path = UNKNOWN;
	return index_in(taking->half->samples, &object);
}

static uint32_t object_of(struct taking *taking, uint64_t key)
{
	uint32_t text = PROFIL_KEY_TEXT(key);

	if (text == PROFIL_TEXT_KERNEL)
		return read_symbol(taking, PROFIL_KEY_OFFSET(key));
	if (text >= taking->nr_objects)
		return read_text(taking, text);
	if (taking->objects[text] == INDEX_NONE)
		taking->objects[text] = read_text(taking, text);
	return taking->objects[text];
}

static void add_counter(struct taking *taking,
			const struct profil_counter *counter)
{
	struct sample_table *table = taking->half->samples;
	uint32_t object = object_of(taking, counter->key);
	struct sample sample = { 0 };

	if (table->objects[object].kind != CODE_KERNEL)
		sample.offset = PROFIL_KEY_OFFSET(counter->key);
	*(counter->key & PROFIL_KEY_KERNEL ? &sample.kernel : &sample.user) =
		counter->count;
	profil_sample_table_add(table, &table->objects[object], &sample);
}

void profil_table_half_read(const struct table_half *half)
{
	struct taking taking = {
		.half = half,
		.nr_names = half->take->names + 1,
		.nr_objects = half->take->texts + 1,
	};

	taking.names = calloc(taking.nr_names, sizeof(*taking.names));
	taking.objects =
		profil_grow(NULL, taking.nr_objects, sizeof(*taking.objects));
	if (!taking.names)
		profil_memory_exhausted();
	memset(taking.objects, 0xff,
	       taking.nr_objects * sizeof(*taking.objects));
	for (size_t i = 0; i < half->nr; i++)
		if (half->counters[i].key && half->counters[i].count)
			add_counter(&taking, &half->counters[i]);
	profil_sample_table_sort(half->samples);
	for (uint32_t i = 0; i < taking.nr_names; i++)
		free(taking.names[i].path);
	free(taking.names);
	free(taking.objects);
}
