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

#include "doctor/checks.h"
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

/* Begin with a machine that has no files. */
static void begin(void)
{
	if (*root)
		remove_root();
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

typedef void check(const struct machine *machine, struct finding *finding);

/* Run a check, whose result is that the state is @wrong. */
static bool finds(check *run, bool wrong)
{
	finding = (struct finding){ 0 };
	run(&machine, &finding);
	CHECK_EQUAL(wrong, finding.is_wrong);
	return true;
}

static bool equals(const char *expected, const char *text)
{
	if (!strcmp(expected, text))
		return true;
	tap_note("found: %s", text);
	return false;
}

#define GOOD(name) CHECK(finds(profil_check_##name, false))
#define WRONG(name) CHECK(finds(profil_check_##name, true))
#define TEXT(text_) CHECK(equals(text_, finding.text))
#define MEND(mend_) CHECK(equals(mend_, finding.mend))

static bool module_is_loaded(void)
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	GOOD(module);
	TEXT("loaded, version 0.1");
	MEND("");
	add("/sys/module/profil/version", "0.0\n");
	WRONG(module);
	TEXT("version 0.0 is loaded, and the command is 0.1");
	MEND("sudo modprobe -r profil && sudo modprobe profil");
	return true;
}

static bool module_is_installed(void)
{
	begin();
	add(MODULES "/updates/profil.ko", "code");
	WRONG(module);
	TEXT("not loaded: " MODULES "/updates/profil.ko is installed");
	MEND("sudo depmod -a && sudo modprobe profil");
	add(MODULES "/modules.dep",
	    "kernel/fs/ext4.ko: a.ko\nupdates/profil.ko:\n");
	WRONG(module);
	TEXT("not loaded: " MODULES "/updates/profil.ko is installed");
	MEND("sudo modprobe profil");
	return true;
}

#define MODPROBE "/etc/modprobe.d/local.conf"
#define OTHER "/lib/modprobe.d/other.conf"

static bool modprobe_is_configured(void)
{
	begin();
	add(MODULES "/updates/profil.ko", "code");
	add(MODULES "/modules.dep", "updates/profil.ko:\n");
	add(MODPROBE, "# blacklist profil\nblacklist profilx\n"
		      "install other /bin/false\n");
	add("/etc/modprobe.d/notes.txt", "blacklist profil\n");
	add("/lib/modprobe.d/local.conf", "blacklist profil\n");
	WRONG(module);
	TEXT("not loaded: " MODULES "/updates/profil.ko is installed");
	MEND("sudo modprobe profil");
	add(MODPROBE, "options x y=1\n\tblacklist  profil\n");
	WRONG(module);
	TEXT("not loaded: " MODPROBE
	     " keeps the module from being loaded at boot");
	MEND("sudo sed -Ei '/^[ \t]*blacklist[ \t]+profil([ \t]|$)/d' " MODPROBE
	     " && sudo modprobe profil");
	add(OTHER, "install profil /bin/false\n");
	WRONG(module);
	TEXT("not loaded: modprobe executes a command of " OTHER
	     " in place of loading it");
	MEND("sudo sed -Ei '/^[ \t]*install[ \t]+profil([ \t]|$)/d' " OTHER
	     " && sudo modprobe profil");
	add(OTHER, "install profil modprobe --ignore-install profil\n");
	WRONG(module);
	TEXT("not loaded: " MODPROBE
	     " keeps the module from being loaded at boot");
	return true;
}

static bool module_needs_a_signature(void)
{
	begin();
	add("/sys/kernel/security/lockdown",
	    "none [integrity] confidentiality");
	add(MODULES "/updates/profil.ko", "code");
	WRONG(module);
	TEXT("not loaded: this kernel takes signed modules only, and " MODULES
	     "/updates/profil.ko has no signature");
	MEND("sudo make install-dkms && sudo mokutil --import /var/lib/dkms/mok.pub; then reboot");
	add(MODULES "/updates/profil.ko", SIGNED);
	WRONG(module);
	TEXT("not loaded: this kernel takes " MODULES
	     "/updates/profil.ko only if the key of its signature is enrolled");
	MEND("sudo modprobe profil || sudo mokutil --import /var/lib/dkms/mok.pub; then reboot");
	add("/sys/kernel/security/lockdown",
	    "[none] integrity confidentiality");
	add("/sys/module/module/parameters/sig_enforce", "N\n");
	add(MODULES "/modules.dep", "updates/profil.ko:\n");
	WRONG(module);
	TEXT("not loaded: " MODULES "/updates/profil.ko is installed");
	MEND("sudo modprobe profil");
	add("/sys/module/module/parameters/sig_enforce", "Y\n");
	profil_check_module(&machine, &finding);
	CHECK(strstr(finding.text, "only if the key"));
	return true;
}

static bool module_is_for_another_kernel(void)
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
	WRONG(module);
	TEXT(missing);
	MEND("install the headers of Linux " RELEASE
	     "; sudo dkms autoinstall && sudo modprobe profil");
	add("/var/lib/dpkg/info/linux-image-" RELEASE ".list", "");
	WRONG(module);
	TEXT(missing);
	MEND("sudo apt install linux-headers-" RELEASE
	     " && sudo dkms autoinstall && sudo modprobe profil");
	add(MODULES "/build/Makefile", "");
	WRONG(module);
	TEXT(missing);
	MEND("sudo dkms autoinstall && sudo modprobe profil");
	return true;
}

static bool module_is_not_installed(void)
{
	static const char missing[] =
		"missing: profil.ko is not installed for " RELEASE;
	static const char make[] =
		"make && sudo make install && sudo modprobe profil";
	char mend[FINDING_TEXT];

	begin();
	snprintf(mend, sizeof(mend), "install the headers of Linux %s; %s",
		 RELEASE, make);
	WRONG(module);
	TEXT(missing);
	MEND(mend);
	add("/usr/bin/pacman", "");
	snprintf(mend, sizeof(mend), "sudo pacman -S linux-headers && %s",
		 make);
	WRONG(module);
	TEXT(missing);
	MEND(mend);
	add("/usr/bin/dnf", "");
	snprintf(mend, sizeof(mend), "sudo dnf install kernel-devel-%s && %s",
		 RELEASE, make);
	WRONG(module);
	TEXT(missing);
	MEND(mend);
	add(MODULES "/build/Makefile", "");
	WRONG(module);
	TEXT(missing);
	MEND(make);
	return true;
}

static bool kernel_is_too_old(void)
{
	begin();
	machine.release = "5.10.0-30-amd64";
	WRONG(module);
	TEXT("missing: this kernel is 5.10.0-30-amd64, and the module needs Linux 6.1 or later");
	MEND("");
	machine.release = "6.0.12";
	WRONG(module);
	TEXT("missing: this kernel is 6.0.12, and the module needs Linux 6.1 or later");
	MEND("");
	return true;
}

static bool container_has_the_hosts_kernel(void)
{
	begin();
	add("/.dockerenv", "");
	WRONG(module);
	TEXT("not loaded: the kernel belongs to the host of this container");
	MEND("profil doctor, on the host");
	return true;
}

static bool device_is_open(void)
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	GOOD(device);
	TEXT("/dev/profil, open to this user");
	MEND("");
	answer.abi = PROFIL_ABI + 1;
	WRONG(device);
	TEXT("the driver has version 2 of its interface, the command 1");
	MEND("sudo modprobe -r profil && sudo modprobe profil");
	return true;
}

static bool device_is_missing(void)
{
	begin();
	answer_error = ENOENT;
	GOOD(device);
	TEXT("none: the module is not loaded");
	MEND("");
	add("/sys/module/profil/version", "0.1\n");
	WRONG(device);
	TEXT("/dev/profil is missing");
	MEND("sudo modprobe -r profil && sudo modprobe profil");
	add("/sys/class/misc/profil/dev", "10:121\n");
	WRONG(device);
	TEXT("/dev/profil is missing");
	MEND("sudo mknod -m 666 /dev/profil c 10 121");
	add("/run/.containerenv", "");
	WRONG(device);
	TEXT("/dev/profil is missing");
	MEND("docker (or podman) run --device /dev/profil ...");
	return true;
}

static bool device_is_refused(void)
{
	begin();
	add("/sys/module/profil/version", "0.1\n");
	answer_error = EACCES;
	WRONG(device);
	TEXT("this user may not open /dev/profil");
	MEND("sudo chmod 666 /dev/profil");
	answer_error = ENOTTY;
	WRONG(device);
	TEXT("/dev/profil is not the device of profil");
	MEND("sudo rm /dev/profil; sudo modprobe -r profil && sudo modprobe profil");
	answer_error = EIO;
	WRONG(device);
	TEXT("cannot open /dev/profil: Input/output error");
	MEND("");
	return true;
}

/* Without a driver's answers, a file is asked. */
static bool file_is_not_the_device(void)
{
	struct profil_version version;

	begin();
	CHECK_EQUAL(-ENOENT, profil_machine_ask(&machine, &version));
	add("/dev/profil", "text");
	CHECK_EQUAL(-ENOTTY, profil_machine_ask(&machine, &version));
	return true;
}

static bool clock_has_fine_rates(void)
{
	begin();
	GOOD(clock);
	TEXT("tick by ftrace, 1 to 10000 samples a second");
	MEND("");
	add("/proc/sys/kernel/ftrace_enabled", "1\n");
	GOOD(clock);
	TEXT("tick by ftrace, 1 to 10000 samples a second");
	MEND("");
	answer.clock = PROFIL_CLOCK_KPROBE;
	GOOD(clock);
	TEXT("tick by kprobe, 1 to 10000 samples a second");
	MEND("");
	return true;
}

static bool clock_has_the_tick_only(void)
{
	begin();
	answer.min_period_ns = answer.tick_ns;
	GOOD(clock);
	TEXT("tick by ftrace, 1 to 250 samples a second: no timers for higher rates");
	MEND("");
	add(PARAMETERS "/restrict_fastprof", "Y\n");
	GOOD(clock);
	TEXT("tick by ftrace, 1 to 250 samples a second: higher rates are switched off");
	MEND("echo 0 | sudo tee " PARAMETERS "/restrict_fastprof");
	return true;
}

static bool clock_cannot_be_hooked(void)
{
	begin();
	add("/proc/sys/kernel/ftrace_enabled", "0\n");
	WRONG(clock);
	TEXT("kernel.ftrace_enabled is 0, so the tick cannot be hooked");
	MEND("sudo sysctl kernel.ftrace_enabled=1");
	answer.clock = PROFIL_CLOCK_TIMER;
	add(PARAMETERS "/clock", "auto\n");
	GOOD(clock);
	TEXT("timer, 1 to 10000 samples a second");
	MEND("sudo dmesg | grep profil: has the reason why no tick is hooked");
	add(PARAMETERS "/clock", "timer\n");
	GOOD(clock);
	TEXT("timer, 1 to 10000 samples a second");
	MEND("");
	answer_error = ENOENT;
	GOOD(clock);
	TEXT("unknown: the device does not answer");
	MEND("");
	return true;
}

static bool memory_can_be_locked(void)
{
	begin();
	GOOD(memlock);
	TEXT("8192 KiB: enough for 512 pages of hot code");
	MEND("");
	machine.memlock.rlim_cur = RLIM_INFINITY;
	GOOD(memlock);
	TEXT("no limit for this user");
	MEND("");
	machine.memlock.rlim_cur = 64 * 1024;
	WRONG(memlock);
	TEXT("64 KiB: enough for 4 pages of hot code only");
	MEND("ulimit -l 8192");
	machine.memlock.rlim_max = 64 * 1024;
	WRONG(memlock);
	TEXT("64 KiB: enough for 4 pages of hot code only");
	MEND("echo '* - memlock 8192' | sudo tee /etc/security/limits.d/profil.conf; log in again");
	add("/proc/self/status", "Name:\tx\nCapEff:\t0000000000004000\n");
	GOOD(memlock);
	TEXT("no limit for this user");
	MEND("");
	add("/proc/self/status", "Name:\tx\nCapEff:\t0000000000008000\n");
	profil_check_memlock(&machine, &finding);
	CHECK(finding.is_wrong);
	return true;
}

static bool library_is_found(void)
{
	char text[2 * PATH_MAX];

	begin();
	machine.library = library;
	snprintf(text, sizeof(text), "%s, version 0.1, for glibc programs",
		 library);
	GOOD(library);
	TEXT(text);
	MEND("");
	machine.version = "0.2";
	snprintf(text, sizeof(text),
		 "%s has version 0.1 and cannot be used by version 0.2",
		 library);
	WRONG(library);
	TEXT(text);
	MEND("make && sudo make install-tools");
	return true;
}

static bool library_is_not_found(void)
{
	char path[PATH_MAX], text[2 * PATH_MAX];

	begin();
	WRONG(library);
	TEXT("libprofil.so.1 is not in /usr/local/lib");
	MEND("make && sudo make install-tools");
	machine.library_wanted = "/nowhere/libprofil.so.1";
	WRONG(library);
	TEXT("PROFIL_LIB=/nowhere/libprofil.so.1 cannot be read");
	MEND("unset PROFIL_LIB");
	add("/libprofil.so.1", "\177ELF no more");
	snprintf(path, sizeof(path), "%s/libprofil.so.1", root);
	machine.library = path;
	snprintf(text, sizeof(text), "%s is not a library of profil 0.1", path);
	WRONG(library);
	TEXT(text);
	MEND("make && sudo make install-tools");
	return true;
}

static bool library_can_be_preloaded(void)
{
	char path[PATH_MAX], text[2 * PATH_MAX];

	begin();
	GOOD(preload);
	TEXT("unknown: there is no library");
	MEND("");
	add("/lib/libprofil.so.1", "");
	snprintf(path, sizeof(path), "%s/lib/libprofil.so.1", root);
	machine.library = path;
	GOOD(preload);
	TEXT("64-bit glibc programs; 32-bit programs print an error of the dynamic linker");
	MEND("");
	add("/lib/profil/i686/libprofil.so.1", "");
	GOOD(preload);
	TEXT("64-bit glibc programs; 32-bit programs start unprofiled");
	MEND("");
	add("/my lib/libprofil.so.1", "");
	snprintf(path, sizeof(path), "%s/my lib/libprofil.so.1", root);
	snprintf(text, sizeof(text),
		 "the path of %s has a space, a colon or a dollar sign", path);
	WRONG(preload);
	TEXT(text);
	snprintf(text, sizeof(text),
		 "cp '%s' ~ && export PROFIL_LIB=~/libprofil.so.1", path);
	MEND(text);
	return true;
}

static bool remarks_are_no_failures(void)
{
	begin();
	GOOD(symbols);
	TEXT("from files only: DEBUGINFOD_URLS is not set");
	MEND("");
	machine.servers = "https://debuginfod.example";
	GOOD(symbols);
	TEXT("from files only: libdebuginfod is not installed");
	MEND("sudo apt install libdebuginfod1");
	machine.has_debuginfod = true;
	GOOD(symbols);
	TEXT("from files, and from debuginfod at https://debuginfod.example");
	MEND("");
	GOOD(perf);
	TEXT("not needed, and this kernel has none");
	MEND("");
	add("/proc/sys/kernel/perf_event_paranoid", "3\n");
	GOOD(perf);
	TEXT("not needed: kernel.perf_event_paranoid is 3, which restricts perf but not profil");
	MEND("");
	add("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	GOOD(perf);
	TEXT("not needed: kernel.perf_event_paranoid is -1");
	MEND("");
	return true;
}

static const struct tap_test tests[] = {
	{ "the module is loaded", module_is_loaded },
	{ "the module is installed", module_is_installed },
	{ "modprobe is configured", modprobe_is_configured },
	{ "the module needs a signature", module_needs_a_signature },
	{ "the module is for another kernel", module_is_for_another_kernel },
	{ "the module is not installed", module_is_not_installed },
	{ "the kernel is too old", kernel_is_too_old },
	{ "a container has the host's kernel", container_has_the_hosts_kernel },
	{ "the device is open", device_is_open },
	{ "the device is missing", device_is_missing },
	{ "the device is refused", device_is_refused },
	{ "a file is not the device", file_is_not_the_device },
	{ "the clock has fine rates", clock_has_fine_rates },
	{ "the clock has the tick only", clock_has_the_tick_only },
	{ "the clock cannot be hooked", clock_cannot_be_hooked },
	{ "memory can be locked", memory_can_be_locked },
	{ "the library is found", library_is_found },
	{ "the library is not found", library_is_not_found },
	{ "the library can be preloaded", library_can_be_preloaded },
	{ "remarks are no failures", remarks_are_no_failures },
};

int main(int argc, char **argv)
{
	int status;

	(void)argc;
	snprintf(library, sizeof(library), "%s/libprofil.so.1",
		 dirname(argv[0]));
	status = tap_run(tests, sizeof(tests) / sizeof(*tests));
	remove_root();
	return status;
}
