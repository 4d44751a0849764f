// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gcc -pg with a libc that has no gcrt1.o, such as musl
 *
 * No start file asks for a profile, so a program that calls mcount() gets one. A
 * static program has this constructor only if it calls mcount(): mcount.S refers to
 * it, so that it is external. A dynamic program that does has a relocation with that
 * name.
 */
#include <features.h>

#ifdef __GLIBC__

void profil_autostart(void)
{
}

#else

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/objects.h"
#include "gprof/gmon.h"

static void start(const struct object *object, void *data)
{
	(void)data;
	if (!*object->path && !profil_gmon_start(object->low, object->high))
		atexit(profil_gmon_finish);
}

#ifdef PROFIL_STATIC

static bool is_instrumented(void)
{
	return true;
}

#else

/* Contents of the program's dynamic section, relocated */
struct dynamic {
	const Elf64_Sym *symbols;
	const char *names;
	const void *lists[2];
	size_t sizes[2];
};

static void read_entry(struct dynamic *dynamic, uintptr_t base,
		       const Elf64_Dyn *entry)
{
	const void *there = (const void *)(base + entry->d_un.d_ptr);

	switch (entry->d_tag) {
	case DT_SYMTAB:
		dynamic->symbols = there;
		break;
	case DT_STRTAB:
		dynamic->names = there;
		break;
	case DT_RELA:
		dynamic->lists[0] = there;
		break;
	case DT_RELASZ:
		dynamic->sizes[0] = entry->d_un.d_val;
		break;
	case DT_JMPREL:
		dynamic->lists[1] = there;
		break;
	case DT_PLTRELSZ:
		dynamic->sizes[1] = entry->d_un.d_val;
		break;
	}
}

static bool is_bridge(const char *name)
{
	return !strcmp(name, "mcount") || !strcmp(name, "_mcount") ||
	       !strcmp(name, "__fentry__");
}

static bool names_bridge(const struct dynamic *dynamic, int list)
{
	const Elf64_Rela *entries = dynamic->lists[list];
	size_t nr = dynamic->sizes[list] / sizeof(*entries);

	for (size_t i = 0; i < nr; i++) {
		size_t symbol = ELF64_R_SYM(entries[i].r_info);

		if (symbol && is_bridge(dynamic->names +
					dynamic->symbols[symbol].st_name))
			return true;
	}
	return false;
}

/* The first object is the program. */
static int look(struct dl_phdr_info *info, size_t size, void *data)
{
	struct dynamic dynamic = { 0 };
	bool *found = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *header = &info->dlpi_phdr[i];
		const Elf64_Dyn *entry;

		if (header->p_type != PT_DYNAMIC)
			continue;
		entry = (const void *)(info->dlpi_addr + header->p_vaddr);
		for (; entry->d_tag != DT_NULL; entry++)
			read_entry(&dynamic, info->dlpi_addr, entry);
	}
	if (dynamic.symbols && dynamic.names)
		*found = names_bridge(&dynamic, 0) || names_bridge(&dynamic, 1);
	return 1;
}

static bool is_instrumented(void)
{
	bool found = false;

	dl_iterate_phdr(look, &found);
	return found;
}

#endif

__attribute__((constructor)) void profil_autostart(void)
{
	if (is_instrumented())
		profil_objects(start, NULL);
}

#endif
