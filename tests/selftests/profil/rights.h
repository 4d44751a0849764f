/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixture for tests of trees by processes that become others. Needs root. */
#ifndef PROFIL_TEST_RIGHTS_H
#define PROFIL_TEST_RIGHTS_H

#include "harness.h"
#include "helpers.h"
#include "program.h"
#include "table.h"

#include <linux/capability.h>

#define SITE 5

FIXTURE(rights)
{
	int fd;
	struct folder folder;
	char saved[32];
};

#define rights_data FIXTURE_DATA(rights)

FIXTURE_SETUP(rights)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_ROOT();
	SKIP_UNLESS_FAST(self->fd);
	self->folder = folder_new();
	ASSERT_OK(chmod(self->folder.path, 0755));
	ASSERT_OK(program_copy(self->folder.program));
	ASSERT_OK(param_read("max_sessions", self->saved, sizeof(self->saved)));
}

FIXTURE_TEARDOWN(rights)
{
	param_write("max_sessions", self->saved);
	folder_end(&self->folder);
	close(self->fd);
}

static inline struct profil_table tree_args(__u32 flags)
{
	return table_args(PROFIL_TABLE_TREE | flags, FAST_NS);
}

static inline int begin_tree(const rights_data *self, struct table *table)
{
	return table_begin(table, self->fd, tree_args(0));
}

/* A change of user makes a process undumpable, and the children that it forks. */
static inline int become_nobody(void)
{
	int error = become_whole_user(new_user(), 0);

	return error ?: prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

static inline int set_capabilities(__u32 dropped, bool permitted)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[dropped / 32].effective &= ~(1U << dropped % 32);
	if (!permitted)
		data[dropped / 32].permitted &= ~(1U << dropped % 32);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static inline int give_up_ptrace(void)
{
	return set_capabilities(CAP_SYS_PTRACE, false);
}

/*
 * A child that becomes another user does not take its children with it when it ends: it
 * has a group of its own. The status of the child
 */
#define IN_GROUP(status) IN_CHILD((setpgid(0, 0), status))

static inline int wait_for_group(pid_t child)
{
	int status = -1;

	EXPECT_EQ(child, waitpid(child, &status, 0));
	kill(-child, SIGKILL);
	return status;
}

static inline int enter_namespace(void)
{
	return unshare(CLONE_NEWUSER) ? -EOPNOTSUPP : 0;
}

#endif /* PROFIL_TEST_RIGHTS_H */
