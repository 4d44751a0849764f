// SPDX-License-Identifier: GPL-2.0-only
/* 600 functions with names of 32 KB each, as programs with many templates have them */
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

template <int N> struct Nest {
	using inner = typename Nest<N - 1>::type;
	using type = std::map<std::string,
			      std::vector<std::tuple<inner, inner>>>;
};

template <> struct Nest<0> {
	using type = int;
};

template <class T, int I>
__attribute__((noinline)) unsigned long run(unsigned long n)
{
	unsigned long x = I;

	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}

template <int... I>
unsigned long all(unsigned long n, std::integer_sequence<int, I...>)
{
	return (run<Nest<3>::type, I>(n) + ...);
}

int main(int argc, char **)
{
	return all(argc, std::make_integer_sequence<int, 600>()) == 0;
}
