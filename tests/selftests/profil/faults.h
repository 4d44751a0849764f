/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixture of the programs that inject faults. */
#ifndef PROFIL_TEST_FAULTS_H
#define PROFIL_TEST_FAULTS_H

#include "harness.h"

#include "fault_injection.h"

#define LARGE 0x400000UL /* not pinned as a whole at START */
/* In LARGE bytes of counters each site has several pages. */
#define SITE_ROOM (LARGE / NR_SITES)
#define LARGE_SCALE (SITE_ROOM * (0x10000 / SITE_BYTES))

FIXTURE(faults)
{
	int fd;
	char *counters; /* LARGE bytes */
	struct profil_totals *totals;
};

FIXTURE_SETUP(faults)
{
	if (!faults_open() || geteuid())
		SKIP(return, "needs root and fault injection");
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
	faults_close();
	close(self->fd);
}

/* The arguments of begin(): a START whose counters have no pages yet. */
struct start_call {
	int fd;
	char *counters;
	size_t size;
	__u64 period_ns;
	struct profil_totals *totals;
};

static inline int begin(void *argument)
{
	const struct start_call *call_args = argument;
	size_t size = call_args->size;
	struct profil_region region =
		region_of(call_args->counters, size, profil_sites, LARGE_SCALE);
	struct profil_start args =
		start_of(&region, 1, 4, call_args->period_ns);

	args.totals = (uintptr_t)call_args->totals;
	return start(call_args->fd, &args);
}

#endif /* PROFIL_TEST_FAULTS_H */
