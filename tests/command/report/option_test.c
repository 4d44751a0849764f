// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of a verb made for the test: values against numbers worked out by
 * hand, and the messages for values that are refused
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/format.h"
#include "tap.h"
#include "util/nearest.h"
#include "util/option.h"
#include "verbs.h"

#define MAX_WORDS 8
#define ROOM 512

struct request {
	bool flag;
	long number;
	double percent;
	uint64_t duration;
	int format;
	struct value_choices by;
	regex_t *regex;
	const char *string;
};

static const char *const formats[] = { "text", "json", "folded", NULL };

#define AT(member) offsetof(struct request, member)

static const struct option_row rows[] = {
	{ 'f', "flag", OPTION_FLAG, AT(flag), NULL, "set a flag" },
	{ 'n', "number", OPTION_NUMBER, AT(number), "N", "count to N",
	  .least = -2, .most = 40, .preset = "7" },
	{ 0, "percent", OPTION_PERCENT, AT(percent), "PERCENT", "a share" },
	{ 'd', "duration", OPTION_SECONDS, AT(duration), "SECONDS",
	  "wait for SECONDS before anything else is done, and not a moment longer" },
	{ 0, "format", OPTION_CHOICE, AT(format), "FORMAT", "print FORMAT",
	  .choices = formats, .group = "Output" },
	{ 0, "by", OPTION_CHOICES, AT(by), "FORMATS", "sort by FORMATS",
	  .choices = formats },
	{ 0, "regex-with-a-long-name", OPTION_REGEX, AT(regex), "REGEX",
	  "match REGEX" },
	{ 's', "string", OPTION_STRING, AT(string), "STRING", "a text" },
	{ 'g', "graph", OPTION_REFUSED, 0, NULL, "there is none" },
	OPTION_ROW_HELP,
	{ 0 },
};

static const struct verb verb = {
	.name = "try",
	.operands = "[WORD]...",
	.about = "profil try is a test.\n",
	.options = rows,
};

static struct request request;

/* Parse @words, which NULL ends; the index of the first operand */
static int parse(char *const *words)
{
	char *argv[MAX_WORDS + 2] = { "try" };
	int argc = 1;

	while (*words)
		argv[argc++] = *words++;
	request = (struct request){ .number = 7 };
	optind = 0;
	profil_option_parse(&verb, argc, argv, &request);
	return optind;
}

#define PARSE(...) parse((char *[]){ __VA_ARGS__, NULL })

/* Parse in a child; its status is @status and its output is @expected. */
static bool says(char *const *words, int status, const char *expected)
{
	char said[4 * ROOM] = "";
	size_t length = 0;
	ssize_t got;
	int wait, ends[2];
	pid_t child;

	CHECK(!pipe(ends));
	fflush(stdout);
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		parse(words);
		_exit(99);
	}
	close(ends[1]);
	while ((got = read(ends[0], said + length, sizeof(said) - 1 - length)) >
	       0)
		length += got;
	close(ends[0]);
	CHECK(waitpid(child, &wait, 0) == child && WIFEXITED(wait));
	if (WEXITSTATUS(wait) == status && strstr(said, expected))
		return true;
	tap_note("status %d, said: %s", WEXITSTATUS(wait), said);
	return false;
}

/* The words are refused, with @expected at the end of a line. */
#define REFUSES(expected, ...) \
	CHECK(says((char *[]){ __VA_ARGS__, NULL }, 125, expected "\n"))

static bool converts_numbers(void)
{
	PARSE("-n", "40");
	CHECK_EQUAL(40, request.number);
	PARSE("--number=-2");
	CHECK_EQUAL(-2, request.number);
	PARSE("-f");
	CHECK_EQUAL(7, request.number);
	CHECK(request.flag);
	return true;
}

static bool refuses_numbers(void)
{
	REFUSES("-n 41: give a whole number from -2 to 40", "-n41");
	REFUSES("-n  1: give a whole number from -2 to 40", "-n", " 1");
	REFUSES("-n 1e1: give a whole number from -2 to 40", "-n1e1");
	REFUSES("--number 99999999999999999999: give a whole number from -2 to 40",
		"--number=99999999999999999999");
	return true;
}

static bool converts_shares(void)
{
	PARSE("--percent=0.5");
	CHECK(request.percent == 0.5);
	PARSE("--percent", "12.25%");
	CHECK(request.percent == 12.25);
	REFUSES("--percent 101: give a percentage from 0 to 100",
		"--percent=101");
	REFUSES("--percent nan: give a percentage from 0 to 100",
		"--percent=nan");
	REFUSES("--percent -1: give a percentage from 0 to 100",
		"--percent=-1");
	REFUSES("--percent 1.2.3: give a percentage from 0 to 100",
		"--percent=1.2.3");
	return true;
}

static bool converts_durations(void)
{
	static const struct {
		char *text;
		uint64_t nanoseconds;
	} durations[] = {
		{ "10", 10000000000 },	{ "1.5", 1500000000 },
		{ "10s", 10000000000 }, { "500ms", 500000000 },
		{ "2m", 120000000000 }, { "0.5h", 1800000000000 },
	};

	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		PARSE("-d", durations[i].text);
		CHECK_EQUAL(durations[i].nanoseconds, request.duration);
	}
	return true;
}

static bool refuses_durations(void)
{
	static char *const wrong[] = { "0",   "-1",  "1x",  "s",
				       "1 s", "1e3", "inf", "9999999999" };
	char text[ROOM];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(text, sizeof(text), "-d %s: give seconds, or a number",
			 wrong[i]);
		CHECK(says((char *[]){ "-d", wrong[i], NULL }, 125, text));
	}
	return true;
}

#define LIST "text, json, folded"
#define NO_CHOICES \
	": give words of this list, each once, with commas between: " LIST

static bool converts_choices(void)
{
	PARSE("--format=folded");
	CHECK_EQUAL(2, request.format);
	PARSE("--by", "folded,text");
	CHECK_EQUAL(2, request.by.nr);
	CHECK_EQUAL(2, request.by.at[0]);
	CHECK_EQUAL(0, request.by.at[1]);
	REFUSES("--format pdf: give a word of this list: " LIST,
		"--format=pdf");
	REFUSES("--by text," NO_CHOICES, "--by=text,");
	REFUSES("--by text,text" NO_CHOICES, "--by=text,text");
	return true;
}

static bool compiles_expressions(void)
{
	PARSE("--regex-with-a-long-name=^a+(b|c)$");
	CHECK(request.regex);
	CHECK(!regexec(request.regex, "aac", 0, NULL, 0));
	CHECK(regexec(request.regex, "aad", 0, NULL, 0) == REG_NOMATCH);
	regfree(request.regex);
	free(request.regex);
	PARSE("--regex-with-a-long-name=((a|b){1,40}[^](+{9,]){1,25}\\+{3}");
	regfree(request.regex);
	free(request.regex);
	CHECK(says((char *[]){ "--regex-with-a-long-name", "(", NULL }, 125,
		   " (: not an extended regular expression of regex(7): "));
	return true;
}

#define TOO_LARGE \
	"--regex-with-a-long-name: the pattern has more than 5000 parts when its repetitions are written out, or more than 100 parentheses in each other: repeat less\n"

static bool refuses_expression(const char *text)
{
	char *words[3] = { "--regex-with-a-long-name", (char *)text };

	return says(words, 125, TOO_LARGE);
}

/* The memory for such a pattern is written out many times over. */
static bool refuses_large_expressions(void)
{
	static const char *const large[] = {
		"(((a{1,255}){1,255}){1,255})",
		"((a{100}){50}){2}",
		"((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
		"(([[:alpha:]]{99,}){51})",
		"((a{255}?{255})*{255})",
		"(a{2500}*{2})",
		"(a\\)b){2500}",
		"a{,32767}",
		"a{5001}",
	};
	char deep[1024];

	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		CHECK(refuses_expression(large[i]));
	memset(deep, '(', 101);
	deep[101] = 'a';
	memset(deep + 102, ')', 101);
	deep[203] = '\0';
	CHECK(refuses_expression(deep));
	return true;
}

static bool refuses_options(void)
{
	REFUSES("try: no such option: --numbr; the nearest is --number; see profil try --help",
		"--numbr=1");
	REFUSES("try: --f is the beginning of --flag and --format; see profil try --help",
		"--f");
	REFUSES("try: no such option: --zzz; see profil try --help", "--zzz");
	REFUSES("try: no such option: -z; see profil try --help", "-fz");
	REFUSES("try: --flag takes no value; see profil try --help",
		"--flag=1");
	REFUSES("try: --percent needs a value; see profil try --help",
		"--percent");
	REFUSES("try: -n needs a value; see profil try --help", "-n");
	REFUSES("try: -s needs a value; see profil try --help", "-s", "");
	REFUSES("try: --string needs a value; see profil try --help",
		"--string=");
	REFUSES("try: -n needs a value; see profil try --help", "-n", "");
	REFUSES("try: --percent needs a value; see profil try --help",
		"--percent=");
	REFUSES("try: an operand is empty; see profil try --help", "-f", "a",
		"");
	REFUSES("try: -g: there is none", "-g");
	REFUSES("try: --graph: there is none", "--graph");
	REFUSES("try: --graph: there is none", "--graph=x");
	return true;
}

static bool reads_options_after_operands(void)
{
	CHECK_EQUAL(2, PARSE("word", "-f"));
	CHECK(request.flag);
	CHECK_EQUAL(2, PARSE("--", "-f"));
	CHECK(!request.flag);
	return true;
}

static bool prints_help(void)
{
	static const char expected[] =
		"usage: profil try [OPTION]... [WORD]...\n\n"
		"profil try is a test.\n\n"
		"  -f, --flag                set a flag\n"
		"  -n, --number=N            count to N (default: 7)\n"
		"      --percent=PERCENT     a share\n"
		"  -d, --duration=SECONDS    wait for SECONDS before anything else is done, and\n"
		"                            not a moment longer\n"
		"\nOutput:\n"
		"      --format=FORMAT       print FORMAT: text, json, folded\n"
		"      --by=FORMATS          sort by FORMATS: text, json, folded\n"
		"      --regex-with-a-long-name=REGEX\n"
		"                            match REGEX\n"
		"  -s, --string=STRING       a text\n"
		"  -h, --help                print this summary\n";

	CHECK(says((char *[]){ "-h", NULL }, 0, expected));
	CHECK(says((char *[]){ "--help", NULL }, 0, expected));
	return true;
}

static const char *nearest_of(const char *word)
{
	struct nearest nearest;

	profil_nearest_begin(&nearest, word);
	profil_nearest_compare(&nearest, "report");
	profil_nearest_compare(&nearest, "record");
	profil_nearest_compare(&nearest, "by");
	return nearest.found ? nearest.found : "";
}

static bool finds_the_nearest_word(void)
{
	CHECK(!strcmp(nearest_of("reprot"), "report"));
	CHECK(!strcmp(nearest_of("recrd"), "record"));
	CHECK(!strcmp(nearest_of("rekordd"), "record"));
	CHECK(!strcmp(nearest_of("xx"), ""));
	CHECK(!strcmp(nearest_of("bx"), ""));
	CHECK(!strcmp(nearest_of(""), ""));
	CHECK(!strcmp(nearest_of("a-word-of-more-than-thirty-two-letters"),
		      ""));
	return true;
}

static bool formats_have_their_names(void)
{
	int i = 0;

	for (; profil_export_names[i]; i++)
		CHECK(!strcmp(profil_export_names[i],
			      profil_export_formats[i].name));
	CHECK(i && !profil_export_formats[i].name);
	return true;
}

static bool is_alone(const struct option_row *row,
		     const struct option_row *before)
{
	for (; before < row; before++) {
		CHECK(strcmp(before->word, row->word));
		CHECK(!row->letter || before->letter != row->letter);
	}
	return true;
}

static bool is_complete(const struct option_row *row)
{
	bool is_choice = row->kind == OPTION_CHOICE ||
			 row->kind == OPTION_CHOICES;
	bool has_value = row->kind != OPTION_FLAG && row->kind != OPTION_HELP;

	CHECK(row->text);
	CHECK(is_choice == !!row->choices);
	CHECK(row->kind == OPTION_REFUSED || has_value == !!row->value);
	CHECK(row->kind != OPTION_NUMBER || row->least < row->most);
	return true;
}

static bool tables_are_complete(void)
{
	for (const struct verb *const *at = profil_verbs; *at; at++) {
		const struct option_row *row = (*at)->options;

		for (; row->word; row++) {
			if (is_alone(row, (*at)->options) && is_complete(row))
				continue;
			tap_note("%s --%s", (*at)->name, row->word);
			return false;
		}
		CHECK(row - (*at)->options <= OPTION_ROWS);
	}
	return true;
}

static const struct tap_test tests[] = {
	{ "numbers are converted", converts_numbers },
	{ "other words are refused as numbers", refuses_numbers },
	{ "shares are converted", converts_shares },
	{ "durations are converted", converts_durations },
	{ "other words are refused as durations", refuses_durations },
	{ "words of a list are converted", converts_choices },
	{ "regular expressions are compiled", compiles_expressions },
	{ "large regular expressions are refused", refuses_large_expressions },
	{ "options are refused with a reason", refuses_options },
	{ "options may follow operands", reads_options_after_operands },
	{ "the help has all options", prints_help },
	{ "the formats of export have their names", formats_have_their_names },
	{ "the tables of all verbs are complete", tables_are_complete },
	{ "the nearest word is found", finds_the_nearest_word },
};

int main(void)
{
	return tap_run(tests, sizeof(tests) / sizeof(*tests));
}
