/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_ARCS_H
#define PROFIL_ARCS_H

#include <stdio.h>

#include "counts.h"
#include "functions.h"

/* Print which function called which how often, the most calls first. */
void profil_arcs(FILE *out, struct functions *functions,
		 const struct counts *counts);

#endif
