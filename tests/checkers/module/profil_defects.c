// SPDX-License-Identifier: GPL-2.0-only
/*
 * Defects that the kernel's checkers have to report, one for each checker
 *
 * A defect is made by writing its name to the parameter defect. Loading the
 * module makes none.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#define RACE_MS 3000

static int make_use_after_free(void)
{
	int *value = kmalloc(sizeof(*value), GFP_KERNEL);

	if (!value)
		return -ENOMEM;
	kfree(value);
	return READ_ONCE(*value) & 0;
}

static int make_out_of_bounds(void)
{
	char *text = kzalloc(8, GFP_KERNEL);
	int index = 8;

	if (!text)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(index);
	WRITE_ONCE(text[index], 1);
	kfree(text);
	return 0;
}

static int make_shift(void)
{
	int bits = 40, one = 1;

	OPTIMIZER_HIDE_VAR(bits);
	OPTIMIZER_HIDE_VAR(one);
	one <<= bits;
	OPTIMIZER_HIDE_VAR(one);
	return 0;
}

static int make_leak(void)
{
	void *object = kmalloc(64, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	return object ? 0 : -ENOMEM;
}

static int make_sleep_in_atomic(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
	return 0;
}

static int __rcu *rcu_pointer;

static int make_missing_rcu(void)
{
	return rcu_dereference(rcu_pointer) ? -EINVAL : 0;
}

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static void lock_both(struct mutex *one, struct mutex *other)
{
	mutex_lock(one);
	mutex_lock(other);
	mutex_unlock(other);
	mutex_unlock(one);
}

static int make_lock_order(void)
{
	lock_both(&first, &second);
	lock_both(&second, &first);
	return 0;
}

static DEFINE_RAW_SPINLOCK(raw_lock);
static DEFINE_SPINLOCK(sleeping_lock);

static int make_wait_context(void)
{
	raw_spin_lock(&raw_lock);
	spin_lock(&sleeping_lock);
	spin_unlock(&sleeping_lock);
	raw_spin_unlock(&raw_lock);
	return 0;
}

static void expire(struct timer_list *timer)
{
}

/* The debugging code deactivates the timer after its report. */
static int make_active_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return -ENOMEM;
	timer_setup(timer, expire, 0);
	mod_timer(timer, jiffies + 1000 * HZ);
	kfree(timer);
	return 0;
}

static unsigned long shared_count;

static int count(void *ended)
{
	ktime_t end = ktime_add_ms(ktime_get(), RACE_MS);

	while (ktime_before(ktime_get(), end)) {
		shared_count++;
		cond_resched();
	}
	complete(ended);
	return 0;
}

static int make_data_race(void)
{
	DECLARE_COMPLETION_ONSTACK(ended);
	struct task_struct *task = kthread_run(count, &ended, "defect");
	DECLARE_COMPLETION_ONSTACK(own);

	if (IS_ERR(task))
		return PTR_ERR(task);
	count(&own);
	wait_for_completion(&ended);
	return 0;
}

/* The pin of a page of the writing process's stack stays. */
static int make_pin(void)
{
	unsigned long address = current->mm->start_stack & PAGE_MASK;
	struct page *page;
	int nr = pin_user_pages_fast(address, 1, FOLL_LONGTERM, &page);

	return nr < 0 ? nr : 0;
}

static const struct defect {
	const char *name;
	int (*make)(void);
} defects[] = {
	{ "use_after_free", make_use_after_free },
	{ "out_of_bounds", make_out_of_bounds },
	{ "shift", make_shift },
	{ "leak", make_leak },
	{ "sleep_in_atomic", make_sleep_in_atomic },
	{ "missing_rcu", make_missing_rcu },
	{ "lock_order", make_lock_order },
	{ "wait_context", make_wait_context },
	{ "active_timer", make_active_timer },
	{ "data_race", make_data_race },
	{ "pin", make_pin },
};

static int make(const char *name, const struct kernel_param *param)
{
	for (size_t i = 0; i < ARRAY_SIZE(defects); i++)
		if (sysfs_streq(name, defects[i].name))
			return defects[i].make();
	return -EINVAL;
}

static const struct kernel_param_ops defect_ops = { .set = make };

module_param_cb(defect, &defect_ops, NULL, 0200);

MODULE_DESCRIPTION("Defects that the kernel's checkers report");
MODULE_LICENSE("GPL");
