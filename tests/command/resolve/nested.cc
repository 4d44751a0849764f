// SPDX-License-Identifier: GPL-2.0-only
/* A symbol of 400 bytes or fewer, whose name has 16 MB with -DDEPTH=6, and 8 times as much with 7 */
#include <map>
#include <string>
#include <tuple>
#include <vector>

template <int N> struct Nest {
	using inner = typename Nest<N - 1>::type;
	using type = std::map<std::string,
			      std::vector<std::tuple<inner, inner>>>;
};

template <> struct Nest<0> {
	using type = int;
};

template <class T> struct Holder {
	__attribute__((noinline)) static unsigned long run(unsigned long n)
	{
		unsigned long x = 1;

		while (n--)
			__asm__ volatile("" : "+r"(x));
		return x;
	}
};

__attribute__((noinline)) unsigned long plain_hot(unsigned long n)
{
	unsigned long x = 3;

	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}

int main(int argc, char **)
{
	return Holder<Nest<DEPTH>::type>::run(argc) + plain_hot(argc) == 0;
}
