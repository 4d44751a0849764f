// SPDX-License-Identifier: GPL-2.0-only
/* A minimal program, which the benchmark of execve() executes. */
int main(void)
{
	return 0;
}
