// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbol of an address, and its printed name
 *
 * The oracle for symbols is libdwfl, which searches all of them for each
 * address; the oracle for names is the documentation of the demanglers.
 */
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/types.h>

#include <elfutils/libdwfl.h>

#include "elf/function_name.h"
#include "elf/local_number.h"
#include "elf/symbols.h"
#include "elf/package.h"
#include "tap.h"
#include "util/text.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

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

static bool is_same(Dwfl_Module *module, GElf_Addr bias,
		    const struct symbols *symbols, __u64 address)
{
	struct location location = profil_symbols_at_address(symbols, address);
	GElf_Sym symbol;
	GElf_Off into;
	const char *name = dwfl_module_addrinfo(module, address + bias, &into,
						&symbol, NULL, NULL, NULL);

	if (!is_in_section(module, address + bias))
		return true;
	if (!name)
		return !location.name || !strcmp(location.name, "[plt]");
	if (location.name && !strcmp(location.name, name) &&
	    location.address == address - into)
		return true;
	/* Of two names of one address, either may be found. */
	if (location.name && location.address == address - into)
		return true;
	printf("# 0x%llx: %s, not %s\n", address,
	       location.name ? location.name : "nothing", name);
	return false;
}

/*
 * Look up each boundary, the middle behind it, and the last byte before the
 * next.
 */
static bool agrees(const char *path, size_t least)
{
	struct symbols *symbols = profil_symbols_open(path, NULL);
	const struct boundaries *boundaries =
		profil_symbols_boundaries(symbols);
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	GElf_Addr bias;
	size_t named = 0;

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

static bool finds_own_symbols(void)
{
	return agrees("/proc/self/exe", 50);
}

/* Libraries with exported symbols only, aliases, and functions in assembly */
static bool finds_symbols_of_libraries(void)
{
	static const char *const paths[] = {
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/bin/bash",
	};
	bool any = false;

	for (size_t i = 0; i < ELEMENTS(paths); i++) {
		if (access(paths[i], R_OK))
			continue;
		any = true;
		printf("# %s\n", paths[i]);
		CHECK(agrees(paths[i], 100));
	}
	CHECK(any);
	return true;
}

static const struct {
	const char *symbol;
	const char *name;
} names[] = {
	{ "main", "main" },
	{ "_Z", "_Z" },
	{ "", "" },
	{ "@", "@" },
	{ "memcpy@@GLIBC_2.14", "memcpy" },
	{ "memcpy@GLIBC_2.2.5", "memcpy" },
	{ "shrink.llvm.17840013226", "shrink" },
	{ "shrink.llvm.old", "shrink.llvm.old" },
	{ "grow.constprop.0", "grow.constprop.0" },
	{ "_ZN3app6MatrixIdE3mulERKS1_",
	  "app::Matrix<double>::mul(app::Matrix<double> const&)" },
	{ "_ZN3app4stepEi.llvm.99", "app::step(int)" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi@@GLIBCXX_3.4",
	  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
	{ "_ZL4workv.cold", "work() [clone .cold]" },
	{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
	  "core::fmt::Write::write_fmt" },
	{ "_RNvC7mycrate3foo", "mycrate::foo" },
	{ "_RNvMs_C7mycrateNtB4_3Foo3bar", "<mycrate::Foo>::bar" },
	{ "bell\a\x1b[31m", "bell\\x07\\x1b[31m" },
};

static bool calls_symbols_as_the_source_does(void)
{
	for (size_t i = 0; i < ELEMENTS(names); i++) {
		char *name = profil_demangle(names[i].symbol);

		printf("# %s\n", name);
		CHECK(!strcmp(name, names[i].name));
		free(name);
	}
	return true;
}

static const struct {
	const char *locale;
	const char *name;
	const char *printable;
	size_t width;
} texts[] = {
	{ "C", "h\xe4lfte", "h\\xe4lfte", 9 },
	{ "C", "h\xc3\xa4lfte", "h\\xc3\\xa4lfte", 13 },
	{ "C.UTF-8", "h\xe4lfte", "h\\xe4lfte", 9 },
	{ "C.UTF-8", "h\xc3\xa4lfte", "h\xc3\xa4lfte", 6 },
	{ "C.UTF-8", "\xe6\x97\xa5\xf0\x9f\x98\x80",
	  "\xe6\x97\xa5\xf0\x9f\x98\x80", 2 },
	{ "C.UTF-8", "cut \xe6\x97", "cut \\xe6\\x97", 12 },
	{ "C.UTF-8", "slash \xc0\xaf", "slash \\xc0\\xaf", 14 },
	{ "C.UTF-8", "\xed\xa0\x80", "\\xed\\xa0\\x80", 12 },
	{ "C.UTF-8", "\xc2\x9bwide", "\\xc2\\x9bwide", 12 },
	{ "C.UTF-8", "\xe2\x80\xaeright", "\\xe2\\x80\\xaeright", 17 },
};

static bool prints_all_of_a_name(void)
{
	for (size_t i = 0; i < ELEMENTS(texts); i++) {
		char *text;

		CHECK(setlocale(LC_CTYPE, texts[i].locale));
		text = profil_text_printable(texts[i].name);
		setlocale(LC_CTYPE, "C");
		printf("# %s\n", text);
		CHECK(!strcmp(text, texts[i].printable));
		CHECK_EQUAL(texts[i].width, profil_text_width(text));
		CHECK_EQUAL(strlen(text), profil_text_bytes(text, 99));
		free(text);
	}
	CHECK_EQUAL(5, profil_text_bytes("a\xc3\xa4\xc3\xb6xy", 3));
	return true;
}

/* Fill the part of the stack where a buffer will be. */
static __attribute__((noipa)) void fill_stack(void)
{
	volatile char bytes[32768];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = 'x';
}

static bool finds_no_package_without_dpkg(void)
{
	char *path = strdup(getenv("PATH"));
	char name[128] = "";
	bool found;

	setenv("PATH", "/nonexistent", 1);
	fill_stack();
	found = profil_package_of_symbols("/usr/lib/libnone.so", name,
					  sizeof(name));
	setenv("PATH", path, 1);
	free(path);
	return !found;
}

/* Look for symbols in the file @name @times times; true if @path was opened. */
static bool is_opened(const char *path, const char *name, int times)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	bool opened;

	if (inotify_add_watch(events, path, IN_OPEN) < 0)
		return true;
	for (int i = 0; i < times; i++)
		profil_symbols_close(profil_symbols_open_plain(name, NULL));
	opened = read(events, &event, sizeof(event)) > 0;
	close(events);
	return opened;
}

/*
 * Reading other files of proc(5) waits for news of the kernel, and reading other
 * files of sysfs(5) acts on devices. Both have files with a size, too.
 */
static bool opens_no_file_of_the_kernel(void)
{
	static const char *const paths[] = { "/proc/self/environ",
					     "/proc/config.gz",
					     "/sys/kernel/uevent_seqnum",
					     "/sys/kernel/notes" };

	for (size_t i = 0; i < ELEMENTS(paths); i++) {
		tap_note("%s", paths[i]);
		if (!access(paths[i], R_OK))
			CHECK(!is_opened(paths[i], paths[i], 1));
	}
	return true;
}

static char fifo[64], regular[64], either[64];

static bool make_files(const char *directory)
{
	FILE *file;

	snprintf(fifo, sizeof(fifo), "%s/fifo", directory);
	snprintf(regular, sizeof(regular), "%s/regular", directory);
	snprintf(either, sizeof(either), "%s/either", directory);
	file = fopen(regular, "w");
	return file && fputs("text", file) >= 0 && !fclose(file) &&
	       !mkfifo(fifo, 0600) && !symlink("regular", either);
}

static void remove_files(const char *directory)
{
	unlink(fifo);
	unlink(regular);
	unlink(either);
	rmdir(directory);
}

/* Let a link lead to the FIFO and to the regular file by turns. */
static void *exchange(void *end)
{
	char link[80];

	snprintf(link, sizeof(link), "%s.new", either);
	for (int i = 0; !__atomic_load_n((bool *)end, __ATOMIC_RELAXED); i++)
		if (symlink(i % 2 ? "fifo" : "regular", link) ||
		    rename(link, either))
			break;
	return NULL;
}

static bool opens_fifo_that_comes(void)
{
	bool end = false, opened;
	pthread_t thread;

	if (pthread_create(&thread, NULL, exchange, &end))
		return true;
	opened = is_opened(fifo, either, 5000);
	__atomic_store_n(&end, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return opened;
}

/* BOLT's numbers of local symbols are those of the file that a profile names. */
static bool opens_fifo_for_numbers(void)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	struct local_numbers numbers;
	bool opened;

	if (inotify_add_watch(events, fifo, IN_OPEN) < 0)
		return true;
	profil_local_numbers_open(&numbers, fifo, NULL, 0);
	profil_local_numbers_close(&numbers);
	opened = read(events, &event, sizeof(event)) > 0;
	close(events);
	return opened;
}

/* Devices act on being opened; a FIFO is the one that needs no privilege. */
static bool opens_regular_files_only(void)
{
	char directory[] = "/tmp/symbols-test.XXXXXX";
	bool passed;

	CHECK(is_opened("/proc/self/exe", "/proc/self/exe", 1));
	CHECK(mkdtemp(directory));
	passed = make_files(directory) && !is_opened(fifo, fifo, 1) &&
		 !opens_fifo_for_numbers() && is_opened(regular, either, 1) &&
		 !opens_fifo_that_comes();
	remove_files(directory);
	return passed;
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

static bool opens_files_without_proc(void)
{
	char directory[] = "/tmp/symbols-test.XXXXXX";
	bool passed;

	if (!hides_proc())
		return true;
	CHECK(mkdtemp(directory));
	passed = make_files(directory) && !is_opened(fifo, fifo, 1) &&
		 is_opened(regular, regular, 1);
	remove_files(directory);
	/* The sanitizers read /proc at the end. */
	CHECK(!umount("/proc"));
	return passed;
}

static const struct tap_test tests[] = {
	{ "each address has the symbol that libdwfl finds", finds_own_symbols },
	{ "addresses in libraries have the symbol that libdwfl finds",
	  finds_symbols_of_libraries },
	{ "symbols are printed as names of the source",
	  calls_symbols_as_the_source_does },
	{ "UTF-8 is printed, other bytes are escaped", prints_all_of_a_name },
	{ "only regular files are opened", opens_regular_files_only },
	{ "no file of proc(5) or sysfs(5) is opened",
	  opens_no_file_of_the_kernel },
	{ "files are opened where proc(5) is not mounted",
	  opens_files_without_proc },
	{ "without dpkg no package is suggested",
	  finds_no_package_without_dpkg },
};

int main(void)
{
	return tap_run(tests, ELEMENTS(tests));
}
