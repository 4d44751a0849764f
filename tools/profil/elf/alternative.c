// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that several programs share a part of their DWARF information in
 *
 * libdw would open whatever has its name, as soon as something refers to it.
 */
#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "elf/alternative.h"
#include "elf/debug_file.h"
#include "elf/debuginfod.h"
#include "util/memory.h"

#define SYSTEM "/usr/lib/debug"

/* A file whose only debugging information is a table of lines of one byte */
static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[32];
} image = {
	.header = {
		.e_ident = {
			ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB,
			EV_CURRENT,
		},
		.e_type = ET_REL,
		.e_version = EV_CURRENT,
		.e_shoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 1,
	},
	.sections = {
		[1] = {
			.sh_name = 1,
			.sh_type = SHT_STRTAB,
			.sh_offset = sizeof(Elf64_Ehdr) +
				     3 * sizeof(Elf64_Shdr),
			.sh_size = sizeof("\0.names\0.debug_line"),
		},
		[2] = {
			.sh_name = sizeof("\0.names"),
			.sh_type = SHT_PROGBITS,
			.sh_offset = sizeof(Elf64_Ehdr) +
				     3 * sizeof(Elf64_Shdr),
			.sh_size = 1,
		},
	},
	.names = "\0.names\0.debug_line",
};

/* The program keeps it until it ends. */
static Dwarf *empty(void)
{
	static Dwarf *dwarf;
	Elf *elf;

	if (dwarf)
		return dwarf;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)&image, sizeof(image));
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf)
		profil_memory_exhausted();
	return dwarf;
}

void profil_alternative_refuse(Dwarf *dwarf)
{
	dwarf_setalt(dwarf, empty());
}

static int open_beside(const char *path, const char *name,
		       const struct debug_file_wanted *wanted)
{
	const char *slash = strrchr(path, '/');
	char full[PATH_MAX];

	if (!*path || snprintf(full, sizeof(full), "%.*s%s",
			       slash ? (int)(slash + 1 - path) : 0, path,
			       name) >= PATH_MAX)
		return -1;
	return profil_debug_file_open(full, wanted);
}

/* dwz(1) with -M stores a name for the system, and with -m one beside the file. */
static int open_name(const char *name, const char *path, const char *own_path,
		     const struct debug_file_wanted *wanted)
{
	const char *base = strrchr(name, '/');
	char full[PATH_MAX];
	int fd;

	if (*name == '/') {
		fd = profil_debug_file_open(name, wanted);
	} else {
		fd = open_beside(own_path, name, wanted);
		if (fd < 0)
			fd = open_beside(path, name, wanted);
	}
	if (fd < 0 && snprintf(full, sizeof(full), SYSTEM "/.dwz/%s",
			       base ? base + 1 : name) < PATH_MAX)
		fd = profil_debug_file_open(full, wanted);
	return fd;
}

static int find(Dwarf *dwarf, const char *path, const char *own_path)
{
	struct debug_file_wanted wanted = { 0 };
	const char *name;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &wanted.id);
	int fd;

	if (size <= 0)
		return -1;
	wanted.id_size = size;
	fd = profil_debug_file_by_id(&wanted);
	if (fd < 0)
		fd = open_name(name, path, own_path, &wanted);
	if (fd < 0)
		fd = profil_debuginfod_find(DEBUGINFOD_DEBUGINFO, wanted.id,
					    wanted.id_size);
	return fd;
}

void profil_alternative_begin(struct alternative *alternative, Dwarf *dwarf,
			      const char *path, const char *own_path)
{
	int fd = find(dwarf, path, own_path);

	*alternative = (struct alternative){ .fd = fd };
	if (fd >= 0)
		alternative->dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (alternative->dwarf) {
		/* It shares nothing itself, whatever it names. */
		profil_alternative_refuse(alternative->dwarf);
		dwarf_setalt(dwarf, alternative->dwarf);
		return;
	}
	if (fd >= 0)
		close(fd);
	profil_alternative_refuse(dwarf);
}

void profil_alternative_end(struct alternative *alternative)
{
	if (alternative->dwarf) {
		dwarf_end(alternative->dwarf);
		close(alternative->fd);
	}
	*alternative = (struct alternative){ 0 };
}
