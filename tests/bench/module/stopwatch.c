// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stopwatch: the instructions between two points of each timer interrupt that finds a
 * process of a given process group, and of the samples that the driver defers to such a
 * process. The guest's time stamp counter counts instructions, so the same path always
 * takes the same time.
 *
 * With points=tick the stopwatch runs from the beginning of the tick to the first
 * function that update_process_times() calls: the hook of the driver lies between.
 * With points=timer it runs from the beginning of the interrupt to the programming
 * of the next.
 *
 * Writing to /proc/stopwatch begins a measurement for the process group of the process
 * that writes. Reading ends it, and gives the number of interrupts, the lowest, the median
 * and the highest number of instructions, and the sum; then the number of deferred samples,
 * several with the same registers as one, and the sum of their instructions.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>

#include <asm/irq_regs.h>
#include <asm/tsc.h>

static char *points = "tick";
module_param(points, charp, 0444);
MODULE_PARM_DESC(points, "tick or timer");

#define MOST 65536

/* One CPU alone runs in the guest. Interrupts do not nest. */
static u32 times[MOST];
static unsigned int nr;
static u64 sum, deferred_sum;
static unsigned int nr_deferred;
static pid_t group;
static u64 began;

static bool is_measured(void)
{
	return current->mm && task_pgrp_nr(current) == READ_ONCE(group);
}

static int begin(struct kprobe *probe, struct pt_regs *regs)
{
	began = get_irq_regs() && is_measured() ? rdtsc() : 0;
	return 0;
}

static int end(struct kprobe *probe, struct pt_regs *regs)
{
	u64 now = rdtsc();

	if (began && nr < MOST) {
		times[nr++] = now - began;
		sum += now - began;
	}
	began = 0;
	return 0;
}

static int begin_deferred(struct kretprobe_instance *instance,
			  struct pt_regs *regs)
{
	*(u64 *)instance->data = rdtsc();
	return !is_measured();
}

static int end_deferred(struct kretprobe_instance *instance,
			struct pt_regs *regs)
{
	nr_deferred++;
	deferred_sum += rdtsc() - *(u64 *)instance->data;
	return 0;
}

static struct kprobe begin_probe = { .pre_handler = begin };
static struct kprobe end_probe = { .pre_handler = end };

/* The task work of the driver. The module is not there when other profilers are measured. */
static struct kretprobe deferred_probe = {
	.kp.symbol_name = "profil:run_item",
	.entry_handler = begin_deferred,
	.handler = end_deferred,
	.data_size = sizeof(u64),
};

static bool has_deferred;

static int by_value(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int show(struct seq_file *file, void *unused)
{
	WRITE_ONCE(group, 0);
	if (!nr)
		return -ENODATA;
	sort(times, nr, sizeof(*times), by_value, NULL);
	seq_printf(file, "%u %u %u %u %llu %u %llu\n", nr, times[0],
		   times[nr / 2], times[nr - 1], sum, nr_deferred,
		   deferred_sum);
	return 0;
}

static int stopwatch_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static ssize_t stopwatch_write(struct file *file, const char __user *from,
			       size_t size, loff_t *position)
{
	nr = 0;
	nr_deferred = 0;
	sum = 0;
	deferred_sum = 0;
	WRITE_ONCE(group, task_pgrp_nr(current));
	return size;
}

static const struct proc_ops proc_ops = {
	.proc_open = stopwatch_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_write = stopwatch_write,
	.proc_release = single_release,
};

static int register_at(struct kprobe *probe, const char *symbol)
{
	probe->symbol_name = symbol;
	probe->addr = NULL;
	return register_kprobe(probe);
}

/* The tick of high resolution has one name up to Linux 6.8, another since. */
static int register_begin(bool tick)
{
	if (!tick)
		return register_at(&begin_probe, "hrtimer_interrupt");
	return register_at(&begin_probe, "tick_sched_timer") ?
		       register_at(&begin_probe, "tick_nohz_handler") :
		       0;
}

static int __init stopwatch_init(void)
{
	bool tick = !strcmp(points, "tick");
	int err = register_at(&end_probe, tick ? "account_process_tick" :
						 "tick_program_event");

	if (err)
		return err;
	err = register_begin(tick);
	if (!err && !proc_create("stopwatch", 0600, NULL, &proc_ops)) {
		unregister_kprobe(&begin_probe);
		err = -ENOMEM;
	}
	if (err)
		unregister_kprobe(&end_probe);
	else
		has_deferred = !register_kretprobe(&deferred_probe);
	return err;
}

static void __exit stopwatch_exit(void)
{
	remove_proc_entry("stopwatch", NULL);
	if (has_deferred)
		unregister_kretprobe(&deferred_probe);
	unregister_kprobe(&begin_probe);
	unregister_kprobe(&end_probe);
}

module_init(stopwatch_init);
module_exit(stopwatch_exit);

MODULE_DESCRIPTION("Instructions between two points of an interrupt");
MODULE_LICENSE("GPL");
