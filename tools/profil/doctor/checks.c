// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table of the checks
 *
 * The result of a check is its first row whose facts hold. A word in braces stands for
 * the text of the fact, or of the first row that holds of the part with this name.
 */
#include "doctor/checks.h"

#define PARAMETERS "/sys/module/profil/parameters"
#define NEXT_BUILD "KDIR=/lib/modules/{next}/build"
#define RELOAD "sudo modprobe -r profil && sudo modprobe profil"
#define PERF_RESTRICTED \
	"kernel.perf_event_paranoid is {paranoid}, which restricts perf, and not profil"
#define CONTAINER \
	"docker (or podman) run --device /dev/profil ..., or systemd-nspawn --bind=/dev/profil ..."
#define DELETE_RULE(word, file) \
	"sudo sed -Ei '/^[ \t]*" word "[ \t]+profil([ \t]|$)/d' " file " && "
#define ENROLL "sudo mokutil --import /var/lib/dkms/mok.pub; then reboot"

/**
 * struct check_row - a state that a check may find
 * @name: the check, or a part of a text
 * @facts: facts that hold in the state, with commas between; those behind a ! do not
 * @text: the state
 * @mend: command that mends or changes the state; NULL for none
 * @is_wrong: profil does not work, or not wholly
 */
struct check_row {
	const char *name;
	const char *facts;
	const char *text;
	const char *mend;
	bool is_wrong;
};

#define WRONG true

static const struct check_row rows[] = {
	{ "module", "loaded,same_module", "loaded, version {loaded}" },
	{ "module", "loaded",
	  "version {loaded} is loaded, and the command is {version}", RELOAD,
	  WRONG },
	{ "module", "container",
	  "not loaded: the kernel belongs to the host of this container",
	  "profil doctor, on the host", WRONG },
	{ "module", "old_kernel",
	  "missing: this kernel is {release}, and the module needs Linux 6.1 or later",
	  NULL, WRONG },
	{ "module", "installed,signed_only,!signed",
	  "not loaded: this kernel takes signed modules only, and {installed} has no signature",
	  "sudo make install-dkms && " ENROLL, WRONG },
	{ "module", "installed,signed_only",
	  "not loaded: this kernel takes {installed} only if the key of its signature is enrolled",
	  "sudo modprobe profil || " ENROLL, WRONG },
	{ "module", "installed,replaced",
	  "not loaded: modprobe executes a command of {replaced} in place of loading it",
	  DELETE_RULE("install", "{replaced}") "{load}", WRONG },
	{ "module", "installed,blacklisted",
	  "not loaded: {blacklisted} keeps the module from being loaded at boot",
	  DELETE_RULE("blacklist", "{blacklisted}") "{load}", WRONG },
	{ "module", "installed", "not loaded: {installed} is installed",
	  "{load}", WRONG },
	{ "module", "other_kernel",
	  "missing: this kernel is {release}, profil.ko is installed for {other_kernel}",
	  "{headers}{install}sudo modprobe profil", WRONG },
	{ "module", "", "missing: profil.ko is not installed for {release}",
	  "{headers}{install}sudo modprobe profil", WRONG },

	{ "load", "listed", "sudo modprobe profil" },
	{ "load", "", "sudo depmod -a && sudo modprobe profil" },
	{ "headers", "has_headers", "" },
	{ "headers", "packaged_kernel",
	  "sudo apt install linux-headers-{release} && " },
	{ "headers", "dnf", "sudo dnf install kernel-devel-{release} && " },
	{ "headers", "pacman", "sudo pacman -S linux-headers && " },
	{ "headers", "", "install the headers of Linux {release}; " },
	{ "install", "dkms", "sudo dkms autoinstall && " },
	{ "install", "packaged", "sudo apt install profil-dkms && " },
	{ "install", "", "make && sudo make install && " },

	{ "next boot", "container", "the kernels are those of the host" },
	{ "next boot", "!next",
	  "unknown: no kernel is in /boot or /lib/modules" },
	{ "next boot", "next_installed",
	  "{next} is the latest kernel, and has the module" },
	{ "next boot", "next_runs,!loaded",
	  "{next}, this kernel, is the latest one" },
	{ "next boot", "next_runs",
	  "{next} is the latest kernel, and its module is loaded, but not installed",
	  "{headers}{install}sudo modprobe profil", WRONG },
	{ "next boot", "!loaded,!installed", "the module is not installed" },
	{ "next boot", "", "{next} is the latest kernel, and has no module",
	  "{next_headers}{next_install}", WRONG },

	{ "next_headers", "next_has_headers", "" },
	{ "next_headers", "next_packaged",
	  "sudo apt install linux-headers-{next} && " },
	{ "next_headers", "dnf", "sudo dnf install kernel-devel-{next} && " },
	{ "next_headers", "pacman", "sudo pacman -S linux-headers && " },
	{ "next_headers", "", "install the headers of Linux {next}; " },
	{ "next_install", "dkms", "sudo dkms autoinstall -k {next}" },
	{ "next_install", "packaged", "sudo apt install profil-dkms" },
	{ "next_install", "",
	  "make " NEXT_BUILD " && sudo make " NEXT_BUILD " install" },

	{ "device", "device_error,!loaded", "none: the module is not loaded" },
	{ "device", "device_missing,container", "/dev/profil is missing",
	  CONTAINER, WRONG },
	{ "device", "device_missing,numbers", "/dev/profil is missing",
	  "sudo mknod -m 666 /dev/profil c {numbers}", WRONG },
	{ "device", "device_missing", "/dev/profil is missing", RELOAD, WRONG },
	{ "device", "device_forbidden,container",
	  "this user may not open /dev/profil", CONTAINER, WRONG },
	{ "device", "device_refused", "this user may not open /dev/profil",
	  "sudo chmod 666 /dev/profil", WRONG },
	{ "device", "device_foreign", "/dev/profil is not the device of profil",
	  "sudo rm /dev/profil; " RELOAD, WRONG },
	{ "device", "device_error", "cannot open /dev/profil: {device_error}",
	  NULL, WRONG },
	{ "device", "other_abi",
	  "the driver has version {other_abi} of its interface, the command {abi}",
	  RELOAD, WRONG },
	{ "device", "", "/dev/profil, open to this user" },

	{ "clock", "!clock", "unknown: the device does not answer" },
	{ "clock", "ftrace_off",
	  "kernel.ftrace_enabled is 0, so the tick cannot be hooked",
	  "sudo sysctl kernel.ftrace_enabled=1", WRONG },
	{ "clock", "coarse,restricted",
	  "{clock}, 1 to {rate} samples a second: higher rates are switched off",
	  "echo 0 | sudo tee " PARAMETERS "/restrict_fastprof" },
	{ "clock", "coarse",
	  "{clock}, 1 to {rate} samples a second: no timers for higher rates",
	  "{unhooked}" },
	{ "clock", "", "{clock}, 1 to {rate} samples a second", "{unhooked}" },
	{ "unhooked", "unhooked_timer",
	  "sudo dmesg | grep profil: has the reason why no tick is hooked" },
	{ "unhooked", "", "" },

	{ "callers", "!clock", "unknown: the device does not answer" },
	{ "callers", "flat",
	  "not recorded: this driver has none for this processor" },
	{ "callers", "refused", "cannot be recorded: {refused}", NULL, WRONG },
	{ "callers", "!sampled",
	  "unknown: no sample in two seconds of a test" },
	{ "callers", "whole",
	  "{reached} of {sampled} samples of a test have all" },
	{ "callers", "tableless",
	  "{reached} of {sampled} samples of a test have all: no unwind table of {tableless} was loaded",
	  NULL, WRONG },
	{ "callers", "", "{reached} of {sampled} samples of a test have all",
	  NULL, WRONG },

	{ "kernel", "!clock", "unknown: the device does not answer" },
	{ "kernel", "refused,!flat", "unknown: {refused}" },
	{ "kernel", "kernel_pcs", "its functions are recorded for this user" },
	{ "kernel", "",
	  "its functions are not recorded: that needs CAP_PERFMON, and a kernel without lockdown" },

	{ "generated", "java",
	  "java, process {java}, runs without -XX:+PreserveFramePointer: callers may be missing or wrong",
	  "export JAVA_TOOL_OPTIONS=-XX:+PreserveFramePointer; start it again" },
	{ "generated", "node",
	  "node, process {node}, runs without --perf-basic-prof: its compiled code has no names",
	  "export NODE_OPTIONS=--perf-basic-prof; start it again" },
	{ "generated", "",
	  "no java that may be read lacks -XX:+PreserveFramePointer, no node --perf-basic-prof" },

	{ "memlock", "no_limit", "no limit for this user" },
	{ "memlock", "low_limit,may_raise",
	  "{kib} KiB: enough for {pages} pages of hot code only",
	  "ulimit -l 8192", WRONG },
	{ "memlock", "low_limit",
	  "{kib} KiB: enough for {pages} pages of hot code only",
	  "echo '* - memlock 8192' | sudo tee /etc/security/limits.d/profil.conf; log in again",
	  WRONG },
	{ "memlock", "", "{kib} KiB: enough for {pages} pages of hot code" },

	{ "sessions", "!sessions",
	  "unknown: " PARAMETERS "/max_sessions is missing" },
	{ "sessions", "few_sessions",
	  "{sessions} processes of a user at a time: more are not profiled",
	  "echo 4096 | sudo tee " PARAMETERS "/max_sessions", WRONG },
	{ "sessions", "", "{sessions} processes of a user at a time" },

	{ "library", "!library", "libprofil.so.1 is not in {directory}",
	  "make && sudo make install-tools", WRONG },
	{ "library", "", "{library}" },

	{ "service", "!unit", "none: systemctl does not answer" },
	{ "service", "unit_left_out", "none: profil.service is {unit}" },
	{ "service", "!unit_loaded", "profil.service is {unit}",
	  "systemctl status profil: has the reason", WRONG },
	{ "service", "recording,enabled",
	  "profil.service records the machine" },
	{ "service", "recording",
	  "profil.service records the machine, but not after the next boot",
	  "sudo systemctl enable profil" },
	{ "service", "retrying,!loaded",
	  "profil.service waits for the module" },
	{ "service", "failure",
	  "profil.service does not record: {failure}, status {status}",
	  "sudo journalctl -b -u profil: has the reason; then sudo systemctl restart profil",
	  WRONG },
	{ "service", "stopped,enabled",
	  "profil.service is enabled, but stopped",
	  "sudo systemctl start profil" },
	{ "service", "stopped", "profil.service is not enabled" },
	{ "service", "", "profil.service is {state}" },

	{ "symbols", "!servers,server",
	  "from files only: DEBUGINFOD_URLS is not set",
	  "export DEBUGINFOD_URLS={server}" },
	{ "symbols", "!servers",
	  "from files only: DEBUGINFOD_URLS is not set" },
	{ "symbols", "debuginfod",
	  "from files, and from debuginfod at {servers}" },
	{ "symbols", "", "from files only: libdebuginfod is not installed",
	  "sudo apt install libdebuginfod1" },

	{ "perf", "!paranoid", "this kernel has none, and profil needs none" },
	{ "perf", "perf_restricted", PERF_RESTRICTED },
	{ "perf", "",
	  "kernel.perf_event_paranoid is {paranoid}; profil does not need perf" },
	{ 0 },
};

const char *const profil_doctor_checks[] = {
	"module",  "next boot", "device",  "clock",    "callers",
	"kernel",  "generated", "memlock", "sessions", "library",
	"service", "symbols",	"perf",	   NULL,
};

static const struct fact *find_fact(const struct facts *facts, const char *name,
				    size_t length)
{
	for (size_t i = 0; i < facts->nr; i++)
		if (strlen(facts->array[i].name) == length &&
		    !memcmp(facts->array[i].name, name, length))
			return &facts->array[i];
	return NULL;
}

/* A word of a row that is no fact ends the program: the table is wrong. */
static bool holds(const struct facts *facts, const char *names)
{
	bool result = true;

	while (*names) {
		bool is_negated = *names == '!';
		size_t length = strcspn(names += is_negated, ",");
		const struct fact *fact = find_fact(facts, names, length);

		if (!fact)
			abort();
		result &= !fact->text == is_negated;
		names += length;
		names += *names == ',';
	}
	return result;
}

static const struct check_row *find_row(const struct facts *facts,
					const char *name, size_t length)
{
	const struct check_row *row = rows;

	while (strlen(row->name) != length || memcmp(row->name, name, length) ||
	       !holds(facts, row->facts))
		row++;
	return row;
}

static void expand(FILE *out, const struct facts *facts, const char *text)
{
	const char *brace;

	for (; (brace = strchr(text, '{')); text = strchr(brace, '}') + 1) {
		size_t length = strcspn(++brace, "}");
		const struct fact *fact = find_fact(facts, brace, length);

		fprintf(out, "%.*s", (int)(brace - 1 - text), text);
		if (fact)
			fputs(fact->text, out);
		else
			expand(out, facts,
			       find_row(facts, brace, length)->text);
	}
	fputs(text, out);
}

static char *expanded(const struct facts *facts, const char *text)
{
	char *copy;
	FILE *out = profil_memory_stream(&copy, NULL);

	expand(out, facts, text ? text : "");
	profil_memory_stream_end(out);
	return copy;
}

struct finding profil_doctor_check(const char *name, const struct facts *facts)
{
	const struct check_row *row = find_row(facts, name, strlen(name));

	return (struct finding){
		.is_wrong = row->is_wrong,
		.text = expanded(facts, row->text),
		.mend = expanded(facts, row->mend),
	};
}
