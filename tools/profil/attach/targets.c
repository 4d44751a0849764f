// SPDX-License-Identifier: GPL-2.0-only
/*
 * All programs that a recording is attached to
 *
 * A server and the workers that it has forked have one layout and are one target.
 * A descendant that has executed a program or opened a library has a target of its
 * own.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "attach/targets.h"
#include "record/child.h"
#include "record/process_tree.h"
#include "util/memory.h"

static const char refused[] =
	"no session for %zu descendants of process %d: raise max_sessions, see profil(4)";

static struct target *find(struct targets *targets, pid_t pid)
{
	for (size_t i = 0; i < targets->nr; i++)
		if (profil_target_matches(&targets->array[i], pid))
			return &targets->array[i];
	return NULL;
}

static int begin_target(struct targets *targets, pid_t pid, bool children)
{
	struct origin origin;
	struct target target;
	int error;

	profil_origin_read(&origin, pid);
	error = profil_target_begin(&target, targets->file, pid, children);
	if (error) {
		profil_root_close(&origin.root);
		return error;
	}
	profil_origins_add(targets->origins, &origin);
	targets->array = profil_grow(targets->array, targets->nr + 1,
				     sizeof(*targets->array));
	targets->array[targets->nr++] = target;
	return 0;
}

/* EALREADY: the parent's target has it, since it was forked after the attaching. */
static int add(struct targets *targets, pid_t pid)
{
	struct target *target = find(targets, pid);

	return target ? profil_target_add(target, pid, true) :
			begin_target(targets, pid, true);
}

/* Attach to the descendants of @pid; the number of those that were not before */
static size_t add_descendants(struct targets *targets, pid_t pid)
{
	struct process *tree;
	size_t nr, added = 0;

	tree = profil_process_tree(pid, &nr);
	targets->nr_refused = 0;
	for (size_t i = 0; i < nr; i++) {
		int error = tree[i].pid != pid ? add(targets, tree[i].pid) :
						 -EALREADY;

		added += !error;
		targets->nr_refused += error == -EAGAIN;
	}
	free(tree);
	return added;
}

/* A process that was not attached yet may have forked meanwhile. */
int profil_targets_begin(struct targets *targets, const struct run_file *file,
			 struct origins *origins, pid_t pid, bool children)
{
	int error;

	*targets = (struct targets){ .file = file, .origins = origins };
	error = begin_target(targets, pid, children);
	while (!error && children && add_descendants(targets, pid))
		;
	if (targets->nr_refused)
		warnx(refused, targets->nr_refused, pid);
	return error;
}

uint64_t profil_targets_look(struct targets *targets)
{
	uint64_t first = CHILD_NEVER;

	for (size_t i = 0; i < targets->nr; i++) {
		uint64_t next = profil_target_look(&targets->array[i]);

		if (next < first)
			first = next;
	}
	return first;
}

bool profil_targets_are_gone(const struct targets *targets)
{
	for (size_t i = 0; i < targets->nr; i++)
		if (!profil_target_is_gone(&targets->array[i]))
			return false;
	return true;
}

void profil_targets_end(struct targets *targets)
{
	for (size_t i = 0; i < targets->nr; i++)
		profil_target_end(&targets->array[i]);
	free(targets->array);
	*targets = (struct targets){ 0 };
}
