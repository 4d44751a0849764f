// SPDX-License-Identifier: GPL-2.0-only
/* Tables of the page */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "html/escape.h"
#include "html/table.h"
#include "util/text.h"

#define MAX_PROGRAMS 50

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

static const char head[] =
	"<colgroup><col class=c-share><col class=c-error><col class=c-time>\n"
	"<col class=c-count><col class=c-kernel><col class=c-object><col></colgroup>\n"
	"<thead><tr><th scope=col aria-sort=descending><span>self</span></th>\n"
	"<th scope=col class=error title=\"standard error of the share\">\n"
	"<span>±</span></th><th scope=col class=time><span>seconds</span></th>\n"
	"<th scope=col class=count><span>samples</span></th>\n"
	"<th scope=col class=kernel title=\"part of the row in kernel mode\">\n"
	"<span>kernel</span></th><th scope=col class=text><span>object</span></th>\n"
	"<th scope=col class=text><span>function</span></th></tr></thead>\n";

static const char tools[] =
	"<div class=tools id=tools hidden><input id=filter type=search\n"
	"placeholder=\"Filter by function or object\"\n"
	"aria-label=\"Filter by function or object\" autocomplete=off\n"
	"spellcheck=false><span class=quiet id=shown role=status></span></div>\n";

/* Standard error of a binomial share, in percent */
static double error_of(const struct hot *hot, uint64_t samples)
{
	double share = profil_hot_percent(hot, samples) / 100;

	return hot->total ? 100 * sqrt(share * (1 - share) / hot->total) : 0;
}

static void print_share(FILE *out, const struct hot *hot, uint64_t samples)
{
	double percent = profil_hot_percent(hot, samples);

	fprintf(out,
		"<td class=share><i style=\"width:%.1f%%\"></i>%.1f&nbsp;%%</td>",
		percent, percent);
}

static void print_numbers(FILE *out, const struct hot *hot, uint64_t samples,
			  uint64_t kernel)
{
	fputs("<td class=error>", out);
	if (samples < hot->total)
		fprintf(out, "%.1f", error_of(hot, samples));
	fprintf(out,
		"</td><td class=time>%.3f</td><td class=count>%" PRIu64
		"</td><td class=kernel>",
		samples * hot->period, samples);
	if (kernel)
		fprintf(out, "%.0f&nbsp;%%", 100.0 * kernel / samples);
	fputs("</td>", out);
}

static const char *path_of(const struct hot *hot, const struct hot_row *row)
{
	if (row->object == PROFILE_NONE)
		return "";
	return hot->profile->objects[row->object].path;
}

static void print_names(FILE *out, const struct hot *hot,
			const struct hot_row *row)
{
	fputs("<td class=\"text name\">", out);
	profil_html_name(out, profil_text_base(path_of(hot, row)));
	fputs("</td><td class=\"text name\">", out);
	if (row->is_source)
		fprintf(out, "<a href=\"#f%" PRIu32 "\">", row->function);
	profil_html_name(out, profil_hot_name(hot, row));
	fputs(row->is_source ? "</a></td>" : "</td>", out);
}

static void print_row(FILE *out, const struct hot *hot,
		      const struct hot_row *row)
{
	fputs(row->samples < FEW ? "<tr class=few>" : "<tr>", out);
	print_share(out, hot, row->samples);
	print_numbers(out, hot, row->samples, row->kernel);
	print_names(out, hot, row);
	fputs("</tr>\n", out);
}

/* Sum of the rows from @first on */
static void print_sum(FILE *out, const struct hot *hot, size_t first,
		      const char *name)
{
	uint64_t samples = 0, kernel = 0;

	for (size_t i = first; i < hot->nr; i++) {
		samples += hot->rows[i].samples;
		kernel += hot->rows[i].kernel;
	}
	fprintf(out, "<tr><td>%.1f&nbsp;%%</td>",
		profil_hot_percent(hot, samples));
	print_numbers(out, hot, samples, kernel);
	fprintf(out, "<td></td><td class=text>%zu %s</td></tr>\n",
		hot->nr - first, name);
}

void profil_html_functions(FILE *out, const struct hot *hot)
{
	fprintf(out,
		"<section>\n<h2>Functions</h2>\n"
		"<p class=quiet>CPU time in each function itself.</p>\n%s\n"
		"<div class=card><table id=functions>\n%s<tbody>\n",
		tools, head);
	for (size_t i = 0; i < hot->nr && i < HOT_ROWS; i++)
		print_row(out, hot, &hot->rows[i]);
	fputs("</tbody>\n<tfoot>\n", out);
	if (hot->nr > HOT_ROWS)
		print_sum(out, hot, HOT_ROWS, "more rows");
	print_sum(out, hot, 0, "rows in all");
	fputs("</tfoot>\n</table></div>\n"
	      "<button class=more id=more type=button hidden></button>\n"
	      "</section>\n",
	      out);
}

void profil_html_programs(FILE *out, const struct hot *hot)
{
	const struct profile *profile = hot->profile;
	uint32_t *order;

	if (profile->nr_programs < 2)
		return;
	order = profil_hot_order(hot->programs, profile->nr_programs);
	fputs("<section>\n<h2>Programs</h2>\n<div class=card><table>\n"
	      "<colgroup><col class=c-share><col class=c-time><col></colgroup>\n"
	      "<thead><tr><th scope=col><span>self</span></th>\n"
	      "<th scope=col><span>seconds</span></th>\n"
	      "<th scope=col class=text><span>program</span></th></tr></thead>\n"
	      "<tbody>\n",
	      out);
	for (uint32_t i = 0; i < profile->nr_programs && i < MAX_PROGRAMS;
	     i++) {
		if (!hot->programs[order[i]])
			break;
		fputs("<tr>", out);
		print_share(out, hot, hot->programs[order[i]]);
		fprintf(out, "<td>%.3f</td><td class=\"text name\">",
			hot->programs[order[i]] * hot->period);
		profil_html_name(out, profile->programs[order[i]]);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table></div>\n</section>\n", out);
	free(order);
}
