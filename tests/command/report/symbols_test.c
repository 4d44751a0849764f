// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbol of an address
 *
 * The oracle is libdwfl, which searches all symbols for each address.
 */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/types.h>

#include <elfutils/libdwfl.h>

#include "elf/demangle.h"
#include "elf/symbols.h"
#include "tap.h"
#include "util/text.h"

static char *debuginfo_path;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

/* libdwfl gives padding between sections to the label before it. */
static bool is_in_section(Dwfl_Module *module, __u64 address)
{
	GElf_Addr bias, relative = address;
	Elf_Scn *section =
		dwfl_module_address_section(module, &relative, &bias);
	GElf_Shdr header;

	return section && gelf_getshdr(section, &header) &&
	       relative < header.sh_size;
}

/* The function in the unwind table that has @label ends at or below @address. */
static bool is_behind(Dwfl_Module *module, __u64 label, __u64 address)
{
	Dwarf_Addr bias, start, end;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(module, &bias);
	Dwarf_Frame *frame;
	bool is_end;

	if (!cfi || dwarf_cfi_addrframe(cfi, label - bias, &frame))
		return false;
	is_end = dwarf_frame_info(frame, &start, &end, NULL) >= 0 &&
		 address - bias >= end;
	free(frame);
	return is_end;
}

static bool is_same(Dwfl_Module *module, GElf_Addr bias,
		    const struct symbols *symbols, __u64 address)
{
	struct profile_function function =
		profil_symbols_function(symbols, address);
	bool has_symbol = *function.symbol;
	GElf_Sym symbol;
	GElf_Off into;
	const char *name = dwfl_module_addrinfo(module, address + bias, &into,
						&symbol, NULL, NULL, NULL);

	if (!is_in_section(module, address + bias))
		return true;
	if (!name)
		return !has_symbol;
	/* libdwfl gives the code behind the function of a label to the label. */
	if (!has_symbol && !symbol.st_size &&
	    is_behind(module, address + bias - into, address + bias))
		return true;
	/* Of two names of one address, either may be found. */
	if (has_symbol && function.address == address - into)
		return true;
	printf("# 0x%llx: %s, not %s\n", address,
	       has_symbol ? function.symbol : "nothing", name);
	return false;
}

/*
 * Look up each boundary, the middle behind it, and the last byte before the
 * next.
 */
static bool agrees(const char *path, size_t least)
{
	struct symbols *symbols = profil_symbols_open(path, NULL);
	const struct boundaries *boundaries = &symbols->boundaries;
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	GElf_Addr bias;
	size_t named = 0;

	profil_symbols_read(symbols);
	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, path, path, -1, 0, false);
	dwfl_report_end(dwfl, NULL, NULL);
	CHECK(module && dwfl_module_getelf(module, &bias));
	for (size_t i = 0; i + 1 < boundaries->nr; i++) {
		__u64 address = boundaries->array[i].address;
		__u64 next = boundaries->array[i + 1].address;

		if (!boundaries->array[i].code)
			continue;
		CHECK(is_same(module, bias, symbols, address));
		CHECK(is_same(module, bias, symbols, next - 1));
		CHECK(is_same(module, bias, symbols,
			      address + (next - address) / 2));
		named += !!boundaries->array[i].symbol;
	}
	CHECK(named >= least);
	dwfl_end(dwfl);
	profil_symbols_close(symbols);
	return true;
}

TEST("each address has the symbol that libdwfl finds")
{
	return agrees("/proc/self/exe", 50);
}

/* Libraries with exported symbols only, aliases, and functions in assembly */
TEST("addresses in libraries have the symbol that libdwfl finds")
{
	static const char *const paths[] = {
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/bin/bash",
	};
	bool any = false;

	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		if (access(paths[i], R_OK))
			continue;
		any = true;
		printf("# %s\n", paths[i]);
		CHECK(agrees(paths[i], 100));
	}
	CHECK(any);
	return true;
}

/*
 * Functions of a stripped program begin where the index of its .eh_frame says, and
 * where there is no symbol.
 */
TEST("functions without a symbol have their first byte")
{
	char self[PATH_MAX - 16] = "", path[PATH_MAX];
	const struct boundaries *boundaries;
	struct symbols *symbols;
	size_t seen = 0;

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(path, sizeof(path), "%s/stripped", dirname(self));
	symbols = profil_symbols_open(path, NULL);
	profil_symbols_read(symbols);
	boundaries = &symbols->boundaries;
	for (size_t i = 0; i < boundaries->nr; i++) {
		const struct boundary *it = &boundaries->array[i];
		struct profile_function function =
			profil_symbols_function(symbols, it->address);

		if (!it->code || !it->begins || it->bounds || function.name ||
		    *function.symbol)
			continue;
		CHECK_EQUAL(it->address, function.address);
		seen++;
	}
	profil_symbols_close(symbols);
	/* Those of known_calls.c; the compiler may add some. */
	CHECK(seen >= 4);
	return true;
}

/* A template of @length bytes, and five parameters */
static bool is_cut(int length)
{
	char symbol[8192], *name;
	size_t size = sprintf(symbol, "_Z%d", length);

	memset(symbol + size, 'f', length);
	sprintf(symbol + size + length, "IiEyiiiii");
	name = profil_demangle(symbol);
	size = strlen(name);
	CHECK(size <= 4096 && !strncmp(name, "unsigned long long ", 19));
	CHECK(name[size - 1] == ')' || !strcmp(name + size - 3, "..."));
	free(name);
	return true;
}

/* Words of two bytes each, behind @before others */
static bool is_cut_between_words(size_t before)
{
	char symbol[8192], *name;

	memset(symbol, 'f', before);
	for (size_t i = before; i < 5000; i += 2)
		memcpy(symbol + i, "\xc3\xa4", 3);
	name = profil_demangle(symbol);
	CHECK(strlen(name) <= 4096 && !strchr(name, '\\'));
	free(name);
	return true;
}

TEST("a name is cut behind any of its bytes")
{
	CHECK(setlocale(LC_CTYPE, "C.UTF-8"));
	CHECK(is_cut_between_words(1) && is_cut_between_words(2));
	setlocale(LC_CTYPE, "C");
	for (int length = 1000; length < 4082; length++)
		CHECK(is_cut(length));
	return true;
}

TEST("the bytes of some columns")
{
	bool passed;

	CHECK(setlocale(LC_CTYPE, "C.UTF-8"));
	passed = profil_text_bytes("a\xc3\xa4\xc3\xb6xy", 3) == 5;
	setlocale(LC_CTYPE, "C");
	return passed;
}

/* The file @path is opened when its symbols are looked for. */
static bool is_opened(const char *path)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	bool opened;

	if (inotify_add_watch(events, path, IN_OPEN) < 0)
		return true;
	profil_symbols_close(profil_symbols_open(path, NULL));
	opened = read(events, &event, sizeof(event)) > 0;
	close(events);
	return opened;
}

/* False, with a comment, where the user has no right to hide /proc. */
static bool hides_proc(void)
{
	if ((unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/proc", "tmpfs", 0, NULL))
		tap_note("skipped: /proc cannot be hidden");
	return access("/proc/self/fd", F_OK);
}

TEST("regular files are opened where proc(5) is not mounted")
{
	char directory[] = "/tmp/symbols-test.XXXXXX";
	bool passed;
	int fd;

	if (!hides_proc())
		return true;
	CHECK(mkdtemp(directory) && !chdir(directory));
	fd = open("regular", O_WRONLY | O_CREAT, 0600);
	CHECK(!mkfifo("fifo", 0600) && write(fd, "text", 4) == 4);
	close(fd);
	passed = !is_opened("fifo") && is_opened("regular");
	CHECK(!unlink("fifo") && !unlink("regular") && !rmdir(directory));
	/* The sanitizers read /proc at the end. */
	CHECK(!umount("/proc"));
	return passed;
}

/* The number of a symbol of a file that has been cut since it was opened */
TEST("a file that is cut while it is read is an error")
{
	char copy[] = "/tmp/symbols-test.XXXXXX";
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = mkstemp(copy);
	struct symbols *symbols;
	struct stat status;
	uint32_t number;

	CHECK(from >= 0 && to >= 0 && !fstat(from, &status));
	while (sendfile(to, from, NULL, status.st_size) > 0)
		;
	profil_file_survive_cut();
	symbols = profil_symbols_open(copy, NULL);
	CHECK_EQUAL(2, profil_local_number(symbols, "is_opened", UINT64_MAX));
	CHECK(!ftruncate(to, 4096));
	number = profil_local_number(symbols, "is_opened", UINT64_MAX);
	profil_symbols_close(symbols);
	close(from);
	close(to);
	CHECK_EQUAL(1, number);
	return !unlink(copy);
}

#define SEGMENTS 4
#define FILE_BYTES 64

/* Segments that adjoin, or have a gap between them, each with a bias of its own */
static void make_segments(GElf_Phdr *loads, uint64_t *due)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < FILE_BYTES; i++)
		due[i] = i;
	for (uint64_t i = 0; i < SEGMENTS; i++) {
		at += rand() % 3;
		loads[i] = (GElf_Phdr){ .p_type = PT_LOAD,
					.p_offset = at,
					.p_vaddr = at + ((i + 1) << 16),
					.p_filesz = rand() % 12,
					.p_memsz = 100 };
		for (uint64_t j = 0; j < loads[i].p_filesz; j++)
			due[at + j] = loads[i].p_vaddr + j;
		at += loads[i].p_filesz;
	}
}

static bool has_addresses(const struct boundaries *all, const uint64_t *due)
{
	for (uint64_t at = 0; at < FILE_BYTES; at++)
		CHECK_EQUAL(due[at], profil_boundaries_link_address(all, at));
	return true;
}

TEST("each byte of a file has the address of the segment that it is in")
{
	GElf_Phdr loads[SEGMENTS];
	struct boundaries boundaries = { .loads = loads, .nr_loads = SEGMENTS };
	uint64_t due[FILE_BYTES];

	for (int i = 0; i < 1000; i++) {
		make_segments(loads, due);
		CHECK(has_addresses(&boundaries, due));
	}
	return true;
}
