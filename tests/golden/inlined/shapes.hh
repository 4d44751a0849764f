#pragma once
#include <vector>

namespace shapes {

template <typename T> struct Point {
	T x, y;
	T cross(const Point &other) const
	{
		return x * other.y - y * other.x;
	}
};

template <typename T> class Polygon {
	std::vector<Point<T>> points;
public:
	explicit Polygon(int corners);
	T area() const
	{
		T sum = 0;
		for (unsigned i = 0; i < points.size(); i++)
			sum += points[i].cross(points[(i + 1) % points.size()]);
		return sum / 2;
	}
};

}
// SPDX-License-Identifier: GPL-2.0-only
