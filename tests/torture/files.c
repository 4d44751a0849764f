// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include <sys/mount.h>

#include "fuse.h"

bool is_guest(void)
{
	return can_load() && !access("/settings", R_OK);
}

#define HOME FILES_HOME

static struct fuse fuse;
static bool has_fuse;

/* The guest's commands are those of busybox. */
#define MAKE_EXT4                                                      \
	"{ truncate -s 16M " HOME "/image && mke2fs -F " HOME          \
	"/image 4096 && mkdir -p " HOME "/ext4 && mount -t ext4 "      \
	"-o loop " HOME "/image " HOME "/ext4 && truncate -s 1M " HOME \
	"/ext4/file && chmod 666 " HOME "/ext4/file; } >/dev/null 2>&1"

/* busybox is what its name says. */
#define COPY_SHELL                                                             \
	"{ cp /bin/busybox " SET_USER_PROGRAM " && chown %d " SET_USER_PROGRAM \
	" && chmod 4755 " SET_USER_PROGRAM "; } >/dev/null 2>&1"

static void make_set_user_program(void)
{
	char command[256];

	snprintf(command, sizeof(command), COPY_SHELL, FIRST_USER);
	if (system(command))
		printf("# there is no busybox that sets its user\n");
}

void files_begin(void)
{
	mkdir(HOME, 0755);
	mount("none", HOME, "ramfs", 0, NULL);
	chmod(HOME, 0755);
	mkdir(HOME "/fuse", 0755);
	has_fuse = !fuse_mount(&fuse, HOME "/fuse");
	make_set_user_program();
	if (system(MAKE_EXT4))
		printf("# there is no ext4, no loop device or no mke2fs\n");
}

void files_end(void)
{
	if (has_fuse)
		fuse_unmount(&fuse);
	umount2(HOME "/ext4", MNT_DETACH);
	umount2(HOME, MNT_DETACH);
}
