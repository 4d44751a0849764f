// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The program and its libraries, as the dynamic linker lists them
 *
 * /proc/self/maps does not give the addresses that an object was linked with.
 */
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "core/objects.h"

struct listing {
	void (*take)(const struct object *object, void *data);
	void *data;
	bool first;
};

static void widen(struct object *object, const ElfW(Phdr) * header)
{
	uint64_t start = object->base + header->p_vaddr;
	uint64_t end = start + header->p_memsz;

	if (start < object->start)
		object->start = start;
	if (end > object->end)
		object->end = end;
	if (!(header->p_flags & PF_X))
		return;
	if (start < object->low)
		object->low = start;
	if (end > object->high)
		object->high = end;
}

/* The vDSO has a name but no file. */
static bool has_file(const struct listing *listing, const char *name)
{
	if (listing->first)
		return true;
	while (name && *name && *name != '/')
		name++;
	return name && *name;
}

static uint64_t init_in(const ElfW(Dyn) * entry)
{
	for (; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_INIT)
			return entry->d_un.d_ptr;
	return 0;
}

/* The address of _init() as linked; 0 if the library has none. */
static uint64_t init_of(const struct dl_phdr_info *info)
{
	uint64_t dynamic = 0;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	return dynamic ? init_in((const void *)(uintptr_t)dynamic) : 0;
}

/*
 * The first address of the code may be that of the ELF header, which no function
 * contains.
 */
static uint64_t entry_of(const struct listing *listing,
			 const struct dl_phdr_info *info,
			 const struct object *object)
{
	uint64_t entry = listing->first ? getauxval(AT_ENTRY) :
					  object->base + init_of(info);

	return entry >= object->low && entry < object->high ? entry :
							      object->low;
}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
	struct listing *listing = data;
	struct object object = {
		.base = info->dlpi_addr,
		.low = UINT64_MAX,
		.start = UINT64_MAX,
		.path = listing->first ? "" : info->dlpi_name,
	};

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			widen(&object, &info->dlpi_phdr[i]);
	object.entry = entry_of(listing, info, &object);
	if (object.high && has_file(listing, info->dlpi_name))
		listing->take(&object, listing->data);
	listing->first = false;
	return 0;
}

void profil_objects(void (*take)(const struct object *object, void *data),
		    void *data)
{
	struct listing listing = { take, data, true };

	dl_iterate_phdr(look, &listing);
}

struct wanted {
	uint64_t address;
	struct object found;
};

static void compare(const struct object *object, void *data)
{
	struct wanted *wanted = data;

	if (wanted->address >= object->start && wanted->address < object->end)
		wanted->found = *object;
}

struct object profil_object_at(uint64_t address)
{
	struct wanted wanted = { .address = address };

	profil_objects(compare, &wanted);
	wanted.found.path = NULL;
	return wanted.found;
}
