// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "books.h"
#include "registry.h"

struct pointer_table profil_registry;
DEFINE_RAW_SPINLOCK(profil_registry_lock);

static void registry_count_timed(const struct session *session, u64 nr)
{
	lockdep_assert_held(&profil_registry_lock);
	if (session->config->is_timed)
		timed_add(registry_timed(session->mm), nr);
}

void profil_registry_time_all(bool more)
{
	unsigned int i;

	raw_spin_lock_irq(&profil_registry_lock);
	for (i = 0; i < ARRAY_SIZE(profil_registry.timed); i++)
		timed_add(&profil_registry.timed[i],
			  more ? TIMED_TABLE : -TIMED_TABLE);
	raw_spin_unlock_irq(&profil_registry_lock);
}

struct session *profil_registry_get(const struct mm_struct *mm)
{
	struct session *session;

	rcu_read_lock();
	session = registry_find(mm);
	if (session && !refcount_inc_not_zero(&session->refs))
		session = NULL;
	rcu_read_unlock();
	return session;
}

struct session *profil_registry_replace(struct session *session)
{
	struct session *old;
	unsigned long flags;

	raw_spin_lock_irqsave(&profil_registry_lock, flags);
	old = registry_find(session->mm);
	registry_count_timed(session, TIMED_SESSION);
	if (old) {
		registry_count_timed(old, -TIMED_SESSION);
		refcount_inc(&old->refs);
		hlist_replace_rcu(&old->node, &session->node);
		/* Keep ->next: RCU readers may still be on this node. */
		WRITE_ONCE(old->node.pprev, NULL);
	} else {
		hlist_add_head_rcu(&session->node,
				   registry_bucket(session->mm));
		pointer_table_count(&profil_registry, 1);
	}
	raw_spin_unlock_irqrestore(&profil_registry_lock, flags);
	return old;
}

void profil_registry_remove(struct session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&profil_registry_lock, flags);
	if (!hlist_unhashed(&session->node)) {
		hlist_del_init_rcu(&session->node);
		registry_count_timed(session, -TIMED_SESSION);
		pointer_table_count(&profil_registry, -1);
	}
	raw_spin_unlock_irqrestore(&profil_registry_lock, flags);
}

/*
 * profil/sessions and profil/books in debugfs
 */

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

DEFINE_PER_CPU(long[NR_BOOKS], profil_books);

static const char *const book_names[NR_BOOKS] = {
	[BOOK_SESSIONS] = "sessions",	  [BOOK_QUOTAS] = "quotas",
	[BOOK_CHARGES] = "charges",	  [BOOK_WORKS] = "works",
	[BOOK_TASK_WORKS] = "task_works", [BOOK_NOTIFIERS] = "notifiers",
	[BOOK_LOCKED] = "locked",	  [BOOK_ITEMS] = "items",
	[BOOK_ENTRIES] = "entries",	  [BOOK_MEMBERS] = "members",
	[BOOK_TIMED] = "timed",		  [BOOK_REFERENCES] = "references",
};

static long book_sum(enum book book)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(profil_books[book], cpu);
	return sum;
}

static int books_show(struct seq_file *file, void *unused)
{
	enum book i;

	for (i = 0; i < NR_BOOKS; i++)
		seq_printf(file, "%s\t%ld\n", book_names[i], book_sum(i));
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(books);

void profil_registry_show(void)
{
	directory = debugfs_create_dir("profil", NULL);
	debugfs_create_file("sessions", 0400, directory, NULL, &sessions_fops);
	debugfs_create_file("books", 0400, directory, NULL, &books_fops);
}

void profil_registry_hide(void)
{
	debugfs_remove(directory);
}

void profil_books_close(void)
{
	enum book i;

	for (i = 0; i < NR_BOOKS; i++)
		if (book_sum(i))
			pr_err("BUG: %ld %s are left\n", book_sum(i),
			       book_names[i]);
}
