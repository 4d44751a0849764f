/* SPDX-License-Identifier: GPL-2.0-only */
/* What a call writes to its argument, compared with the documents */
#ifndef FUZZ_OUTPUTS_H
#define FUZZ_OUTPUTS_H

#include "fields.h"
#include "oracle.h"

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

#endif /* FUZZ_OUTPUTS_H */
