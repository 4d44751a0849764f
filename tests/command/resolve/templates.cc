// SPDX-License-Identifier: GPL-2.0-only
// Templates, members, local classes and closures of C++, also shown by tests/html
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace app
{
template <typename T> class Matrix {
    public:
	explicit Matrix(int n) : size(n), cells(n * n)
	{
	}
	T &at(int i, int j)
	{
		return cells[i * size + j];
	}
	void mul(Matrix &other, Matrix &product)
	{
		for (int i = 0; i < size; i++)
			for (int j = 0; j < size; j++) {
				T sum = 0;

				for (int k = 0; k < size; k++)
					sum += at(i, k) * other.at(k, j);
				product.at(i, j) = sum;
			}
	}

    private:
	int size;
	std::vector<T> cells;
};

namespace
{
int hidden(int value)
{
	return value % 7 + std::rand();
}
}
}

static __attribute__((noinline)) int twice(int value)
{
	struct Local {
		__attribute__((noinline)) int scale(int by)
		{
			return by * std::rand();
		}
	} local;

	return local.scale(value) * 2;
}

int main(int argc, char **)
{
	app::Matrix<double> a(64), b(64), c(64);
	std::vector<int> values;
	std::string text;

	for (int i = 0; i < 1000; i++)
		values.push_back(app::hidden(i));
	std::sort(values.begin(), values.end(),
		  [](int x, int y) { return x > y; });
	a.mul(b, c);
	for (int i = 0; i < argc; i++)
		text += std::to_string(twice(i));	/* "local" <b>only</b> & exact */
	std::printf("%g %d %s\n", c.at(1, 2), values[3], text.c_str());
}
