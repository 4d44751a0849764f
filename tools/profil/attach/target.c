// SPDX-License-Identifier: GPL-2.0-only
/* A program that an attached descriptor samples */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attach/permission.h"
#include "attach/root.h"
#include "attach/target.h"
#include "record/child.h"
#include "run/layout.h"
#include "run/proc_maps.h"
#include "run/segments.h"
#include "util/index_map.h"
#include "util/memory.h"

#define MS 1000000ULL

/*
 * The mappings are read when there are samples in no text. A program that has
 * begun opens its libraries soon, so the first looks are early.
 */
#define FIRST_LOOK (2 * MS)
#define LAST_LOOK (100 * MS)

/* Bytes of a buffer for the mappings */
#define LINES (2 * PROC_MAPS_LINE)

/* A library may have taken the place of another, without a sample outside. */
#define MAPS_LOOK (1000 * MS)

/*
 * The auxiliary vector has the addresses of the program, of the vDSO and of random
 * bytes on the stack. exec chooses them anew, and fork keeps them.
 */
uint64_t profil_target_image(pid_t pid)
{
	unsigned char bytes[1024];
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, bytes, sizeof(bytes));
	close(fd);
	return got > 0 ? profil_hash(HASH_EMPTY, bytes, got) : 0;
}

static void add_code(const struct map *map, void *data)
{
	uint64_t place[] = { map->start, map->end,   map->offset,
			     map->major, map->minor, map->inode };
	uint64_t *hash = data;

	if (map->executable)
		*hash = profil_hash(*hash, place, sizeof(place));
}

static uint64_t code_of(pid_t pid)
{
	uint64_t hash = HASH_EMPTY;
	char path[32];
	char *buffer = profil_grow(NULL, LINES, 1);

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	profil_proc_maps(path, add_code, &hash, buffer, LINES);
	free(buffer);
	return hash;
}

bool profil_target_matches(const struct target *target, pid_t pid)
{
	return target->image && target->image == profil_target_image(pid) &&
	       target->code == code_of(pid);
}

/* A path that does not fit is cut; the zero after it is there already. */
static int new_layout(struct target *target, const struct run_file *file)
{
	struct layout *layout = profil_layout_new(file->run, file->fd);
	char path[32];

	if (!layout)
		return -errno;
	layout->pid = target->pid;
	if (!profil_root_is_own(target->pid)) {
		snprintf(layout->root, sizeof(layout->root), "/proc/%d/root",
			 target->pid);
		profil_root_outer(target->pid, layout->outer);
	}
	target->layout = layout;
	snprintf(path, sizeof(path), "/proc/%d/exe", target->pid);
	return readlink(path, layout->program, sizeof(layout->program) - 1) <
			       0 ?
		       -errno :
		       0;
}

/* Read the mappings, and count in new ones: 0 or -errno. */
static int read_maps(struct target *target)
{
	struct layout *layout = target->layout;
	struct profil_start start;
	char path[32];
	bool news;
	int error;

	snprintf(path, sizeof(path), "/proc/%d/maps", target->pid);
	target->outside = profil_layout_outside(layout);
	target->maps_ns = profil_child_now() + MAPS_LOOK;
	error = profil_layout_read(layout, path, &news);
	if (error || !news)
		return error;
	/* A process that has ended or executed another program meanwhile */
	if (!target->image || profil_target_image(target->pid) != target->image)
		return -ESRCH;
	profil_layout_start(layout, &start);
	if (ioctl(target->device, PROFIL_IOC_START, &start))
		return -errno;
	profil_layout_started(layout, &start);
	return 0;
}

static int begin(struct target *target, const struct run_file *file,
		 bool children)
{
	int error =
		profil_permission_attach(target->device, target->pid, children);

	if (!error)
		error = new_layout(target, file);
	if (!error)
		error = read_maps(target);
	return error;
}

static void close_target(struct target *target)
{
	close(target->device);
	target->device = -1;
	if (!target->layout)
		return;
	profil_layout_drop(target->layout);
	munmap(target->layout, sizeof(*target->layout));
	target->layout = NULL;
}

int profil_target_begin(struct target *target, const struct run_file *file,
			pid_t pid, bool children)
{
	int error;

	*target = (struct target){
		.device = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC),
		.pid = pid,
		.image = profil_target_image(pid),
		.code = code_of(pid),
		.interval_ns = FIRST_LOOK,
		.look_ns = profil_child_now() + FIRST_LOOK,
	};
	if (target->device < 0)
		return -errno;
	error = begin(target, file, children);
	if (error)
		close_target(target);
	else
		__atomic_fetch_add(&file->run->processes, 1, __ATOMIC_RELAXED);
	return error;
}

int profil_target_add(const struct target *target, pid_t pid, bool children)
{
	return profil_permission_attach(target->device, pid, children);
}

/* Without news the next look is later. */
uint64_t profil_target_look(struct target *target)
{
	uint64_t now = profil_child_now();

	if (target->device < 0)
		return CHILD_NEVER;
	if (now < target->look_ns)
		return target->look_ns;
	if (now >= target->maps_ns ||
	    profil_layout_outside(target->layout) != target->outside)
		read_maps(target);
	target->look_ns = now + target->interval_ns;
	target->interval_ns *= 2;
	if (target->interval_ns > LAST_LOOK)
		target->interval_ns = LAST_LOOK;
	return target->look_ns;
}

bool profil_target_is_gone(const struct target *target)
{
	struct profil_stats stats = { .size = sizeof(stats) };

	return target->device < 0 ||
	       (!ioctl(target->device, PROFIL_IOC_STATS, &stats) &&
		stats.flags & PROFIL_STATS_GONE);
}

/* Samples outside may be in code that the program has generated. */
void profil_target_end(struct target *target)
{
	const struct layout *layout = target->layout;

	if (target->device < 0)
		return;
	ioctl(target->device, PROFIL_IOC_STOP, NULL);
	if (layout->jit.nr && profil_layout_outside(layout))
		profil_segments_note_jit((void *)(uintptr_t)layout->outside);
	close_target(target);
}
