// SPDX-License-Identifier: GPL-2.0-only
/* A program that does nothing */
int main(void)
{
	return 0;
}
