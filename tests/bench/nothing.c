// SPDX-License-Identifier: GPL-2.0-only
/* A program that does nothing: nothing is linked dynamically, noop statically. */
int main(void)
{
	return 0;
}
