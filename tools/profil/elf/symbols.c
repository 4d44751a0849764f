// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of a file, by libdwfl of elfutils
 *
 * libdwfl reads .symtab, .dynsym, the compressed symbols of .gnu_debugdata, and
 * separate debugging information in the usual directories, by build ID or by
 * name. Symbols are sorted when a file is opened, so that a location is found in
 * O(log n).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "elf/debuginfod.h"
#include "elf/eh_frame.h"
#include "elf/same_file.h"
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
 * @eh_frame: start addresses of functions
 * @boundaries: boundaries between functions
 */
struct symbols {
	enum symbols_status status;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
	struct eh_frame eh_frame;
	struct boundaries boundaries;
};

static char *debuginfo_path;

/* Find a separate file here, without the servers that libdwfl would ask. */
static int find_here(Dwfl_Module *module, void **data, const char *name,
		     Dwarf_Addr base, const char *path, const char *link,
		     GElf_Word sum, char **found)
{
	const char *value = getenv("DEBUGINFOD_URLS");
	char *servers = value ? profil_copy_string(value) : NULL;
	int fd;

	unsetenv("DEBUGINFOD_URLS");
	fd = dwfl_standard_find_debuginfo(module, data, name, base, path, link,
					  sum, found);
	if (servers)
		setenv("DEBUGINFOD_URLS", servers, 1);
	free(servers);
	return fd;
}

/* Find a separate file here or, in the second place, on a server. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name,
			  Dwarf_Addr base, const char *path, const char *link,
			  GElf_Word sum, char **found)
{
	int fd = find_here(module, data, name, base, path, link, sum, found);
	const unsigned char *id;
	GElf_Addr address;
	int size;

	if (fd >= 0)
		return fd;
	size = dwfl_module_build_id(module, &id, &address);
	return size > 0 ?
		       profil_debuginfod_find(DEBUGINFOD_DEBUGINFO, id, size) :
		       -1;
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
		     const struct run_identity *then)
{
	int fd;

	if (!strcmp(path, "[vdso]"))
		return open_vdso();
	fd = profil_regular_file_open(path);
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
	symbols->dwfl = dwfl_begin(&callbacks);
	if (symbols->dwfl)
		symbols->module = report(symbols->dwfl, path, fd);
	if (symbols->module)
		symbols->elf =
			dwfl_module_getelf(symbols->module, &symbols->bias);
}

struct symbols *profil_symbols_open_plain(const char *path,
					  const struct run_identity *then)
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
	if (symbols->elf)
		profil_eh_frame_read(&symbols->eh_frame, symbols->elf);
	profil_boundaries_read(&symbols->boundaries, symbols->elf,
			       &symbols->eh_frame, symbols->module,
			       symbols->bias);
}

struct symbols *profil_symbols_open(const char *path,
				    const struct run_identity *then)
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
	profil_eh_frame_free(&symbols->eh_frame);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
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
		.address = profil_eh_frame_find(&symbols->eh_frame, address),
	};
}

struct location profil_symbols_at_address(const struct symbols *symbols,
					  uint64_t address)
{
	const struct boundaries *boundaries = &symbols->boundaries;
	size_t at = profil_boundaries_find(boundaries, address);

	return location_at(symbols, &boundaries->array[at], address);
}

struct location profil_symbols_at_offset(const struct symbols *symbols,
					 uint64_t offset)
{
	uint64_t address;

	if (!profil_boundaries_link_address(&symbols->boundaries, offset,
					    &address))
		return (struct location){ .address = offset };
	return profil_symbols_at_address(symbols, address);
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

Dwarf *profil_symbols_dwarf(const struct symbols *symbols, uint64_t *bias)
{
	Dwarf_Addr dwarf_bias = symbols->bias;
	Dwarf *dwarf = NULL;

	if (symbols->module)
		dwarf = dwfl_module_getdwarf(symbols->module, &dwarf_bias);
	*bias = symbols->bias - dwarf_bias;
	return dwarf;
}

const struct boundaries *
profil_symbols_boundaries(const struct symbols *symbols)
{
	return &symbols->boundaries;
}
