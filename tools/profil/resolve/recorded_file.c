// SPDX-License-Identifier: GPL-2.0-only
/* Files of a profile that are still there */
#include <stddef.h>
#include <string.h>

#include <elfutils/libdwelf.h>

#include "elf/debuginfod.h"
#include "resolve/recorded_file.h"

static struct run_identity identity_of(const struct profile_object *object)
{
	/* A device and inode mark an identity as known. */
	struct run_identity identity = {
		.device = 1,
		.inode = 1,
		.build_id_size = object->build_id_size,
	};

	_Static_assert(PROFILE_BUILD_ID == RUN_BUILD_ID, "two limits");
	memcpy(identity.build_id, object->build_id, PROFILE_BUILD_ID);
	return identity;
}

static struct symbols *open_build(const struct profile_object *object)
{
	struct run_identity identity = identity_of(object);

	return profil_symbols_open_plain(object->path, &identity);
}

static bool has_build_id(Elf *elf)
{
	const void *id;

	return dwelf_elf_gnu_build_id(elf, &id) > 0;
}

struct symbols *profil_recorded_file_open(const struct profile_object *object)
{
	bool has_id = object->build_id_size;
	struct symbols *symbols;
	Elf *elf;

	if (object->kind != PROFILE_FILE)
		return NULL;
	symbols = has_id ? open_build(object) :
			   profil_symbols_open_plain(object->path, NULL);
	elf = profil_symbols_elf(symbols);
	if (elf && (has_id || !has_build_id(elf)))
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *or_none(struct symbols *symbols)
{
	if (profil_symbols_elf(symbols))
		return symbols;
	profil_symbols_close(symbols);
	return NULL;
}

static struct symbols *fetch(const struct profile_object *object,
			     enum debuginfod_kind kind)
{
	int fd = profil_debuginfod_find(kind, object->build_id,
					object->build_id_size);

	return fd < 0 ? NULL :
			or_none(profil_symbols_open_fd(object->path, fd));
}

struct symbols *profil_recorded_file_fetch(const struct profile_object *object,
					   bool has_addresses)
{
	struct run_identity identity = identity_of(object);
	struct symbols *symbols =
		or_none(profil_symbols_open(object->path, &identity));

	if (!symbols && has_addresses)
		symbols = fetch(object, DEBUGINFOD_DEBUGINFO);
	return symbols ? symbols : fetch(object, DEBUGINFOD_EXECUTABLE);
}
