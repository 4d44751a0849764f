// SPDX-License-Identifier: GPL-2.0-only
#include <linux/anon_inodes.h>
#include <linux/bits.h>
#include <linux/cgroup.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "config.h"
#include "names.h"
#include "needs.h"
#include "process.h"
#include "symbol.h"
#include "table.h"
#include "timer.h"
#include "user_struct.h"

/* NULL for the whole machine */
static struct cgroup *get_cgroup(const struct profil_table *given)
{
	struct cgroup *cgroup = NULL;

	if (given->flags & PROFIL_TABLE_CGROUP)
		cgroup = cgroup_get_from_fd(given->cgroup);
	/* That of a directory that has been removed is ENOENT. */
	return cgroup == ERR_PTR(-ENOENT) ? ERR_PTR(-EBADF) : cgroup;
}

/* A tree of a size that any user may have, and without PCs in the kernel */
static bool is_for_all(const struct profil_table *given)
{
	return given->flags & PROFIL_TABLE_TREE &&
	       !(given->flags & PROFIL_TABLE_KERNEL_PCS) &&
	       given->counters_log2 <= PROFIL_TREE_MAX_LOG2;
}

/* The rules of perf for events of a CPU, and for those in the kernel */
static int check_permission(const struct profil_table *given)
{
	if (!is_for_all(given) && !perfmon_capable())
		return -EPERM;
	return given->flags & PROFIL_TABLE_KERNEL_PCS ?
		       security_locked_down(LOCKDOWN_PERF) :
		       0;
}

static int check_values(const struct profil_table *given)
{
	const u32 cgroup_or_tree = PROFIL_TABLE_CGROUP | PROFIL_TABLE_TREE;

	if (given->flags & ~PROFIL_TABLE_FLAGS ||
	    (given->flags & cgroup_or_tree) == cgroup_or_tree ||
	    given->counters_log2 < PROFIL_TABLE_MIN_LOG2 ||
	    given->counters_log2 > PROFIL_TABLE_MAX_LOG2 ||
	    (!(given->flags & PROFIL_TABLE_CGROUP) && given->cgroup != -1))
		return -EINVAL;
	return profil_config_check_period(given->period_ns);
}

struct table *profil_table_create(const struct profil_table *given)
{
	struct cgroup *cgroup;
	struct table *table;
	enum need timer;
	int err = check_permission(given) ?: check_values(given);

	if (err)
		return ERR_PTR(err);
	cgroup = get_cgroup(given);
	if (IS_ERR(cgroup))
		return ERR_CAST(cgroup);
	table = profil_table_alloc(given, cgroup);
	if (IS_ERR(table))
		return table;
	timer = table->flags & PROFIL_TABLE_TREE ? NEED_MEMBER_TIMER :
						   NEED_TABLE_TIMER;
	err = profil_deferred_alloc(table) ?: profil_timer_alloc_table(table);
	if (!err)
		err = profil_needs_attach_clocks(table->period_ns, timer,
						 BIT(NEED_MAPPINGS));
	if (!err)
		return table;
	profil_table_put(table);
	return ERR_PTR(err);
}

static void start(struct table *table)
{
	table->active = true;
	profil_table_publish(table);
	profil_timer_start_table(table);
}

/* Take no samples any more. Under the table's lock, or in the last close */
static void stop(struct table *table)
{
	if (!table->active)
		return;
	table->active = false;
	profil_table_withdraw(table);
	profil_timer_stop_table(table);
	profil_deferred_cancel(table);
}

/*
 * Tasks that have begun a look-up finish it, unless they wait for memory or for
 * mmap_lock: then their samples are in @waiting.
 */
static void wait_for_items(const struct table *table)
{
	int tries = HZ;

	while (refcount_read(&table->refs) > 1 && --tries)
		schedule_timeout_killable(1);
}

static struct half *half_in_use(struct table *table)
{
	return rcu_dereference_protected(table->half,
					 lockdep_is_held(&table->lock));
}

static struct half *half_at_rest(struct table *table)
{
	return &table->halves[half_in_use(table) == &table->halves[0]];
}

/* Make the other half the one in use. Returns the one that was. */
static struct half *swap_halves(struct table *table)
{
	struct half *old = half_in_use(table), *next = half_at_rest(table);

	profil_half_clear(next);
	rcu_assign_pointer(table->half, next);
	synchronize_rcu();
	return old;
}

static u32 last_id(const struct xarray *ids)
{
	unsigned long id, last = 0;
	void *entry;

	xa_for_each((struct xarray *)ids, id, entry)
		last = id;
	return last;
}

static bool is_removed(const struct cgroup *cgroup)
{
	return !(READ_ONCE(cgroup->self.flags) & CSS_ONLINE);
}

static void fill_take(struct profil_take *take, struct table *table,
		      const struct half *half)
{
	u64 *samples = &take->ticks;
	enum outcome i;

	for (i = OUTCOME_TICKS; i <= OUTCOME_FULL; i++)
		samples[i] = profil_half_samples(half, i);
	table->waiting += profil_half_samples(half, OUTCOME_DEFERRED) -
			  profil_half_samples(half, OUTCOME_RESOLVED);
	take->waiting = table->waiting;
	take->kernel_pcs = profil_half_samples(half, OUTCOME_KERNEL_PCS);
	take->kernel_full = profil_half_samples(half, OUTCOME_KERNEL_FULL);
	take->half = half - table->halves;
	take->counters = atomic_read(&half->used);
	take->texts = last_id(&half->texts);
	take->names = last_id(&half->names);
	if (table->cgroup && is_removed(table->cgroup))
		take->flags |= PROFIL_TAKE_CGROUP_GONE;
}

static int take(struct table *table, void *arg)
{
	struct profil_take *take = arg;

	if (take->flags & ~PROFIL_TAKE_LAST)
		return -EINVAL;
	profil_tree_count(&table->tree, take);
	if (take->flags & PROFIL_TAKE_LAST) {
		stop(table);
		wait_for_items(table);
	}
	fill_take(take, table, swap_halves(table));
	return 0;
}

static int text(struct table *table, void *arg)
{
	struct profil_text *out = arg;
	const struct text *text = xa_load(&half_at_rest(table)->texts, out->id);
	const struct task_struct *leader;

	if (!text)
		return -EINVAL;
	out->program = text->key.parts[PART_PROGRAM];
	out->file = text->key.parts[PART_FILE];
	out->cgroup = text->key.parts[PART_CGROUP];
	out->pid = pid_vnr(text->process);
	rcu_read_lock();
	leader = pid_task(text->process, PIDTYPE_TGID);
	out->begin_ns = leader ? leader->start_boottime : 0;
	rcu_read_unlock();
	memcpy(out->thread, text->key.thread, sizeof(out->thread));
	return 0;
}

static int name(struct table *table, void *arg)
{
	struct profil_name *out = arg;
	const struct name *name = xa_load(&half_at_rest(table)->names, out->id);
	u32 room = out->room;

	if (!name)
		return -EINVAL;
	out->kind = name->key.kind;
	out->room = name->path_size;
	out->device = name->key.device;
	out->inode = name->key.kind == PROFIL_NAME_SPECIAL ||
				     name->key.kind == PROFIL_NAME_MEMORY ?
			     0 :
			     name->key.inode;
	out->file_size = name->key.size;
	out->mtime_ns = name->key.mtime_ns;
	out->generation = name->key.generation;
	out->build_id_size = name->build_id_size;
	memcpy(out->build_id, name->build_id, sizeof(out->build_id));
	out->reserved = 0;
	if (!out->path)
		return 0;
	if (room < name->path_size)
		return -ENAMETOOLONG;
	return copy_to_user((void __user *)(uintptr_t)out->path, name->path,
			    name->path_size) ?
		       -EFAULT :
		       0;
}

static int symbol(struct table *table, void *arg)
{
	struct profil_symbol *symbol = arg;

	if (!(table->flags & PROFIL_TABLE_KERNEL_PCS))
		return -EINVAL;
	symbol->reserved = 0;
	profil_symbol_find(symbol);
	return 0;
}

static int add(struct table *table, void *arg)
{
	const struct profil_add *add = arg;
	struct pid *process;
	int err = 0;

	if (add->flags & ~PROFIL_ADD_FLAGS || add->reserved ||
	    !(table->flags & PROFIL_TABLE_TREE) || !table->active)
		return -EINVAL;
	process = profil_process_get(add->pidfd);
	if (IS_ERR(process))
		return PTR_ERR(process);
	if (add->flags & PROFIL_ADD_CHILDREN)
		err = profil_needs_attach(BIT(NEED_FORK));
	if (!err)
		err = profil_tree_add(&table->tree, process, add->flags);
	if (!err)
		profil_timer_start_member(table, process);
	put_pid(process);
	return err;
}

/* The commands: on a structure of @size, which was @shortest in ABI 1 */
static const struct command {
	unsigned int command;
	size_t size;
	u32 shortest;
	int (*act)(struct table *table, void *arg);
} commands[] = {
	{ PROFIL_TABLE_IOC_TAKE, sizeof(struct profil_take), 184, take },
	{ PROFIL_TABLE_IOC_TEXT, sizeof(struct profil_text), 48, text },
	{ PROFIL_TABLE_IOC_NAME, sizeof(struct profil_name), 88, name },
	{ PROFIL_TABLE_IOC_SYMBOL, sizeof(struct profil_symbol), 272, symbol },
	{ PROFIL_TABLE_IOC_ADD, sizeof(struct profil_add), 16, add },
};

static_assert(sizeof(struct profil_take) == 184);
static_assert(sizeof(struct profil_text) == 48);
static_assert(sizeof(struct profil_name) == 88);
static_assert(sizeof(struct profil_symbol) == 272);
static_assert(sizeof(struct profil_add) == 16);

static long run_command(struct table *table, const struct command *command,
			void __user *user)
{
	union {
		struct profil_take take;
		struct profil_text text;
		struct profil_name name;
		struct profil_symbol symbol;
		struct profil_add add;
	} arg;
	long err = profil_copy_in(&arg, command->size, command->shortest, user);

	if (err)
		return err;
	if (mutex_lock_killable(&table->lock))
		return -EINTR;
	/* What cannot be written fails before it has been taken. */
	err = profil_copy_out(user, &arg, command->size) ?:
		      command->act(table, &arg);
	mutex_unlock(&table->lock);
	if (err || command->act == add) /* which writes nothing */
		return err;
	return profil_copy_out(user, &arg, command->size);
}

static long table_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int i;

	if (_IOC_TYPE(cmd) != PROFIL_IOC_MAGIC)
		return -ENOTTY;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (_IOC_NR(cmd) == _IOC_NR(commands[i].command))
			return run_command(file->private_data, &commands[i],
					   (void __user *)arg);
	return -ENOTTY;
}

static size_t mapping_size(const struct table *table)
{
	return 2 * half_max_bytes(&table->halves[0]);
}

static __poll_t table_poll(struct file *file, struct poll_table_struct *wait)
{
	struct table *table = file->private_data;
	__poll_t events = profil_tree_has_ended(&table->tree) ? EPOLLHUP : 0;

	poll_wait(file, &table->readers, wait);
	rcu_read_lock();
	if (half_is_half_full(rcu_dereference(table->half)))
		events |= EPOLLIN | EPOLLRDNORM;
	rcu_read_unlock();
	return events;
}

static vm_fault_t fault(struct vm_fault *vmf)
{
	struct table *table = vmf->vma->vm_private_data;
	size_t at = vmf->pgoff << PAGE_SHIFT;

	if (at >= mapping_size(table))
		return VM_FAULT_SIGBUS;
	vmf->page = vmalloc_to_page((void *)table->counters + at);
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct mapping_operations = {
	.fault = fault,
};

/* The descriptor is for reading only, so a mapping of it cannot be written. */
static int table_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct table *table = file->private_data;
	size_t size = vma->vm_end - vma->vm_start;
	size_t pages = PAGE_ALIGN(mapping_size(table)) >> PAGE_SHIFT;

	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_pgoff > pages ||
	    size >> PAGE_SHIFT > pages - vma->vm_pgoff)
		return -EINVAL;
	vma->vm_private_data = table;
	vma->vm_ops = &mapping_operations;
	return 0;
}

/* Only tasks that look up their code still use the table. */
static int table_release(struct inode *inode, struct file *file)
{
	struct table *table = file->private_data;

	stop(table);
	profil_table_put(table);
	return 0;
}

/* .owner pins the module while the descriptor is open. */
static const struct file_operations table_operations = {
	.owner = THIS_MODULE,
	.release = table_release,
	.unlocked_ioctl = table_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.poll = table_poll,
	.mmap = table_mmap,
};

int profil_table_install(struct table *table)
{
	int fd;

	start(table);
	fd = anon_inode_getfd("[profil]", &table_operations, table,
			      O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	stop(table);
	profil_table_put(table);
	return fd;
}
