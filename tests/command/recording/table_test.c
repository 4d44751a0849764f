// SPDX-License-Identifier: GPL-2.0-only
/* The table of the driver, whose answers are made here: numbers, and what has no place */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "record/extract.h"
#include "record/table.h"
#include "tap.h"

#define TICKS offsetof(struct profil_take, ticks)
#define NUMBERS ((sizeof(struct profil_take) - TICKS) / sizeof(__u64))

/*
 * What the driver has counted, its answer to TAKE, the TAKEs and their flags so far, and
 * the name of all files, if there is one. Behind a '/' their IDs follow.
 */
static struct profil_counter counters[2 << TABLE_COUNTERS_LOG2];
static struct profil_take answer;
static int takes;
static __u32 flags;
static struct profil_name name;
static char path[64];
static uint64_t named_ns; /* when a name was asked for */

static void answer_take(struct profil_take *take)
{
	flags |= take->flags;
	*take = answer;
	takes++;
}

static void answer_name(struct profil_name *it)
{
	char *to = (char *)(uintptr_t)it->path;
	size_t length = strlen(path);

	named_ns = profil_now();
	memcpy(to, path, sizeof(path));
	if (path[length - 1] == '/')
		to[length] = (char)('0' + it->id);
	name.path = it->path;
	name.id = it->id;
	*it = name;
}

int __wrap_ioctl(int fd, unsigned long command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fd == -1 && command == PROFIL_TABLE_IOC_TAKE) {
		answer_take(argument);
	} else if (fd == -1 && *path && command == PROFIL_TABLE_IOC_NAME) {
		answer_name(argument);
	} else if (fd == -1 && *path && command == PROFIL_TABLE_IOC_TEXT) {
		((struct profil_text *)argument)->file = 1;
		((struct profil_text *)argument)->program =
			((struct profil_text *)argument)->id;
	} else if (fd == -1 && *path && command == PROFIL_TABLE_IOC_SYMBOL) {
		memcpy(((struct profil_symbol *)argument)->name, "f", 2);
	} else {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

/* A recording of a table with these counters */
struct recording {
	struct table table;
	struct growing growing;
	int messages;
	int err;
};

/* Messages go to a file in memory. */
static void begin(struct recording *it)
{
	*it = (struct recording){
		.table = { .fd = -1,
			   .counters = counters,
			   .nr_counters = (size_t)1 << TABLE_COUNTERS_LOG2,
			   .period_ns = 1000000,
			   .kind = TABLE_TREE },
		.messages = memfd_create("messages", MFD_CLOEXEC),
		.err = dup(STDERR_FILENO),
	};
	memset(counters, 0, sizeof(counters));
	answer = (struct profil_take){ 0 };
	takes = 0;
	flags = 0;
	*path = '\0';
	profil_growing_begin(&it->growing);
	dup2(it->messages, STDERR_FILENO);
}

static void end(struct recording *it)
{
	dup2(it->err, STDERR_FILENO);
	close(it->err);
	close(it->messages);
	profil_growing_free(&it->growing);
}

static void take(struct recording *it)
{
	answer.sequence++;
	profil_table_take(&it->table, &it->growing);
}

/* The head of what was counted since @then */
static struct profile_head head_since(const struct recording *it,
				      const struct numbers *then)
{
	struct profile_head head = { 0 };

	profil_table_set_head(&it->table, then, &it->growing.now, &head);
	return head;
}

/* All that was printed is @expected. */
static bool printed(const struct recording *it, const char *expected)
{
	char text[1000] = "";
	ssize_t size = pread(it->messages, text, sizeof(text) - 1, 0);

	if (size >= 0 && !strcmp(text, expected))
		return true;
	tap_note("stderr: %s", text);
	return false;
}

/* The numbers of @taken are those of @answer. */
static bool is_answer(const struct profil_take *taken)
{
	const __u64 *numbers = &taken->ticks, *expected = &answer.ticks;

	for (size_t i = 0; i < NUMBERS; i++)
		CHECK_EQUAL(expected[i], numbers[i]);
	return true;
}

static void set_answer(__u64 first)
{
	__u64 *numbers = &answer.ticks;

	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = first + i;
	answer.waiting = 0;
	answer.sequence = takes;
}

/* A profile has neither the number of takes nor that of the samples that wait. */
TEST("numbers are those since a moment, and processes those of the last take")
{
	struct numbers then, none = { 0 };
	struct recording it;
	struct profile_head head;

	begin(&it);
	set_answer(1000);
	take(&it);
	then = it.growing.now;
	set_answer(50);
	take(&it);
	answer.sequence = 0;
	head = head_since(&it, &then);
	CHECK(is_answer(&head.taken));
	CHECK_EQUAL(answer.hits, head.hits);
	CHECK_EQUAL(answer.unmapped, head.outside);
	CHECK_EQUAL(answer.cancelled + answer.no_item + answer.no_memory +
			    answer.full + answer.busy,
		    head.lost);
	CHECK_EQUAL(head.hits + head.outside + head.lost, head.samples);
	head = head_since(&it, &none);
	CHECK_EQUAL(answer.stale + then.taken.stale, head.taken.stale);
	CHECK_EQUAL(answer.dropped, head.taken.dropped);
	CHECK_EQUAL(answer.running, head.taken.running);
	CHECK_EQUAL(answer.unfollowed, head.taken.unfollowed);
	CHECK_EQUAL(answer.processes, head.taken.processes);
	CHECK(printed(&it, ""));
	end(&it);
	return true;
}

/* A sample that waits has no outcome yet, and one that waits at the end gets none. */
TEST("a sample that waits is taken when it is counted, or cancelled by one last take")
{
	struct numbers none = { 0 };
	struct recording it;
	struct profile_head head;

	begin(&it);
	answer = (struct profil_take){ .ticks = 10, .hits = 7, .waiting = 3 };
	take(&it);
	head = head_since(&it, &none);
	CHECK_EQUAL(7, head.taken.ticks);
	CHECK_EQUAL(0, flags);
	answer = (struct profil_take){ .ticks = 1, .hits = 2, .waiting = 2 };
	answer.sequence = 2;
	profil_table_end(&it.table, &it.growing);
	CHECK_EQUAL(2, takes);
	CHECK_EQUAL(PROFIL_TAKE_LAST, flags);
	head = head_since(&it, &none);
	CHECK_EQUAL(11, head.taken.ticks);
	CHECK_EQUAL(9, head.hits);
	CHECK_EQUAL(2, head.taken.cancelled);
	CHECK_EQUAL(2, head.lost);
	CHECK(printed(&it, ""));
	end(&it);
	return true;
}

static const char unknown[] =
	"table: the driver counts by unknown keys: install the profil of the driver's version\n";

TEST("samples of unknown kinds of keys are lost, with one warning")
{
	struct numbers none = { 0 };
	struct recording it;
	struct profile_head head;

	begin(&it);
	for (__u64 kind = 0; kind < 3; kind++)
		counters[kind] = (struct profil_counter){
			.key = kind << 62 | 1ULL << 32 | 16,
			.count = 1ULL << kind,
		};
	answer = (struct profil_take){ .ticks = 7, .hits = 7 };
	for (int i = 1; i < 3; i++) {
		take(&it);
		head = head_since(&it, &none);
		CHECK_EQUAL(i * 1, head.hits);
		CHECK_EQUAL(i * 6, head.lost);
		CHECK_EQUAL(i * 7, head.taken.ticks);
		CHECK_EQUAL(1, it.growing.profile.nr_samples);
		CHECK_EQUAL(i * 1, it.growing.profile.samples->user);
	}
	CHECK(printed(&it, unknown));
	end(&it);
	return true;
}

#define PC(offset) (1ULL << 32 | (offset))
#define NODE(parent, pc) \
	((__u64)PROFIL_KIND_NODE << 62 | (__u64)(parent) << 24 | (pc))

static void count(size_t at, __u64 key, __u64 samples)
{
	counters[at] = (struct profil_counter){ .key = key, .count = samples };
}

static bool is_stack(const struct profile *profile, uint32_t index,
		     uint32_t parent, __u64 offset)
{
	const struct profile_stack *stack = &profile->stacks[index];

	CHECK_EQUAL(parent, stack->parent);
	CHECK_EQUAL(offset, profile->places[stack->place].offset);
	return true;
}

/* main() at 16, which calls f() at 32, and is called from 48, a place without samples */
TEST("a counter of a stack has the callers of its parents")
{
	const struct profile *profile;
	struct recording it;

	begin(&it);
	it.table.has_callers = true;
	count(3, PC(16), 5);
	count(4, PC(32) | PROFIL_KEY_KERNEL, 7);
	count(5, PC(48), 0);
	count(6, (__u64)PROFIL_KIND_KERNEL << 62 | PC(0), 2);
	count(10, NODE(11, 4), 4);
	count(11, NODE(12, 3), 5);
	count(12, NODE(PROFIL_NODE_ROOT + PROFIL_WALK_BASE, 5), 0);
	count(13, NODE(10, 6), 2);
	count(14, NODE(PROFIL_NODE_ROOT + PROFIL_WALK_NO_ROWS, 4), 1);
	answer = (struct profil_take){ .ticks = 12, .hits = 12 };
	take(&it);
	profile = &it.growing.profile;
	CHECK_EQUAL(4, profile->nr_stacks);
	CHECK(is_stack(profile, 0, PROFILE_NONE, 48));
	CHECK(is_stack(profile, 1, 0, 16));
	CHECK(is_stack(profile, 2, 1, 32));
	CHECK(is_stack(profile, 3, PROFILE_NONE, 32));
	CHECK_EQUAL(PROFIL_WALK_BASE, profile->stacks[0].end);
	CHECK_EQUAL(PROFIL_WALK_BASE, profile->stacks[1].end);
	CHECK_EQUAL(PROFIL_WALK_NO_ROWS, profile->stacks[3].end);
	CHECK_EQUAL(0, profile->stacks[0].user + profile->stacks[0].kernel);
	CHECK_EQUAL(5, profile->stacks[1].user);
	CHECK_EQUAL(0, profile->stacks[2].user);
	/* With those of the function of the kernel */
	CHECK_EQUAL(6, profile->stacks[2].kernel);
	CHECK_EQUAL(1, profile->stacks[3].kernel);
	CHECK_EQUAL(2, profile->nr_samples);
	take(&it);
	CHECK_EQUAL(4, profile->nr_stacks);
	CHECK_EQUAL(10, profile->stacks[1].user);
	CHECK(printed(&it, ""));
	end(&it);
	return true;
}

TEST("a take ends what is counted, and not the reading of names after it")
{
	struct recording it;
	uint64_t begin_ns = profil_now();

	begin(&it);
	memcpy(path, "/bin/a", sizeof("/bin/a"));
	count(3, PC(16), 5);
	answer = (struct profil_take){ .ticks = 5, .hits = 5 };
	answer.texts = 1;
	answer.names = 1;
	take(&it);
	CHECK(begin_ns < it.table.taken_ns);
	CHECK(it.table.taken_ns < named_ns);
	end(&it);
	return true;
}

TEST("processes are looked at later and later, up to a second")
{
	uint64_t due = TABLE_FIRST_NS;
	struct recording it;

	begin(&it);
	it.table.interval_ns = due;
	for (int i = 0; i < 30; i++) {
		uint64_t before = profil_now();

		due = 2 * due > SECOND ? TABLE_TAKE_NS : 2 * due;
		answer.sequence++;
		profil_table_see(&it.table, &it.growing);
		CHECK_EQUAL(due, it.table.interval_ns);
		CHECK(it.table.see_ns >= before + due);
		CHECK(it.table.see_ns <= profil_now() + due);
	}
	end(&it);
	return true;
}

static const char incomplete[] =
	"table: another process has taken samples of this recording: the counts are incomplete\n";

TEST("a take by another process is warned of once")
{
	struct recording it;

	begin(&it);
	take(&it);
	take(&it);
	CHECK(printed(&it, ""));
	for (int i = 0; i < 2; i++) {
		answer.sequence++;
		take(&it);
		CHECK(printed(&it, incomplete));
	}
	end(&it);
	return true;
}

/* A recording of samples in the function f of the kernel, by their text, and of no other */
static void begin_kernel(struct recording *it, const __u32 *texts, size_t nr)
{
	begin(it);
	it->growing.profile.head.table = TABLE_TREE;
	memcpy(path, "/bin/", 6);
	answer.texts = 2;
	answer.names = 2;
	for (size_t i = 0; i < nr; i++) {
		__u64 key = PROFIL_KEY_KERNEL | (__u64)texts[i] << 32;

		if (texts[i] != PROFIL_TEXT_KERNEL)
			counters[2 * i] = (struct profil_counter){ key, 1 };
		key |= (__u64)PROFIL_KIND_KERNEL << 62 | (i + 1);
		counters[2 * i + 1] = (struct profil_counter){ key, 1ULL << i };
	}
	take(it);
}

/* The functions of the kernel since the beginning are @lines: name, program and samples. */
static bool has_kernel(struct recording *it, const char *lines)
{
	const struct mark beginning = { 0 };
	struct profile profile;
	char text[200] = "";
	size_t length = 0;

	profil_profile_init(&profile);
	profil_growing_since(&it->growing, &beginning, &profile);
	for (uint32_t i = 0; i < profile.nr_kernel; i++) {
		const struct profile_kernel *kernel = &profile.kernel[i];

		const char *program = "-";

		if (kernel->program != PROFILE_NONE)
			program = profile.programs[kernel->program].path;
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%s %s %d\n", kernel->name, program,
					   (int)kernel->samples);
	}
	profil_profile_free(&profile);
	end(it);
	if (!strcmp(text, lines))
		return true;
	tap_note("%s", text);
	return false;
}

TEST("a function of the kernel has its samples by program")
{
	static const __u32 texts[] = { 1, 2, PROFIL_TEXT_KERNEL, 1 };
	struct recording it;

	begin_kernel(&it, texts, 2);
	CHECK(has_kernel(&it, "f /bin/1 1\nf /bin/2 2\n"));
	begin_kernel(&it, texts, 4);
	CHECK(has_kernel(&it, "f /bin/1 9\nf /bin/2 2\nf - 4\n"));
	return true;
}

TEST("a sample in the kernel without a text is that of the only program of processes")
{
	static const __u32 texts[] = { 1, PROFIL_TEXT_KERNEL };
	struct recording it;

	begin_kernel(&it, texts, 2);
	CHECK(has_kernel(&it, "f /bin/1 3\n"));
	begin_kernel(&it, texts, 2);
	it.growing.profile.head.table = TABLE_MACHINE;
	CHECK(has_kernel(&it, "f /bin/1 1\nf - 2\n"));
	return true;
}

TEST("a function of the kernel has each sample once, with the stack that entered it")
{
	struct recording it;

	begin(&it);
	it.table.has_callers = true;
	it.growing.profile.head.table = TABLE_TREE;
	memcpy(path, "/bin/", 6);
	answer.texts = 2;
	answer.names = 2;
	count(0, PC(16), 1);
	count(1, (__u64)PROFIL_KIND_KERNEL << 62 | PROFIL_KEY_KERNEL | PC(1),
	      5);
	count(2, NODE(PROFIL_NODE_ROOT + PROFIL_WALK_BASE, 0), 1);
	count(3, NODE(2, 1), 3);
	take(&it);
	CHECK_EQUAL(3, it.growing.profile.stacks->kernel);
	CHECK(has_kernel(&it, "f /bin/1 2\nf /bin/1 3\n"));
	return true;
}

/* Ticks that have an outcome, of those that begin now and of those that wait */
static __u64 draw_outcomes(__u64 waiting, __u64 *begun)
{
	static unsigned int seed = 1;
	__u64 *outcomes[] = { &answer.hits, &answer.idle, &answer.busy,
			      &answer.unmapped, &answer.no_item };
	__u64 sum = 0;

	*begun = rand_r(&seed) % 9;
	answer.waiting = rand_r(&seed) % (waiting + *begun + 1);
	for (size_t i = 0; i < ARRAY_LENGTH(outcomes); i++) {
		__u64 left = waiting + *begun - answer.waiting - sum;

		*outcomes[i] = i ? rand_r(&seed) % (left + 1) : 0;
		sum += *outcomes[i];
	}
	answer.hits += waiting + *begun - answer.waiting - sum;
	return waiting + *begun - answer.waiting;
}

/* The driver counts a tick when it comes; a sample that waits has no outcome yet. */
TEST("at each look, ticks are the sum of all outcomes")
{
	struct numbers none = { 0 };
	__u64 all = 0, waiting = 0;
	struct recording it;

	begin(&it);
	for (int i = 0; i < 100; i++) {
		struct profil_take *taken = &it.growing.now.taken;

		all += draw_outcomes(waiting, &answer.ticks);
		waiting = answer.waiting;
		take(&it);
		CHECK_EQUAL(all, head_since(&it, &none).taken.ticks);
		CHECK_EQUAL(all, taken->hits + taken->idle + taken->busy +
					 taken->unmapped + taken->no_item);
	}
	answer = (struct profil_take){ .waiting = waiting,
				       .sequence = takes + 1 };
	profil_table_end(&it.table, &it.growing);
	CHECK_EQUAL(all + waiting, head_since(&it, &none).taken.ticks);
	end(&it);
	return true;
}

/* Make the file @path, of 100 bytes; it was written at second @s of 1970. */
static bool make_file(time_t s)
{
	struct timespec times[2] = { { .tv_sec = s }, { .tv_sec = s } };
	FILE *file = fopen(path, "w");

	return file && fprintf(file, "%0100d", 0) == 100 && !fclose(file) &&
	       !utimensat(AT_FDCWD, path, times, 0);
}

/* The first object of a recording of a sample in the file @path */
static struct file_identity identity_of_sample(void)
{
	char its[sizeof(path)];
	struct file_identity identity;
	struct recording it;

	memcpy(its, path, sizeof(its));
	begin(&it);
	memcpy(path, its, sizeof(its));
	counters[0] = (struct profil_counter){ .key = 1ULL << 32, .count = 1 };
	answer = (struct profil_take){ .ticks = 1, .hits = 1, .names = 1 };
	answer.texts = 1;
	take(&it);
	identity = it.growing.origins[0].identity;
	end(&it);
	return identity;
}

/*
 * The inode of the driver may be another one than that of stat(2), as in overlayfs. The
 * file that ran had this size and time.
 */
TEST("a file without a build ID is the one that ran if its size and its time are")
{
	char directory[64];
	struct stat status;

	CHECK(getcwd(directory, sizeof(directory)));
	snprintf(path, sizeof(path), "%.50s/program", directory);
	for (int i = 0; i < 4; i++) {
		CHECK(make_file(1000));
		CHECK(!stat(path, &status));
		name = (struct profil_name){ .kind = PROFIL_NAME_FILE,
					     .device = 7,
					     .inode = 12345,
					     .file_size = 100 + (i & 1),
					     .mtime_ns =
						     1000 * SECOND + (i >> 1) };
		CHECK_EQUAL(i ? 12345 : (long long)status.st_ino,
			    identity_of_sample().inode);
	}
	return !unlink(path);
}

/* The first line of /proc/stat */
static const char *cpus = "";

const char *__wrap_profil_text_line(const char *file, char *line, size_t size)
{
	snprintf(line, size, "%s", strcmp(file, "/proc/stat") ? "" : cpus);
	return line;
}

TEST("a CPU is idle while it waits for a disk, too")
{
	uint64_t tick_ns = SECOND / sysconf(_SC_CLK_TCK);

	cpus = "cpu  1 20 300 4000 50000 600000 7000000 80000000 0 0";
	CHECK_EQUAL(54000 * tick_ns, profil_machine_time().idle_ns);
	CHECK_EQUAL(80000000 * tick_ns, profil_machine_time().stolen_ns);
	cpus = "cpu  1 20 300";
	CHECK_EQUAL(0, profil_machine_time().idle_ns);
	return true;
}
