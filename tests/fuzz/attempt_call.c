// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include "table.h"

#define IOCTL_32 54

/*
 * A kernel without 32-bit programs kills one that executes int 0x80, and another processor
 * has no such call.
 */
static int call_32(int fd, unsigned long command, __u64 at)
{
	int result = -EOPNOTSUPP;

#if defined(__x86_64__)
	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(IOCTL_32), "b"(fd), "c"(command), "d"((__u32)at)
		     : "memory", "r8", "r9", "r10", "r11");
#else
	(void)fd, (void)command, (void)at;
#endif
	return result;
}

bool caller_works(enum caller caller, int fd)
{
	return caller == CALLER_64 || call_32(fd, PROFIL_IOC_STOP, 0) == 0;
}

/*
 * ioctl(); the result is 0 or a negative errno. A 32-bit caller cuts @at off. A table
 * that TABLE has made is closed.
 */
static int call_as(enum caller caller, int fd, unsigned long command, __u64 at)
{
	int result;

	if (caller == CALLER_32) {
		result = call_32(fd, command, at);
	} else {
		result = ioctl(fd, command, at);
		result = result < 0 ? -errno : result;
	}
	if (result <= 0)
		return result;
	close(result);
	return command == PROFIL_IOC_TABLE ? 0 : -EPROTO;
}

#define DEFAULT_MIN_US "100"
#define DEFAULT_SESSIONS "4096"

/* Name @field if it is wrong. */
#define WRONG_UNLESS(condition, field) \
	do {                           \
		if (!(condition))      \
			return field;  \
	} while (0)

/* Fields that the caller sets have not changed, but for a period of 0. */
static const char *inputs_wrong(const struct world *world,
				const struct request *before,
				const struct request *after)
{
	unsigned int nr;
	const struct field *field = fields_of(before->command, &nr);

	for (; nr--; field++) {
		__u64 given = field_get(before, field);

		if (field->is_period && !given)
			given = world->tick_ns;
		WRONG_UNLESS(field->is_out || field_get(after, field) == given,
			     field->name);
	}
	return NULL;
}

static const char *version_wrong(const struct world *world,
				 const struct profil_version *after)
{
	__u64 shortest = world->min_period_ns;

	if (world->restricted && shortest < world->tick_ns)
		shortest = world->tick_ns;
	WRONG_UNLESS(after->abi == PROFIL_ABI, "abi");
	WRONG_UNLESS(after->max_regions == PROFIL_MAX_REGIONS, "max_regions");
	WRONG_UNLESS(after->start_flags == ORACLE_START_FLAGS, "start_flags");
	WRONG_UNLESS(after->clock >= PROFIL_CLOCK_FTRACE, "clock");
	WRONG_UNLESS(after->clock <= PROFIL_CLOCK_TIMER, "clock");
	WRONG_UNLESS(after->region_flags == ORACLE_REGION_FLAGS,
		     "region_flags");
	WRONG_UNLESS(after->tick_ns == world->tick_ns, "tick_ns");
	WRONG_UNLESS(after->min_period_ns == shortest, "min_period_ns");
	WRONG_UNLESS(after->table_flags == ORACLE_TABLE_FLAGS, "table_flags");
	WRONG_UNLESS(after->add_flags == ORACLE_ADD_FLAGS, "add_flags");
	WRONG_UNLESS(after->max_sessions == world->most_sessions,
		     "max_sessions");
	WRONG_UNLESS(after->max_tables == PROFIL_MAX_TABLES, "max_tables");
	WRONG_UNLESS(after->max_trees == PROFIL_MAX_TREES, "max_trees");
	WRONG_UNLESS(after->max_tree_log2 == PROFIL_TREE_MAX_LOG2,
		     "max_tree_log2");
	return NULL;
}

/* Two samples are more than half of a period apart on each CPU. */
static __u64 most_samples(const struct expected *session)
{
	return (wall_ns() / (session->period_ns / 2) + 2) *
	       (__u64)sysconf(_SC_NPROCESSORS_CONF);
}

/* Samples of any result are at most those since the machine has been booted. */
static const char *sums_wrong(const struct expected *session,
			      const struct profil_stats *after)
{
	__u64 most = session->exists ? most_samples(session) : 0;

	WRONG_UNLESS(after->samples <= most, "samples");
	WRONG_UNLESS(after->hits <= after->samples, "hits");
	WRONG_UNLESS(after->outside <= after->samples, "outside");
	WRONG_UNLESS(after->lost <= after->samples, "lost");
	WRONG_UNLESS(adds_up(after), "samples");
	WRONG_UNLESS(after->saturated <= after->hits, "saturated");
	WRONG_UNLESS(after->kernel_samples <= most, "kernel_samples");
	return NULL;
}

static __u32 flags_of(const struct expected *session,
		      const struct profil_stats *after)
{
	__u32 flags = session->exists ? PROFIL_STATS_SESSION : 0;

	if (session->exists && session->flags & PROFIL_F_STOP_AT_32767)
		flags |= after->flags & PROFIL_STATS_FULL;
	return flags;
}

static const char *session_wrong(const struct expected *session, bool stopped,
				 const struct profil_stats *after)
{
	__u64 pages = (ARENA_END - ARENA) / page_size();

	WRONG_UNLESS(after->nr_regions ==
			     (session->exists ? session->nr_regions : 0),
		     "nr_regions");
	WRONG_UNLESS(after->period_ns ==
			     (session->exists ? session->period_ns : 0),
		     "period_ns");
	WRONG_UNLESS(after->pinned_pages <=
			     (session->exists && !stopped ? pages : 0),
		     "pinned_pages");
	return sums_wrong(session, after);
}

static const char *stats_wrong(const struct world *world,
			       const struct request *before,
			       const struct profil_stats *after)
{
	WRONG_UNLESS(after->flags == flags_of(&world->session, after), "flags");
	WRONG_UNLESS(!after->unprofiled_children || oracle_has_low_limit(world),
		     "unprofiled_children");
	return session_wrong(&world->session,
			     before->command == PROFIL_IOC_STOP, after);
}

/* Samples that wait at a TAKE have their outcome at a later one. */
static bool take_adds_up(const struct world *world,
			 const struct profil_take *after)
{
	return world->ticks + after->ticks ==
	       world->outcomes + table_outcomes(after) + after->waiting;
}

/* Each hit has one end of its walk. */
static __u64 walks_of(const struct profil_take *take)
{
	return take->walk_base + take->walk_depth + take->walk_fault +
	       take->walk_bad + take->walk_unmapped + take->walk_no_rows +
	       take->walk_narrow + take->walk_by_rbp;
}

static const char *wanted_wrong(const struct profil_wanted *after)
{
	bool is_special = after->kind == PROFIL_NAME_SPECIAL;

	WRONG_UNLESS(is_special || after->kind == PROFIL_NAME_FILE, "kind");
	WRONG_UNLESS(after->room && after->room <= 4096, "room");
	WRONG_UNLESS(after->build_id_size <= sizeof(after->build_id),
		     "build_id_size");
	WRONG_UNLESS(!after->reserved, "reserved");
	return NULL;
}

static const char *take_wrong(const struct world *world,
			      const struct profil_take *after)
{
	WRONG_UNLESS(after->half <= 1, "half");
	WRONG_UNLESS(after->counters <= 1U << PROFIL_TABLE_MIN_LOG2,
		     "counters");
	WRONG_UNLESS(!after->hits == !after->counters, "hits");
	WRONG_UNLESS(!after->idle && !after->kernel_threads && !after->filtered,
		     "idle");
	WRONG_UNLESS(world->hidden || !after->denied, "denied");
	WRONG_UNLESS(!after->kernel_pcs && !after->kernel_full, "kernel_pcs");
	WRONG_UNLESS(after->running <= after->processes, "running");
	WRONG_UNLESS(!after->unfollowed, "unfollowed");
	WRONG_UNLESS(!after->dropped, "dropped");
	WRONG_UNLESS(after->stale <= after->hits, "stale");
	WRONG_UNLESS(walks_of(after) == (ORACLE_CALLERS ? after->hits : 0),
		     "walk_base");
	WRONG_UNLESS(after->walk_shortened <= after->hits, "walk_shortened");
	WRONG_UNLESS(after->walk_deferred <= after->hits, "walk_deferred");
	WRONG_UNLESS(after->sequence == world->takes + 1, "sequence");
	WRONG_UNLESS(world->unsummed || take_adds_up(world, after), "ticks");
	return NULL;
}

static bool is_name(const struct world *world, __u32 id)
{
	return id && (world->unsummed || id <= world->names);
}

/* The processes of the table have the name of the fuzzer, from which they were forked. */
static const char *text_wrong(const struct world *world,
			      const struct profil_text *after)
{
	char own[sizeof(after->thread)] = "";
	struct timespec now;

	prctl(PR_GET_NAME, own);
	clock_gettime(CLOCK_BOOTTIME, &now);
	WRONG_UNLESS(is_name(world, after->program), "program");
	WRONG_UNLESS(is_name(world, after->file), "file");
	WRONG_UNLESS(!after->cgroup || is_name(world, after->cgroup), "cgroup");
	WRONG_UNLESS(after->pid, "pid");
	WRONG_UNLESS(!memcmp(after->thread, own, sizeof(own)), "thread");
	WRONG_UNLESS(after->begin_ns <= (__u64)now.tv_sec * NSEC_PER_SEC +
						(__u64)now.tv_nsec,
		     "begin_ns");
	return NULL;
}

static bool is_file_or_empty(const struct profil_name *name)
{
	return name->kind == PROFIL_NAME_FILE ||
	       (!name->device && !name->file_size && !name->mtime_ns &&
		!name->generation && !name->build_id_size);
}

static bool has_path(const struct profil_name *name)
{
	const char *path = (const char *)(uintptr_t)name->path;

	return !path || strnlen(path, LONGEST_PATH) == name->room - 1;
}

/* Counters of a session may lie where the path is. */
static const char *name_wrong(const struct world *world,
			      const struct request *before,
			      const struct profil_name *after)
{
	WRONG_UNLESS(after->kind >= PROFIL_NAME_FILE, "kind");
	WRONG_UNLESS(after->kind <= PROFIL_NAME_CGROUP, "kind");
	WRONG_UNLESS(is_file_or_empty(after), "kind");
	WRONG_UNLESS(after->room && after->room <= LONGEST_PATH, "room");
	WRONG_UNLESS(!after->path || after->room <= before->name.room, "room");
	WRONG_UNLESS(after->build_id_size <= sizeof(after->build_id),
		     "build_id_size");
	WRONG_UNLESS(!after->reserved, "reserved");
	WRONG_UNLESS(world->session.exists || has_path(after), "path");
	return NULL;
}

const char *outputs_wrong(const struct world *world,
			  const struct request *before,
			  const struct request *after)
{
	const char *wrong = inputs_wrong(world, before, after);

	if (wrong)
		return wrong;
	switch (before->command) {
	case PROFIL_IOC_VERSION:
		return version_wrong(world, &after->version);
	case PROFIL_IOC_STATS:
	case PROFIL_IOC_STOP:
		return stats_wrong(world, before, &after->stats);
	case PROFIL_TABLE_IOC_TAKE:
		return take_wrong(world, &after->take);
	case PROFIL_TABLE_IOC_TEXT:
		return text_wrong(world, &after->text);
	case PROFIL_TABLE_IOC_NAME:
		return name_wrong(world, before, &after->name);
	case PROFIL_TABLE_IOC_WANTED:
		return wanted_wrong(&after->wanted);
	default:
		return NULL;
	}
}

static __u64 parameter(const char *name, const char *otherwise)
{
	char text[32];

	return strtoull(param_read(name, text, sizeof(text)) ? otherwise : text,
			NULL, 0);
}

struct world world_now(void)
{
	struct profil_version seen = version_blank();
	int fd = device_fd(0);

	version(fd, &seen);
	return (struct world){
		.tick_ns = seen.tick_ns,
		.min_period_ns = parameter("min_period_us", DEFAULT_MIN_US) *
				 NSEC_PER_USEC,
		.most_sessions = parameter("max_sessions", DEFAULT_SESSIONS),
		.tree_sessions = tree_sessions(),
		.restricted = !fast_here(fd),
	};
}

static struct called called_by(const struct attempt_call *attempt)
{
	unsigned long command = attempt->request->command;
	__u64 at = attempt->request->at;
	struct called called = {
		.device = attempt->device,
		.command = command,
		.valid = oracle_takes(command, at) ||
			 (command == PROFIL_IOC_STOP && !at),
	};

	if (called.valid && at)
		memcpy(called.bytes, (void *)(uintptr_t)at,
		       oracle_size(command));
	return called;
}

static void allow_states(const struct expected *session, __u64 at)
{
	struct profil_stats stats;
	__u32 nr = session->exists ? session->nr_regions : 0;

	if (!memory_reads(at, sizeof(stats)))
		return;
	memcpy(&stats, (void *)(uintptr_t)at, sizeof(stats));
	if (nr > stats.nr_states)
		nr = stats.nr_states;
	if (stats.states)
		memory_allow(stats.states, nr * sizeof(__u32));
}

static void allow_path(__u64 at)
{
	struct profil_name name;

	memcpy(&name, (void *)(uintptr_t)at, sizeof(name));
	memory_allow(name.path, oracle_room(&name));
}

/* True if no region has counters in the block of ARGUMENT. */
static bool allow_counters(const struct profil_start *start)
{
	struct profil_region region;
	bool apart = true;

	for (__u32 i = 0; i < start->nr_regions; i++) {
		__u64 at = start->regions + i * sizeof(region);

		memcpy(&region, (void *)(uintptr_t)at, sizeof(region));
		memory_allow(region.base, region.size);
		apart &= region.base >= HOLE ||
			 region.base + region.size <= ARGUMENT;
	}
	return apart;
}

static void allow_wanted_path(__u64 at)
{
	struct profil_wanted wanted;

	if (!memory_reads(at, sizeof(wanted)))
		return;
	memcpy(&wanted, (void *)(uintptr_t)at, sizeof(wanted));
	if (wanted.path)
		memory_allow(wanted.path,
			     wanted.room < 4096 ? wanted.room : 4096);
}

/*
 * Only a call that passes all checks of its structure writes anything, and neither ADD nor
 * ROWS ever does.
 */
static void allow_results(const struct attempt_call *attempt)
{
	unsigned long command = attempt->request->command;
	__u64 at = attempt->request->at;

	if (!oracle_takes(command, at) ||
	    attempt->device != device_of(command) ||
	    command == PROFIL_TABLE_IOC_ADD || command == PROFIL_TABLE_IOC_ROWS)
		return;
	memory_allow(at, oracle_size(command));
	if (command == PROFIL_TABLE_IOC_WANTED)
		allow_wanted_path(at);
	if (command == PROFIL_IOC_STATS || command == PROFIL_IOC_STOP)
		allow_states(&attempt->world->session, at);
	if (command == PROFIL_TABLE_IOC_NAME)
		allow_path(at);
}

static bool is_allowed(const struct attempt_call *attempt)
{
	long result = -attempt->result;

	return result >= 0 &&
	       (result < 62 || result == EALREADY || result == EOPNOTSUPP) &&
	       attempt->allowed & ERROR(result);
}

/* NAME writes its path elsewhere. */
static bool is_path_apart(const struct request *request)
{
	return request->command != PROFIL_TABLE_IOC_NAME ||
	       request->name.path + oracle_room(&request->name) <= ARGUMENT ||
	       request->name.path >= HOLE;
}

/* The argument is known before and after a call if no counter lies there. */
static bool is_argument_known(const struct attempt_call *attempt, bool apart)
{
	const struct expected *session = &attempt->world->session;
	__u64 at = attempt->request->at;

	return at >= ARGUMENT &&
	       at <= HOLE - oracle_size(attempt->request->command) &&
	       (!session->exists || session->apart) &&
	       is_path_apart(attempt->request) &&
	       (attempt->request->command != PROFIL_IOC_START || apart);
}

static const char *wrong_output(const struct attempt_call *attempt, bool apart)
{
	struct request after = *attempt->request;

	if (attempt->result || !is_argument_known(attempt, apart))
		return NULL;
	memcpy(after.bytes, (void *)(uintptr_t)after.at,
	       oracle_size(after.command));
	return outputs_wrong(attempt->world, attempt->request, &after);
}

/* Add up what a TAKE that has succeeded has returned. */
static void sum_up(const struct attempt_call *attempt)
{
	struct world *world = attempt->world;
	struct profil_take after;

	if (attempt->result || attempt->device != TREE ||
	    attempt->request->command != PROFIL_TABLE_IOC_TAKE)
		return;
	if (!is_argument_known(attempt, true)) {
		world->unsummed = true;
		return;
	}
	memcpy(&after, (void *)(uintptr_t)attempt->request->at, sizeof(after));
	world->texts = after.texts;
	world->names = after.names;
	world->ticks += after.ticks;
	world->outcomes += table_outcomes(&after);
}

bool attempt_as_documented(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;
	struct called called = called_by(attempt);

	attempt->allowed = oracle_allows(attempt->world, attempt->device,
					 request->command, request->at);
	allow_results(attempt);
	if (request->command == PROFIL_IOC_START && attempt->allowed & SUCCESS)
		called.apart = allow_counters(&called.start);
	attempt->result = call_as(attempt->caller, device_fd(attempt->device),
				  request->command, request->at);
	attempt->wrong = wrong_output(attempt, called.apart);
	sum_up(attempt);
	oracle_follow(attempt->world, &called, attempt->result);
	return is_allowed(attempt) && !attempt->wrong;
}

static const results any_result =
	SUCCESS | ERROR(EFAULT) | ERROR(EINVAL) | ERROR(E2BIG) | ERROR(EACCES) |
	ERROR(ENOMEM) | ERROR(EBADF) | ERROR(ESRCH) | ERROR(EPERM) |
	ERROR(EALREADY) | ERROR(EBUSY) | ERROR(EAGAIN) | ERROR(ENOENT) |
	ERROR(ENOSPC) | ERROR(EFBIG) | ERROR(ENAMETOOLONG) | ERROR(EOPNOTSUPP);

bool attempt_anything(struct attempt_call *attempt)
{
	const struct request *request = attempt->request;

	attempt->allowed = oracle_size(request->command) &&
					   attempt->device ==
						   device_of(request->command) ?
				   any_result :
				   ERROR(ENOTTY);
	memory_allow(ARENA, ARENA_END - ARENA);
	attempt->result = call_as(attempt->caller, device_fd(attempt->device),
				  request->command, request->at);
	return is_allowed(attempt);
}

/* A tree without processes is as good as new after a TAKE that was not the last. */
static bool has_changed_tree(const struct attempt_call *attempt)
{
	return attempt->device == TREE && !attempt->result &&
	       (attempt->request->command == PROFIL_TABLE_IOC_ADD ||
		attempt->world->last);
}

void attempt_end(struct attempt_call *attempt)
{
	if (has_changed_tree(attempt)) {
		tree_renew();
		attempt->world->takes = 0;
	}
	call_as(CALLER_64, device_fd(DEVICE), PROFIL_IOC_STOP, 0);
}
