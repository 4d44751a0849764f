// SPDX-License-Identifier: GPL-2.0-only
/* A program with known numbers of calls */

static volatile unsigned int work;

__attribute__((noinline, noclone)) static void leaf(void)
{
	for (unsigned int i = 0; i < 40000; i++)
		work += i;
}

__attribute__((noinline, noclone)) static void middle(void)
{
	leaf();
	leaf();
	work++;
}

__attribute__((noinline, noclone)) static void once(void)
{
	for (unsigned int i = 0; i < 1000; i++)
		middle();
	work++;
}

int main(void)
{
	once();
	return 0;
}
