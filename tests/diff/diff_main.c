// SPDX-License-Identifier: GPL-2.0-only
/* `profil diff` as a program of its own */
#include <locale.h>

#include "util/output.h"
#include "verbs.h"

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	profil_output_begin();
	return profil_verb_diff.main(argc, argv);
}
