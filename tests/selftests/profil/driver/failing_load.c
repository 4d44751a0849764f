// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation is made to fail while the module is loaded, or hooks the
 * kernel for a first START. Afterwards the module is not loaded, or has no
 * other hooks than intended. Needs a kernel with fault injection.
 */
#include "faults.h"

#include <fcntl.h>
#include <sys/syscall.h>

/* Seconds, for some 50 times loading, hooking and unloading. */
#define LOADING_TIMEOUT 900

struct loading {
	int file;
	const char *parameters;
};

static int load_file(void *argument)
{
	const struct loading *loading = argument;

	return syscall(SYS_finit_module, loading->file, loading->parameters,
		       0) ?
		       -errno :
		       0;
}

static int unload_now(void)
{
	unsigned int refusals = 0;

	return unload_eventually(&refusals);
}

static bool is_loaded(void)
{
	return !access("/sys/module/profil/refcnt", F_OK);
}

/*
 * Load with each fault, up to a load without one. Return how many made it fail.
 */
static unsigned int load_with_faults(struct __test_metadata *_metadata,
				     struct loading *loading)
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result = -1;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		came = call_with_fault(nr, load_file, loading, &result);
		EXPECT_TRUE(may_result_from_fault(result))
		{
			TH_LOG("fault %u: %d", nr, result);
		}
		failed += result != 0;
		ASSERT_EQ(!result, is_loaded());
		ASSERT_EQ(0, hooked_functions());
		EXPECT_EQ(result ? -1 : 0, access(PROFIL_DEVICE, F_OK));
		if (!result)
			ASSERT_OK(unload_now());
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	TH_LOG("%s: %u failed of %u", loading->parameters, failed, nr - 1);
	return failed;
}

/*
 * Faults are restricted to the module's init function: some of the kernel's own
 * loading code does not survive faults.
 */
TEST_F_TIMEOUT(faults, failed_load_leaves_no_module, LOADING_TIMEOUT)
{
	struct loading loading = { .file = open(MODULE, O_RDONLY | O_CLOEXEC) };

	close(self->fd);
	if (loading.file < 0 || !focus_on_function("do_one_initcall"))
		SKIP(return, "needs the module's file and restricted faults");
	ASSERT_OK(unload_now());
	ASSERT_EQ(0, hooked_functions());
	loading.parameters = "clock=timer";
	EXPECT_LT(3, load_with_faults(_metadata, &loading));
	loading.parameters = "clock=ftrace";
	EXPECT_LT(0, load_with_faults(_metadata, &loading));
	loading.parameters = "";
	ASSERT_OK(load_file(&loading));
	self->fd = device_open();
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/*
 * An allocation of many pages has a second way, which fails here, too: all that
 * comes after some pages. The two tables are the first to be allocated.
 */
static int load_after_pages(struct __test_metadata *_metadata,
			    struct loading *loading, unsigned long pages)
{
	unsigned long left;
	int result;

	ASSERT_TRUE(fail_after_amount(FAULT_PAGES, pages));
	result = load_file(loading);
	amount_was_used(FAULT_PAGES, &left);
	EXPECT_TRUE(may_result_from_fault(result));
	EXPECT_EQ(!result, is_loaded());
	EXPECT_EQ(0, hooked_functions());
	return result;
}

TEST_F_TIMEOUT(faults, load_without_pages_leaves_no_module, LOADING_TIMEOUT)
{
	struct loading loading = { .file = open(MODULE, O_RDONLY | O_CLOEXEC),
				   .parameters = "" };
	unsigned long pages = 0;

	close(self->fd);
	if (loading.file < 0 || !focus_on_function("do_one_initcall"))
		SKIP(return, "needs the module's file and restricted faults");
	ASSERT_OK(unload_now());
	while (load_after_pages(_metadata, &loading, pages) && pages < 100)
		pages++;
	TH_LOG("%lu pages are enough", pages);
	EXPECT_LT(1, pages);
	EXPECT_TRUE(is_loaded());
	self->fd = device_open();
	EXPECT_LE(0, self->fd);
}

/*
 * A first START hooks intended functions or none.
 */
static void load_and_open(struct __test_metadata *_metadata, int *fd)
{
	struct loading loading = { .file = open(MODULE, O_RDONLY | O_CLOEXEC),
				   .parameters = "" };

	ASSERT_OK(unload_now());
	ASSERT_EQ(0, hooked_functions());
	ASSERT_OK(load_file(&loading));
	close(loading.file);
	*fd = device_open();
	ASSERT_LE(0, *fd);
	ASSERT_TRUE(focus_on_module());
}

static void check_first_start(struct __test_metadata *_metadata,
			      struct start_call *call_args)
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		close(call_args->fd);
		load_and_open(_metadata, &call_args->fd);
		came = call_with_fault(nr, begin, call_args, &result);
		ASSERT_TRUE(may_result_from_fault(result));
		ASSERT_EQ(hooked_as_intended(), hooked_functions())
		{
			TH_LOG("fault %u: %d", nr, result);
		}
		if (!result && !call_args->period_ns)
			ASSERT_LT(0, hooked_functions());
		if (!result)
			ASSERT_OK(stop(call_args->fd, NULL));
		failed += result != 0;
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	TH_LOG("%u failed of %u", failed, nr - 1);
}

TEST_F_TIMEOUT(faults, failed_first_start_hooks_no_other_function,
	       LOADING_TIMEOUT)
{
	struct start_call call_args = { .fd = self->fd,
					.size = page_size(),
					.counters = self->counters };

	if (access(MODULE, R_OK) || hooked_functions() < 0 ||
	    !focus_on_module())
		SKIP(return, "the module cannot be reloaded");
	check_first_start(_metadata, &call_args);
	call_args.period_ns = FAST_NS;
	check_first_start(_metadata, &call_args);
	self->fd = call_args.fd;
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/*
 * A worker hooks the kernel, which has no number of faults: it may allocate less and
 * less. The next START hooks what could not be hooked.
 */
static void start_with_amount(struct __test_metadata *_metadata,
			      struct start_call *call_args,
			      enum fault_kind kind, unsigned long *amount)
{
	unsigned long left;
	bool came;
	int result;

	close(call_args->fd);
	load_and_open(_metadata, &call_args->fd);
	ASSERT_TRUE(focus_on_function("attach_wanted"));
	ASSERT_TRUE(allow_amount(kind, *amount));
	result = begin(call_args);
	came = amount_was_used(kind, &left);
	EXPECT_TRUE(came ? may_result_from_fault(result) : !result);
	EXPECT_EQ(hooked_as_intended(), hooked_functions());
	EXPECT_OK(begin(call_args));
	EXPECT_LT(0, hooked_as_intended());
	ASSERT_OK(stop(call_args->fd, NULL));
	*amount -= left;
}

TEST_F_TIMEOUT(faults, worker_that_fails_to_hook_makes_start_fail,
	       LOADING_TIMEOUT)
{
	struct start_call call_args = { .fd = self->fd,
					.size = page_size(),
					.counters = self->counters };
	enum fault_kind kind;

	if (access(MODULE, R_OK) || hooked_functions() < 0 ||
	    !focus_on_function("attach_wanted"))
		SKIP(return, "the module cannot be reloaded");
	for (kind = FAULT_OBJECT; kind <= FAULT_PAGES; kind++) {
		unsigned long amount = 0x40000000UL;
		unsigned int starts = 0;

		do
			start_with_amount(_metadata, &call_args, kind, &amount);
		while (amount && ++starts < MOST_FAULTS);
		TH_LOG("%u faults", starts);
		EXPECT_EQ(0, amount);
	}
	self->fd = call_args.fd;
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
