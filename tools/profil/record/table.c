// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by the table of the driver
 *
 * A table has two halves of bounded size, so it is taken from time to time.
 */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <poll.h>
#include <sys/ioctl.h>

#include "profile/head.h"
#include "record/half.h"

int profil_table_add(const struct table *table, int pidfd, uint32_t flags)
{
	struct profil_add add = {
		.size = sizeof(add),
		.flags = flags,
		.pidfd = pidfd,
	};

	return ioctl(table->fd, PROFIL_TABLE_IOC_ADD, &add) ? -errno : 0;
}

static short events_of(const struct table *table)
{
	struct pollfd poller = { .fd = table->fd, .events = POLLIN };

	return poll(&poller, 1, 0) > 0 ? poller.revents : 0;
}

bool profil_table_has_ended(const struct table *table)
{
	return events_of(table) & POLLHUP;
}

bool profil_table_is_full(const struct table *table)
{
	return events_of(table) & POLLIN;
}

/* A sample that waits is taken when it is counted. */
static void add_numbers(struct profil_take *sum, const struct profil_take *take)
{
	profil_taken_clear(sum, TAKEN_NOW);
	profil_taken_add(sum, take, 1);
	sum->ticks += sum->waiting - take->waiting;
	sum->waiting = take->waiting;
	sum->sequence = take->sequence;
}

static const char has_unknown_keys[] =
	"the driver counts by unknown keys: install the profil of the driver's version";

static const char is_taken_by_others[] =
	"another process has taken samples of this recording: the counts are incomplete";

static void warn_once(bool *is_warned, const char *warning)
{
	if (!*is_warned)
		warnx("%s", warning);
	*is_warned = true;
}

/* Samples of unknown keys are not hits for this profil: they are lost. */
static void lose_unknown(struct table *table, struct profil_take *take,
			 uint64_t unknown)
{
	uint64_t lost = lesser(unknown, take->hits);

	take->hits -= lost;
	take->cancelled += lost;
	if (unknown)
		warn_once(&table->is_unknown, has_unknown_keys);
}

/* Take a half with @flags, and note when; false if the table has failed. */
static bool take_half(struct table *table, uint32_t flags,
		      struct profil_take *take)
{
	int error;

	*take = (struct profil_take){ .size = sizeof(*take), .flags = flags };
	do {
		error = table->has_failed ||
			ioctl(table->fd, PROFIL_TABLE_IOC_TAKE, take);
	} while (error && !table->has_failed && errno == EINTR);
	table->taken_ns = profil_now();
	if (error && !table->has_failed)
		warn("cannot take the table of %s", PROFIL_DEVICE);
	table->has_failed |= error;
	return !error;
}

/* Add to @growing the half of @take. */
static void read_half(struct table *table, struct profil_take *take,
		      struct growing *growing)
{
	struct profil_take *sum = &growing->now.taken;

	table->is_gone = take->flags & PROFIL_TAKE_CGROUP_GONE;
	if (take->sequence != sum->sequence + 1)
		warn_once(&table->is_shared, is_taken_by_others);
	lose_unknown(table, take, profil_half_read(table, take, growing));
	add_numbers(sum, take);
}

/* The kernel's figures may decrease. */
static void let_grow(uint64_t *number, uint64_t now, uint64_t booted)
{
	if (now > booted + *number)
		*number = now - booted;
}

static void look_at_machine(struct table *table, struct numbers *now)
{
	const struct machine_time *booted = &table->booted;
	struct machine_time time = profil_machine_time();

	let_grow(&now->machine.idle_ns, time.idle_ns, booted->idle_ns);
	let_grow(&now->machine.stolen_ns, time.stolen_ns, booted->stolen_ns);
}

/* Processes are seen after @interval_ns, and later and later. */
static void set_next_look(struct table *table)
{
	table->interval_ns *= 2;
	if (table->interval_ns > SECOND)
		table->interval_ns = TABLE_TAKE_NS;
	table->see_ns = profil_now() + table->interval_ns;
}

void profil_table_see(struct table *table, struct growing *growing)
{
	struct profil_take take;

	if (take_half(table, 0, &take))
		read_half(table, &take, growing);
	set_next_look(table);
}

/* The numbers of the machine are read first: reading a half takes a while. */
static void take_all(struct table *table, struct growing *growing,
		     uint32_t flags)
{
	struct profil_take take;
	bool is_taken = take_half(table, flags, &take);

	look_at_machine(table, &growing->now);
	if (is_taken)
		read_half(table, &take, growing);
}

void profil_table_take(struct table *table, struct growing *growing)
{
	take_all(table, growing, 0);
	set_next_look(table);
	table->take_ns = profil_now() + TABLE_TAKE_NS;
}

/* No sample waits after the last take, unless that has failed. */
void profil_table_end(struct table *table, struct growing *growing)
{
	struct profil_take *taken = &growing->now.taken;

	take_all(table, growing, PROFIL_TAKE_LAST);
	taken->ticks += taken->waiting;
	taken->cancelled += taken->waiting;
	taken->waiting = 0;
}

static uint64_t difference(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* A hypervisor shows itself to the programs of its machines. */
static bool is_virtual(void)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return false;
#endif
}

/* CPU time of the machine is that of its samples; of its CPUs, that in which they had a task. */
static void set_machine(const struct numbers *then, const struct numbers *now,
			struct profile_head *head)
{
	uint64_t all_ns = head->wall_ns * sysconf(_SC_NPROCESSORS_ONLN);

	head->idle_ns = now->machine.idle_ns - then->machine.idle_ns;
	head->busy_ns = difference(all_ns, head->idle_ns);
	head->cpu_ns = head->samples * head->period_ns;
	head->kernel_ns = head->kernel_samples * head->period_ns;
}

static void set_times(const struct numbers *then, const struct numbers *now,
		      struct profile_head *head)
{
	head->wall_ns = now->wall_ns - then->wall_ns;
	head->stolen_ns = now->machine.stolen_ns - then->machine.stolen_ns;
	head->is_virtual = is_virtual();
	if (head->table == TABLE_MACHINE) {
		set_machine(then, now, head);
		return;
	}
	head->cpu_ns = difference(now->cpu.all_ns, then->cpu.all_ns);
	head->kernel_ns = difference(now->cpu.kernel_ns, then->cpu.kernel_ns);
	/* /proc has it in clock ticks, and all CPU time is in nanoseconds. */
	if (head->kernel_ns > head->cpu_ns)
		head->kernel_ns = head->cpu_ns;
}

void profil_table_set_head(const struct table *table,
			   const struct numbers *then,
			   const struct numbers *now, struct profile_head *head)
{
	struct profil_take *taken = &head->taken, before = then->taken;

	profil_taken_clear(&before, TAKEN_NOW);
	profil_taken_add(taken, &now->taken, 1);
	profil_taken_add(taken, &before, -1);
	head->table = table->kind;
	head->period_ns = table->period_ns;
	head->is_tick = table->is_tick;
	head->hits = taken->hits;
	head->outside = taken->unmapped;
	head->lost = profil_taken_sum(taken, TAKEN_LOST);
	head->samples = head->hits + head->outside + head->lost;
	set_times(then, now, head);
}
