// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation, and each copy from or to the program, that can fail is made
 * to, one after the other: the call says so, nothing is left behind, and the
 * next call works. Needs a kernel with fault injection.
 */
#include "harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define MODULE "/profil.ko"
#define LARGE 0x400000UL /* not pinned as a whole at START */
#define MOST_FAULTS 500

/* Seconds: to load and unload, with all that is hooked by that, some 50 times. */
#define LOADING_TIMEOUT 900

/* In LARGE bytes of counters each site has many pages of its own. */
#define SITE_ROOM (LARGE / NR_SITES)
#define LARGE_SCALE (SITE_ROOM * (0x10000 / SITE_BYTES))

/* The three ways to fail that there are; each has a folder, if it is there. */
static const char *const folders[] = { "failslab", "fail_page_alloc",
				       "fail_usercopy" };

static int write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t put;

	if (fd < 0)
		return -errno;
	put = write(fd, text, strlen(text));
	close(fd);
	return put == (ssize_t)strlen(text) ? 0 : -EIO;
}

/* True if any of the folders has such a setting. */
static bool set_all(const char *name, const char *value)
{
	char path[128];
	bool any = false;
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(folders); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s",
			 folders[i], name);
		if (!write_to(path, value))
			any = true;
	}
	return any;
}

static void allow_every_fault(void)
{
	set_all("verbose", "0");
	set_all("probability", "0");
	set_all("ignore-gfp-wait", "N");
	set_all("ignore-gfp-highmem", "N");
	set_all("cache-filter", "N");
	set_all("min-order", "0");
}

/* Only below code from @start up to @end; false where that cannot be told. */
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

static unsigned long number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long number = 0;
	char text[64];

	if (file) {
		if (fgets(text, sizeof(text), file))
			number = strtoul(text, NULL, 0);
		fclose(file);
	}
	return number;
}

static bool focus_on_module(void)
{
	unsigned long text = number_in("/sys/module/profil/sections/.text");
	unsigned long size = number_in("/sys/module/profil/coresize");

	return text && focus(text, text + size);
}

/* The address of a function of the kernel, and that of what comes behind. */
static bool focus_on_function(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long address, start = 0, end = -1UL;
	char symbol[128];

	if (!file)
		return false;
	while (fscanf(file, "%lx %*c %127s%*[^\n]", &address, symbol) == 2)
		if (!strcmp(symbol, name))
			start = address;
	rewind(file);
	while (start &&
	       fscanf(file, "%lx %*c %127s%*[^\n]", &address, symbol) == 2)
		if (address > start && address < end)
			end = address;
	fclose(file);
	return start && focus(start, end);
}

static void focus_on_nothing(void)
{
	focus(0, -1UL);
}

/*
 * The n-th: this thread's fail-nth says how many are still to come. Reading and
 * writing it copies as well, and so may be what fails.
 */
static int fail_nth_fd = -1;

static bool fault_came(void)
{
	char text[16] = "";

	if (pread(fail_nth_fd, text, sizeof(text) - 1, 0) < 0)
		return false;
	return strtoul(text, NULL, 10) == 0;
}

static void set_fault(unsigned int nr)
{
	char text[16];
	int tries = 10;

	snprintf(text, sizeof(text), "%u", nr);
	while (pwrite(fail_nth_fd, text, strlen(text), 0) < 0 && --tries)
		;
}

/* Make the call with the n-th fault; say its result, and if the fault came. */
static bool with_fault(unsigned int nr, int (*make_call)(void *argument),
		       void *argument, int *result)
{
	bool came;

	set_fault(nr);
	*result = make_call(argument);
	came = fault_came();
	set_fault(0);
	return came;
}

static bool excusable(int result)
{
	return result == 0 || result == -ENOMEM || result == -EFAULT;
}

/*
 * What may be left behind
 */
static unsigned long vm_event(const char *name)
{
	FILE *file = fopen("/proc/vmstat", "r");
	unsigned long value = 0, number;
	char key[64];

	while (file && fscanf(file, "%63s %lu", key, &number) == 2)
		if (!strcmp(key, name))
			value = number;
	if (file)
		fclose(file);
	return value;
}

/* What had ended may take a moment to let go of its pages and the module. */
static bool nothing_left(long references)
{
	__u64 until = wall_ns() + PATIENCE_NS;

	while (vm_event("nr_foll_pin_acquired") !=
		       vm_event("nr_foll_pin_released") ||
	       (long)number_in("/sys/module/profil/refcnt") != references) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

static struct profil_stats stats_now(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	if (stats(fd, &seen))
		memset(&seen, 0, sizeof(seen));
	return seen;
}

/*
 * The fixture
 */
FIXTURE(faults)
{
	int fd;
	char *counters; /* LARGE bytes */
	struct profil_totals *totals;
};

FIXTURE_SETUP(faults)
{
	fail_nth_fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	if (fail_nth_fd < 0 || geteuid())
		SKIP(return, "no fault injection here, or not root");
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(LARGE);
	ASSERT_NE(NULL, self->counters);
	self->totals = new_shared(page_size());
	ASSERT_NE(NULL, self->totals);
	allow_every_fault();
	focus_on_module();
}

FIXTURE_TEARDOWN(faults)
{
	set_fault(0);
	focus_on_nothing();
	close(self->fd);
	close(fail_nth_fd);
}

/* A START to be tried; the pages of its counters are not there yet. */
struct beginning {
	int fd;
	char *counters;
	size_t size;
	__u64 period_ns;
	struct profil_totals *totals;
};

static int begin(void *argument)
{
	const struct beginning *beginning = argument;
	size_t size = beginning->size;
	struct profil_region region =
		region_of(beginning->counters, size, profil_sites, LARGE_SCALE);
	struct profil_start args =
		start_of(&region, 1, 4, beginning->period_ns);

	args.totals = (uintptr_t)beginning->totals;
	return start(beginning->fd, &args);
}

static void check_start(struct __test_metadata *_metadata,
			struct beginning *beginning)
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		madvise(beginning->counters, LARGE, MADV_DONTNEED);
		came = with_fault(nr, begin, beginning, &result);
		ASSERT_TRUE(excusable(result))
		{
			TH_LOG("fault %u: %d", nr, result);
		}
		ASSERT_EQ(result ? 0 : PROFIL_STATS_SESSION,
			  stats_now(beginning->fd).flags);
		if (!result)
			ASSERT_OK(stop(beginning->fd, NULL));
		failed += result != 0;
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	EXPECT_LT(2, failed);
	TH_LOG("%u failed of %u", failed, nr - 1);
	EXPECT_TRUE(nothing_left(1));
}

TEST_F(faults, start_that_fails_starts_nothing)
{
	struct beginning beginning = { .fd = self->fd,
				       .counters = self->counters };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		beginning.size = i & 1 ? LARGE : page_size();
		beginning.period_ns = i & 2 ? FAST_NS : 0;
		check_start(_metadata, &beginning);
	}
	beginning.totals = self->totals;
	check_start(_metadata, &beginning);
	EXPECT_EQ(self->totals->sessions, self->totals->ended);
}

TEST_F(faults, start_that_fails_leaves_the_running_session)
{
	struct beginning beginning = { .fd = self->fd,
				       .size = LARGE,
				       .counters = self->counters,
				       .period_ns = NSEC_PER_MSEC };
	void *witness = new_pages(page_size());
	unsigned int nr, failed = 0;
	bool came = true;

	ASSERT_NE(NULL, witness);
	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		int result;

		madvise(self->counters, LARGE, MADV_DONTNEED);
		ASSERT_OK(start_sites(self->fd, witness, 4, FAST_NS));
		came = with_fault(nr, begin, &beginning, &result);
		ASSERT_TRUE(excusable(result));
		ASSERT_EQ(result ? FAST_NS : NSEC_PER_MSEC,
			  stats_now(self->fd).period_ns);
		if (result)
			ASSERT_TRUE(spin_till(1, witness, 4, ++failed));
	}
	EXPECT_FALSE(came);
	EXPECT_LT(2, failed);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(nothing_left(1));
}

/*
 * STATS and STOP
 */
static int ask(void *fd)
{
	__u32 states[1];
	struct profil_stats seen = stats_blank(states, 1);

	return stats(*(int *)fd, &seen);
}

TEST_F(faults, stats_that_fails_changes_nothing)
{
	unsigned int nr;
	bool came = true;
	int result;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		came = with_fault(nr, ask, &self->fd, &result);
		ASSERT_TRUE(excusable(result));
		ASSERT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(nothing_left(1));
}

static int end(void *fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return stop(*(int *)fd, &seen);
}

/* It may have failed before the end of the session or after: never between. */
TEST_F(faults, stop_that_fails_has_stopped_or_not)
{
	struct beginning beginning = { .fd = self->fd,
				       .size = LARGE,
				       .counters = self->counters,
				       .period_ns = FAST_NS,
				       .totals = self->totals };
	unsigned int nr;
	bool came = true;
	int result;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		ASSERT_OK(begin(&beginning));
		spin(1, 3 * FAST_NS);
		came = with_fault(nr, end, &self->fd, &result);
		ASSERT_TRUE(excusable(result));
		if (stats_now(self->fd).flags) {
			ASSERT_NE(0, result);
			ASSERT_OK(stop(self->fd, NULL));
		}
		ASSERT_EQ(nr, self->totals->ended);
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	EXPECT_TRUE(nothing_left(1));
}

/*
 * fork: a child that gets no session is told of
 */
static int fork_and_ask(void *fd)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -errno;
	if (!child)
		_exit(stats_now(*(int *)fd).flags == PROFIL_STATS_SESSION);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -ECHILD;
	return WEXITSTATUS(status);
}

TEST_F(faults, fork_that_profiles_no_child_says_so)
{
	__u64 missed = 0;
	unsigned int nr;
	bool came = true;
	int result;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		came = with_fault(nr, fork_and_ask, &self->fd, &result);
		if (result == -ENOMEM || result == -EAGAIN)
			continue;
		ASSERT_LE(0, result);
		missed += !result;
		ASSERT_EQ(missed, stats_now(self->fd).unprofiled_children);
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(1, result);
	TH_LOG("%u forks, %llu children missed", nr - 1, missed);
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(nothing_left(1));
}

/*
 * The driver's own work, which is another task's: every second allocation
 */
TEST_F(faults, samples_that_cannot_be_counted_are_lost_and_no_more)
{
	struct beginning beginning = { .fd = self->fd,
				       .size = LARGE,
				       .counters = self->counters,
				       .period_ns = FAST_NS };
	struct profil_stats seen = stats_blank(NULL, 0);
	const char *at;
	unsigned int nr;

	if (!focus_on_module())
		SKIP(return, "faults cannot be kept to the module here");
	ASSERT_OK(begin(&beginning));
	set_all("interval", "1");
	set_all("times", "-1");
	set_all("probability", "50");
	for (nr = 0; nr < NR_SITES; nr++)
		spin(nr, 4 * FAST_NS);
	/* a call may be refused, too */
	while (stats(self->fd, &seen))
		seen = stats_blank(NULL, 0);
	set_all("probability", "0");
	TH_LOG("%llu hits, %llu lost", seen.hits, seen.lost);
	EXPECT_TRUE(adds_up(&seen));
	at = self->counters + 5 * SITE_ROOM;
	EXPECT_TRUE(spin_till_at(5, at, 4, counter(at, 4, 0) + 3));
	seen = stats_blank(NULL, 0);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, LARGE / 4));
	EXPECT_TRUE(nothing_left(1));
}

/*
 * The module itself
 */
struct loading {
	int file;
	const char *parameters;
};

static int load(void *argument)
{
	const struct loading *loading = argument;

	return syscall(SYS_finit_module, loading->file, loading->parameters,
		       0) ?
		       -errno :
		       0;
}

static int unload(void)
{
	__u64 until = wall_ns() + PATIENCE_NS;

	while (syscall(SYS_delete_module, "profil", O_NONBLOCK)) {
		if (errno != EWOULDBLOCK || wall_ns() > until)
			return -errno;
		sleep_ns(NSEC_PER_MSEC);
	}
	return 0;
}

static bool is_loaded(void)
{
	return !access("/sys/module/profil/refcnt", F_OK);
}

/* Up to @most faults; how many of them kept the module out. */
static unsigned int load_with_faults(struct __test_metadata *_metadata,
				     struct loading *loading, unsigned int most)
{
	unsigned int nr, failed = 0;
	bool came = true;

	for (nr = 1; came && nr <= most; nr++) {
		int result;

		came = with_fault(nr, load, loading, &result);
		EXPECT_TRUE(excusable(result))
		{
			TH_LOG("fault %u: %d", nr, result);
		}
		failed += result != 0;
		ASSERT_EQ(!result, is_loaded());
		ASSERT_EQ(0, hooked_functions());
		EXPECT_EQ(result ? -1 : 0, access(PROFIL_DEVICE, F_OK));
		if (!result)
			ASSERT_OK(unload());
	}
	TH_LOG("%s: %u failed of %u", loading->parameters, failed, nr - 1);
	return failed;
}

/*
 * Only what the module does in its own beginning: what the kernel does before
 * that is not ours, and some of it cannot cope.
 */
TEST_F_TIMEOUT(faults, module_that_cannot_begin_is_not_there, LOADING_TIMEOUT)
{
	struct loading loading = { .file = open(MODULE, O_RDONLY | O_CLOEXEC) };

	close(self->fd);
	if (loading.file < 0 || !focus_on_function("do_one_initcall"))
		SKIP(return, "no way to load it and keep the faults to that");
	ASSERT_OK(unload());
	ASSERT_EQ(0, hooked_functions());
	loading.parameters = "clock=timer";
	EXPECT_LT(3, load_with_faults(_metadata, &loading, MOST_FAULTS));
	loading.parameters = "clock=ftrace";
	EXPECT_LT(0, load_with_faults(_metadata, &loading, MOST_FAULTS));
	loading.parameters = "";
	ASSERT_OK(load(&loading));
	self->fd = device_open();
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_till(1, self->counters, 4, 3));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(nothing_left(1));
}

/*
 * A first START hooks what it needs: each function or not, and nothing else.
 */
static void load_and_open(struct __test_metadata *_metadata, int *fd)
{
	struct loading loading = { .file = open(MODULE, O_RDONLY | O_CLOEXEC),
				   .parameters = "" };

	ASSERT_OK(unload());
	ASSERT_EQ(0, hooked_functions());
	ASSERT_OK(load(&loading));
	close(loading.file);
	*fd = device_open();
	ASSERT_LE(0, *fd);
	ASSERT_TRUE(focus_on_module());
}

static void check_first_start(struct __test_metadata *_metadata,
			      struct beginning *beginning)
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		close(beginning->fd);
		load_and_open(_metadata, &beginning->fd);
		came = with_fault(nr, begin, beginning, &result);
		ASSERT_TRUE(excusable(result));
		ASSERT_EQ(hooked_rightly(), hooked_functions())
		{
			TH_LOG("fault %u: %d", nr, result);
		}
		if (!result && !beginning->period_ns)
			ASSERT_LT(0, hooked_functions());
		if (!result)
			ASSERT_OK(stop(beginning->fd, NULL));
		failed += result != 0;
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	TH_LOG("%u failed of %u", failed, nr - 1);
}

TEST_F_TIMEOUT(faults, first_start_hooks_what_it_needs_or_nothing,
	       LOADING_TIMEOUT)
{
	struct beginning beginning = { .fd = self->fd,
				       .size = page_size(),
				       .counters = self->counters };

	if (access(MODULE, R_OK) || hooked_functions() < 0 ||
	    !focus_on_module())
		SKIP(return, "the module cannot be loaded again here");
	check_first_start(_metadata, &beginning);
	beginning.period_ns = FAST_NS;
	check_first_start(_metadata, &beginning);
	self->fd = beginning.fd;
	EXPECT_TRUE(nothing_left(1));
}

TEST_HARNESS_MAIN
