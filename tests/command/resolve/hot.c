// SPDX-License-Identifier: GPL-2.0-only
/* Code that is compiled without -g, for discarded.sh */
unsigned long kept(unsigned long n);

__attribute__((noinline)) unsigned long hot(unsigned long n)
{
	while (n--)
		__asm__ volatile("nop" : "+r"(n));
	return n;
}

int main(int argc, char **argv)
{
	(void)argv;
	return hot(argc) + kept(argc);
}
