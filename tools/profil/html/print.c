// SPDX-License-Identifier: GPL-2.0-only
/* Profile as a page */
#include <stdio.h>

#include "html/asset.h"
#include "html/facts.h"
#include "html/hot.h"
#include "html/map.h"
#include "html/print.h"
#include "html/source.h"
#include "html/table.h"

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
	profil_html_command(out, &profile->head);
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
	profil_html_facts(out, &hot);
	fputs("<main>\n", out);
	profil_html_functions(out, &hot);
	profil_html_programs(out, &hot);
	profil_html_map(out, &hot);
	profil_source_finder_begin(&finder, profile, directory);
	profil_html_source(out, &hot, &finder);
	profil_source_finder_end(&finder);
	fputs("</main>\n", out);
	print_end(out);
	profil_hot_free(&hot);
}
