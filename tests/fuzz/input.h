/* SPDX-License-Identifier: GPL-2.0-only */
/* Inputs of the fuzzer: a few steps, each a call or something that changes it */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "attempt_call.h"
#include "fields.h"
#include "random.h"

#define STEPS_MAX 6

enum kind { CALL, SPIN, CHANGE, FORK, LIMIT, PEER, NR_KINDS };

/* What a second thread does during a call */
enum race { ALONE, FLIP, STOP, REMAP, BRANCH, NR_RACES };

/**
 * struct step - one step
 * @kind: what to do
 * @device: for CALL, and FORK's calls: the descriptor
 * @caller: for CALL: of a 64-bit or a 32-bit program
 * @race: for CALL: what a second thread does meanwhile
 * @flipped: for FLIP: the index of the field that changes
 * @value: for FLIP: the field's other value; else the step's parameter
 * @request: for CALL: the call
 */
struct step {
	enum kind kind;
	unsigned int device;
	enum caller caller;
	enum race race;
	unsigned int flipped;
	__u64 value;
	struct request request;
};

struct input {
	unsigned int nr;
	struct step steps[STEPS_MAX];
};

/* A new input, and a variation of one. @callers: see enum caller */
void input_create(struct input *input, struct stream *random,
		  unsigned int callers);
void input_vary(struct input *input, struct stream *random,
		unsigned int callers);

/* Print the input, a line for each step, for a report. */
void input_print(const struct input *input);

#endif /* FUZZ_INPUT_H */
