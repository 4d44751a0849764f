/* SPDX-License-Identifier: GPL-2.0-only */
/* One call of a 64-bit or a 32-bit program, compared with the oracle */
#ifndef FUZZ_ATTEMPT_CALL_H
#define FUZZ_ATTEMPT_CALL_H

#include <stdbool.h>

#include "fields.h"
#include "oracle.h"

enum caller { CALLER_64, CALLER_32, NR_CALLERS };

/* True if the kernel takes system calls of 32-bit programs. */
bool caller_works(enum caller caller, int fd);

/**
 * struct attempt_call - a call and its result
 * @device: the descriptor
 * @caller: of what kind the calling program is
 * @world: what the result depends on; followed
 * @request: placed in the arena
 * @allowed: results that are documented
 * @result: of the call
 * @wrong: a field of the argument that is not as documented afterwards, or NULL
 */
struct attempt_call {
	unsigned int device;
	enum caller caller;
	struct world *world;
	const struct request *request;
	results allowed;
	int result;
	const char *wrong;
};

/* What the kernel and the module allow now */
struct world world_now(void);

/* Make the call. False if the result, or what it writes, is not documented. */
bool attempt_as_documented(struct attempt_call *attempt);

/*
 * Make the call while the memory of arguments may change: any error of the
 * command is documented, and all of the arena may be written.
 */
bool attempt_anything(struct attempt_call *attempt);

/* True if the call has attached the descriptor. */
bool attempt_attaches(const struct attempt_call *attempt);

/* End the session, and detach the descriptor if the call has attached it. */
void attempt_end(struct attempt_call *attempt);

/*
 * The first field of @after that Documentation/profil.rst does not allow, or NULL.
 * @before: a request of the same command, with the argument before a successful
 * call, whose result was written to nothing else in the argument's memory
 * @world: before the call, which was on @device
 * Fields that are only out have their documented values, whatever they were. The
 * other fields are unchanged.
 */
const char *outputs_wrong(const struct world *world, unsigned int device,
			  const struct request *before,
			  const struct request *after);

#endif /* FUZZ_ATTEMPT_CALL_H */
