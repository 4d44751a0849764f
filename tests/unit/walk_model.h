/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of walks: programs with text and rows, their tasks with registers and a stack,
 * which call, return and change; and the walk of a stack by rows alone, from what
 * <linux/profil.h> says of them. It shares no code with src/.
 */
#ifndef UNIT_WALK_MODEL_H
#define UNIT_WALK_MODEL_H

#include <linux/profil.h>
#include <linux/types.h>

#define MODEL_TASKS 12
#define MODEL_PROGRAMS 2
#define MODEL_TEXTS 4
#define MODEL_LIBRARIES 5
#define MODEL_FUNCTIONS 8
#define MODEL_FUNCTION_BYTES 64
#define MODEL_TEXT_BYTES (MODEL_FUNCTIONS * MODEL_FUNCTION_BYTES)
#define MODEL_MAX_FRAMES 127

#define MODEL_USER_END 0x7ffffffff000ULL

/* A file, or memory, that has one row for all PCs; @rows[0].offset is where text begins. */
struct model_library {
	bool is_file;
	struct profil_row rows[MODEL_FUNCTIONS];
};

/* What a program has mapped at an address: text with an ID of its own */
struct model_text {
	u64 start;
	const struct model_library *library; /* NULL: nothing is mapped */
	u32 id;
	u32 mask; /* of the offset, as in struct mapped */
};

struct model_registers {
	u64 pc, sp, bp, bx;
};

/* A walk: the keys of its PCs, the leaf first, and how it ended */
struct model_walk {
	u32 nr, end;
	bool by_rbp; /* some step went by the frame pointer alone */
	u64 keys[MODEL_MAX_FRAMES];
	u32 nr_words;
	u64 words[4 * MODEL_MAX_FRAMES]; /* addresses of all that was read */
};

extern struct model_library model_libraries[MODEL_LIBRARIES];
extern struct model_text model_texts[MODEL_PROGRAMS][MODEL_TEXTS];

/* Other functions, and stacks without a frame; forged: any rules, words and registers. */
void model_begin(bool is_forged);

/* Other rows for @library */
void model_change_rows(struct model_library *library);

/* Map another library at an address of @program, or none. */
void model_change_texts(u32 program);

u32 model_program_of(u32 task);

/*
 * Let @task run: it calls, returns, or its stack changes in another way, perhaps where its
 * @last walk has read.
 */
void model_run(u32 task, const struct model_walk *last);

/* The registers of @task where it is sampled next; some that it cannot have */
struct model_registers model_sample(u32 task);

/* A word in the memory of @task; false if there is none. @present: no page is away. */
bool model_word(u32 task, u64 at, bool present, u64 *value);

/* The stack of @task is in memory from @address on. */
void model_use_stack(u32 task, u64 address);

/* Walk the stack of @task: as above. */
void model_walk(u32 task, const struct model_registers *regs, bool present,
		struct model_walk *walk);

#endif /* UNIT_WALK_MODEL_H */
