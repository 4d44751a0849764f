// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of a file, by libdwfl of elfutils
 *
 * libdwfl reads .symtab, .dynsym, the compressed symbols of .gnu_debugdata, and the
 * separate debugging information that it is given. Symbols are sorted when a file is
 * opened, so that a location is found in O(log n).
 */
#include <sys/auxv.h>
#include <sys/mman.h>

#include <elfutils/libdwelf.h>

#include "elf/confined.h"
#include "elf/symbols.h"

#define MAX_VDSO 65536

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
 * Find a separate file here or else on a server. libdwfl asks for the file of
 * .gnu_debugaltlink, too, which it is not given: profil_symbols_dwarf() sets that.
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

/* Open @path if it is @then; -1, and the reason in @names, otherwise. */
static int open_file(const char *path, const struct file_identity *then,
		     enum profile_names *names)
{
	int fd;

	if (!strcmp(path, "[vdso]"))
		return open_vdso();
	fd = profil_regular_file_open(path);
	if (fd < 0) {
		*names = access(path, F_OK) && errno == ENOENT ?
				 PROFILE_NAMES_MISSING :
				 PROFILE_NAMES_UNREADABLE;
	} else if (then && !profil_same_file(then, fd)) {
		*names = PROFILE_NAMES_REPLACED;
		close(fd);
		fd = -1;
	} else if (!profil_is_elf(fd)) {
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

struct symbols *profil_symbols_open_fd(const char *path, int fd)
{
	struct symbols *symbols = profil_zeros(1, sizeof(*symbols));

	if (fd < 0)
		return symbols;
	symbols->path = path_of(fd);
	symbols->dwfl = dwfl_begin(&callbacks);
	if (symbols->dwfl)
		symbols->module = report(symbols->dwfl, path, fd);
	if (symbols->module)
		symbols->elf =
			dwfl_module_getelf(symbols->module, &symbols->bias);
	return symbols;
}

struct symbols *profil_symbols_open(const char *path,
				    const struct file_identity *then)
{
	enum profile_names names = PROFILE_NAMES_READ;
	int fd = open_file(path, then, &names);
	struct symbols *symbols = profil_symbols_open_fd(path, fd);

	symbols->names = names;
	return symbols;
}

void profil_symbols_read(struct symbols *symbols)
{
	profil_boundaries_read(&symbols->boundaries, symbols->elf,
			       symbols->module, symbols->bias);
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

static struct profile_function of_symbol(const struct symbol *symbol)
{
	return (struct profile_function){
		.symbol = symbol->name,
		.address = symbol->address,
		.size = symbol->is_label ? 0 : symbol->end - symbol->address,
		.is_local = symbol->binding == 0,
	};
}

/* A procedure linkage table, around boundary @at, is one function. */
static struct profile_function of_plt(const struct boundaries *boundaries,
				      size_t at, uint64_t address)
{
	size_t first = at, end = at + 1;
	uint64_t start;

	while (first && !boundaries->array[first].bounds)
		first--;
	while (end < boundaries->nr && !boundaries->array[end].bounds)
		end++;
	start = boundaries->array[first].address;
	if (end < boundaries->nr)
		address = boundaries->array[end].address;
	return (struct profile_function){
		.symbol = "",
		.name = "[plt]",
		.address = start,
		.size = address - start,
	};
}

struct profile_function profil_symbols_function(const struct symbols *symbols,
						uint64_t address)
{
	struct profile_function function = { .symbol = "", .address = address };
	const struct boundaries *boundaries = &symbols->boundaries;
	size_t at = profil_boundaries_find(boundaries, address);

	if (boundaries->array[at].symbol)
		return of_symbol(boundaries->array[at].symbol);
	if (boundaries->array[at].plt)
		return of_plt(boundaries, at, address);
	function.address = profil_boundaries_start(boundaries, address);
	function.size =
		profil_boundaries_end(boundaries, address) - function.address;
	return function;
}

/* Path by which the file was opened */
static const char *main_path(const struct symbols *symbols)
{
	const char *path = NULL;

	dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL, &path,
			 NULL);
	return path ? path : "";
}

const char *profil_symbols_dwarf_path(const struct symbols *symbols)
{
	const char *path = symbols->path;

	if (symbols->dwarf && dwarf_getelf(symbols->dwarf) != symbols->elf)
		dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL,
				 NULL, &path);
	return symbols->dwarf && path ? path : "";
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
					 profil_symbols_dwarf_path(symbols));
	}
	return dwarf;
}

/* Debugging information that elfutils cannot unpack */

/* Without this section libdw has none. */
static bool has_packed_section(Elf *elf)
{
	GElf_Shdr head;

	return profil_section_find(elf, 0, ".debug_info", &head) &&
	       head.sh_flags & SHF_COMPRESSED;
}

bool profil_symbols_packed(struct symbols *symbols)
{
	const char *path = NULL;
	bool is_packed;
	Elf *elf;
	int fd;

	if (!symbols->elf || has_packed_section(symbols->elf))
		return symbols->elf;
	dwfl_module_info(symbols->module, NULL, NULL, NULL, NULL, NULL, NULL,
			 &path);
	fd = path ? profil_regular_file_open(path) : -1;
	if (fd < 0)
		return false;
	elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	is_packed = elf && has_packed_section(elf);
	elf_end(elf);
	close(fd);
	return is_packed;
}

/*
 * Numbers of local symbols
 *
 * A file may have several local symbols of one name. BOLT numbers them by their
 * addresses, from 1 on. The profile does not contain the symbols without
 * samples, so the file is read.
 */

/* The section @index is in memory, or @index is for absolute symbols. */
static bool is_in_memory(Elf *elf, unsigned int index)
{
	GElf_Shdr head;

	if (index == SHN_ABS)
		return true;
	return gelf_getshdr(elf_getscn(elf, index), &head) &&
	       head.sh_flags & SHF_ALLOC;
}

/* @symbol is one of those that BOLT numbers, and is before @address. */
static bool is_before(Elf *elf, const GElf_Sym *symbol, uint64_t address)
{
	return GELF_ST_BIND(symbol->st_info) == STB_LOCAL &&
	       GELF_ST_TYPE(symbol->st_info) != STT_FILE && symbol->st_value &&
	       symbol->st_value < address &&
	       is_in_memory(elf, symbol->st_shndx);
}

uint32_t profil_local_number(const struct symbols *symbols, const char *name,
			     uint64_t address)
{
	uint32_t number = 1;
	GElf_Shdr head;
	GElf_Sym symbol;
	Elf_Data *data;
	Elf *elf;

	if (!symbols)
		return number;
	elf = symbols->elf;
	data = elf_getdata(profil_section_find(elf, SHT_SYMTAB, NULL, &head),
			   NULL);
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *other =
			elf_strptr(elf, head.sh_link, symbol.st_name);

		if (other && !strcmp(other, name) &&
		    is_before(elf, &symbol, address))
			number++;
	}
	return number;
}
