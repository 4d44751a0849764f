// SPDX-License-Identifier: GPL-2.0-only
/* Profile as a page */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "html/page.h"
#include "html/print.h"
#include "print/notes.h"
#include "util/text.h"

/* The assembler includes files whose names continue that of this one. */

/* Hash of print.c.js, by which the page permits this script and no other */
#define ASSET_SCRIPT_HASH "sha256-96vhhyLth8+n959eRq/mHKvj91y5c+j11efZVABzZY8="

#define INCLUDE(symbol, suffix)                        \
	__asm__(".pushsection .rodata\n"               \
		".global " #symbol "\n" #symbol ":\n"  \
		".type " #symbol ", %object\n"         \
		".incbin \"" __FILE__ suffix "\"\n"    \
		".byte 0\n"                            \
		".size " #symbol ", . - " #symbol "\n" \
		".popsection\n")

INCLUDE(profil_html_style, ".css");
INCLUDE(profil_html_script, ".js");

/* Head of the page */

/* Words of the command that are listed */
#define MAX_WORDS 64

#define SECOND 1e9

/* Print the command, with spaces between its words. */
static void html_command(FILE *out, const struct profile_head *head)
{
	for (uint32_t i = 0; i < head->argc && i < MAX_WORDS; i++) {
		fputs(i ? " " : "", out);
		profil_html_name(out, head->argv[i]);
	}
	if (head->argc > MAX_WORDS)
		fputs(" …", out);
	if (!head->argc)
		fputs("Profile", out);
}

static void print_status(FILE *out, const struct profile_head *head)
{
	const char *name = head->signal ? sigabbrev_np(head->signal) : NULL;

	if (head->attached)
		fprintf(out, "attached to process %" PRIu32, head->attached);
	else if (head->running)
		fputs("still running", out);
	else if (name)
		fprintf(out, "killed by SIG%s", name);
	else if (head->signal)
		fprintf(out, "killed by signal %" PRIu32, head->signal);
	else
		fprintf(out, "exit status %" PRIu32, head->status);
}

static void print_date(FILE *out, uint64_t ns)
{
	time_t seconds = ns / (uint64_t)SECOND;
	struct tm parts;
	char text[64];

	if (ns && gmtime_r(&seconds, &parts) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &parts))
		fprintf(out, " · <time>%s</time>", text);
}

static void print_origin(FILE *out, const struct profile_head *head)
{
	fputs("<p class=quiet>", out);
	if (head->format)
		fputs(head->format, out);
	else
		print_status(out, head);
	print_date(out, head->begin_ns);
	if (*head->host) {
		fputs(" · ", out);
		profil_html_name(out, head->host);
	}
	if (*head->release) {
		fputs(" · Linux ", out);
		profil_html_name(out, head->release);
		fputs(" ", out);
		profil_html_name(out, head->machine);
	}
	if (head->recordings > 1)
		fprintf(out, " · sum of %" PRIu64 " recordings",
			head->recordings);
	fputs("</p>\n", out);
}

static void print_time(FILE *out, const char *name, uint64_t ns)
{
	fprintf(out, "<div><dt>%s</dt><dd>%.2f <small>s</small></dd></div>\n",
		name, ns / SECOND);
}

static void print_number(FILE *out, const char *name, uint64_t number,
			 uint64_t total)
{
	fprintf(out, "<div><dt>%s</dt><dd>%" PRIu64, name, number);
	if (number && total)
		fprintf(out, " <small>%.1f %%</small>", 100.0 * number / total);
	fputs("</dd></div>\n", out);
}

static void print_kernel(FILE *out, const struct profile_head *head)
{
	fprintf(out,
		"<div><dt>in the kernel</dt><dd>%.2f <small>s, %.1f %%</small></dd></div>\n",
		head->kernel_ns / SECOND,
		head->cpu_ns ? 100.0 * head->kernel_ns / head->cpu_ns : 0);
}

static void print_times(FILE *out, const struct profile_head *head)
{
	print_time(out, "CPU time", head->cpu_ns);
	print_kernel(out, head);
	print_time(out, "wall-clock time", head->wall_ns);
}

static void print_samples(FILE *out, const struct hot *hot)
{
	fprintf(out, "<div><dt>samples</dt><dd>%" PRIu64, hot->total);
	if (hot->period)
		fprintf(out, " <small>one each %.4g ms</small>",
			hot->period * 1000);
	fputs("</dd></div>\n", out);
}

/* The lines that profil report prints below its table */
static void print_notes(FILE *out, const struct profile *profile)
{
	char *text = profil_notes_text(profile);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		fputs("<p class=note>", out);
		profil_html_name(out, line);
		fputs("</p>\n", out);
	}
	free(text);
}

/* Print the head of the page: the command, its times, what is missing. */
static void html_facts(FILE *out, const struct hot *hot)
{
	const struct profile_head *head = &hot->profile->head;

	fputs("<header>\n<div class=brand>profil</div>\n<h1>", out);
	html_command(out, head);
	fputs("</h1>\n", out);
	print_origin(out, head);
	fputs("<dl class=facts>\n", out);
	if (!head->format)
		print_times(out, head);
	print_samples(out, hot);
	if (!head->format)
		print_number(out, "lost", head->lost, hot->total);
	print_number(out, "outside", head->outside, hot->total);
	fputs("</dl>\n", out);
	if (!head->is_complete)
		fputs("<p class=note>A snapshot: the command had not ended.</p>\n",
		      out);
	print_notes(out, hot->profile);
	fputs("</header>\n", out);
}

/* Tables of the page */

#define MAX_PROGRAMS 50

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

static const char columns[] =
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

/* Print the table of functions; the script sorts and filters its rows. */
static void html_functions(FILE *out, const struct hot *hot)
{
	fprintf(out,
		"<section>\n<h2>Functions</h2>\n"
		"<p class=quiet>CPU time in each function itself.</p>\n%s\n"
		"<div class=card><table id=functions>\n%s<tbody>\n",
		tools, columns);
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

/* Print the table of programs, if there are several. */
static void html_programs(FILE *out, const struct hot *hot)
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

/* The page loads nothing, and runs no script but its own. */
static const char policy[] =
	"<meta http-equiv=Content-Security-Policy content=\"default-src 'none';\n"
	"style-src 'unsafe-inline'; img-src data:; script-src '" ASSET_SCRIPT_HASH
	"'; base-uri 'none'; form-action 'none'\">\n";

static void print_begin(FILE *out, const struct profile *profile)
{
	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n",
	      out);
	fputs(policy, out);
	fputs("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=color-scheme content=\"light dark\">\n"
	      "<meta name=generator content=profil>\n"
	      "<link rel=icon href=\"data:,\">\n<title>",
	      out);
	html_command(out, &profile->head);
	fprintf(out,
		" – profil</title>\n<style>\n%s</style>\n</head>\n<body>\n",
		profil_html_style);
}

static void print_end(FILE *out)
{
	fprintf(out,
		"<footer>Made by profil(1). A sample stands for CPU time in a function\n"
		"itself, not in those that it calls; time asleep is not sampled.\n"
		"± is the standard error of a share.</footer>\n"
		"<script>%s</script>\n</body>\n</html>\n",
		profil_html_script);
}

void profil_html_print(FILE *out, const struct profile *profile,
		       const char *directory)
{
	struct source_finder finder;
	struct hot hot;

	profil_hot_read(&hot, profile);
	profil_html_choose_source(&hot);
	print_begin(out, profile);
	html_facts(out, &hot);
	fputs("<main>\n", out);
	html_functions(out, &hot);
	html_programs(out, &hot);
	profil_html_map(out, &hot);
	profil_source_finder_begin(&finder, profile, directory);
	profil_html_source(out, &hot, &finder);
	profil_source_finder_end(&finder);
	fputs("</main>\n", out);
	print_end(out);
	profil_hot_free(&hot);
}
