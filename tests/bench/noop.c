// SPDX-License-Identifier: GPL-2.0-only
/* The program that is executed by those who measure what execve() takes. */
int main(void)
{
	return 0;
}
