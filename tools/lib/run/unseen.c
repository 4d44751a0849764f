// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that are executed in a run without taking part
 *
 * As in the table of texts, an entry is claimed by an atomic addition and valid
 * once its key is set; two processes may add the same program at the same time.
 */
#include <stdint.h>
#include <string.h>

#include "include/unseen.h"

/* FNV-1a of the path and the reason; not 0 */
static uint64_t key_of(const char *path, enum reach reach)
{
	uint64_t key = (0xcbf29ce484222325ULL ^ reach) * 0x100000001b3ULL;

	while (*path)
		key = (key ^ (unsigned char)*path++) * 0x100000001b3ULL;
	return key ? key : 1;
}

static struct run_unseen *find(struct run *run, uint64_t key)
{
	uint32_t count = __atomic_load_n(&run->nr_unseen, __ATOMIC_RELAXED);

	if (count > RUN_UNSEEN)
		count = RUN_UNSEEN;
	for (uint32_t i = 0; i < count; i++) {
		struct run_unseen *entry = &run->unseen[i];

		if (__atomic_load_n(&entry->key, __ATOMIC_ACQUIRE) == key)
			return entry;
	}
	return NULL;
}

/* A path that is too long is cut at its beginning: the end says more. */
static struct run_unseen *enter(struct run *run, uint64_t key, const char *path,
				enum reach reach)
{
	uint32_t i = __atomic_fetch_add(&run->nr_unseen, 1, __ATOMIC_RELAXED);
	struct run_unseen *entry = &run->unseen[i];
	size_t length = strlen(path);

	if (i >= RUN_UNSEEN) {
		__atomic_store_n(&run->nr_unseen, RUN_UNSEEN, __ATOMIC_RELAXED);
		return NULL;
	}
	if (length >= sizeof(entry->path)) {
		path += length - sizeof(entry->path) + 1;
		length = sizeof(entry->path) - 1;
	}
	memcpy(entry->path, path, length);
	entry->reach = reach;
	__atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
	return entry;
}

struct run_unseen *profil_unseen_add(struct run *run, const char *path,
				     enum reach reach)
{
	uint64_t key = key_of(path, reach);
	struct run_unseen *entry = find(run, key);

	if (!entry)
		entry = enter(run, key, path, reach);
	if (entry)
		__atomic_fetch_add(&entry->processes, 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&run->unnamed, 1, __ATOMIC_RELAXED);
	return entry;
}

void profil_unseen_remove(struct run_unseen *entry)
{
	if (entry)
		__atomic_fetch_sub(&entry->processes, 1, __ATOMIC_RELAXED);
}
