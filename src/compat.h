/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compatibility: the only file that names a kernel version. All others are written for the
 * newest kernel.
 */
#ifndef PROFIL_COMPAT_H
#define PROFIL_COMPAT_H

#include <linux/fs.h>
#include <linux/ftrace.h>
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

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
				unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define pin_user_pages_remote(mm, start, nr, flags, pages, locked) \
	pin_user_pages_remote(mm, start, nr, flags, pages, NULL, locked)
#define get_user_pages_remote(mm, start, nr, flags, pages, locked) \
	get_user_pages_remote(mm, start, nr, flags, pages, NULL, locked)
#endif

/* A flag that is that of all without FOLL_FORCE */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define FOLL_HONOR_NUMA_FAULT 0
#endif

/*
 * Argument @nr, from 0, of a function that ftrace calls a hook for, and the flags of
 * such a hook: a kernel that does not save the registers refuses the hook.
 */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define COMPAT_FTRACE_ARGUMENT_FLAGS 0
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define compat_ftrace_argument(fregs, nr) \
	regs_get_kernel_argument(&(fregs)->regs, nr)
#else
#define compat_ftrace_argument(fregs, nr) ftrace_regs_get_argument(fregs, nr)
#endif
#else
#define COMPAT_FTRACE_ARGUMENT_FLAGS FTRACE_OPS_FL_SAVE_REGS
#define compat_ftrace_argument(fregs, nr) \
	regs_get_kernel_argument(ftrace_get_regs(fregs), nr)
#endif

/* The executable file of @mm with a reference, or NULL. No lock keeps it from changing. */
static inline struct file *compat_exe_file(struct mm_struct *mm)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
	struct file *file;

	rcu_read_lock();
	file = rcu_dereference(mm->exe_file);
	if (file && !get_file_rcu(file))
		file = NULL;
	rcu_read_unlock();
	return file;
#else
	return get_file_active((struct file **)&mm->exe_file);
#endif
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define file_user_path(file) (&(file)->f_path)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#define inode_get_mtime(inode) ((inode)->i_mtime)
#endif

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif

/*
 * The pid of a pidfd, which @file keeps, or NULL if @file is none. The kernel exports no
 * function for it. Only the kernel names files of these file systems.
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
 * Is current's program dumpable by its owner; and the user namespace of its exec. In an RCU
 * section, and while exec is excluded.
 */
#ifdef PROFIL_HAVE_EXEC_STATE
static inline bool compat_dumpable(void)
{
	return READ_ONCE(rcu_dereference_check(current->exec_state,
					       rcu_read_lock_any_held())
				 ->dumpable) == TASK_DUMPABLE_OWNER;
}

static inline struct user_namespace *compat_exec_user_ns(void)
{
	return rcu_dereference(current->exec_state)->user_ns;
}
#else
static inline bool compat_dumpable(void)
{
	return get_dumpable(current->mm) == SUID_DUMP_USER;
}

static inline struct user_namespace *compat_exec_user_ns(void)
{
	return current->mm->user_ns;
}
#endif

#endif /* PROFIL_COMPAT_H */
