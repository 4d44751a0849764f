// SPDX-License-Identifier: GPL-2.0-only
/* Processes that a recording has seen: their code may need names after their end */
#include "record/seen.h"
#include "util/clock.h"

void profil_growing_forget(struct growing *growing, bool is_all)
{
	profil_index_map_free(&growing->fresh);
	profil_index_map_free(&growing->seen);
	if (!is_all)
		return;
	profil_roots_free(&growing->roots);
	profil_index_map_free(&growing->known);
	free(growing->processes);
	growing->processes = NULL;
	growing->nr_processes = 0;
}

/* ID of the process @pid in its own PID namespace */
static uint32_t own_id(uint32_t pid)
{
	uint32_t inner = profil_process_status(pid, "NSpid:", 10);

	return inner ? inner : pid;
}

/* Index of the process @pid, which is added if it is new */
static uint32_t index_of(struct growing *growing, uint32_t pid)
{
	struct index_key key = { { pid } };
	uint32_t index = profil_index_map_add(&growing->known, key,
					      growing->nr_processes);

	if (index == growing->nr_processes)
		ARRAY_ADD(growing->processes, growing->nr_processes,
			  (struct resolve_origin){ .root = INDEX_NONE });
	return index;
}

/* What is known of the image of a process holds for the same process. */
static void read_process(struct resolve_origin *process, uint32_t pid,
			 uint64_t begin_ns, uint32_t root)
{
	if (process->begin_ns != begin_ns)
		*process = (struct resolve_origin){ .begin_ns = begin_ns };
	process->pid = own_id(pid);
	process->owner = profil_process_owner(pid);
	process->root = root;
}

static struct resolve_origin *find_process(struct growing *growing,
					   uint32_t pid, uint64_t begin_ns)
{
	struct index_key key = { { pid, begin_ns } };
	uint32_t index = profil_index_map_find(&growing->fresh, key);
	uint32_t root;

	if (index != INDEX_NONE)
		return &growing->processes[index];
	root = profil_roots_add(&growing->roots, pid);
	if (root == INDEX_NONE) {
		index = profil_index_map_find(&growing->known,
					      (struct index_key){ { pid } });
		return index == INDEX_NONE ? NULL : &growing->processes[index];
	}
	index = index_of(growing, pid);
	read_process(&growing->processes[index], pid, begin_ns, root);
	profil_index_map_set(&growing->fresh, key, index);
	return &growing->processes[index];
}

const struct resolve_origin *
profil_growing_process(struct growing *growing, uint32_t pid, uint64_t begin_ns)
{
	return find_process(growing, pid, begin_ns);
}

/*
 * A child has the code of its parent until its execve(2), and the parent, until its own.
 * Who adopts an orphan has another image.
 */
static void find_ancestors(struct resolve_origin *process, uint32_t pid)
{
	memset(process->ancestors, 0, sizeof(process->ancestors));
	for (size_t i = 0; i < RESOLVE_ANCESTORS; i++) {
		pid = profil_process_status(pid, "PPid:", 10);
		if (!pid || profil_process_image(pid) != process->image)
			return;
		process->ancestors[i] = (struct resolve_ancestor){
			.pid = own_id(pid),
			.owner = profil_process_owner(pid),
			.begin_ns = profil_process_begin_ns(pid),
		};
	}
}

const struct resolve_origin *profil_growing_generator(struct growing *growing,
						      uint32_t pid,
						      uint64_t begin_ns)
{
	struct resolve_origin *process = find_process(growing, pid, begin_ns);
	uint64_t image = process ? profil_process_image(pid) : 0;
	int64_t ahead = profil_clock_ahead();

	if (!process)
		return NULL;
	if (!process->clock_ns || ahead < process->clock_ns)
		process->clock_ns = ahead;
	if (image && image != process->image) {
		process->image = image;
		find_ancestors(process, pid);
	}
	return process;
}
