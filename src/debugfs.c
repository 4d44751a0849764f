// SPDX-License-Identifier: GPL-2.0-only
#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "debugfs.h"
#include "registry.h"

static struct dentry *directory;

static const char *session_state(const struct session *session)
{
	if (READ_ONCE(session->ending))
		return "ending";
	if (READ_ONCE(session->full))
		return "full";
	return "running";
}

/* mm->owner exists for memory control groups only. */
static struct task_struct *mm_owner(const struct mm_struct *mm)
{
#ifdef CONFIG_MEMCG
	/* data race: a fork that fails clears the owner. */
	return data_race(rcu_dereference(mm->owner));
#else
	return NULL;
#endif
}

/* The session and its mm exist while the lock is held. */
static void show_session(struct seq_file *file, const struct session *session)
{
	const struct config *config = session->config;
	struct task_struct *owner;
	pid_t process;

	rcu_read_lock();
	owner = mm_owner(session->mm);
	/* data race: a fork under way numbers its child. */
	process = owner ? data_race(task_tgid_nr(owner)) : 0;
	seq_printf(file, "%d\t%llu\t%u\t%ld\t%s\t", process,
		   config->period_ns ?: TICK_NSEC, config->map.nr_regions,
		   atomic_long_read(&session->counters.pinned),
		   session_state(session));
	seq_escape(file, owner ? owner->comm : "?", "\t\n\\");
	seq_putc(file, '\n');
	rcu_read_unlock();
}

static void show_bucket(struct seq_file *file, unsigned long bucket)
{
	struct session *session;

	raw_spin_lock_irq(&profil_registry_lock);
	hlist_for_each_entry(session, &profil_registry.buckets[bucket], node)
		show_session(file, session);
	raw_spin_unlock_irq(&profil_registry_lock);
}

static int sessions_show(struct seq_file *file, void *unused)
{
	unsigned long bucket;

	seq_puts(file,
		 "# pid\tperiod_ns\tregions\tpinned_pages\tstate\tcommand\n");
	for (bucket = 0; bucket < pointer_table_size(&profil_registry);
	     bucket++) {
		show_bucket(file, bucket);
		cond_resched();
	}
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(sessions);

void profil_debugfs_init(void)
{
	directory = debugfs_create_dir("profil", NULL);
	debugfs_create_file("sessions", 0400, directory, NULL, &sessions_fops);
}

void profil_debugfs_exit(void)
{
	debugfs_remove(directory);
}
