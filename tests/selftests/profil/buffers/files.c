// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that may hold counters and totals: files whose pages are never written
 * back, and private mappings. An ordinary user may not pin pages of other
 * files.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuse.h"

#define MOUNT_POINT "/tmp/profil-files"
#define FILE_BYTES \
	((size_t)FUSE_FILE_BYTES) /* START does not pin so many pages */

/* Make a directory for mounts that only this process and its children see. */
static bool make_mount_point(void)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return false;
	return !mkdir(MOUNT_POINT, 0755) || errno == EEXIST;
}

static int become_ordinary(void)
{
	return become_user(new_user(), 2048);
}

static int start_in(int fd, void *counters, size_t size, void *totals)
{
	struct profil_region region =
		region_of(counters, size, profil_sites, SITE_SCALE(8));
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	args.totals = (uintptr_t)totals;
	return start(fd, &args);
}

/* As an ordinary user, START refuses a shared mapping of @file. */
static void check_refused(struct __test_metadata *_metadata,
			  const profil_data *self, int file)
{
	char *shared = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, file, 0);
	char *own = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			 file, 0);

	ASSERT_NE(MAP_FAILED, shared);
	ASSERT_NE(MAP_FAILED, own);
	ASSERT_OK(become_ordinary());
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, page_size(), NULL));
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, FILE_BYTES, NULL));
	shared[0] = 0; /* the same with a dirty page */
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, page_size(), NULL));
	EXPECT_EQ(-EFAULT, start_in(self->fd, shared, FILE_BYTES, NULL));
	EXPECT_EQ(-EFAULT,
		  start_in(self->fd, self->counters, page_size(), shared));
	EXPECT_EQ(-EINVAL,
		  start_in(self->fd, self->counters, page_size(), own));
	EXPECT_OK(start_in(self->fd, own, FILE_BYTES, NULL));
	EXPECT_TRUE(spin_until(3, own, 8, 2));
	EXPECT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(shared, 0, FILE_BYTES));
}

/* START refuses a buffer of which one page is in @file. */
static void check_refused_in_part(struct __test_metadata *_metadata,
				  const profil_data *self, int file)
{
	size_t page = page_size();
	char *pages = new_pages(3 * page);

	ASSERT_NE(NULL, pages);
	ASSERT_EQ((void *)(pages + page),
		  mmap(pages + page, page, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED, file, 0));
	EXPECT_EQ(-EFAULT, start_in(self->fd, pages, 3 * page, NULL));
	EXPECT_OK(start_in(self->fd, pages, page, NULL));
}

static int open_in_ext4(struct __test_metadata *_metadata)
{
	int file;

	if (!make_mount_point())
		return -errno;
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
	int file = open_in_ext4(_metadata);

	if (file < 0)
		SKIP(return, "needs ext4, a loop device and mke2fs");
	check_refused_in_part(_metadata, self, file);
	check_refused(_metadata, self, file);
}

static int open_in_fuse(struct fuse *fuse)
{
	int err;

	if (!make_mount_point())
		return -errno;
	mkdir(MOUNT_POINT "/fuse", 0755);
	err = fuse_mount(fuse, MOUNT_POINT "/fuse");
	return err ? err : fuse_open(fuse, FUSE_GOOD, O_RDWR);
}

TEST_F(profil, shared_mapping_of_a_file_on_fuse_is_refused)
{
	struct fuse fuse;
	int file = open_in_fuse(&fuse);

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	check_refused_in_part(_metadata, self, file);
	check_refused(_metadata, self, file);
}

/* As an ordinary user, START accepts counters and totals in @pages. */
static void check_accepted(struct __test_metadata *_metadata,
			   const profil_data *self, char *pages)
{
	struct profil_totals *totals = (void *)(pages + page_size());

	ASSERT_OK(become_ordinary());
	ASSERT_OK(start_in(self->fd, pages, NR_SITES * 8, totals));
	EXPECT_TRUE(spin_until(3, pages, 8, 2));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(1, totals->ended);
	EXPECT_EQ(totals->hits, counters_sum(pages, 8, NR_SITES));
}

TEST_F(profil, file_on_tmpfs_is_accepted)
{
	char *pages;
	int file;

	ASSERT_TRUE(make_mount_point());
	ASSERT_OK(mount("none", MOUNT_POINT, "tmpfs", 0, "mode=1777"));
	file = open(MOUNT_POINT "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	ASSERT_LE(0, file);
	ASSERT_OK(ftruncate(file, (off_t)FILE_BYTES));
	pages = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		     0);
	ASSERT_NE(MAP_FAILED, pages);
	check_accepted(_metadata, self, pages);
}

TEST_F(profil, shared_anonymous_memory_is_accepted)
{
	char *pages = new_shared(2 * page_size());

	ASSERT_NE(NULL, pages);
	check_accepted(_metadata, self, pages);
}

TEST_F(profil, shared_mapping_of_dev_zero_is_accepted)
{
	int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
	char *pages = mmap(NULL, 2 * page_size(), PROT_READ | PROT_WRITE,
			   MAP_SHARED, zero, 0);

	ASSERT_NE(MAP_FAILED, pages);
	check_accepted(_metadata, self, pages);
}

TEST_F(profil, system_v_shared_memory_is_accepted)
{
	int id = shmget(IPC_PRIVATE, 2 * page_size(), 0600);
	char *pages;

	if (id < 0)
		SKIP(return, "no System V shared memory");
	pages = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	ASSERT_NE((void *)-1, pages);
	check_accepted(_metadata, self, pages);
}

static char *map_hugetlb(void)
{
	char *pages;

	if (system("echo 1 >/proc/sys/vm/nr_hugepages 2>/dev/null"))
		return NULL;
	pages = mmap(NULL, HUGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

/* become_user() allows 4 MiB; a huge page has 2 MiB. */
TEST_F(profil, memory_of_hugetlbfs_is_accepted)
{
	char *pages = map_hugetlb();

	if (!pages)
		SKIP(return, "no page of hugetlbfs");
	check_accepted(_metadata, self, pages);
}

TEST_HARNESS_MAIN
