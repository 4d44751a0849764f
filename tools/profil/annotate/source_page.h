/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SOURCE_PAGE_H
#define PROFIL_SOURCE_PAGE_H

#include "annotate/page.h"
#include "annotate/source_hits.h"
#include "annotate/source_text.h"

/*
 * Print the lines of @file with samples, and lines around them, from @source.
 * Inlined code has rows below its line.
 */
void profil_source_page_print(struct page *page, const struct file_hits *file,
			      const struct source_text *source);

#endif
