// SPDX-License-Identifier: GPL-2.0-only
/* Processes that were attached, as the names of their code depend on them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/origins.h"
#include "record/process_tree.h"
#include "util/memory.h"

void profil_origin_read(struct origin *origin, pid_t pid)
{
	struct process process;

	*origin = (struct origin){
		.pid = pid,
		.inner = profil_process_inner_id(pid),
	};
	profil_root_open(&origin->root, pid);
	profil_root_outer(pid, origin->outer);
	if (!profil_process_read(pid, &process))
		return;
	origin->begin_ns = profil_process_start(&process);
	origin->owner = process.owner;
}

/* Index of the root directory of @origin, or the number of directories */
static size_t find_root(const struct origins *origins,
			const struct origin *origin)
{
	for (size_t i = 0; i < origins->nr_roots; i++)
		if (profil_root_is_same(&origins->descriptors[i],
					&origin->root) &&
		    !strcmp(origins->roots[i].outer, origin->outer))
			return i;
	return origins->nr_roots;
}

static void add_root(struct origins *origins, const struct origin *origin)
{
	size_t nr = origins->nr_roots;
	char path[ROOT_PATH];

	profil_root_path(&origin->root, path);
	origins->roots =
		profil_grow(origins->roots, nr + 1, sizeof(*origins->roots));
	origins->descriptors = profil_grow(origins->descriptors, nr + 1,
					   sizeof(*origins->descriptors));
	origins->roots[nr] = (struct resolve_root){
		.path = profil_copy_string(path),
		.outer = profil_copy_string(origin->outer),
	};
	origins->descriptors[nr] = origin->root;
	origins->nr_roots++;
}

void profil_origins_add(struct origins *origins, const struct origin *origin)
{
	size_t root = find_root(origins, origin);
	struct root unused = origin->root;

	if (root == origins->nr_roots)
		add_root(origins, origin);
	else
		profil_root_close(&unused);
	origins->array = profil_grow(origins->array, origins->nr + 1,
				     sizeof(*origins->array));
	origins->array[origins->nr++] = (struct origins_entry){
		.pid = origin->pid,
		.inner = origin->inner,
		.begin_ns = origin->begin_ns,
		.owner = origin->owner,
		.root = root,
	};
}

const struct origins_entry *profil_origins_find(const struct origins *origins,
						pid_t pid)
{
	for (size_t i = 0; origins && i < origins->nr; i++)
		if (origins->array[i].pid == pid)
			return &origins->array[i];
	return NULL;
}

void profil_origins_get(const struct origins *origins, size_t index,
			struct origin *origin)
{
	const struct origins_entry *entry = &origins->array[index];

	*origin = (struct origin){
		.pid = entry->pid,
		.inner = entry->inner,
		.begin_ns = entry->begin_ns,
		.owner = entry->owner,
		.root = origins->descriptors[entry->root],
	};
	snprintf(origin->outer, sizeof(origin->outer), "%s",
		 origins->roots[entry->root].outer);
}

void profil_origins_free(struct origins *origins)
{
	for (size_t i = 0; i < origins->nr_roots; i++) {
		free(origins->roots[i].path);
		free(origins->roots[i].outer);
		profil_root_close(&origins->descriptors[i]);
	}
	free(origins->roots);
	free(origins->descriptors);
	free(origins->array);
	*origins = (struct origins){ 0 };
}
