// SPDX-License-Identifier: LGPL-2.1-or-later
/* The texts of a run: finding one in the run's file, or adding it */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/locked_memory.h"
#include "core/map.h"
#include "run/file_identity.h"
#include "run/segments.h"

struct run *profil_segments_open(int fd)
{
	struct stat status;
	struct run *run;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    status.st_size != (off_t)RUN_SIZE)
		return NULL;
	run = profil_map(sizeof(*run), MAP_SHARED, fd, 0);
	if (run == MAP_FAILED)
		return NULL;
	if (run->magic == RUN_MAGIC)
		return run;
	munmap(run, sizeof(*run));
	return NULL;
}

/* FNV-1a */
static uint64_t hash(uint64_t key, const void *data, size_t size)
{
	const unsigned char *byte = data;

	while (size--)
		key = (key ^ *byte++) * 0x100000001b3ULL;
	return key;
}

/* The identity is part of the key: a file rewritten in place is another file. */
uint64_t profil_segments_key(const struct segment *text)
{
	const struct map *map = text->map;
	uint64_t length = map->end - map->start;
	uint64_t key = 0xcbf29ce484222325ULL;

	key = hash(key, &map->offset, sizeof(map->offset));
	key = hash(key, &length, sizeof(length));
	key = hash(key, &map->major, sizeof(map->major));
	key = hash(key, &map->minor, sizeof(map->minor));
	key = hash(key, &map->inode, sizeof(map->inode));
	key = hash(key, map->path, strlen(map->path) + 1);
	key = hash(key, text->program, strlen(text->program) + 1);
	key = hash(key, &text->kind, sizeof(text->kind));
	key = hash(key, &text->text_bytes, sizeof(text->text_bytes));
	key = hash(key, &text->pid, sizeof(text->pid));
	key = hash(key, &text->identity, sizeof(text->identity));
	return key ? key : 1;
}

static uint64_t find(struct run *run, uint64_t key)
{
	uint32_t count = __atomic_load_n(&run->claimed, __ATOMIC_RELAXED);

	if (count > RUN_TEXTS)
		count = RUN_TEXTS;
	for (uint32_t i = 0; i < count; i++) {
		struct run_entry *entry = &run->texts[i];

		if (__atomic_load_n(&entry->key, __ATOMIC_ACQUIRE) == key)
			return entry->where;
	}
	return 0;
}

static void publish(struct run *run, uint64_t where, uint64_t key)
{
	uint32_t i = __atomic_fetch_add(&run->claimed, 1, __ATOMIC_RELAXED);

	if (i >= RUN_TEXTS) {
		__atomic_fetch_add(&run->dropped, 1, __ATOMIC_RELAXED);
		return;
	}
	run->texts[i].where = where;
	__atomic_store_n(&run->texts[i].key, key, __ATOMIC_RELEASE);
}

/* The zero after a cut path is there already. */
static void copy_path(char to[RUN_PATH], const char *from)
{
	size_t length = strlen(from);

	memcpy(to, from, length < RUN_PATH ? length : RUN_PATH - 1);
}

static void fill(struct run_text *text, const struct segment *from)
{
	const struct map *map = from->map;

	text->major = map->major;
	text->minor = map->minor;
	text->inode = map->inode;
	text->from = map->offset;
	text->to = map->offset + (map->end - map->start);
	text->kind = from->kind;
	text->text_bytes = from->text_bytes;
	text->pid = from->pid;
	text->identity = from->identity;
	if (from->kind == RUN_TEXT_FILE && from->identity.inode)
		profil_file_build_id(from->file, &text->identity);
	copy_path(text->path, map->path);
	copy_path(text->program, from->program);
}

uint64_t profil_segments_size(const struct segment *text)
{
	uint64_t length = text->map->end - text->map->start;

	return 2 * run_counters_size(text->kind, length, text->text_bytes);
}

/* MADV_DONTDUMP: profiling does not make the program's core dump larger. */
static char *map_text(int fd, uint64_t where, uint64_t size)
{
	char *text;

	if (where > RUN_SIZE - size)
		return NULL;
	text = profil_locked_memory_map(size, fd, where);
	if (text == MAP_FAILED)
		return NULL;
	madvise(text, size, MADV_DONTDUMP);
	return text;
}

/* Bytes of a text with counters of @size bytes in the run's file */
static uint64_t size_in_file(uint64_t size)
{
	return run_align(RUN_RECORD + size);
}

void profil_segments_unmap(void *counters, uint64_t size)
{
	munmap((char *)counters - RUN_RECORD, size_in_file(size));
}

void *profil_segments_map(struct run *run, int fd, const struct segment *wanted,
			  uint64_t key)
{
	uint64_t size = size_in_file(profil_segments_size(wanted));
	uint64_t where = find(run, key);
	char *text;

	if (where) {
		text = map_text(fd, where, size);
	} else {
		where = __atomic_fetch_add(&run->space, size, __ATOMIC_RELAXED);
		text = map_text(fd, where, size);
		if (text) {
			fill((struct run_text *)text, wanted);
			publish(run, where, key);
		}
	}
	return text ? text + RUN_RECORD : NULL;
}

void profil_segments_note_jit(void *counters)
{
	struct run_text *text = (void *)((char *)counters - RUN_RECORD);

	text->jit = 1;
}
