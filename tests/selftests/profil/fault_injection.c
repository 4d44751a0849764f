// SPDX-License-Identifier: GPL-2.0-only
#include "fault_injection.h"

#include <dirent.h>

#include "common.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define SLABS "/sys/kernel/slab"

/* The debugfs folders of the three kinds of fault. A kernel may lack some. */
static const char *const folders[FAULT_KINDS] = {
	[FAULT_OBJECT] = "failslab",
	[FAULT_PAGES] = "fail_page_alloc",
	[FAULT_COPY] = "fail_usercopy",
};

static void path_of(char path[128], enum fault_kind kind, const char *name)
{
	snprintf(path, 128, "/sys/kernel/debug/%s/%s", folders[kind], name);
}

static bool set(enum fault_kind kind, const char *name, const char *value)
{
	char path[128];

	path_of(path, kind, name);
	return !write_text(path, value);
}

/* Write a setting of every kind of fault. False if no kind has the setting. */
static bool set_all(const char *name, const char *value)
{
	enum fault_kind kind;
	bool any = false;

	for (kind = 0; kind < FAULT_KINDS; kind++)
		any |= set(kind, name, value);
	return any;
}

void fail_in_percent(const char *percent)
{
	set_all("interval", "1");
	set_all("times", "-1");
	set_all("probability", percent);
}

/*
 * Mark all slab caches for failslab but those of kmemleak. Without memory for an area to
 * scan, as of vmalloc(), kmemleak prints under a lock that the console needs in turn,
 * and lockdep reports that. False if there is no kmemleak, or a cache refuses.
 */
static bool spare_kmemleak(void)
{
	struct dirent *entry;
	char path[320];
	DIR *slabs = access(SLABS "/kmemleak_object", F_OK) ? NULL :
							      opendir(SLABS);
	bool marked = slabs;

	while (marked && (entry = readdir(slabs))) {
		if (*entry->d_name == '.' ||
		    !strncmp(entry->d_name, "kmemleak", strlen("kmemleak")))
			continue;
		snprintf(path, sizeof(path), SLABS "/%s/failslab",
			 entry->d_name);
		marked = !write_text(path, "1");
	}
	if (slabs)
		closedir(slabs);
	return marked;
}

void allow_every_fault(void)
{
	set_all("verbose", "0");
	set_all("probability", "0");
	set_all("ignore-gfp-wait", "N");
	set_all("ignore-gfp-highmem", "N");
	set(FAULT_OBJECT, "cache-filter", spare_kmemleak() ? "Y" : "N");
	set_all("min-order", "0");
}

/* Restrict faults to code called from [@start, @end). */
static bool focus(unsigned long start, unsigned long end)
{
	char text[32];

	snprintf(text, sizeof(text), "%#lx", start);
	if (!set_all("require-start", text))
		return false;
	snprintf(text, sizeof(text), "%#lx", end);
	set_all("stacktrace-depth", "32");
	return set_all("require-end", text);
}

static unsigned long module_text(void)
{
	return number_in("/sys/module/profil/sections/.text");
}

static unsigned long module_size(void)
{
	return number_in("/sys/module/profil/coresize");
}

bool focus_on_module(void)
{
	unsigned long text = module_text();

	return text && focus(text, text + module_size());
}

/* The range of a function is its address and the next higher symbol's. */
static bool find_function(const char *name, unsigned long *start,
			  unsigned long *end)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long address;
	char symbol[128];

	*start = 0;
	*end = -1UL;
	if (!file)
		return false;
	while (fscanf(file, "%lx %*c %127s%*[^\n]", &address, symbol) == 2)
		if (!strcmp(symbol, name))
			*start = address;
	rewind(file);
	while (*start &&
	       fscanf(file, "%lx %*c %127s%*[^\n]", &address, symbol) == 2)
		if (address > *start && address < *end)
			*end = address;
	fclose(file);
	return *start;
}

/*
 * The last function that was found in the module, from the beginning of its code:
 * loading the module anew moves both. A kernel with checkers prints its symbols in
 * seconds.
 */
static struct {
	char name[128];
	unsigned long start, end;
} found;

bool focus_on_function(const char *name)
{
	unsigned long text = module_text(), start, end;

	if (text && !strcmp(found.name, name))
		return focus(text + found.start, text + found.end);
	if (!find_function(name, &start, &end))
		return false;
	if (text && start - text < module_size()) {
		snprintf(found.name, sizeof(found.name), "%s", name);
		found.start = start - text;
		found.end = end - text;
	}
	return focus(start, end);
}

void focus_on_nothing(void)
{
	focus(0, -1UL);
}

/*
 * fail-nth of this thread holds the number of allocations and copies up to the
 * fault. Accesses of fail-nth copy, too, and can be hit by the fault.
 */
static int fail_nth_fd = -1;

bool faults_open(void)
{
	fail_nth_fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	return fail_nth_fd >= 0;
}

void faults_close(void)
{
	set_fault(0);
	set_all("probability", "0");
	focus_on_nothing();
	close(fail_nth_fd);
}

static bool fault_came(void)
{
	char text[16] = "";

	if (pread(fail_nth_fd, text, sizeof(text) - 1, 0) < 0)
		return false;
	return strtoul(text, NULL, 10) == 0;
}

void set_fault(unsigned int nr)
{
	char text[16];
	int tries = 10;

	snprintf(text, sizeof(text), "%u", nr);
	while (pwrite(fail_nth_fd, text, strlen(text), 0) < 0 && --tries)
		;
}

bool call_with_fault(unsigned int nr, int (*make_call)(void *argument),
		     void *argument, int *result)
{
	bool came;

	set_fault(nr);
	*result = make_call(argument);
	came = fault_came();
	set_fault(0);
	return came;
}

bool may_result_from_fault(int result)
{
	return result == 0 || result == -ENOMEM || result == -EFAULT;
}

/*
 * With times=1 the kernel counts space down by each allocation, up to the one that
 * would leave nothing of it. That allocation fails, and space remains as it is.
 */
static bool allow(enum fault_kind kind, unsigned long amount, const char *times)
{
	char text[24];

	snprintf(text, sizeof(text), "%lu", amount);
	return set(kind, "interval", "1") && set(kind, "times", times) &&
	       set(kind, "space", text) && set(kind, "probability", "100");
}

bool allow_amount(enum fault_kind kind, unsigned long amount)
{
	return allow(kind, amount, "1");
}

bool fail_after_amount(enum fault_kind kind, unsigned long amount)
{
	return allow(kind, amount, "-1");
}

bool amount_was_used(enum fault_kind kind, unsigned long *left)
{
	char path[128];
	bool came;

	set(kind, "probability", "0");
	path_of(path, kind, "times");
	came = !number_in(path);
	path_of(path, kind, "space");
	*left = number_in(path);
	set(kind, "space", "0");
	return came;
}
