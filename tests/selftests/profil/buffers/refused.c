// SPDX-License-Identifier: GPL-2.0-only
/*
 * START refuses a buffer that is not mapped or not writable, as a whole or in
 * part.
 */
#include "harness.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buffer.h"

TEST_F(profil, unmapped_buffer_is_refused)
{
	char *pages = new_pages(4 * page_size());

	ASSERT_NE(NULL, pages);
	ASSERT_OK(munmap(pages, 4 * page_size()));
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, pages, 512, 0x10000));
	EXPECT_EQ(-EFAULT,
		  start_buffer(self->fd, pages, 4 * page_size(), 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

/* START refuses a bad page at the beginning, in the middle and at the end. */
static void check_bad_page(struct __test_metadata *_metadata, int fd,
			   size_t pages, int protection)
{
	size_t page = page_size(), bad;

	for (bad = 0; bad < pages; bad += (pages - 1) / 2) {
		char *buffer = new_pages(pages * page);
		char *at = buffer + bad * page;

		ASSERT_NE(NULL, buffer);
		ASSERT_OK(protection < 0 ? munmap(at, page) :
					   mprotect(at, page, protection));
		EXPECT_EQ(-EFAULT,
			  start_buffer(fd, buffer, pages * page, 0x10000));
		EXPECT_EQ(0, stats_now(fd).flags);
		munmap(buffer, pages * page);
	}
}

TEST_F(profil, buffer_with_a_hole_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, -1);
	check_bad_page(_metadata, self->fd, 63, -1);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, -1);
}

TEST_F(profil, buffer_that_is_partly_read_only_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, PROT_READ);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, PROT_READ);
}

TEST_F(profil, buffer_that_is_partly_inaccessible_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, PROT_NONE);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, PROT_NONE);
}

TEST_F(profil, incomplete_last_counter_needs_no_memory)
{
	size_t page = page_size();
	char *buffer = new_at_hole(page);

	ASSERT_NE(NULL, buffer);
	EXPECT_OK(start_buffer(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_EQ(-EFAULT,
		  start_buffer(self->fd, buffer, page + 8, SITE_SCALE(8)));
	EXPECT_OK(start_buffer(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_TRUE(spin_until(3, buffer, 8, 2));
}

static void *map_self(int protection, int flags)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *pages;

	if (fd < 0)
		return MAP_FAILED;
	pages = mmap(NULL, 2 * page_size(), protection, flags, fd, 0);
	close(fd);
	return pages;
}

TEST_F(profil, file_mapped_read_only_is_refused)
{
	void *pages = map_self(PROT_READ, MAP_PRIVATE);

	ASSERT_NE(MAP_FAILED, pages);
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, pages, 512, 0x10000));
	pages = map_self(PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, pages);
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, pages, 512, 0x10000));
}

TEST_F(profil, private_file_mapping_is_accepted)
{
	char *pages = map_self(PROT_READ | PROT_WRITE, MAP_PRIVATE);
	const char *file = map_self(PROT_READ, MAP_PRIVATE);
	__u64 before, seen;

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_NE(MAP_FAILED, file);
	before = counter(pages, 8, 3);
	ASSERT_OK(start_buffer(self->fd, pages, 512, SITE_SCALE(8)));
	EXPECT_TRUE(spin_until(3, pages, 8, before + 2));
	ASSERT_OK(stop(self->fd, NULL));
	seen = counter(file, 8, 3);
	EXPECT_EQ(before, seen);
}

/* START must not wait: its own thread may be the one that serves the fault. */
TEST_F(profil, memory_under_userfaultfd_is_refused_without_waiting)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *pages = new_pages(page_size());
	int uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	ASSERT_NE(NULL, pages);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		SKIP(return, "no userfaultfd");
	range.range.start = (uintptr_t)pages;
	range.range.len = page_size();
	ASSERT_OK(ioctl(uffd, UFFDIO_REGISTER, &range));
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, pages, 512, 0x10000));
	close(uffd);
	EXPECT_OK(start_buffer(self->fd, pages, 512, 0x10000));
}

TEST_HARNESS_MAIN
