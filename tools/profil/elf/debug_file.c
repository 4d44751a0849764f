// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files with separate debugging information: those of a whole program, those that
 * several programs share, and those of split units
 *
 * libdwfl and libdw would search the same directories, and open whatever has the name.
 */
#include <dwarf.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <elfutils/libdwelf.h>
#include <zlib.h>

#include "elf/confined.h"
#include "elf/debug_file.h"
#include "util/interrupt.h"
#include "util/regular_file.h"

/**
 * struct debug_file_wanted - properties of the file that is looked for
 * @id: its build ID
 * @id_size: bytes of @id; 0: there is none, and @sum decides
 * @sum: CRC-32 of its content
 * @main: path of the program, which is not the file by another name; or NULL
 */
struct debug_file_wanted {
	const void *id;
	size_t id_size;
	GElf_Word sum;
	const char *main;
};

#define SYSTEM "/usr/lib/debug"

/* Bytes of the largest file whose sum is computed */
#define LARGEST 0x100000000LL

/* Bytes of the directory of @path, with the '/' */
static int directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 - path : 0;
}

bool profil_is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, SELFMAG, 0) == SELFMAG &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

static bool has_sum(int fd, GElf_Word sum)
{
	unsigned char bytes[65536];
	struct stat status;
	uLong crc = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t got;

	if (fstat(fd, &status) || status.st_size > LARGEST)
		return false;
	while (at < status.st_size && !profil_interrupted()) {
		got = pread(fd, bytes, sizeof(bytes), at);
		if (got <= 0)
			return false;
		crc = crc32(crc, bytes, got);
		at += got;
	}
	return at == status.st_size && crc == sum;
}

static bool is_file(int fd, const char *path)
{
	struct stat one, other;

	return path && !fstat(fd, &one) && !stat(path, &other) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool is_wanted(int fd, const struct debug_file_wanted *wanted)
{
	if (!profil_is_elf(fd) || is_file(fd, wanted->main))
		return false;
	return wanted->id_size ?
		       profil_has_build_id(fd, wanted->id, wanted->id_size) :
		       has_sum(fd, wanted->sum);
}

/* Open the file of the path @format if it is @wanted: a descriptor, to be closed, or -1 */
__attribute__((format(printf, 2, 3))) static int
open_wanted(const struct debug_file_wanted *wanted, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int fd = -1, length;

	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	if (length < PATH_MAX)
		fd = profil_regular_file_open(path);
	if (fd < 0 || is_wanted(fd, wanted))
		return fd;
	close(fd);
	return -1;
}

/* Open the file with the build ID of @wanted in the system's directory. */
static int debug_file_by_id(const struct debug_file_wanted *wanted)
{
	const unsigned char *id = wanted->id;
	char rest[PATH_MAX / 2 + 1] = "";

	/* A byte is the directory. */
	if (wanted->id_size < 2 || wanted->id_size > PATH_MAX / 4)
		return -1;
	for (size_t i = 1; i < wanted->id_size; i++)
		sprintf(rest + 2 * (i - 1), "%02x", id[i]);
	return open_wanted(wanted, SYSTEM "/.build-id/%02x/%s.debug", *id,
			   rest);
}

/*
 * @directory ends with a '/'. The system's directory may lack leading parts of its
 * path, for example /usr.
 */
static int search(const char *directory, const char *name,
		  const struct debug_file_wanted *wanted)
{
	const char *rest = *directory == '/' ? directory : NULL;
	int fd = open_wanted(wanted, "%s%s", directory, name);

	if (fd < 0)
		fd = open_wanted(wanted, "%s.debug/%s", directory, name);
	while (fd < 0 && rest && rest[1]) {
		fd = open_wanted(wanted, SYSTEM "%s%s", rest, name);
		rest = strchr(rest + 1, '/');
	}
	return fd;
}

/* A program without a link is looked for by its own name, and its build ID. */
static int search_names(const char *path, const char *link,
			const struct debug_file_wanted *wanted)
{
	const char *base = path + directory_of(path);
	char directory[PATH_MAX], name[NAME_MAX + 1];
	int fd;

	snprintf(directory, sizeof(directory), "%.*s", directory_of(path),
		 path);
	if (link)
		return strchr(link, '/') ? -1 : search(directory, link, wanted);
	if (!wanted->id_size ||
	    snprintf(name, sizeof(name), "%s.debug", base) > NAME_MAX)
		return -1;
	fd = search(directory, name, wanted);
	return fd < 0 ? search(directory, base, wanted) : fd;
}

/* The debugging information may be that of the file that a symbolic link names. */
static int search_by_name(const char *path, const char *link,
			  const struct debug_file_wanted *wanted)
{
	int fd = search_names(path, link, wanted);
	char *target = fd < 0 ? realpath(path, NULL) : NULL;

	if (target && strcmp(target, path))
		fd = search_names(target, link, wanted);
	free(target);
	return fd;
}

int profil_debug_file_find(const char *path, Elf *elf)
{
	struct debug_file_wanted wanted = { .main = path };
	const char *link = dwelf_elf_gnu_debuglink(elf, &wanted.sum);
	ssize_t size = dwelf_elf_gnu_build_id(elf, &wanted.id);
	int fd = -1;

	if (size > 0) {
		wanted.id_size = size;
		fd = debug_file_by_id(&wanted);
	}
	return fd < 0 ? search_by_name(path, link, &wanted) : fd;
}

/*
 * The file that several programs share a part of their DWARF information in, which
 * dwz(1) writes and .gnu_debugaltlink names
 */

/* A file whose only debugging information is a table of lines, which is no such table */
static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[2];
	char names[16];
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
		.e_shnum = 2,
		.e_shstrndx = 1,
	},
	.sections = {
		[1] = {
			.sh_name = 1,
			.sh_type = SHT_STRTAB,
			.sh_offset = sizeof(Elf64_Ehdr) +
				     2 * sizeof(Elf64_Shdr),
			.sh_size = sizeof("\0.debug_line"),
		},
	},
	.names = "\0.debug_line",
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

/* Let @dwarf share nothing. */
static void alternative_refuse(Dwarf *dwarf)
{
	dwarf_setalt(dwarf, empty());
}

/* dwz(1) with -M stores a name for the system, and with -m one beside the file. */
static int open_name(const char *name, const char *path, const char *own_path,
		     const struct debug_file_wanted *wanted)
{
	int fd = -1;

	if (*name == '/')
		fd = open_wanted(wanted, "%s", name);
	else if (*own_path)
		fd = open_wanted(wanted, "%.*s%s", directory_of(own_path),
				 own_path, name);
	if (fd < 0 && *name != '/' && *path)
		fd = open_wanted(wanted, "%.*s%s", directory_of(path), path,
				 name);
	if (fd < 0)
		fd = open_wanted(wanted, SYSTEM "/.dwz/%s",
				 name + directory_of(name));
	return fd;
}

static int find_alternative(Dwarf *dwarf, const char *path,
			    const char *own_path)
{
	struct debug_file_wanted wanted = { 0 };
	const char *name;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &wanted.id);
	int fd;

	if (size <= 0)
		return -1;
	wanted.id_size = size;
	fd = debug_file_by_id(&wanted);
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
	int fd = find_alternative(dwarf, path, own_path);

	*alternative = (struct alternative){ .fd = fd };
	if (fd >= 0)
		alternative->dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (alternative->dwarf) {
		/* It shares nothing itself, whatever it names. */
		alternative_refuse(alternative->dwarf);
		dwarf_setalt(dwarf, alternative->dwarf);
		return;
	}
	if (fd >= 0)
		close(fd);
	alternative_refuse(dwarf);
}

void profil_alternative_end(struct alternative *alternative)
{
	if (alternative->dwarf) {
		dwarf_end(alternative->dwarf);
		close(alternative->fd);
	}
	*alternative = (struct alternative){ 0 };
}

/*
 * Units whose DWARF information is in a .dwo file or in a .dwp file
 *
 * libdw opens these files by name, and no descriptor can be given to it. Their names
 * are tested before. A program that replaces the file after the test, and before it
 * is opened, is not prevented from it.
 */

static const char *string_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	const char *string =
		dwarf_formstring(dwarf_attr(die, name, &attribute));

	return string ? string : "";
}

/* Store the first entry of the unit. */
static bool is_skeleton(const Dwarf_Die *unit, Dwarf_Die *first)
{
	Dwarf_Half version;
	uint8_t type;

	return !dwarf_cu_info(unit->cu, &version, &type, first, NULL, NULL,
			      NULL, NULL) &&
	       type == DW_UT_skeleton;
}

/* A name that is too long cannot be opened by libdw either. */
__attribute__((format(printf, 1, 2))) static bool is_other(const char *format,
							   ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	return length < PATH_MAX && profil_regular_file_is_other(path);
}

/* libdw looks beside the file of the unit, and where the unit was compiled. */
static bool may_open(Dwarf_Die *unit, const char *path)
{
	const char *name = string_of(unit, DW_AT_dwo_name);
	const char *directory = string_of(unit, DW_AT_comp_dir);
	int own = directory_of(path);

	if (!*name)
		name = string_of(unit, DW_AT_GNU_dwo_name);
	if (*name == '/')
		return !is_other("%s", name) && !is_other("%s.dwp", path);
	if (!*directory)
		directory = ".";
	return !is_other("%.*s%s", own, path, name) &&
	       !is_other("%.*s%s/%s", *directory == '/' ? 0 : own, path,
			 directory, name) &&
	       !is_other("%s.dwp", path);
}

bool profil_split_unit_of(Dwarf_Die unit, const char *path, Dwarf_Die *full)
{
	Dwarf_Die first, split;
	Dwarf_Half version;
	uint8_t type;

	*full = unit;
	if (!is_skeleton(&unit, &first))
		return true;
	if (!may_open(&first, path) ||
	    dwarf_cu_info(unit.cu, &version, &type, &first, &split, NULL, NULL,
			  NULL) ||
	    !split.cu)
		return false;
	alternative_refuse(dwarf_cu_getdwarf(split.cu));
	*full = split;
	return true;
}
