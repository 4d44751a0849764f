// SPDX-License-Identifier: GPL-2.0-only
#include <linux/anon_inodes.h>
#include <linux/bits.h>
#include <linux/cgroup.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "books.h"
#include "compat.h"
#include "deferred.h"
#include "needs.h"
#include "process.h"
#include "rows.h"
#include "table.h"
#include "table_device.h"
#include "timer.h"
#include "user_struct.h"

struct table *profil_table_create(const struct profil_table *given)
{
	struct table *table = profil_table_alloc(given);
	int err;

	if (IS_ERR(table))
		return table;
	profil_timer_init_table(table);
	err = profil_needs_attach_clocks(table->period_ns, BIT(NEED_MAPPINGS));
	if (!err)
		return table;
	profil_table_free(table);
	return ERR_PTR(err);
}

static void table_start(struct table *table)
{
	table->active = true;
	profil_table_publish(table);
	profil_timer_start_table(table);
}

/* Take no samples any more. Under the table's lock, or in the last close */
static void table_stop(struct table *table)
{
	if (!table->active)
		return;
	table->active = false;
	profil_table_withdraw(table);
	profil_timer_stop_table(table);
	profil_deferred_end(table);
}

union argument {
	struct profil_take take;
	struct profil_text text;
	struct profil_name name;
	struct profil_symbol symbol;
	struct profil_add add;
	struct profil_wanted wanted;
	struct profil_rows rows;
};

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
	WRITE_ONCE(table->sequence, table->sequence + 1);
	rcu_assign_pointer(table->half, next);
	if (table->active)
		synchronize_rcu();
	return old;
}

static bool is_removed(const struct cgroup *cgroup)
{
	return !(READ_ONCE(cgroup->self.flags) & CSS_ONLINE);
}

/* Does struct profil_take have all outcomes from FIRST to LAST, in their order? */
#define TAKEN_IN_ORDER(first, first_outcome, last, last_outcome)     \
	static_assert(offsetof(struct profil_take, last) -           \
			      offsetof(struct profil_take, first) == \
		      sizeof(u64) * ((last_outcome) - (first_outcome)))

TAKEN_IN_ORDER(ticks, OUTCOME_TICKS, busy, OUTCOME_STALE - 1);
TAKEN_IN_ORDER(stale, OUTCOME_STALE, kernel_full, OUTCOME_WALKS - 1);
TAKEN_IN_ORDER(walk_base, OUTCOME_WALKS, walk_deferred, NR_TAKEN_OUTCOMES - 1);

/* Where TAKE returns the samples of @outcome */
static u64 *table_taken(struct profil_take *take, enum outcome outcome)
{
	if (outcome >= OUTCOME_WALKS)
		return &take->walk_base + (outcome - OUTCOME_WALKS);
	if (outcome >= OUTCOME_STALE)
		return &take->stale + (outcome - OUTCOME_STALE);
	return &take->ticks + outcome;
}

/* Works that could not be taken back from their tasks find no table any more. */
static void fill_waiting(struct profil_take *take, struct table *table,
			 const struct half *half)
{
	table->waiting += profil_half_samples(half, OUTCOME_DEFERRED) -
			  profil_half_samples(half, OUTCOME_RESOLVED);
	if (!table->active) {
		take->cancelled += table->waiting;
		table->waiting = 0;
	}
	take->waiting = table->waiting;
}

static void fill_take(struct profil_take *take, struct table *table,
		      struct half *half)
{
	enum outcome i;

	for (i = 0; i < NR_TAKEN_OUTCOMES; i++)
		*table_taken(take, i) = profil_half_samples(half, i);
	fill_waiting(take, table, half);
	take->sequence = table->sequence;
	take->half = half - table->halves;
	take->counters = atomic_read(&half->used);
	take->texts = half->names.last_id[ENTRY_TEXT];
	take->names = half->names.last_id[ENTRY_NAME];
	if (table->cgroup && is_removed(table->cgroup))
		take->flags |= PROFIL_TAKE_CGROUP_GONE;
}

static int table_take(struct table *table, union argument *arg, char **path)
{
	struct profil_take *take = &arg->take;

	lockdep_assert_held(&table->lock);
	if (take->flags & ~PROFIL_TAKE_LAST)
		return -EINVAL;
	profil_tree_count(&table->tree, take);
	if (take->flags & PROFIL_TAKE_LAST)
		table_stop(table);
	else if (table->waiting)
		profil_deferred_cancel(table, table->sequence - 1);
	fill_take(take, table, swap_halves(table));
	return 0;
}

static void *entry_at_rest(struct table *table, enum entry_kind kind, u32 id)
{
	return xa_load(&half_at_rest(table)->names.ids[kind], id);
}

static int table_text(struct table *table, union argument *arg, char **path)
{
	struct profil_text *out = &arg->text;
	const struct text *text = entry_at_rest(table, ENTRY_TEXT, out->id);
	const struct task_struct *leader;

	if (!text)
		return -EINVAL;
	out->program = text->key.parts[PART_PROGRAM];
	out->file = text->key.parts[PART_FILE];
	out->cgroup = text->key.parts[PART_CGROUP];
	out->pid = pid_vnr(text->entry.process);
	rcu_read_lock();
	leader = pid_task(text->entry.process, PIDTYPE_TGID);
	out->begin_ns = leader ? leader->start_boottime : 0;
	rcu_read_unlock();
	memcpy(out->thread, text->key.thread, sizeof(out->thread));
	return 0;
}

/* All but the ID and the path */
static void fill_name(struct profil_name *out, const struct name *name)
{
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
}

/* The path is copied out later, without the lock, since that may take any time. */
static int table_name(struct table *table, union argument *arg, char **path)
{
	struct profil_name *out = &arg->name;
	const struct name *name = entry_at_rest(table, ENTRY_NAME, out->id);
	u32 room = out->room;

	if (!name)
		return -EINVAL;
	fill_name(out, name);
	if (!out->path)
		return 0;
	if (room < name->path_size)
		return -ENAMETOOLONG;
	*path = kmemdup(name->path, name->path_size, GFP_KERNEL_ACCOUNT);
	return *path ? 0 : -ENOMEM;
}

/* What follows @kind is where struct profil_name has it. */
static_assert(offsetof(struct profil_wanted, room) ==
	      offsetof(struct profil_name, room));
static_assert(sizeof(struct profil_wanted) == sizeof(struct profil_name));

/* A file stays in the queue if the call fails here. */
static int table_wanted(struct table *table, union argument *arg, char **path)
{
	struct profil_wanted *out = &arg->wanted;
	struct name *name;

	if (!table->rows)
		return -EINVAL;
	if (out->path)
		*path = kmalloc(PATH_MAX, GFP_KERNEL_ACCOUNT);
	if (out->path && !*path)
		return -ENOMEM;
	name = profil_rows_wanted(table->rows, out->path ? out->room : U32_MAX);
	if (IS_ERR(name))
		return PTR_ERR(name);
	fill_name(&arg->name, name);
	out->kind = name->key.kind;
	out->pid = pid_vnr(name->entry.process);
	out->inode = name->key.inode;
	if (*path)
		memcpy(*path, name->path, name->path_size);
	profil_names_free_entry(&name->entry);
	return 0;
}

static int table_rows(struct table *table, union argument *arg, char **path)
{
	return table->rows ? profil_rows_load(table, &arg->rows) : -EINVAL;
}

/*
 * The kernel's text of a symbol is "function+0xOFFSET/0xSIZE [module]"; of an
 * address without a symbol it is the address, which is not for users.
 */
static void symbol_find(struct profil_symbol *symbol)
{
	unsigned long pc = TABLE_KERNEL_BASE + (s32)symbol->offset;
	char text[KSYM_SYMBOL_LEN], module[KSYM_NAME_LEN] = "";
	unsigned long offset = 0;
	char *plus;

	symbol->start = symbol->offset;
	symbol->name[0] = 0;
	if ((s32)symbol->offset == S32_MIN)
		return;
	sprint_symbol(text, pc);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+%lx", &offset) != 1)
		return;
	symbol->start = symbol->offset - offset;
	if (strchr(plus, '['))
		strscpy(module, strchr(plus, '[') - 1, sizeof(module));
	*plus = 0;
	strscpy(symbol->name, text, sizeof(symbol->name));
	strlcat(symbol->name, module, sizeof(symbol->name));
}

static int table_symbol(struct table *table, union argument *arg, char **path)
{
	if (!(table->flags & PROFIL_TABLE_KERNEL_PCS))
		return -EINVAL;
	arg->symbol.reserved = 0;
	symbol_find(&arg->symbol);
	return 0;
}

static int table_add(struct table *table, union argument *arg, char **path)
{
	const struct profil_add *add = &arg->add;
	struct pid *process;
	int err = 0;

	if (add->flags & ~PROFIL_ADD_FLAGS ||
	    !(table->flags & PROFIL_TABLE_TREE) || !table->active)
		return -EINVAL;
	process = profil_process_get(add->pidfd);
	if (IS_ERR(process))
		return PTR_ERR(process);
	if (add->flags & PROFIL_ADD_CHILDREN)
		err = profil_needs_attach(BIT(NEED_FORK));
	if (!err)
		err = profil_tree_add(&table->tree, process, add->flags);
	if (!err && table->has_timers)
		profil_timer_start(process);
	book_put_pid(process);
	return err;
}

/*
 * The commands, with the lock of the table if @is_locked. Their numbers have the size and the
 * direction of a structure. @path: where to put a path to free, and to copy out after success
 */
static const struct command {
	unsigned int command;
	bool is_locked;
	int (*act)(struct table *table, union argument *arg, char **path);
} commands[] = {
	{ PROFIL_TABLE_IOC_TAKE, true, table_take },
	{ PROFIL_TABLE_IOC_TEXT, true, table_text },
	{ PROFIL_TABLE_IOC_NAME, true, table_name },
	{ PROFIL_TABLE_IOC_SYMBOL, true, table_symbol },
	{ PROFIL_TABLE_IOC_ADD, true, table_add },
	{ PROFIL_TABLE_IOC_WANTED, true, table_wanted },
	{ PROFIL_TABLE_IOC_ROWS, false, table_rows },
};

/* The sizes in ABI 1, which user_struct_in() has to take when a structure has grown */
static_assert(sizeof(struct profil_take) == 288);
static_assert(sizeof(struct profil_text) == 48);
static_assert(sizeof(struct profil_name) == 88);
static_assert(sizeof(struct profil_symbol) == 272);
static_assert(sizeof(struct profil_add) == 12);
static_assert(sizeof(struct profil_wanted) == 88);
static_assert(sizeof(struct profil_rows) == 56);

static int copy_path_out(const union argument *arg, const char *path)
{
	void __user *to = (void __user *)(uintptr_t)arg->name.path;

	return copy_to_user(to, path, arg->name.room) ? -EFAULT : 0;
}

/* Nothing is copied with the lock held: that may wait for a server of files. */
static long run_command(struct table *table, const struct command *command,
			void __user *user)
{
	bool is_out = _IOC_DIR(command->command) & _IOC_READ;
	u32 size = _IOC_SIZE(command->command);
	union argument arg;
	char *path = NULL;
	long err = user_struct_in(&arg, size, user);

	/* What cannot be written fails before it has been taken. */
	if (!err && is_out)
		err = user_struct_out(user, &arg, size);
	if (err)
		return err;
	if (command->is_locked && mutex_lock_killable(&table->lock))
		return -EINTR;
	err = command->act(table, &arg, &path);
	if (command->is_locked)
		mutex_unlock(&table->lock);
	if (!err && path)
		err = copy_path_out(&arg, path);
	kfree(path);
	if (!err && is_out)
		err = user_struct_out(user, &arg, size);
	return err;
}

/* A structure may grow, and the size in the command with it: the number is compared. */
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
	return 2 * half_bytes(table->halves[0].log2);
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
	if (table->rows && READ_ONCE(table->rows->nr_waiting))
		events |= EPOLLPRI;
	return events;
}

static vm_fault_t table_fault(struct vm_fault *vmf)
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
	.fault = table_fault,
};

/*
 * The descriptor is for reading only, so a mapping of it cannot be written. It is
 * neither executed nor dumped, and a forked child would keep the table by it.
 */
static int table_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct table *table = file->private_data;
	size_t size = vma->vm_end - vma->vm_start;
	size_t pages = PAGE_ALIGN(mapping_size(table)) >> PAGE_SHIFT;

	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_pgoff > pages ||
	    size >> PAGE_SHIFT > pages - vma->vm_pgoff)
		return -EINVAL;
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYEXEC);
	vma->vm_private_data = table;
	vma->vm_ops = &mapping_operations;
	return 0;
}

static int table_release(struct inode *inode, struct file *file)
{
	struct table *table = file->private_data;

	table_stop(table);
	profil_table_free(table);
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

	table_start(table);
	fd = anon_inode_getfd("[profil]", &table_operations, table,
			      O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	table_stop(table);
	profil_table_free(table);
	return fd;
}
