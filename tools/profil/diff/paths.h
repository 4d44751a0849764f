/* SPDX-License-Identifier: GPL-2.0-only */
/* Callers through which functions of a comparison have changed */
#ifndef PROFIL_DIFF_PATHS_H
#define PROFIL_DIFF_PATHS_H

struct comparison;

/*
 * Find the callers of each row whose total has surely changed, after
 * profil_significance_judge().
 *
 * The callers of a function are tested as rows are, and those that have surely changed are
 * followed to their own callers. A path ends at the last caller that is one of several: a
 * caller that is the only one says nothing of the change. Of a row that has changed itself,
 * the only caller is a path.
 */
void profil_paths_find(struct comparison *comparison);

#endif
