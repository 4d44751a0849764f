// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the next sample that is no plain hit in its interrupt for three seconds,
 * once the parameter armed is set. The parameter sampling is true meanwhile.
 * The parameter waits counts how often the thread watched has waited for samples.
 */
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>

#define SLOW_MS 3000

static bool armed;
module_param(armed, bool, 0644);

static bool sampling;
module_param(sampling, bool, 0444);

static int watched;
module_param(watched, int, 0644);

static unsigned int waits;
module_param(waits, uint, 0444);

static int count_wait(struct kprobe *probe, struct pt_regs *regs)
{
	if (current->pid == READ_ONCE(watched))
		WRITE_ONCE(waits, waits + 1);
	return 0;
}

static int wait_in_sample(struct kprobe *probe, struct pt_regs *regs)
{
	ktime_t end;

	if (!xchg(&armed, false))
		return 0;
	WRITE_ONCE(sampling, true);
	end = ktime_add_ms(ktime_get(), SLOW_MS);
	while (ktime_before(ktime_get(), end))
		cpu_relax();
	WRITE_ONCE(sampling, false);
	return 0;
}

static struct kprobe in_sample = {
	.symbol_name = "profil_record_or_defer",
	.pre_handler = wait_in_sample,
};

static struct kprobe in_wait = {
	.symbol_name = "profil_slot_wait",
	.pre_handler = count_wait,
};

static struct kprobe *probes[] = { &in_sample, &in_wait };

static int __init slow_sample_init(void)
{
	return register_kprobes(probes, ARRAY_SIZE(probes));
}

static void __exit slow_sample_exit(void)
{
	unregister_kprobes(probes, ARRAY_SIZE(probes));
}

module_init(slow_sample_init);
module_exit(slow_sample_exit);

MODULE_DESCRIPTION("A sample that takes three seconds");
MODULE_LICENSE("GPL");
