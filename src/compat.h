/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compatibility: the only file that names a kernel version. All others are
 * written for the newest kernel; the definitions here make older kernels look
 * like it.
 */
#ifndef PROFIL_COMPAT_H
#define PROFIL_COMPAT_H

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/string.h>
#include <linux/version.h>

#ifdef PROFIL_HAVE_EXEC_STATE
#include <linux/sched/exec_state.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "profil is for Linux 6.1 and later"
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define pin_user_pages_remote(mm, start, nr, flags, pages, locked) \
	pin_user_pages_remote(mm, start, nr, flags, pages, NULL, locked)
#endif

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif

/*
 * The pid of a pidfd, which @file keeps, or NULL if @file is none. The kernel
 * exports no function for it. Only the kernel names files of these file
 * systems.
 */
static inline struct pid *compat_pidfd_pid(const struct file *file)
{
#ifdef PID_FS_MAGIC
	if (file_inode(file)->i_sb->s_magic == PID_FS_MAGIC)
		return file_inode(file)->i_private; /* NULL for the root */
#else
	if (file_inode(file)->i_sb->s_magic == ANON_INODE_FS_MAGIC &&
	    !strcmp(file->f_path.dentry->d_name.name, "[pidfd]"))
		return file->private_data;
#endif
	return NULL;
}

/*
 * Is the program that @task executes, in @mm, dumpable by its owner; and the
 * user namespace of that program's exec. In an RCU section, and while exec is
 * excluded.
 */
#ifdef PROFIL_HAVE_EXEC_STATE
static inline bool compat_dumpable(struct task_struct *task,
				   struct mm_struct *mm)
{
	return READ_ONCE(rcu_dereference(task->exec_state)->dumpable) ==
	       TASK_DUMPABLE_OWNER;
}

static inline struct user_namespace *
compat_exec_user_ns(struct task_struct *task, struct mm_struct *mm)
{
	return rcu_dereference(task->exec_state)->user_ns;
}
#else
static inline bool compat_dumpable(struct task_struct *task,
				   struct mm_struct *mm)
{
	return get_dumpable(mm) == SUID_DUMP_USER;
}

static inline struct user_namespace *
compat_exec_user_ns(struct task_struct *task, struct mm_struct *mm)
{
	return mm->user_ns;
}
#endif

#endif /* PROFIL_COMPAT_H */
