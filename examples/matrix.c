// SPDX-License-Identifier: GPL-2.0-only
/* A product of matrices, whose inner loop reads a column: it misses the cache. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 256

struct matrix {
	double values[SIZE][SIZE];
};

static inline double at(const struct matrix *matrix, int row, int column)
{
	return matrix->values[row][column];
}

static void fill(struct matrix *matrix, unsigned int seed)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			seed = seed * 1103515245 + 12345;
			matrix->values[i][j] = (seed >> 16) / 65536.0;
		}
}

static __attribute__((noinline)) void
multiply(struct matrix *result, const struct matrix *a, const struct matrix *b)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			double sum = 0;

			for (int k = 0; k < SIZE; k++)
				sum += at(a, i, k) * at(b, k, j);
			result->values[i][j] = sum;
		}
}

int main(void)
{
	struct matrix *matrices = calloc(3, sizeof(*matrices));

	if (!matrices)
		return 1;
	for (int i = 0; i < 4; i++) {
		fill(&matrices[1], i);
		fill(&matrices[2], i + 100);
		multiply(&matrices[0], &matrices[1], &matrices[2]);
	}
	printf("%.3f\n", at(matrices, SIZE / 2, SIZE / 2));
	free(matrices);
	return 0;
}
