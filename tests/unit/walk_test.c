// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/walk.c with its half, spaces and rules, on the host: after each walk the counters are
 * those of a walk by rows alone (walk_model.h), which remembers nothing. Tasks share memos,
 * text and rows change, halves fill and are taken.
 */
#include "half.h"
#include "random.h"
#include "rows.h"
#include "space.h"
#include "table.h"
#include "unwind.h"
#include "walk.h"
#include "walk_model.h"

#define ROUND_WALKS 20000

struct task_struct *current;

static struct task_struct *tasks[MODEL_TASKS];
static u32 task; /* of @current */
static struct model_walk
	last[MODEL_TASKS]; /* walks of each, as the model has them */

/* The table, and what the counters and the outcomes of its half have to be */
static struct rows rows;
static struct table_cpu cpu;
static struct table table = { .rows = &rows, .cpus = &cpu };
static struct half *half;
static u64 *counts;
static struct outcomes outcomes;

/* Rows of each library, which are always at the same address */
static union {
	struct file_rows rows;
	u64 room[64];
} files[MODEL_LIBRARIES];

void profil_names_init(struct names *names, size_t max_bytes,
		       struct irq_work *wake)
{
	names->max_bytes = max_bytes;
}

void profil_names_clear(struct names *names)
{
}

/*
 * Memory of the program, and interrupts
 */

static bool is_open, escaped, is_interrupted;
static u64 nr_opened, nr_read;

bool user_access_begin(const void *at, u64 size)
{
	u64 low = (unsigned long)at;

	if (size > MODEL_USER_END || low > MODEL_USER_END - size)
		return false;
	nr_opened++;
	escaped |= is_open;
	is_open = true;
	return true;
}

void user_access_end(void)
{
	escaped |= !is_open;
	is_open = false;
}

static struct identity identity_of(u32 of)
{
	return (struct identity){
		.mm = (struct mm_struct *)(0x8880000000000000 +
					   0x1000 * model_program_of(of)),
		.exec_id = 3,
	};
}

/* A walk of a task work is interrupted by a sample, which has to wait. */
static void interrupt(void)
{
	struct identity identity = identity_of(task);
	struct user_regs regs = { .pc = 0x400000 };
	u64 missing;

	is_interrupted = true;
	if (profil_walk(&table, half, &identity, &regs, 0, 1, WALK_MAX_NEW,
			&missing) != WALK_LONG)
		escaped = true;
	is_interrupted = false;
}

bool user_word(const void *at, u64 *value)
{
	u64 address = (unsigned long)at;

	nr_read++;
	if (!is_interrupted && random_one_in(5000))
		interrupt();
	escaped |= !is_open || address > MODEL_USER_END - 8;
	return model_word(task, address, false, value);
}

/*
 * Text and rows, as look-ups and ROWS leave them
 */

static void load_rows(u32 nr)
{
	struct file_rows *file = &files[nr].rows;

	file->nr = MODEL_FUNCTIONS;
	memcpy(file->rows, model_libraries[nr].rows,
	       sizeof(model_libraries[nr].rows));
	row_index_make(&file->index, file->rows, file->nr,
		       (u32 *)&file->rows[file->nr]);
}

static void change_rows(void)
{
	u32 nr = random_below(MODEL_LIBRARIES);

	model_change_rows(&model_libraries[nr]);
	load_rows(nr);
	rows.version += 2;
	profil_half_forget_rules(&table.halves[0]);
	profil_half_forget_rules(&table.halves[1]);
}

static void raise_generation(u32 of)
{
	atomic_long_inc(space_generation_at(identity_of(of).mm));
}

static struct space_range range_of(const struct model_text *text)
{
	const struct model_library *library = text->library;
	u32 nr = library - model_libraries;

	return (struct space_range){
		.mapped = { .start = text->start,
			    .size = MODEL_TEXT_BYTES,
			    .text = (u64)text->id << 32,
			    .offset = library->rows[0].offset,
			    .mask = text->mask },
		.rows = library->is_file ? &files[nr].rows : NULL,
		.rule = library->rows[0].rule == PROFIL_RULE_BY_RBP ?
				UNWIND_BY_RBP :
				0,
	};
}

/* Is text mapped at @pc? Then all of the program's is in its space. */
static bool look_up(const struct identity *identity, u64 pc)
{
	const struct model_text *texts = model_texts[model_program_of(task)];
	struct space *draft =
		calloc(1, struct_size(draft, ranges, MODEL_TEXTS));
	bool found = false;

	draft->identity = *identity;
	draft->generation = space_generation(identity->mm);
	draft->rows_version = rows_last_version(&rows);
	for (u32 i = 0; i < MODEL_TEXTS; i++) {
		if (!texts[i].library)
			continue;
		found |= pc - texts[i].start < MODEL_TEXT_BYTES;
		draft->ranges[draft->nr++] = range_of(&texts[i]);
	}
	profil_space_add(&half->cache, draft);
	if (!found)
		space_add_hole(space_find(&half->cache, identity), pc);
	free(draft);
	return found;
}

/*
 * The table
 */

static void take(void)
{
	half = &table.halves[half == &table.halves[0]];
	profil_half_clear(half);
	memset(counts, 0, sizeof(*counts) << half->log2);
	memset(&outcomes, 0, sizeof(outcomes));
}

static void open_table(u32 log2)
{
	for (u32 i = 0; i < 2; i++) {
		struct half *it = &table.halves[i];

		memset(it, 0, sizeof(*it));
		it->outcomes = &cpu.outcomes[i];
		it->counters = calloc(1 << log2, sizeof(*it->counters));
		profil_half_init(it, log2, true, NULL);
	}
	counts = calloc(1 << log2, sizeof(*counts));
	profil_walks_alloc(&table);
	take();
}

static void close_table(void)
{
	profil_walks_free(&table);
	free(counts);
	for (u32 i = 0; i < 2; i++) {
		profil_half_free(&table.halves[i]);
		free(table.halves[i].counters);
	}
}

/* Tasks 0 to 11, with few memos; deep stacks and others are in each. */
static void choose_tasks(void)
{
	static const u8 memos[MODEL_TASKS] = { 0, 0, 2, 1, 3, 2,
					       1, 2, 3, 0, 1, 3 };
	static struct task_struct all[2048];
	struct task_struct *next = all;

	for (u32 i = 0; i < MODEL_TASKS; i++) {
		while (hash_ptr(next, 5) != memos[i])
			next++;
		tasks[i] = next++;
	}
}

/*
 * What a walk has to count
 */

/* Find @key as readers do. False if it has no counter. */
static bool find_slot(u64 key, u32 *slot)
{
	u32 mask = (1 << half->log2) - 1, at = half_first_slot(half, key);

	for (u32 i = 0; i < 32; i++)
		if (half->counters[(at + i) & mask].key == key) {
			*slot = (at + i) & mask;
			return true;
		}
	return false;
}

static u32 root_of(const struct model_walk *walk)
{
	return walk->by_rbp ? PROFIL_WALK_BY_RBP : walk->end;
}

static bool find_child(u64 key, u32 *node)
{
	u32 pc;

	return find_slot(key, &pc) &&
	       find_slot((u64)PROFIL_KIND_NODE << 62 | (u64)*node << 24 | pc,
			 node);
}

/* Count @samples at @slot; false unless the half has. */
static bool expect_at(u32 slot, u32 samples)
{
	counts[slot] += samples;
	CHECK_EQUAL(counts[slot], half->counters[slot].count);
	return true;
}

static u64 kernel_key(const struct model_walk *walk, u64 mode)
{
	return mode | (u64)PROFIL_KEY_TEXT(walk->keys[0]) << 32;
}

static bool expect_kernel(u64 key, u32 samples)
{
	u32 slot;
	bool found = find_slot(key, &slot);

	outcomes.samples[found ? OUTCOME_KERNEL_PCS : OUTCOME_KERNEL_FULL] +=
		samples;
	return !found || expect_at(slot, samples);
}

/* The last node of the stack that there is. False if that is not all of it. */
static bool find_node(const struct model_walk *walk, u64 mode, u32 *node)
{
	u32 i = walk->nr;

	*node = PROFIL_NODE_ROOT + root_of(walk);
	while (i--)
		if (!find_child(walk->keys[i], node))
			return false;
	return !(mode & HALF_KERNEL_PC) ||
	       find_child(kernel_key(walk, mode), node);
}

/* Its leaf, the node of its stack, and its end */
static bool expect(const struct model_walk *walk, u64 mode, u32 samples)
{
	u32 slot, node;

	CHECK(find_slot(walk->keys[0], &slot) && expect_at(slot, samples));
	if (mode & HALF_KERNEL_PC)
		CHECK(expect_kernel(kernel_key(walk, mode), samples));
	if (!find_node(walk, mode, &node))
		outcomes.samples[OUTCOME_WALK_SHORTENED] += samples;
	outcomes.samples[OUTCOME_WALKS + root_of(walk)] += samples;
	CHECK(!memcmp(&outcomes, half->outcomes, sizeof(outcomes)));
	return node >= PROFIL_NODE_ROOT || expect_at(node, samples);
}

/* Has @walk been counted: 0 if not, 2 if a node says so, 1 if its end alone does */
static u32 is_counted(const struct model_walk *walk, u64 mode)
{
	u32 end = OUTCOME_WALKS + root_of(walk), node;

	find_node(walk, mode, &node);
	if (node < PROFIL_NODE_ROOT)
		return 2 * (half->counters[node].count != counts[node]);
	return half->outcomes->samples[end] != outcomes.samples[end];
}

/* Nothing has been counted elsewhere. */
static bool is_all_expected(void)
{
	for (u32 i = 0; i < 1U << half->log2; i++)
		CHECK_EQUAL(counts[i], half->counters[i].count);
	return true;
}

/*
 * Walks
 */

/* As interrupts and task works do. False if the sample has no place. */
static bool walk(struct user_regs *regs, u64 mode, u32 samples, u32 max_new)
{
	struct identity identity = identity_of(task);
	u64 missing;

	for (;;) {
		switch (profil_walk(&table, half, &identity, regs, mode,
				    samples, max_new, &missing)) {
		case WALK_COUNTED:
			return true;
		case WALK_FULL:
			return false;
		case WALK_LONG:
			max_new = WALK_MAX_FRAMES;
			break;
		case WALK_ABSENT:
			CHECK(!regs->is_used);
			regs->is_used = true;
			model_use_stack(task, missing);
			break;
		case WALK_LACKS:
			if (!look_up(&identity, missing) && missing == regs->pc)
				return false;
		}
	}
}

static u64 random_mode(void)
{
	if (random_one_in(2))
		return 0;
	return PROFIL_KEY_KERNEL |
	       (random_one_in(2) ? HALF_KERNEL_PC | 16 * random_below(4) : 0);
}

/* Above three quarters of the half there is room for leaves alone. */
static bool is_room_kept(u32 used)
{
	u32 most = 3 << (half->log2 - 2);

	CHECK_BETWEEN(0, half->used.value, (used > most ? used : most) + 2);
	return true;
}

static u64 nr_frames, nr_ends[PROFIL_NR_WALKS], nr_shortened;
/* Walks that met no rule but the first ones; those of deep stacks */
static u64 nr_remembered[2];
/* Walks of stacks that the task has used first; those that a page is away of still */
static u64 nr_used[2];

/* What rows alone say of a sample; @present: all pages are in memory. */
static struct model_walk expected(const struct model_registers *at,
				  bool is_narrow, u64 mode, bool present)
{
	struct model_walk walk;

	model_walk(task, at, present, &walk);
	if (is_narrow && walk.nr) {
		walk.nr = 1;
		walk.end = PROFIL_WALK_NARROW;
		walk.by_rbp = false;
	}
	if (walk.nr)
		walk.keys[0] |= mode & PROFIL_KEY_KERNEL;
	return walk;
}

/* A sample of @task */
static bool samples_right(void)
{
	const u64 *nr_faults =
		&half->outcomes->samples[OUTCOME_WALKS + PROFIL_WALK_FAULT];
	struct model_registers at = model_sample(task);
	struct user_regs regs = { .pc = at.pc,
				  .sp = at.sp,
				  .bp = at.bp,
				  .bx = at.bx,
				  .is_narrow = random_one_in(200) };
	u32 max_new = random_one_in(8) ? WALK_MAX_FRAMES : WALK_MAX_NEW;
	u64 mode = random_mode(), read = nr_read, opened = nr_opened;
	u32 samples = 1 + random_below(3), slot, used = half->used.value;
	u64 faults = *nr_faults;
	bool has_place = walk(&regs, mode, samples, max_new);
	struct model_walk right = expected(&at, regs.is_narrow, mode, false);
	struct model_walk present;

	if (!has_place)
		return !right.nr || !find_slot(right.keys[0], &slot);
	CHECK(right.nr && !escaped && !is_open && is_room_kept(used));
	CHECK_BETWEEN(0, nr_read - read, 32 * WALK_MAX_FRAMES);
	/* A memo needs no word that changes nothing, even if its page is away. */
	if (right.end == PROFIL_WALK_FAULT) {
		present = expected(&at, false, mode, true);
		nr_used[1] += regs.is_used && present.end != right.end;
		if (is_counted(&present, mode) > is_counted(&right, mode))
			right = present;
	}
	nr_used[0] += regs.is_used;
	CHECK(*nr_faults == faults || regs.is_used);
	last[task] = right;
	nr_frames += right.nr;
	if (nr_opened - opened < 4)
		nr_remembered[right.nr > 70] += right.nr > 8;
	nr_ends[root_of(&right)] += samples;
	return expect(&right, mode, samples);
}

static bool takes_right(void)
{
	CHECK(is_all_expected());
	nr_shortened += outcomes.samples[OUTCOME_WALK_SHORTENED];
	take();
	return true;
}

/* What a machine does beside its tasks */
static bool changes_right(void)
{
	u32 of = random_below(MODEL_TASKS);

	if (random_one_in(300))
		change_rows();
	if (random_one_in(200))
		model_change_texts(model_program_of(of));
	else if (!random_one_in(200))
		return !random_one_in(5000) || takes_right();
	raise_generation(of);
	return true;
}

/* Tasks that share a memo, one of which runs more often */
static u32 random_task(void)
{
	static u32 often;

	if (random_one_in(30))
		often = random_below(MODEL_TASKS);
	return random_one_in(8) ? random_below(MODEL_TASKS) : often;
}

static bool round_is_right(bool is_forged)
{
	static const u8 log2s[] = { 17, 17, 16, 13, 9 };

	model_begin(is_forged);
	for (u32 i = 0; i < MODEL_LIBRARIES; i++)
		load_rows(i);
	rows.version += 2;
	for (u32 i = 0; i < MODEL_PROGRAMS; i++)
		raise_generation(i);
	open_table(log2s[random_below(sizeof(log2s))]);
	for (u32 i = 0; i < ROUND_WALKS; i++) {
		task = random_task();
		current = tasks[task];
		model_run(task, &last[task]);
		CASE(changes_right() && samples_right(), "task %u, walk %u",
		     task, i);
	}
	CHECK(takes_right());
	close_table();
	return true;
}

static bool rounds_are_right(u32 nr, bool is_forged)
{
	choose_tasks();
	for (u32 i = 0; i < nr; i++)
		CASE(round_is_right(is_forged), "round %u", i);
	for (u32 i = 0; i < PROFIL_NR_WALKS; i++)
		CHECK_BETWEEN(50, nr_ends[i], U64_MAX);
	CHECK_BETWEEN(1000, nr_shortened, U64_MAX);
	tap_note("%llu frames, %llu words; %llu stacks remembered, %llu deep",
		 nr_frames, nr_read, nr_remembered[0], nr_remembered[1]);
	return true;
}

TEST("each walk counts what one by rows alone would")
{
	CHECK(rounds_are_right(50, false));
	CHECK_BETWEEN(10000, nr_remembered[0], U64_MAX);
	CHECK_BETWEEN(1000, nr_remembered[1], U64_MAX);
	CHECK_BETWEEN(10000, nr_used[0], U64_MAX);
	CHECK_BETWEEN(0, nr_used[1], nr_used[0] / 1000);
	return true;
}

TEST("so do walks by any rows over any stacks, in a bounded number of steps")
{
	return rounds_are_right(50, true);
}

/* Fill the half, but for @leaf, with counters of others. */
static void fill_half(u64 leaf)
{
	u32 slots = 1 << half->log2;

	for (u32 i = 0; i < slots; i++)
		half->counters[i].key = ~(u64)i;
	half->counters[half_first_slot(half, leaf)].key = leaf;
	half->used.value = slots;
}

/* A walk of @task in an interrupt, in a half without memos. How many words it has read */
static u64 words_of(const struct user_regs *regs, bool is_full, u64 leaf,
		    enum walked *walked)
{
	struct identity identity = identity_of(task);
	u64 read, missing;

	take();
	look_up(&identity, regs->pc);
	if (is_full)
		fill_half(leaf);
	read = nr_read;
	*walked = profil_walk(&table, half, &identity, regs, 0, 1, WALK_MAX_NEW,
			      &missing);
	return nr_read - read;
}

/* Its leaf has no counter; then it alone; then all may have one. */
static bool takes_few_steps(struct user_regs *regs,
			    const struct model_walk *right)
{
	enum walked walked;
	u64 words = words_of(regs, true, ~0ULL, &walked);

	CHECK(walked == WALK_FULL && !words);
	words = words_of(regs, true, right->keys[0], &walked);
	CHECK_EQUAL(WALK_LONG, walked);
	CHECK(walk(regs, 0, 1, WALK_MAX_FRAMES));
	CHECK(expect(right, 0, 1));
	CHECK_EQUAL(1, outcomes.samples[OUTCOME_WALK_SHORTENED]);
	CHECK(2 * words < words_of(regs, false, 0, &walked));
	CHECK_EQUAL(WALK_LONG, walked);
	return true;
}

TEST("a walk in a half without room ends soon in an interrupt, and is whole in a task work")
{
	u32 deep = 0;

	choose_tasks();
	model_begin(false);
	for (u32 i = 0; i < MODEL_LIBRARIES; i++)
		load_rows(i);
	rows.version += 2;
	open_table(12);
	for (u32 i = 0; deep < 100; i++) {
		struct model_registers at;
		struct model_walk right;
		struct user_regs regs;

		task = i % MODEL_TASKS;
		current = tasks[task];
		model_run(task, &last[task]);
		at = model_sample(task);
		right = expected(&at, false, 0, false);
		last[task] = right;
		if (right.end == PROFIL_WALK_FAULT || right.nr < 96)
			continue;
		deep++;
		regs = (struct user_regs){
			.pc = at.pc, .sp = at.sp, .bp = at.bp, .bx = at.bx
		};
		CASE(takes_few_steps(&regs, &right), "walk %u", i);
	}
	close_table();
	return true;
}

/*
 * A space has rows without a reference, and text: no number of changes makes either that of
 * now.
 */
TEST("rows and text that have changed are others, however often they have")
{
	struct space space = { .identity = identity_of(0), .rows_version = 2 };
	long *generation = &space_generation_at(space.identity.mm)->value;

	space.generation = *generation;
	for (u32 bit = 0; bit < 64; bit++) {
		rows.version = 2;
		CHECK(space_is_valid(&space, rows_version(&rows)));
		rows.version += 1UL << bit;
		CASE(!space_is_valid(&space, rows_version(&rows)),
		     "2^%u changes", bit);
		*generation = space.generation + (1UL << bit);
		CASE(!space_is_valid(&space, 2), "2^%u mappings", bit);
		*generation = space.generation;
	}
	return true;
}

/* Ranges with holes between them, of a space that is full */
static void fill_space(struct space *space, u32 nr)
{
	u64 at = 0x1000;

	space->nr = nr;
	for (u32 i = 0; i < nr; i++) {
		struct mapped *mapped = &space->ranges[i].mapped;

		mapped->start = at + 0x1000 * random_below(3);
		mapped->size = 0x1000 * (1 + random_below(3));
		at = mapped->start + mapped->size;
	}
}

static bool are_apart(const struct mapped *a, const struct mapped *b)
{
	return a->start + a->size <= b->start || b->start + b->size <= a->start;
}

/* How many ranges of @old that @added does not overlap are not in @space, at their place? */
static u32 nr_missing(struct space *space, const struct space *old,
		      const struct mapped *added)
{
	u32 nr = 0;

	for (u32 i = 0; i < old->nr; i++) {
		const struct mapped *mapped = &old->ranges[i].mapped;
		const struct space_range *found =
			space_range(space, mapped->start);

		nr += are_apart(mapped, added) &&
		      (!found || found->mapped.start != mapped->start);
	}
	return nr;
}

TEST("a space that is full has the range that it lacked, in place of one at most")
{
	size_t bytes =
		struct_size((struct space *)NULL, ranges, SPACE_MAX_RANGES + 1);
	struct space *old = calloc(1, bytes), *draft = calloc(1, bytes);

	for (u32 i = 0; i < 2000; i++) {
		u32 most = random_below(2);
		u64 start = 0x1000 * random_below(0x500);
		u64 size = 0x1000 * (1 + random_below(9));
		struct mapped added = { .start = start, .size = size };

		fill_space(old, SPACE_MAX_RANGES - 1 + most);
		draft->nr = 1;
		draft->ranges[0].mapped = added;
		profil_space_take_over(draft, old);
		CASE(draft->nr <= SPACE_MAX_RANGES, "round %u", i);
		CHECK(space_range(draft, added.start));
		CHECK(nr_missing(draft, old, &added) <= most);
		for (u32 r = 1; r < draft->nr; r++)
			CHECK(are_apart(&draft->ranges[r - 1].mapped,
					&draft->ranges[r].mapped));
	}
	free(old);
	free(draft);
	return true;
}
