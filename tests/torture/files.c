// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include <sys/mount.h>

#include "fuse.h"

const char *guest_missing(void)
{
	return can_load() && !access("/settings", R_OK) ?
		       NULL :
		       "this is not the guest of tests/qemu";
}

#define HOME FILES_HOME

static struct fuse fuse;
static bool has_home, has_fuse, has_ext4;

static int make_directory(const char *path)
{
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

int files_make_home(void)
{
	if (has_home)
		return 0;
	if (make_directory(HOME) || mount("none", HOME, "ramfs", 0, NULL))
		return -errno;
	has_home = true;
	return chmod(HOME, 0755) ? -errno : 0;
}

const char *files_mount_fuse(void)
{
	if (has_fuse || guest_missing())
		return guest_missing();
	if (files_make_home() || make_directory(HOME "/fuse") ||
	    fuse_mount(&fuse, HOME "/fuse"))
		return "the kernel mounts no FUSE file system";
	has_fuse = true;
	return NULL;
}

/* The guest's commands are those of busybox. */
#define MAKE_EXT4                                                      \
	"{ truncate -s 16M " HOME "/image && mke2fs -F " HOME          \
	"/image 4096 && mkdir -p " HOME "/ext4 && mount -t ext4 "      \
	"-o loop " HOME "/image " HOME "/ext4 && truncate -s 1M " HOME \
	"/ext4/file && chmod 666 " HOME "/ext4/file; } >/dev/null 2>&1"

const char *files_mount_ext4(void)
{
	if (has_ext4 || guest_missing())
		return guest_missing();
	if (files_make_home() || system(MAKE_EXT4))
		return "no ext4, no loop device or no mke2fs";
	has_ext4 = true;
	return NULL;
}

void files_end(void)
{
	if (has_fuse)
		fuse_unmount(&fuse);
	if (has_ext4)
		umount2(HOME "/ext4", MNT_DETACH);
	if (has_home)
		umount2(HOME, MNT_DETACH);
}

int files_open(enum place place)
{
	switch (place) {
	case IN_FUSE:
		return open(HOME "/fuse/" FUSE_GOOD, O_RDWR | O_CLOEXEC);
	default:
		return open(HOME "/ext4/file", O_RDWR | O_CLOEXEC);
	}
}
