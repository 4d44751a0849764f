// SPDX-License-Identifier: GPL-2.0-only
// Source of the recordings; it is shown, not compiled.
#include <vector>

namespace app {

template <typename T> class Matrix {
public:
	explicit Matrix(int n) : n(n), values(n * n) {}

	T at(int row, int column) const
	{
		return values[row * n + column];
	}

	T &at(int row, int column)
	{
		return values[row * n + column];
	}

	Matrix mul(const Matrix &o) const
	{
		Matrix result(n);

		// The inner loop reads a column of o: each element is in
		// another cache line.
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++) {
				T s = 0;

				for (int k = 0; k < n; k++)
					s += at(i, k) * o.at(k, j);
				result.at(i, j) = s;
			}
		}
		return result;
	}

private:
	int n;
	std::vector<T> values;
};

double trace(const Matrix<double> &m, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += m.at(i, i);	/* "diagonal" <b>only</b> & exact */
	return sum;
}

} // namespace app

int main()
{
	app::Matrix<double> a(500), b(500);

	return app::trace(a.mul(b), 500) > 0;
}
