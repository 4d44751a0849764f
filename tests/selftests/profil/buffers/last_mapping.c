// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters above the stack and all other mappings: no mapping is behind them.
 */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "buffer.h"

/* The end of the last mapping of this process, but for x86's [vsyscall] */
static char *end_of_mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	uintptr_t end, last = 0;
	char line[512];

	if (!file)
		return NULL;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%*x-%" SCNxPTR, &end) == 1 &&
		    end < UINTPTR_MAX / 2)
			last = end;
	fclose(file);
	return (char *)last;
}

/* A page above all other mappings; MAP_FAILED if the stack ends too high. */
static void *map_last_page(char *end)
{
	return mmap(end + MIB, page_size(), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

TEST_F(profil, large_buffer_behind_the_last_mapping_is_refused)
{
	char *end = end_of_mappings();

	ASSERT_NE(NULL, end);
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, end + MIB, LARGE, 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

/* The state of the region in a child without the counters */
static int check_child(int fd)
{
	return region_state(fd, 0) == PROFIL_REGION_UNMAPPED ? 0 : 1;
}

TEST_F(profil, child_lacks_the_last_mapping)
{
	char *end = end_of_mappings();
	void *counters = end ? map_last_page(end) : MAP_FAILED;
	pid_t child;

	if (counters == MAP_FAILED)
		SKIP(return, "no room above the stack");
	ASSERT_OK(madvise(counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	child = fork();
	if (!child)
		_exit(check_child(self->fd));
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_TRUE(spin_until(1, counters, 4, 1));
}

TEST_HARNESS_MAIN
