// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that the compiler calls in a driver built for coverage, and the
 * device that shows a program what it has reached: see profil_trace.h.
 *
 * The driver depends on this module, so the memory is there for as long as the
 * driver is. The functions are called in every context, and only store.
 */
#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/instruction_pointer.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "hooks.h"
#include "profil_trace.h"

static struct trace *trace; /* constant after trace_init() */

static __always_inline bool is_traced_task(void)
{
	return in_task() && READ_ONCE(trace->task) == current->pid;
}

/* The program writes the numbers, too: each is compared with the room. */
void notrace __sanitizer_cov_trace_pc(void)
{
	unsigned long place = _RET_IP_;
	u32 nr;

	if (!is_traced_task())
		return;
	nr = READ_ONCE(trace->nr_steps);
	if (nr >= TRACE_STEPS)
		return;
	trace->steps[nr] = place;
	WRITE_ONCE(trace->nr_steps, nr + 1);
}
EXPORT_SYMBOL(__sanitizer_cov_trace_pc);

static __always_inline void add_pair(u64 a, u64 b)
{
	u32 nr;

	if (a == b || !is_traced_task())
		return;
	nr = READ_ONCE(trace->nr_pairs);
	if (nr >= TRACE_PAIRS)
		return;
	trace->pairs[nr] = (struct trace_pair){ a, b };
	WRITE_ONCE(trace->nr_pairs, nr + 1);
}

/* The compiler has a function for each width, and others for constants. */
#define PAIR_FUNCTION(name, type)         \
	void notrace name(type a, type b) \
	{                                 \
		add_pair(a, b);           \
	}                                 \
	EXPORT_SYMBOL(name)

PAIR_FUNCTION(__sanitizer_cov_trace_cmp1, u8);
PAIR_FUNCTION(__sanitizer_cov_trace_cmp2, u16);
PAIR_FUNCTION(__sanitizer_cov_trace_cmp4, u32);
PAIR_FUNCTION(__sanitizer_cov_trace_cmp8, unsigned long);
PAIR_FUNCTION(__sanitizer_cov_trace_const_cmp1, u8);
PAIR_FUNCTION(__sanitizer_cov_trace_const_cmp2, u16);
PAIR_FUNCTION(__sanitizer_cov_trace_const_cmp4, u32);
PAIR_FUNCTION(__sanitizer_cov_trace_const_cmp8, unsigned long);

/* @cases: their number, the bits of the value, and the cases, 64 bits each */
void notrace __sanitizer_cov_trace_switch(unsigned long value, void *cases)
{
	const u64 *numbers = cases;
	u64 i;

	for (i = 0; i < numbers[0]; i++)
		add_pair(numbers[2 + i], value);
}
EXPORT_SYMBOL(__sanitizer_cov_trace_switch);

static int trace_mmap(struct file *file, struct vm_area_struct *vma)
{
	return remap_vmalloc_range(vma, trace, vma->vm_pgoff);
}

static const struct file_operations trace_fops = {
	.owner = THIS_MODULE,
	.mmap = trace_mmap,
};

static struct miscdevice trace_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "profil_trace",
	.fops = &trace_fops,
	.mode = 0600,
};

static int __init trace_init(void)
{
	int err;

	trace = vmalloc_user(sizeof(*trace));
	if (!trace)
		return -ENOMEM;
	err = misc_register(&trace_device);
	if (err)
		vfree(trace);
	return err;
}

static void __exit trace_exit(void)
{
	misc_deregister(&trace_device);
	vfree(trace);
}

module_init(trace_init);
module_exit(trace_exit);
MODULE_DESCRIPTION("Coverage of the profil driver");
MODULE_LICENSE("GPL");
