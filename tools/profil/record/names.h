/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of new places */
#ifndef PROFIL_RECORD_NAMES_H
#define PROFIL_RECORD_NAMES_H

#include "record/growing.h"

/* The part of profil_growing_resolve() that a child does, for places after @nr_named */
void profil_growing_find_names(struct growing *growing);

#endif
