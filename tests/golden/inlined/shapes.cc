#include "shapes.hh"
#include <cmath>
#include <cstdio>

template <typename T> shapes::Polygon<T>::Polygon(int corners)
{
	for (int i = 0; i < corners; i++)
		points.push_back({ std::cos(T(i)), std::sin(T(i)) });
}

__attribute__((noinline)) static double measure(int corners, int rounds)
{
	shapes::Polygon<double> polygon(corners);
	double area = 0;

	for (int i = 0; i < rounds; i++)
		area += polygon.area();
	return area;
}

__attribute__((noinline)) static long collatz(long n)
{
	long steps = 0;

	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

int main()
{
	long steps = 0;

	for (long i = 1; i < 60000; i++)
		steps += collatz(i);
	printf("%.3f %ld\n", measure(1000, 20000), steps);
}
// SPDX-License-Identifier: GPL-2.0-only
