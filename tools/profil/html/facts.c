// SPDX-License-Identifier: GPL-2.0-only
/* Head of the page */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "html/escape.h"
#include "html/facts.h"

/* Words of the command and programs without a profile that are listed */
#define MAX_WORDS 64
#define MAX_UNSEEN 10

#define SECOND 1e9

void profil_html_command(FILE *out, const struct profile_head *head)
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

static void print_samples(FILE *out, const struct hot *hot)
{
	fprintf(out, "<div><dt>samples</dt><dd>%" PRIu64, hot->total);
	if (hot->period)
		fprintf(out, " <small>one each %.4g ms</small>",
			hot->period * 1000);
	fputs("</dd></div>\n", out);
}

static void print_unseen(FILE *out, const struct profile *profile)
{
	if (!profile->nr_unseen)
		return;
	fputs("<p class=note>Not in this profile: ", out);
	for (uint32_t i = 0; i < profile->nr_unseen && i < MAX_UNSEEN; i++) {
		const struct profile_unseen *unseen = &profile->unseen[i];

		fputs(i ? ", <code>" : "<code>", out);
		profil_html_name(out, unseen->path);
		fprintf(out, "</code> (%" PRIu64 " process%s)",
			unseen->processes, unseen->processes == 1 ? "" : "es");
	}
	fputs(profile->nr_unseen > MAX_UNSEEN ? ", …</p>\n" : ".</p>\n", out);
}

void profil_html_facts(FILE *out, const struct hot *hot)
{
	const struct profile_head *head = &hot->profile->head;

	fputs("<header>\n<div class=brand>profil</div>\n<h1>", out);
	profil_html_command(out, head);
	fputs("</h1>\n", out);
	print_origin(out, head);
	fputs("<dl class=facts>\n", out);
	print_time(out, "CPU time", head->cpu_ns);
	print_kernel(out, head);
	print_time(out, "wall-clock time", head->wall_ns);
	print_samples(out, hot);
	print_number(out, "lost", head->lost, hot->total);
	print_number(out, "outside", head->outside, hot->total);
	fputs("</dl>\n", out);
	if (!head->is_complete)
		fputs("<p class=note>A snapshot: the command had not ended.</p>\n",
		      out);
	print_unseen(out, hot->profile);
	fputs("</header>\n", out);
}
