// SPDX-License-Identifier: GPL-2.0-only
/* A known word that is nearly a given one */
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "util/nearest.h"

/* Upper limit of letters of a word that is compared */
#define LONGEST 32

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Letters i - 1 and i - 2 of @a are letters j - 2 and j - 1 of @b. */
static int is_exchanged(const char *a, const char *b, size_t i, size_t j)
{
	return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
}

/* Differences of the first i letters of @a from the first j letters of @b */
static int distance_of(const char *a, const char *b)
{
	int d[LONGEST + 1][LONGEST + 1];
	size_t m = strlen(a), n = strlen(b);

	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = least(d[i][j], d[i - 1][j - 1] + (a[i - 1] !=
								    b[j - 1]));
			if (is_exchanged(a, b, i, j))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[m][n];
}

void profil_nearest_begin(struct nearest *nearest, const char *word)
{
	*nearest = (struct nearest){ .word = word, .distance = INT_MAX };
}

void profil_nearest_compare(struct nearest *nearest, const char *known)
{
	size_t length = strlen(known);
	int distance;

	if (strlen(nearest->word) > LONGEST || length > LONGEST)
		return;
	distance = distance_of(nearest->word, known);
	if (distance > (int)length / 3 || distance >= nearest->distance)
		return;
	nearest->found = known;
	nearest->distance = distance;
}
