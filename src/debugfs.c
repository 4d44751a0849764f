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
	return rcu_dereference(mm->owner);
#else
	return NULL;
#endif
}

/* The session and its mm exist while the lock is held. */
static void show_session(struct seq_file *file, const struct session *session)
{
	const struct config *config = session->config;
	struct task_struct *owner;

	rcu_read_lock();
	owner = mm_owner(session->mm);
	seq_printf(file, "%d\t%llu\t%u\t%ld\t%s\t",
		   owner ? task_tgid_nr(owner) : 0,
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

#define HEADING "# pid\tperiod_ns\tregions\tpinned_pages\tstate\tcommand\n"

/* Position 0 is the heading, position n the bucket n - 1 of the registry. */
static void *sessions_start(struct seq_file *file, loff_t *position)
{
	return *position <= pointer_table_size(&profil_registry) ? position :
								   NULL;
}

static void *sessions_next(struct seq_file *file, void *at, loff_t *position)
{
	++*position;
	return sessions_start(file, position);
}

static void sessions_stop(struct seq_file *file, void *at)
{
}

static int sessions_show(struct seq_file *file, void *at)
{
	unsigned long position = *(loff_t *)at;

	if (!position)
		seq_puts(file, HEADING);
	else
		show_bucket(file, position - 1);
	return 0;
}

static const struct seq_operations sessions_sops = {
	.start = sessions_start,
	.next = sessions_next,
	.stop = sessions_stop,
	.show = sessions_show,
};

DEFINE_SEQ_ATTRIBUTE(sessions);

void profil_debugfs_init(void)
{
	directory = debugfs_create_dir("profil", NULL);
	debugfs_create_file("sessions", 0400, directory, NULL, &sessions_fops);
}

void profil_debugfs_exit(void)
{
	debugfs_remove(directory);
}
