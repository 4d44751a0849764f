/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RECORD_HALF_H
#define PROFIL_RECORD_HALF_H

#include "record/table.h"

/*
 * Add the counters of the half @take of @table to @growing, with the names of the files,
 * which the driver forgets. Returns the samples of counters with keys of unknown kinds.
 */
uint64_t profil_half_read(const struct table *table,
			  const struct profil_take *take,
			  struct growing *growing);

#endif
