// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that may hold counters: files whose pages are never written back, and private
 * mappings. An ordinary user may not pin pages of other files.
 */
#include "harness.h"

#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/shm.h>

#include "fuse.h"

#define MOUNT_POINT "/tmp/profil-files"
#define FILE_BYTES \
	((size_t)FUSE_FILE_BYTES) /* START does not pin so many pages */

/* The counters of the program's text behind the sites are in these, and none behind. */
#define COUNTED_BYTES 0x40000

static void *map_shared(int fd, int flags, size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd,
		    0);
}

static int start_in(int fd, void *counters, size_t size)
{
	return start_one(fd,
			 region_of(counters, size, profil_sites, SITE_SCALE(8)),
			 8, FAST_NS, 0);
}

/* As an ordinary user, START refuses a shared mapping of @file. */
static void check_refused(const profil_data *self, int file)
{
	char *shared = map_shared(file, 0, FILE_BYTES);
	char *own = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			 file, 0);

	ASSERT_NE(MAP_FAILED, shared);
	ASSERT_NE(MAP_FAILED, own);
	EXPECT_OK(start_in(self->fd, own, 16 * page_size()));
	EXPECT_OK(stop(self->fd, NULL));
	ASSERT_OK(become_user(new_user(), 2048));
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, page_size()));
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, FILE_BYTES));
	shared[0] = 0; /* the same with a dirty page */
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, page_size()));
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, FILE_BYTES));
	EXPECT_OK(start_in(self->fd, own, FILE_BYTES));
	EXPECT_TRUE(spin_until(3, own, 8, 2));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(shared, 0, COUNTED_BYTES));
}

/* START refuses a buffer of which one page is in @file. */
static void check_refused_in_part(const profil_data *self, int file)
{
	size_t page = page_size();
	char *pages = new_pages(3 * page);

	ASSERT_EQ((void *)(pages + page),
		  mmap(pages + page, page, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED, file, 0));
	EXPECT_EQ(-EFAULT, start_in(self->fd, pages, 3 * page));
	EXPECT_OK(start_in(self->fd, pages, page));
}

static int open_in_ext4(void)
{
	int file = make_private_directory(MOUNT_POINT);

	if (file)
		return file;
	if (system("truncate -s 16M " MOUNT_POINT "/image") ||
	    system("mke2fs -F " MOUNT_POINT "/image 4096 >/dev/null 2>&1") ||
	    system("mkdir -p " MOUNT_POINT "/ext4") ||
	    system("mount -t ext4 -o loop " MOUNT_POINT "/image " MOUNT_POINT
		   "/ext4"))
		return -ENODEV;
	file = open(MOUNT_POINT "/ext4/file", O_RDWR | O_CREAT | O_CLOEXEC,
		    0666);
	ASSERT_LE(0, file);
	ASSERT_OK(ftruncate(file, (off_t)FILE_BYTES));
	return file;
}

TEST_F(profil, shared_mapping_of_a_file_on_ext4_is_refused)
{
	int file = open_in_ext4();

	if (file < 0)
		SKIP(return, "needs ext4, a loop device and mke2fs");
	check_refused_in_part(self, file);
	check_refused(self, file);
}

TEST_F(profil, shared_mapping_of_a_file_on_fuse_is_refused)
{
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_GOOD);

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	check_refused_in_part(self, file);
	/* An ordinary user could not end the server. */
	EXPECT_TRUE(PASSES_IN_CHILD(check_refused(self, file)));
	close(file);
	fuse_unmount(&fuse);
}

/* As an ordinary user, START accepts counters in @pages. */
static void check_accepted(const profil_data *self, char *pages)
{
	struct profil_stats seen;

	ASSERT_OK(become_user(new_user(), 2048));
	ASSERT_OK(start_in(self->fd, pages, NR_SITES * 8));
	EXPECT_TRUE(spin_until(3, pages, 8, 2));
	seen = end_session(self->fd);
	EXPECT_EQ(seen.hits, counters_sum(pages, 8, NR_SITES));
}

TEST_F(profil, file_on_tmpfs_is_accepted)
{
	char *pages;
	int file;

	ASSERT_OK(make_private_directory(MOUNT_POINT));
	ASSERT_OK(mount("none", MOUNT_POINT, "tmpfs", 0, "mode=1777"));
	file = open(MOUNT_POINT "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	ASSERT_LE(0, file);
	ASSERT_OK(ftruncate(file, (off_t)FILE_BYTES));
	pages = map_shared(file, 0, FILE_BYTES);
	ASSERT_NE(MAP_FAILED, pages);
	check_accepted(self, pages);
}

static void *map_anonymous(void)
{
	return map_shared(-1, MAP_ANONYMOUS, page_size());
}

static void *map_dev_zero(void)
{
	return map_shared(open("/dev/zero", O_RDWR | O_CLOEXEC), 0,
			  page_size());
}

static void *map_system_v(void)
{
	int id = shmget(IPC_PRIVATE, page_size(), 0600);
	void *pages = id < 0 ? MAP_FAILED : shmat(id, NULL, 0);

	shmctl(id, IPC_RMID, NULL);
	return pages;
}

/* become_user() allows 4 MiB; a huge page has 2 MiB. */
static void *map_hugetlb(void)
{
	write_text("/proc/sys/vm/nr_hugepages", "1");
	return map_shared(-1, MAP_ANONYMOUS | MAP_HUGETLB, HUGE_BYTES);
}

TEST_F(profil, shared_memory_without_a_file_is_accepted)
{
	static void *(*const maps[])(void) = { map_anonymous, map_dev_zero,
					       map_system_v, map_hugetlb };

	for (size_t i = 0; i < ARRAY_LENGTH(maps); i++) {
		char *pages = maps[i]();

		if (pages == MAP_FAILED) {
			EXPECT_LT(1, i);
			TH_LOG("kind %zu cannot be had", i);
			continue;
		}
		EXPECT_TRUE(PASSES_IN_CHILD(check_accepted(self, pages)));
	}
}

TEST_HARNESS_MAIN
