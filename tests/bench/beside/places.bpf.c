// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile of all programs in BPF alone, for comparison: a program on perf's
 * cpu-clock that counts in a map, by file and offset, or by process and PC.
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#include "places.h"

/* The fields of the kernel's structures that are read, at the offsets of its BTF */
#define IN_KERNEL __attribute__((preserve_access_index))

struct super_block {
	__u32 s_dev;
} IN_KERNEL;

struct inode {
	unsigned long i_ino;
	struct super_block *i_sb;
} IN_KERNEL;

struct file {
	struct inode *f_inode;
} IN_KERNEL;

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_pgoff;
	struct file *vm_file;
} IN_KERNEL;

struct task_struct {
	void *mm;
} IN_KERNEL;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, struct place);
	__type(value, __u64);
} places SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, NR_OUTCOMES);
	__type(key, __u32);
	__type(value, __u64);
} outcomes SEC(".maps");

static void count_outcome(__u32 outcome)
{
	__u64 *count = bpf_map_lookup_elem(&outcomes, &outcome);

	if (count)
		__sync_fetch_and_add(count, 1);
}

static void count_place(const struct place *place)
{
	__u64 *count = bpf_map_lookup_elem(&places, place), one = 1;

	if (count)
		__sync_fetch_and_add(count, 1);
	count_outcome(count || !bpf_map_update_elem(&places, place, &one,
						    BPF_NOEXIST) ?
			      COUNTED :
			      FULL);
}

static long in_mapping(struct task_struct *task, struct vm_area_struct *vma,
		       void *place_of_pc)
{
	struct place *place = place_of_pc;
	struct file *file = vma->vm_file;

	(void)task;
	if (!file)
		return 0;
	place->where = file->f_inode->i_ino;
	place->device = file->f_inode->i_sb->s_dev;
	place->at += (vma->vm_pgoff << 12) - vma->vm_start;
	return 0;
}

/* The PC of the program, in kernel mode where it has entered the kernel; 0 without */
static __u64 user_pc(struct task_struct *task)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(task);

	return task->mm ? regs->rip : 0;
}

SEC("perf_event")
int by_file(void *context)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct place place = { .at = user_pc(task) };

	(void)context;
	if (!place.at) {
		count_outcome(NO_PROGRAM);
		return 0;
	}
	if (bpf_find_vma(task, place.at, in_mapping, &place, 0)) {
		count_outcome(NOT_FOUND);
		return 0;
	}
	count_place(&place);
	return 0;
}

SEC("perf_event")
int by_process(void *context)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct place place = {
		.at = user_pc(task),
		.where = bpf_get_current_pid_tgid() >> 32,
	};

	(void)context;
	if (!place.at) {
		count_outcome(NO_PROGRAM);
		return 0;
	}
	count_place(&place);
	return 0;
}

char licence[] SEC("license") = "GPL";
