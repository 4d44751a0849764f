// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation is made to fail while the module is loaded, or hooks the
 * kernel for a first START. Afterwards the module is not loaded, or has no
 * other hooks than intended. Needs a kernel with fault injection.
 */
#include "faults.h"
#include "table.h"

/* Seconds, for some 50 times loading, hooking and unloading. */
#define LOADING_TIMEOUT 900

static int load_now(void *new_parameters)
{
	return load(new_parameters);
}

static bool is_loaded(void)
{
	return !access("/sys/module/profil/refcnt", F_OK);
}

/*
 * Load with each fault, up to a load without one. Return how many made it fail.
 */
static unsigned int load_with_faults(char *new_parameters)
{
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		result = make_fault(&made, load_now, new_parameters);
		ASSERT_EQ(!result, is_loaded());
		ASSERT_EQ(0, hooked_functions());
		EXPECT_EQ(result ? -1 : 0, access(PROFIL_DEVICE, F_OK));
		if (!result)
			ASSERT_OK(unload_eventually());
	}
	check_faults(&made, 0);
	return made.failed;
}

/*
 * Faults are restricted to the module's init function: some of the kernel's own
 * loading code does not survive faults.
 */
TEST_F_TIMEOUT(faults, failed_load_leaves_no_module, LOADING_TIMEOUT)
{
	close(self->fd);
	if (!can_load() || !focus_on_function("do_one_initcall"))
		SKIP(return, "needs the module's file and restricted faults");
	ASSERT_OK(unload_eventually());
	ASSERT_EQ(0, hooked_functions());
	EXPECT_LT(3, load_with_faults("clock=timer"));
	EXPECT_LT(0, load_with_faults("clock=ftrace"));
	ASSERT_OK(load(""));
	self->fd = device_open();
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	check_counting(self->fd, self->counters);
}

/*
 * An allocation of many pages has a second way, which fails here, too: all that
 * comes after some pages. The two tables are the first to be allocated.
 */
static int load_after_pages(unsigned long pages)
{
	unsigned long left;
	int result;

	ASSERT_TRUE(fail_after_amount(FAULT_PAGES, pages));
	result = load("");
	amount_was_used(FAULT_PAGES, &left);
	EXPECT_TRUE(may_result_from_fault(result));
	EXPECT_EQ(!result, is_loaded());
	EXPECT_EQ(0, hooked_functions());
	return result;
}

TEST_F_TIMEOUT(faults, load_without_pages_leaves_no_module, LOADING_TIMEOUT)
{
	unsigned long pages = 0;

	close(self->fd);
	if (!can_load() || !focus_on_function("do_one_initcall"))
		SKIP(return, "needs the module's file and restricted faults");
	ASSERT_OK(unload_eventually());
	while (load_after_pages(pages) && pages < 100)
		pages++;
	TH_LOG("%lu pages are enough", pages);
	EXPECT_LT(1, pages);
	EXPECT_TRUE(is_loaded());
	self->fd = device_open();
	EXPECT_LE(0, self->fd);
}

/* A first START hooks intended functions or none. */
static void load_and_open(int *fd)
{
	ASSERT_OK(unload_eventually());
	ASSERT_EQ(0, hooked_functions());
	ASSERT_OK(load(""));
	*fd = open_device(_metadata);
	ASSERT_TRUE(focus_on_module());
}

static void check_first_start(struct start_call *call_args)
{
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		close(call_args->fd);
		load_and_open(&call_args->fd);
		result = make_fault(&made, begin, call_args);
		ASSERT_EQ(hooked_as_intended(), hooked_functions())
		{
			TH_LOG("fault %u: %d", made.nr, result);
		}
		if (!result && !call_args->period_ns)
			ASSERT_LT(0, hooked_functions());
		if (!result)
			ASSERT_OK(stop(call_args->fd, NULL));
	}
	check_faults(&made, 0);
}

TEST_F_TIMEOUT(faults, failed_first_start_hooks_no_other_function,
	       LOADING_TIMEOUT)
{
	struct start_call call_args = start_call_of(self, page_size(), 0);

	if (access(MODULE, R_OK) || hooked_functions() < 0 ||
	    !focus_on_module())
		SKIP(return, "the module cannot be reloaded");
	check_first_start(&call_args);
	call_args.period_ns = FAST_NS;
	check_first_start(&call_args);
	self->fd = call_args.fd;
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/*
 * A worker hooks the kernel, which has no number of faults: it may allocate less and
 * less, for TABLE, ADD and START. The next START hooks what could not be hooked.
 */
static void start_with_amount(struct start_call *call_args,
			      enum fault_kind kind, unsigned long *amount)
{
	struct profil_table tree = table_args(PROFIL_TABLE_TREE, FAST_NS);
	struct table own;
	unsigned long left;
	bool came;
	int result;

	close(call_args->fd);
	load_and_open(&call_args->fd);
	ASSERT_TRUE(focus_on_function("attach_wanted"));
	ASSERT_TRUE(allow_amount(kind, *amount));
	result = table_begin(&own, call_args->fd, tree);
	result = result ?:
			  table_add_traced(&own, getpid(), PROFIL_ADD_CHILDREN);
	result = result ?: begin(call_args);
	came = amount_was_used(kind, &left);
	if (own.counters)
		table_end(&own);
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
	struct start_call call_args = start_call_of(self, page_size(), 0);
	enum fault_kind kind;

	if (access(MODULE, R_OK) || hooked_functions() < 0 ||
	    !focus_on_function("attach_wanted"))
		SKIP(return, "the module cannot be reloaded");
	for (kind = FAULT_OBJECT; kind <= FAULT_PAGES; kind++) {
		unsigned long amount = 0x40000000UL;
		unsigned int starts = 0;

		do
			start_with_amount(&call_args, kind, &amount);
		while (amount && ++starts < MOST_FAULTS);
		TH_LOG("%u faults", starts);
		EXPECT_EQ(0, amount);
	}
	self->fd = call_args.fd;
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
