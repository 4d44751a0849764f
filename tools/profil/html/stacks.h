/* SPDX-License-Identifier: GPL-2.0-only */
/* Call stacks of a page */
#ifndef PROFIL_HTML_STACKS_H
#define PROFIL_HTML_STACKS_H

#include "profile/profile.h"

/* Print the call tree of @profile, which has stacks, as arrays with an element for each node. */
void profil_html_print_stacks(FILE *out, const struct profile *profile);

#endif
