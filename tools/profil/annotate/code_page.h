/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CODE_PAGE_H
#define PROFIL_CODE_PAGE_H

#include "annotate/page.h"

/*
 * Print the instructions with samples, and instructions around them, or all
 * instructions of the function.
 */
void profil_code_page_print(struct page *page);

#endif
