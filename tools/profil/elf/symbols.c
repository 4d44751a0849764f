// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of a file, by libdwfl of elfutils
 *
 * libdwfl reads .symtab, .dynsym, the compressed symbols of .gnu_debugdata, and the
 * separate debugging information that it is given. Symbols are sorted when a file is
 * opened, so that a location is found in O(log n).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "elf/debug_file.h"
#include "elf/symbols.h"
#include "util/memory.h"
#include "util/regular_file.h"

#define MAX_VDSO 65536

/**
 * struct symbols - symbols of one file
 * @status: result of opening the file
 * @dwfl: handle of libdwfl
 * @module: the file in libdwfl, or NULL: no location has a name
 * @elf: the file as ELF, or NULL
 * @bias: difference between addresses of libdwfl and link-time addresses
 * @boundaries: boundaries between functions
 * @path: path of the file that was opened, without links, or NULL
 * @dwarf: DWARF information, or NULL if there is none or it was not read
 * @alternative: file that @dwarf shares with others
 */
struct symbols {
	enum symbols_status status;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
	struct boundaries boundaries;
	char *path;
	Dwarf *dwarf;
	struct alternative alternative;
};

static char *debuginfo_path;

static int find_on_servers(Dwfl_Module *module)
{
	const unsigned char *id;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &id, &address);

	return size > 0 ?
		       profil_debuginfod_find(DEBUGINFOD_DEBUGINFO, id, size) :
		       -1;
}

/* Path of the open file @fd, to be freed; NULL if it has none */
static char *path_of(int fd)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return realpath(link, NULL);
}

/*
 * Find a separate file here or else on a server. libdwfl asks for
 * the file of .gnu_debugaltlink, too, which it is not given:
 * profil_symbols_dwarf() sets that.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name,
			  Dwarf_Addr base, const char *path, const char *link,
			  GElf_Word sum, char **found)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	int fd;

	(void)data;
	(void)name;
	(void)base;
	errno = 0;
	if (!elf || !path || link != dwelf_elf_gnu_debuglink(elf, &sum))
		return -1;
	fd = profil_debug_file_find(path, elf);
	if (fd < 0)
		fd = find_on_servers(module);
	if (fd >= 0)
		*found = path_of(fd);
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

/*
 * The vDSO is the same in every process: that of profil becomes a file in
 * memory. It has a few pages; write() ends at the first unmapped page.
 */
static int open_vdso(void)
{
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	if (fd >= 0 && write(fd, vdso, MAX_VDSO) > 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_file(struct symbols *symbols, const char *path,
		     const struct file_identity *then)
{
	int fd;

	if (!strcmp(path, "[vdso]"))
		return open_vdso();
	fd = profil_regular_file_open(path);
	if (fd >= 0 && !profil_is_elf(fd)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0) {
		symbols->status = SYMBOLS_UNREADABLE;
	} else if (then && !profil_same_file(then, fd)) {
		symbols->status = SYMBOLS_REPLACED;
		close(fd);
		fd = -1;
	}
	return fd;
}

/* libdwfl owns the descriptor afterwards. */
static Dwfl_Module *report(Dwfl *dwfl, const char *path, int fd)
{
	Dwfl_Module *module = NULL;

	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, path, path, fd, 0, false);
	if (!module)
		close(fd);
	dwfl_report_end(dwfl, NULL, NULL);
	return module;
}

static void read_module(struct symbols *symbols, const char *path, int fd)
{
	symbols->path = path_of(fd);
	symbols->dwfl = dwfl_begin(&callbacks);
	if (symbols->dwfl)
		symbols->module = report(symbols->dwfl, path, fd);
	if (symbols->module)
		symbols->elf =
			dwfl_module_getelf(symbols->module, &symbols->bias);
}

struct symbols *profil_symbols_open_plain(const char *path,
					  const struct file_identity *then)
{
	struct symbols *symbols = profil_grow(NULL, 1, sizeof(*symbols));
	int fd;

	*symbols = (struct symbols){ .status = SYMBOLS_READ };
	fd = open_file(symbols, path, then);
	if (fd >= 0)
		read_module(symbols, path, fd);
	return symbols;
}

/* Read the symbols of a file that was opened without them. */
static void read_symbols(struct symbols *symbols)
{
	profil_boundaries_read(&symbols->boundaries, symbols->elf,
			       symbols->module, symbols->bias);
}

struct symbols *profil_symbols_open(const char *path,
				    const struct file_identity *then)
{
	struct symbols *symbols = profil_symbols_open_plain(path, then);

	read_symbols(symbols);
	return symbols;
}

struct symbols *profil_symbols_open_fd(const char *path, int fd)
{
	struct symbols *symbols = profil_grow(NULL, 1, sizeof(*symbols));

	*symbols = (struct symbols){ .status = SYMBOLS_READ };
	read_module(symbols, path, fd);
	read_symbols(symbols);
	return symbols;
}

enum symbols_status profil_symbols_status(const struct symbols *symbols)
{
	return symbols->status;
}

void profil_symbols_close(struct symbols *symbols)
{
	profil_boundaries_free(&symbols->boundaries);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	profil_alternative_end(&symbols->alternative);
	free(symbols->path);
	free(symbols);
}

/* Location of @address, which is in the range of @boundary */
static struct location location_at(const struct symbols *symbols,
				   const struct boundary *boundary,
				   uint64_t address)
{
	if (boundary->symbol)
		return (struct location){ boundary->symbol->name,
					  boundary->symbol->address };
	if (boundary->plt)
		return (struct location){ .name = "[plt]" };
	return (struct location){
		.address =
			profil_boundaries_start(&symbols->boundaries, address),
	};
}

struct location profil_symbols_at_address(const struct symbols *symbols,
					  uint64_t address)
{
	const struct boundaries *boundaries = &symbols->boundaries;
	size_t at = profil_boundaries_find(boundaries, address);

	return location_at(symbols, &boundaries->array[at], address);
}

unsigned int profil_symbols_word(const struct symbols *symbols)
{
	switch (symbols->elf ? gelf_getclass(symbols->elf) : ELFCLASSNONE) {
	case ELFCLASS64:
		return 8;
	case ELFCLASS32:
		return 4;
	}
	return 0;
}

Elf *profil_symbols_elf(const struct symbols *symbols)
{
	return symbols->elf;
}

/* Path by which the file was opened */
static const char *main_path(const struct symbols *symbols)
{
	const char *path = NULL;

	dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL, &path,
			 NULL);
	return path ? path : "";
}

static const char *dwarf_path(const struct symbols *symbols)
{
	const char *path = symbols->path;

	if (dwarf_getelf(symbols->dwarf) != symbols->elf)
		dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL,
				 NULL, &path);
	return path ? path : "";
}

const char *profil_symbols_dwarf_path(const struct symbols *symbols)
{
	return symbols->dwarf ? dwarf_path(symbols) : "";
}

Dwarf *profil_symbols_dwarf(struct symbols *symbols, uint64_t *bias)
{
	Dwarf_Addr dwarf_bias = symbols->bias;
	Dwarf *dwarf = NULL;

	if (symbols->module)
		dwarf = dwfl_module_getdwarf(symbols->module, &dwarf_bias);
	*bias = symbols->bias - dwarf_bias;
	if (dwarf && !symbols->dwarf) {
		symbols->dwarf = dwarf;
		profil_alternative_begin(&symbols->alternative, dwarf,
					 main_path(symbols),
					 dwarf_path(symbols));
	}
	return dwarf;
}

const struct boundaries *
profil_symbols_boundaries(const struct symbols *symbols)
{
	return &symbols->boundaries;
}
