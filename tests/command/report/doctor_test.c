// SPDX-License-Identifier: GPL-2.0-only
/*
 * Findings of `profil doctor` on machines made for the test: a directory with
 * the files of a system, and answers of a driver
 */
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "tap.h"

#define RELEASE "6.1.0-50"
#define MODULES "/lib/modules/" RELEASE
#define PARAMETERS "/sys/module/profil/parameters"
#define SIGNED "code~Module signature appended~\n"

#define ROOT "/tmp/doctor.XXXXXX"

static char root[sizeof(ROOT)];
static char library[PATH_MAX];
static struct finding finding;

/* Answer of the driver, and its error */
static struct profil_version answer;
static int answer_error;

static int ask(const struct machine *machine, struct profil_version *version)
{
	(void)machine;
	*version = answer;
	return -answer_error;
}

static struct machine machine;

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static void remove_root(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Begin with a machine that has no files. Each test is a process of its own. */
static void begin(void)
{
	if (*root)
		remove_root();
	else
		atexit(remove_root);
	memcpy(root, ROOT, sizeof(root));
	if (!mkdtemp(root))
		abort();
	machine = (struct machine){
		.root = root,
		.release = RELEASE,
		.version = "0.1",
		.library_directory = "/usr/local/lib",
		.memlock = { 8192 * 1024, 8192 * 1024 },
		.ask = ask,
	};
	answer = (struct profil_version){
		.abi = PROFIL_ABI,
		.clock = PROFIL_CLOCK_FTRACE,
		.tick_ns = 4000000,
		.min_period_ns = 100000,
	};
	answer_error = 0;
}

/* Make a file, and its directories, in the root. */
static void add(const char *path, const char *text)
{
	char whole[PATH_MAX];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *slash = whole + strlen(root) + 1;
	     (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
	file = fopen(whole, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
}

static bool equals(const char *expected, const char *text)
{
	if (!expected || !strcmp(expected, text))
		return true;
	tap_note("found: %s", text);
	return false;
}

static void find(const char *name)
{
	struct facts facts;

	free(finding.text);
	free(finding.mend);
	profil_facts_read(&facts, &machine);
	profil_doctor_check(name, &facts, &finding);
	profil_facts_free(&facts);
}

/* A check has this result, where NULL is any text. */
static bool finds(const char *name, bool wrong, const char *text,
		  const char *mend)
{
	find(name);
	CHECK_EQUAL(wrong, finding.is_wrong);
	return equals(text, finding.text) && equals(mend, finding.mend);
}

#define GOOD(name, text, mend) CHECK(finds(#name, false, text, mend))
#define WRONG(name, text, mend) CHECK(finds(#name, true, text, mend))

TEST("the module is loaded")
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	GOOD(module, "loaded, version 0.1", "");
	add("/sys/module/profil/version", "0.0\n");
	WRONG(module, "version 0.0 is loaded, and the command is 0.1",
	      "sudo modprobe -r profil && sudo modprobe profil");
	return true;
}

TEST("the module is installed")
{
	begin();
	add(MODULES "/updates/profil.ko", "code");
	WRONG(module, "not loaded: " MODULES "/updates/profil.ko is installed",
	      "sudo depmod -a && sudo modprobe profil");
	add(MODULES "/modules.dep",
	    "kernel/fs/ext4.ko: a.ko\nupdates/profil.ko:\n");
	WRONG(module, "not loaded: " MODULES "/updates/profil.ko is installed",
	      "sudo modprobe profil");
	return true;
}

#define MODPROBE "/etc/modprobe.d/local.conf"
#define OTHER "/lib/modprobe.d/other.conf"

TEST("modprobe is configured")
{
	begin();
	add(MODULES "/updates/profil.ko", "code");
	add(MODULES "/modules.dep", "updates/profil.ko:\n");
	add(MODPROBE, "# blacklist profil\nblacklist profilx\n"
		      "install other /bin/false\n");
	add("/etc/modprobe.d/notes.txt", "blacklist profil\n");
	add("/lib/modprobe.d/local.conf", "blacklist profil\n");
	WRONG(module, "not loaded: " MODULES "/updates/profil.ko is installed",
	      "sudo modprobe profil");
	add(MODPROBE, "options x y=1\n\tblacklist  profil\n");
	WRONG(module,
	      "not loaded: " MODPROBE
	      " keeps the module from being loaded at boot",
	      "sudo sed -Ei '/^[ \t]*blacklist[ \t]+profil([ \t]|$)/d' " MODPROBE
	      " && sudo modprobe profil");
	add(OTHER, "install profil /bin/false\n");
	WRONG(module,
	      "not loaded: modprobe executes a command of " OTHER
	      " in place of loading it",
	      "sudo sed -Ei '/^[ \t]*install[ \t]+profil([ \t]|$)/d' " OTHER
	      " && sudo modprobe profil");
	add(OTHER, "install profil modprobe --ignore-install profil\n");
	WRONG(module,
	      "not loaded: " MODPROBE
	      " keeps the module from being loaded at boot",
	      NULL);
	return true;
}

TEST("the module needs a signature")
{
	begin();
	add("/sys/kernel/security/lockdown",
	    "none [integrity] confidentiality");
	add(MODULES "/updates/profil.ko", "code");
	WRONG(module,
	      "not loaded: this kernel takes signed modules only, and " MODULES
	      "/updates/profil.ko has no signature",
	      "sudo make install-dkms && sudo mokutil --import /var/lib/dkms/mok.pub; then reboot");
	add(MODULES "/updates/profil.ko", SIGNED);
	WRONG(module,
	      "not loaded: this kernel takes " MODULES
	      "/updates/profil.ko only if the key of its signature is enrolled",
	      "sudo modprobe profil || sudo mokutil --import /var/lib/dkms/mok.pub; then reboot");
	add("/sys/kernel/security/lockdown",
	    "[none] integrity confidentiality");
	add("/sys/module/module/parameters/sig_enforce", "N\n");
	add(MODULES "/modules.dep", "updates/profil.ko:\n");
	WRONG(module, "not loaded: " MODULES "/updates/profil.ko is installed",
	      "sudo modprobe profil");
	add("/sys/module/module/parameters/sig_enforce", "Y\n");
	find("module");
	CHECK(strstr(finding.text, "only if the key"));
	return true;
}

TEST("the module is for another kernel")
{
	static const char missing[] =
		"missing: this kernel is " RELEASE
		", profil.ko is installed for 6.1.0-49-amd64";

	begin();
	add("/lib/modules/6.1.0-9-amd64/updates/dkms/profil.ko", "code");
	add("/lib/modules/6.1.0-49-amd64/updates/dkms/profil.ko.xz", "code");
	add("/lib/modules/6.12.0-1-amd64/updates/other.ko", "code");
	add("/usr/bin/apt", "");
	add("/usr/src/profil-0.1/dkms.conf", "");
	WRONG(module, missing,
	      "install the headers of Linux " RELEASE
	      "; sudo dkms autoinstall && sudo modprobe profil");
	add("/var/lib/dpkg/info/linux-image-" RELEASE ".list", "");
	WRONG(module, missing,
	      "sudo apt install linux-headers-" RELEASE
	      " && sudo dkms autoinstall && sudo modprobe profil");
	add(MODULES "/build/Makefile", "");
	WRONG(module, missing, "sudo dkms autoinstall && sudo modprobe profil");
	return true;
}

/* dpkg has installed the command. */
TEST("a module of a package")
{
	begin();
	add(MODULES "/build/Makefile", "");
	add("/var/lib/dpkg/info/profil.list", "");
	WRONG(module, NULL,
	      "sudo apt install profil-dkms && sudo modprobe profil");
	return true;
}

TEST("the module is not installed")
{
	static const char missing[] =
		"missing: profil.ko is not installed for " RELEASE;
	static const char make[] =
		"make && sudo make install && sudo modprobe profil";
	char mend[256];

	begin();
	snprintf(mend, sizeof(mend), "install the headers of Linux %s; %s",
		 RELEASE, make);
	WRONG(module, missing, mend);
	add("/usr/bin/pacman", "");
	snprintf(mend, sizeof(mend), "sudo pacman -S linux-headers && %s",
		 make);
	WRONG(module, missing, mend);
	add("/usr/bin/dnf", "");
	snprintf(mend, sizeof(mend), "sudo dnf install kernel-devel-%s && %s",
		 RELEASE, make);
	WRONG(module, missing, mend);
	add(MODULES "/build/Makefile", "");
	WRONG(module, missing, make);
	return true;
}

TEST("the kernel is too old")
{
	begin();
	machine.release = "5.10.0-30-amd64";
	WRONG(module,
	      "missing: this kernel is 5.10.0-30-amd64, and the module needs Linux 6.1 or later",
	      "");
	machine.release = "6.0.12";
	WRONG(module,
	      "missing: this kernel is 6.0.12, and the module needs Linux 6.1 or later",
	      "");
	return true;
}

TEST("a container has the host's kernel")
{
	begin();
	add("/.dockerenv", "");
	WRONG(module,
	      "not loaded: the kernel belongs to the host of this container",
	      "profil doctor, on the host");
	return true;
}

TEST("the device is open")
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	GOOD(device, "/dev/profil, open to this user", "");
	answer.abi = PROFIL_ABI + 1;
	WRONG(device,
	      "the driver has version 2 of its interface, the command 1",
	      "sudo modprobe -r profil && sudo modprobe profil");
	return true;
}

static const char container[] =
	"docker (or podman) run --device /dev/profil ..., or systemd-nspawn --bind=/dev/profil ...";

TEST("the device is missing")
{
	begin();
	answer_error = ENOENT;
	GOOD(device, "none: the module is not loaded", "");
	add("/sys/module/profil/version", "0.1\n");
	WRONG(device, "/dev/profil is missing",
	      "sudo modprobe -r profil && sudo modprobe profil");
	add("/sys/class/misc/profil/dev", "10:121\n");
	WRONG(device, "/dev/profil is missing",
	      "sudo mknod -m 666 /dev/profil c 10 121");
	add("/run/host/container-manager", "systemd-nspawn\n");
	WRONG(device, "/dev/profil is missing", container);
	return true;
}

TEST("the device is refused")
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	answer_error = EACCES;
	WRONG(device, "this user may not open /dev/profil",
	      "sudo chmod 666 /dev/profil");
	answer_error = ENOTTY;
	WRONG(device, "/dev/profil is not the device of profil",
	      "sudo rm /dev/profil; sudo modprobe -r profil && sudo modprobe profil");
	answer_error = EIO;
	WRONG(device, "cannot open /dev/profil: Input/output error", "");
	return true;
}

/* Without a driver's answers, a file is asked. */
TEST("a file is not the device")
{
	struct profil_version version;

	begin();
	CHECK_EQUAL(-ENOENT, profil_machine_ask(&machine, &version));
	add("/dev/profil", "text");
	CHECK_EQUAL(-ENOTTY, profil_machine_ask(&machine, &version));
	return true;
}

TEST("the clock has fine rates")
{
	begin();
	GOOD(clock, "tick by ftrace, 1 to 10000 samples a second", "");
	add("/proc/sys/kernel/ftrace_enabled", "1\n");
	GOOD(clock, "tick by ftrace, 1 to 10000 samples a second", "");
	answer.clock = PROFIL_CLOCK_TIMER;
	GOOD(clock, "timer, 1 to 10000 samples a second", "");
	return true;
}

TEST("the clock has the tick only")
{
	begin();
	answer.min_period_ns = answer.tick_ns;
	GOOD(clock,
	     "tick by ftrace, 1 to 250 samples a second: no timers for higher rates",
	     "");
	add(PARAMETERS "/restrict_fastprof", "Y\n");
	GOOD(clock,
	     "tick by ftrace, 1 to 250 samples a second: higher rates are switched off",
	     "echo 0 | sudo tee " PARAMETERS "/restrict_fastprof");
	return true;
}

TEST("the clock cannot be hooked")
{
	begin();
	add("/proc/sys/kernel/ftrace_enabled", "0\n");
	WRONG(clock, "kernel.ftrace_enabled is 0, so the tick cannot be hooked",
	      "sudo sysctl kernel.ftrace_enabled=1");
	answer.clock = PROFIL_CLOCK_TIMER;
	add(PARAMETERS "/clock", "auto\n");
	GOOD(clock, "timer, 1 to 10000 samples a second",
	     "sudo dmesg | grep profil: has the reason why no tick is hooked");
	add(PARAMETERS "/clock", "timer\n");
	GOOD(clock, "timer, 1 to 10000 samples a second", "");
	answer_error = ENOENT;
	GOOD(clock, "unknown: the device does not answer", "");
	return true;
}

TEST("memory can be locked")
{
	begin();
	GOOD(memlock, "8192 KiB: enough for 512 pages of hot code", "");
	machine.memlock.rlim_cur = RLIM_INFINITY;
	GOOD(memlock, "no limit for this user", "");
	machine.memlock.rlim_cur = 64 * 1024;
	WRONG(memlock, "64 KiB: enough for 4 pages of hot code only",
	      "ulimit -l 8192");
	machine.memlock.rlim_max = 64 * 1024;
	WRONG(memlock, "64 KiB: enough for 4 pages of hot code only",
	      "echo '* - memlock 8192' | sudo tee /etc/security/limits.d/profil.conf; log in again");
	add("/proc/self/status", "Name:\tx\nCapEff:\t0000000000004000\n");
	GOOD(memlock, "no limit for this user", "");
	add("/proc/self/status", "Name:\tx\nCapEff:\t0000000000008000\n");
	find("memlock");
	CHECK(finding.is_wrong);
	return true;
}

TEST("sessions are limited")
{
	begin();
	GOOD(sessions, "unknown: " PARAMETERS "/max_sessions is missing", "");
	add(PARAMETERS "/max_sessions", "4096\n");
	GOOD(sessions, "4096 processes of a user at a time", "");
	add(PARAMETERS "/max_sessions", "64\n");
	GOOD(sessions, NULL, NULL);
	add(PARAMETERS "/max_sessions", "63\n");
	WRONG(sessions,
	      "63 processes of a user at a time: more are not profiled",
	      "echo 4096 | sudo tee " PARAMETERS "/max_sessions");
	return true;
}

TEST("the library is found")
{
	char text[2 * PATH_MAX];

	begin();
	machine.library = library;
	snprintf(text, sizeof(text), "%s, version 0.1, for glibc programs",
		 library);
	GOOD(library, text, "");
	machine.version = "0.2";
	snprintf(text, sizeof(text),
		 "%s has version 0.1 and cannot be used by version 0.2",
		 library);
	WRONG(library, text, "make && sudo make install-tools");
	return true;
}

TEST("the library is not found")
{
	char path[PATH_MAX], text[2 * PATH_MAX];

	begin();
	WRONG(library, "libprofil.so.1 is not in /usr/local/lib",
	      "make && sudo make install-tools");
	machine.library_wanted = "/nowhere/libprofil.so.1";
	WRONG(library, "PROFIL_LIB=/nowhere/libprofil.so.1 cannot be read",
	      "unset PROFIL_LIB");
	add("/libprofil.so.1", "\177ELF no more");
	snprintf(path, sizeof(path), "%s/libprofil.so.1", root);
	machine.library = path;
	snprintf(text, sizeof(text), "%s is not a library of profil 0.1", path);
	WRONG(library, text, "make && sudo make install-tools");
	return true;
}

TEST("the library can be preloaded")
{
	char path[PATH_MAX], text[2 * PATH_MAX];

	begin();
	GOOD(preload, "unknown: there is no library", "");
	add("/lib/libprofil.so.1", "");
	snprintf(path, sizeof(path), "%s/lib/libprofil.so.1", root);
	machine.library = path;
	GOOD(preload,
	     "64-bit glibc programs; 32-bit programs print an error of the dynamic linker",
	     "");
	add("/lib/profil/i686/libprofil.so.1", "");
	GOOD(preload, "64-bit glibc programs; 32-bit programs start unprofiled",
	     "");
	add("/my lib/libprofil.so.1", "");
	snprintf(path, sizeof(path), "%s/my lib/libprofil.so.1", root);
	snprintf(text, sizeof(text),
		 "the path of %s has a space, a colon or a dollar sign", path);
	WRONG(preload, text, NULL);
	snprintf(text, sizeof(text),
		 "cp '%s' ~ && export PROFIL_LIB=~/libprofil.so.1", path);
	WRONG(preload, NULL, text);
	return true;
}

TEST("remarks are no failures")
{
	begin();
	GOOD(symbols, "from files only: DEBUGINFOD_URLS is not set", "");
	machine.servers = "https://debuginfod.example";
	GOOD(symbols, "from files only: libdebuginfod is not installed",
	     "sudo apt install libdebuginfod1");
	machine.has_debuginfod = true;
	GOOD(symbols,
	     "from files, and from debuginfod at https://debuginfod.example",
	     "");
	GOOD(perf, "not needed, and this kernel has none", "");
	add("/proc/sys/kernel/perf_event_paranoid", "3\n");
	GOOD(perf,
	     "not needed: kernel.perf_event_paranoid is 3, which restricts perf but not profil",
	     "");
	add("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	GOOD(perf, "not needed: kernel.perf_event_paranoid is -1", "");
	return true;
}

int main(int argc, char **argv)
{
	(void)argc;
	snprintf(library, sizeof(library), "%s/libprofil.so.1",
		 dirname(argv[0]));
	return tap_run();
}
