// SPDX-License-Identifier: GPL-2.0-only
/* A program in C++ with templates, namespaces and inlined functions */
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

#include "work.h"

extern "C" unsigned int library_work(unsigned int turns);
extern "C" unsigned int stripped_work(unsigned int turns);

namespace app
{
template <typename T> class Matrix {
	T cells[16][16];

	T at(int row, int column) const
	{
		return cells[row & 15][column & 15];
	}

    public:
	explicit Matrix(T first)
	{
		for (int i = 0; i < 256; i++)
			cells[i / 16][i % 16] = first + i;
	}

	__attribute__((noinline)) T product(const Matrix &other) const
	{
		T sum = 0;

		for (int row = 0; row < 16; row++)
			for (int column = 0; column < 16; column++)
				sum += at(row, column) * other.at(column, row);
		return sum;
	}
};
}

static __attribute__((noinline, noclone)) unsigned int
sum_of_squares(unsigned int turns)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < turns; i++)
		sum += square_of_sum(i, sum);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned int turns = argc > 1 ? atoi(argv[1]) : 1;
	app::Matrix<double> matrix(turns);
	int zeros = open("/dev/zero", O_RDONLY);
	static char page[4096];
	unsigned int sum = 0;

	for (unsigned int i = 0; i < turns; i++) {
		sum += sum_of_squares(100) + library_work(200);
		sum += stripped_work(50) + matrix.product(matrix);
		/* Some of the time is in the kernel. */
		if (i % 4 == 0 && read(zeros, page, sizeof(page)) < 0)
			return 1;
	}
	std::printf("%u\n", sum);
	return 0;
}
