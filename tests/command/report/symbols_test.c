// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbol of an address, and its printed name
 *
 * The oracle for symbols is libdwfl, which searches all of them for each
 * address; the oracle for names is the documentation of the demanglers.
 */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/types.h>

#include <elfutils/libdwfl.h>

#include "elf/function_name.h"
#include "elf/symbols.h"
#include "resolve/resolve.h"
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
	boundaries = profil_symbols_boundaries(symbols);
	for (size_t i = 0; i < boundaries->nr; i++) {
		const struct boundary *it = &boundaries->array[i];
		struct location location =
			profil_symbols_at_address(symbols, it->address);

		if (!it->code || !it->begins || it->bounds || location.name)
			continue;
		CHECK_EQUAL(it->address, location.address);
		seen++;
	}
	profil_symbols_close(symbols);
	/* Those of known_calls.c; the compiler may add some. */
	CHECK(seen >= 4);
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
	{ "shrink.llvm.17.cold", "shrink.llvm.17.cold" },
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

TEST("symbols are printed as names of the source")
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

TEST("UTF-8 is printed, other bytes are escaped")
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

TEST("without dpkg no package is suggested")
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

/*
 * Programs in the place of dpkg's: the first prints what it was asked for, and the
 * signals that are blocked
 */
static bool make_program(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	if (!out)
		return false;
	fprintf(out, "#!/bin/sh\n%s\n", text);
	fchmod(fileno(out), 0700);
	return !fclose(out);
}

static const char query[] = "printf '%s\\n' \"$2\" >asked\n"
			    "while read -r name set; do\n"
			    "	[ $name != SigBlk: ] || echo $set >blocked\n"
			    "done </proc/self/status\n"
			    "sleep 0.2\n"
			    "echo package:amd64:";

static void on_alarm(int signal)
{
	(void)signal;
}

/* Interrupt system calls each 20 ms, and block a signal that profil waits for. */
static void disturb(bool is_on)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct timeval step = { .tv_usec = is_on ? 20000 : 0 };
	struct itimerval timer = { step, step };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(is_on ? SIG_BLOCK : SIG_UNBLOCK, &blocked, NULL);
	if (is_on)
		sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static bool has_line(const char *file, const char *expected)
{
	char line[64] = "";
	FILE *in = fopen(file, "r");

	CHECK(in && fgets(line, sizeof(line), in));
	fclose(in);
	printf("# %s: %s", file, line);
	line[strcspn(line, "\n")] = '\0';
	CHECK(!strcmp(line, expected));
	return !unlink(file);
}

TEST("dpkg is asked for a file of any name, whatever signals come")
{
	char directory[] = "/tmp/symbols-test.XXXXXX";
	char *path = strdup(getenv("PATH"));
	char with[PATH_MAX], name[128] = "";
	bool found;

	CHECK(mkdtemp(directory) && !chdir(directory));
	CHECK(make_program("dpkg-query", query));
	CHECK(make_program("apt-cache", "echo package-dbgsym"));
	snprintf(with, sizeof(with), "%s:%s", directory, path);
	setenv("PATH", with, 1);
	disturb(true);
	found = profil_package_of_symbols("/opt/a?b[c*d\\e.so", name,
					  sizeof(name));
	disturb(false);
	setenv("PATH", path, 1);
	free(path);
	CHECK(has_line("asked", "/opt/a\\?b\\[c\\*d\\\\e.so"));
	CHECK(has_line("blocked", "0000000000000000"));
	CHECK(found && !strcmp(name, "package-dbgsym"));
	CHECK(!unlink("dpkg-query") && !unlink("apt-cache"));
	return !chdir("/") && !rmdir(directory);
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
TEST("no file of proc(5) or sysfs(5) is opened")
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
TEST("only regular files are opened")
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

TEST("files are opened where proc(5) is not mounted")
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

/* The number of a symbol of a file that has been cut since it was opened */
TEST("a file that is cut while it is read is an error")
{
	char copy[] = "/tmp/symbols-test.XXXXXX";
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = mkstemp(copy);
	struct local_numbers numbers;
	struct stat status;
	uint32_t number;

	CHECK(from >= 0 && to >= 0 && !fstat(from, &status));
	while (sendfile(to, from, NULL, status.st_size) > 0)
		;
	profil_local_numbers_open(&numbers, copy, NULL, 0);
	CHECK(numbers.table);
	CHECK(!ftruncate(to, 4096));
	number = profil_local_number(&numbers, "on_alarm", UINT64_MAX);
	profil_local_numbers_close(&numbers);
	close(from);
	close(to);
	CHECK_EQUAL(1, number);
	return !unlink(copy);
}
