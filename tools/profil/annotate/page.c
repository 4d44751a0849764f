// SPDX-License-Identifier: GPL-2.0-only
/* Columns of an annotated function */
#include <stdlib.h>

#include "annotate/page.h"
#include "util/output.h"
#include "util/text.h"

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

/* Percent from which rows are red */
#define HOT 10

#define GREY "\033[2m"
#define RED "\033[31m"
#define PLAIN "\033[0m"

void profil_page_begin_row(const struct page *page, uint64_t samples)
{
	if (!page->has_colours)
		return;
	if (samples < FEW)
		fputs(GREY, page->out);
	else if (profil_subject_percent(page->subject, samples) >= HOT)
		fputs(RED, page->out);
}

void profil_page_end_row(const struct page *page)
{
	fprintf(page->out, "%s\n", page->has_colours ? PLAIN : "");
}

void profil_page_print_share(const struct page *page, uint64_t samples)
{
	if (!samples)
		fprintf(page->out, "%*s", PAGE_SHARES, "");
	else if (samples < FEW)
		fprintf(page->out, "%5.1f %5s",
			profil_subject_percent(page->subject, samples), "");
	else
		fprintf(page->out, "%5.1f %5.1f",
			profil_subject_percent(page->subject, samples),
			profil_subject_error(page->subject, samples));
}

void profil_page_print_head(const struct page *page)
{
	fprintf(page->out, "    %% %s%s",
		profil_output_is_utf8() ? "    " : "   ",
		profil_output_sign("±", "+-"));
}

void profil_page_print_text(const struct page *page, const char *text)
{
	char *printable = profil_text_printable(text);

	fputs(printable, page->out);
	free(printable);
}
