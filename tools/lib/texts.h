/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_TEXTS_H
#define PROFIL_LIB_TEXTS_H

#include "maps.h"
#include "run.h"

/* The head of the run's file behind @fd, or NULL if that is no such file */
struct run *profil_texts_open(int fd);

/* The name under which the text of @map is known in @run */
uint64_t profil_texts_key(const struct map *map);

/* Map the counters of @map's text, entering it if need be; NULL: no room */
void *profil_texts_map(struct run *run, int fd, const struct map *map,
		       uint64_t key);

#endif
