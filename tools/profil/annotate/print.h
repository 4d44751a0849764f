/* SPDX-License-Identifier: GPL-2.0-only */
/* Annotated function: heading, source lines, instructions and notes */
#ifndef PROFIL_ANNOTATE_PRINT_H
#define PROFIL_ANNOTATE_PRINT_H

#include "annotate/listing.h"

/*
 * Print the function of @page, of which all but the last two members are set: a
 * heading with @file, where the profile is from, its source lines, and its
 * instructions if they are wanted or lines are not known.
 */
void profil_annotate_print(struct annotated_page *page, const char *file);

#endif
