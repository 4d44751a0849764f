// SPDX-License-Identifier: GPL-2.0-only
/* A dynamically linked program that does nothing */
int main(void)
{
	return 0;
}
