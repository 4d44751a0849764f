// SPDX-License-Identifier: GPL-2.0-only
/* Functions of C behind the symbols of labels.S */
void tiny(void);

static __attribute__((noinline, noclone)) int alpha(int n)
{
	__asm__ volatile("nop\n\tnop" : "+r"(n));
	return n + 1;
}

static __attribute__((noinline, noclone)) int beta(int n)
{
	__asm__ volatile("nop\n\tnop" : "+r"(n));
	return n + 2;
}

int main(int argc, char **argv)
{
	(void)argv;
	tiny();
	return alpha(argc) + beta(argc);
}
