// SPDX-License-Identifier: GPL-2.0-only
/* `profil top`: where a process, a command or the machine spends its time now */
#include "profile/data_file.h"
#include "profile/kernel.h"
#include "record/recorder.h"
#include "top/function.h"
#include "top/page.h"
#include "top/screen.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

/* Time between looks at the keyboard */
#define KEY_NS (SECOND / 20)

/* Rows of a page that is no terminal, without --limit */
#define PLAIN_ROWS 20

/* More rows than there are */
#define FAR (LONG_MAX / 2)

static const char lines_keys[] =
	"PgUp/PgDn] scroll [i]nstructions [p]ause [s]ave [q]/[Esc] back";
static const char calls_keys[] =
	"PgUp/PgDn] scroll [a]nnotate [p]ause [s]ave [q]/[Esc] back";

/*
 * Options and operands: the time between two pages; pages to print and rows of a page, 0
 * for no limit; rows to begin with, or -1; directory with source files, or NULL
 */
struct top_options {
	struct record_request record;
	uint64_t interval_ns;
	long updates;
	long limit;
	int by;
	const char *source;
};

/* What was counted since a moment, for -k with the functions of the kernel */
struct part {
	struct mark since;
	struct profile profile;
};

/**
 * struct top - `profil top` while it runs
 * @request: options and operands
 * @recorder: the recording
 * @screen: the terminal
 * @parts: what each side of the table is of
 * @plain: for -k, all that was counted, without the functions of the kernel
 * @table: the rows, side by side
 * @wants_zero: the next page begins the totals anew
 * @choice: rows of a page
 * @selection: the selected row
 * @function: the one that is shown in place of the rows
 * @pages: pages printed
 * @is_paused: the user wants no new pages
 * @is_over: the user wants no more pages
 * @message: a sentence for the next page, or ""
 */
struct top {
	struct top_options request;
	struct recorder recorder;
	struct screen screen;
	struct part parts[TOP_SIDES];
	struct profile plain;
	struct top_table table;
	bool wants_zero;
	struct row_choice choice;
	struct selection selection;
	struct top_function function;
	long pages;
	bool is_paused;
	bool is_over;
	char message[PATH_MAX + 256];
};

static void parse_top(int argc, char **argv, struct top_options *request)
{
	*request = (struct top_options){ .interval_ns = SECOND, .by = -1 };
	profil_option_parse(&profil_verb_top, argc, argv, request);
	request->record.argv = argv + optind;
	request->record.is_machine =
		request->record.cgroup ||
		(!*request->record.argv && !request->record.pids.nr);
	refuse(!!*request->record.argv + !!request->record.pids.nr +
			       !!request->record.cgroup >
		       1,
	       "top: name a process, a command or a cgroup, not several");
	refuse(request->record.children && !request->record.pids.nr,
	       "--children is about the process of -p: children of a command are recorded without it");
}

/* All that was counted, as it is saved and annotated */
static const struct profile *plain_of(const struct top *top)
{
	return top->request.record.needs_kernel ? &top->plain :
						  &top->parts[ALL].profile;
}

static void make_rows(struct top *top)
{
	struct top_table *table = &top->table;

	profil_top_table_free(table);
	top->choice.all = plain_of(top);
	for (enum top_side side = 0; side < TOP_SIDES; side++)
		profil_rows_read(&table->sides[side], &top->parts[side].profile,
				 &top->choice);
	profil_top_table_make(table);
}

/* What the function that is shown is read of: functions of the kernel have no lines. */
static const struct profile *read_of(const struct top *top)
{
	return top->function.is_calls ? &top->parts[ALL].profile :
					plain_of(top);
}

/* Lines that are shown by a page */
static size_t page_of(const struct top *top)
{
	size_t lines = top->screen.lines;

	return lines > TOP_PAGE_LINES ? lines - TOP_PAGE_LINES : 1;
}

static size_t limit_of(const struct top *top)
{
	size_t limit = top->request.limit ? top->request.limit : PLAIN_ROWS;
	size_t lines = top->screen.lines;

	if (lines && (!top->request.limit || limit + TOP_PAGE_LINES > lines))
		limit = page_of(top);
	return limit;
}

static void print_list(struct top *top, FILE *out)
{
	struct top_page page = {
		.screen = &top->screen,
		.head = &top->parts[INTERVAL].profile.head,
		.table = &top->table,
		.selection = &top->selection,
		.limit = limit_of(top),
		.is_paused = top->is_paused,
		.message = top->message,
	};

	if (top->screen.has_keys)
		profil_selection_place(&top->selection, page.table, page.limit);
	profil_top_page_print(out, &page);
	if (!top->screen.is_full)
		fputc('\n', out);
}

static void print_function(struct top *top, FILE *out)
{
	const struct screen *screen = &top->screen;

	if (screen->columns != top->function.columns) {
		top->function.columns = screen->columns;
		profil_top_function_read(&top->function, read_of(top));
	}
	profil_top_function_print(out, &top->function,
				  screen->lines ? screen->lines - 1 : SIZE_MAX);
	profil_top_page_print_keys(out, top->message,
				   top->function.is_calls ? calls_keys :
							    lines_keys,
				   top->is_paused);
}

static void show(struct top *top)
{
	char *text;
	FILE *out = profil_memory_stream(&text, NULL);

	profil_screen_measure(&top->screen);
	if (top->function.is_open)
		print_function(top, out);
	else
		print_list(top, out);
	profil_memory_stream_end(out);
	profil_screen_show(&top->screen, text);
	free(text);
}

static void read_since(const struct top *top, const struct mark *mark,
		       struct profile *profile)
{
	profil_profile_free(profile);
	profil_profile_init(profile);
	profil_recorder_read(&top->recorder, mark, profile);
}

static void refresh(struct top *top)
{
	const struct growing *growing = &top->recorder.growing;
	bool has_kernel = top->request.record.needs_kernel;

	profil_recorder_take(&top->recorder);
	if (top->wants_zero)
		profil_growing_mark(growing, &top->parts[TOTAL].since);
	top->wants_zero = false;
	for (enum top_side side = 0; side < TOP_SIDES; side++) {
		struct part *part = &top->parts[side];

		read_since(top, &part->since, &part->profile);
		if (has_kernel)
			profil_profile_enter_kernel(&part->profile);
	}
	if (has_kernel)
		read_since(top, &top->parts[ALL].since, &top->plain);
	profil_growing_mark(growing, &top->parts[INTERVAL].since);
	make_rows(top);
	if (top->function.is_open)
		profil_top_function_read(&top->function, read_of(top));
	show(top);
	top->pages++;
	*top->message = '\0';
}

static void save(struct top *top)
{
	struct save *save = &top->recorder.save;
	int error = profil_save_begin(save, DATA_NAME);

	if (!error)
		error = profil_save(save, plain_of(top));
	profil_save_tell(save, error, top->message, sizeof(top->message));
}

static void choose(struct top *top, enum row_key by)
{
	top->choice.by[0] = by;
	top->choice.nr_by = 1;
	profil_selection_reset(&top->selection);
	make_rows(top);
}

/* Functions, and those of the machine by program */
static void choose_first(struct top *top)
{
	struct row_choice *choice = &top->choice;
	int by = top->request.by;

	if (by < 0 && top->request.record.is_machine)
		choice->by[choice->nr_by++] = ROW_PROGRAM;
	choice->by[choice->nr_by++] = by < 0 ? ROW_FUNCTION : by;
	make_rows(top);
}

static const char no_function[] =
	"the selected row has no function of a program: choose another one";

/*
 * Show the function of the selected row; of an object, that of its hottest place. Its
 * calls are shown if callers are recorded, and @wants_calls.
 */
static void open_function(struct top *top, bool wants_calls)
{
	const struct profile *profile = &top->parts[ALL].profile;
	const struct profile_place *place = NULL;
	const struct profile_sample *sample = NULL;
	size_t index = top->selection.index;
	bool is_calls = wants_calls && profile->nr_stacks;

	if (index < top->table.nr)
		sample = top->table.array[index].sides[ALL].hottest;
	if (sample)
		place = profile_place_of(profile, sample);
	if (place && place->function != PROFILE_NONE &&
	    (is_calls ||
	     strcmp(profile->objects[place->object].path, PROFILE_KERNEL)))
		profil_top_function_open(&top->function, profile, place,
					 top->screen.columns, is_calls);
	else
		snprintf(top->message, sizeof(top->message), "%s", no_function);
}

static void move(struct top *top, long rows)
{
	if (top->function.is_open)
		profil_top_function_scroll(&top->function, rows);
	else
		top->selection.step = rows;
}

/* Keys that move by lines and by pages */
static const struct {
	int key;
	long lines;
	long pages;
} moves[] = {
	{ 'j', 1 },
	{ KEY_DOWN, 1 },
	{ 'k', -1 },
	{ KEY_UP, -1 },
	{ KEY_HOME, -FAR },
	{ KEY_END, FAR },
	{ KEY_PAGE_UP, .pages = -1 },
	{ KEY_PAGE_DOWN, .pages = 1 },
};

/* Keys of the table and of a function; false if @key is another one */
static bool take_common_key(struct top *top, int key)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		if (moves[i].key != key)
			continue;
		move(top, moves[i].lines + moves[i].pages * (long)page_of(top));
		return true;
	}
	if (key == 'p')
		top->is_paused = !top->is_paused;
	else if (key == 's')
		save(top);
	else
		return false;
	return true;
}

static void annotate(struct top *top)
{
	if (strcmp(top->function.path, PROFILE_KERNEL))
		profil_top_function_annotate(&top->function, plain_of(top));
	else
		snprintf(top->message, sizeof(top->message), "%s", no_function);
}

/* False for a key that changes nothing on the page */
static bool take_function_key(struct top *top, int key)
{
	switch (key) {
	case 'q':
	case KEY_ESCAPE:
		profil_top_function_close(&top->function);
		return true;
	case 'a':
		if (!top->function.is_calls)
			return false;
		annotate(top);
		return true;
	case 'i':
		if (top->function.is_calls)
			return false;
		top->function.all = !top->function.all;
		profil_top_function_read(&top->function, read_of(top));
		return true;
	}
	return false;
}

static bool take_list_key(struct top *top, int key)
{
	switch (key) {
	case 'q':
		top->is_over = true;
		return false;
	case KEY_ENTER:
	case 'a':
		open_function(top, key == KEY_ENTER);
		return true;
	case 'f':
		choose(top, ROW_FUNCTION);
		return true;
	case 'o':
		choose(top, ROW_OBJECT);
		return true;
	case 'l':
		choose(top, ROW_LINE);
		return true;
	case 'z':
		top->wants_zero = true;
		return false;
	}
	return false;
}

static void take_key(struct top *top, int key)
{
	*top->message = '\0';
	if (take_common_key(top, key) ||
	    (top->function.is_open ? take_function_key(top, key) :
				     take_list_key(top, key)))
		show(top);
}

static void take_keys(struct top *top)
{
	int key;

	while (!top->is_over && (key = profil_screen_key(&top->screen)))
		take_key(top, key);
	if (top->pages && profil_screen_is_resized(&top->screen))
		show(top);
}

/*
 * Wait up to @deadline. Keys and signals are taken once at least: a page may take longer
 * than the time from one page to the next.
 */
static void wait_until(struct top *top, uint64_t deadline)
{
	uint64_t now = profil_now();

	do {
		uint64_t next = deadline;

		if (top->screen.is_full && now + KEY_NS < next)
			next = now + KEY_NS;
		profil_recorder_wait(&top->recorder, next);
		if (top->recorder.event != RECORD_DEADLINE)
			return;
		take_keys(top);
		now = profil_now();
	} while (now < deadline && !top->is_over);
}

static bool wants_more(const struct top *top)
{
	return !top->is_over && top->recorder.event == RECORD_DEADLINE &&
	       (!top->request.updates || top->pages < top->request.updates);
}

static void watch(struct top *top)
{
	uint64_t next = profil_now();

	top->recorder.event = RECORD_DEADLINE;
	while (wants_more(top)) {
		next += top->request.interval_ns;
		wait_until(top, next);
		if (!top->is_paused && wants_more(top))
			refresh(top);
		/* Pages that are late are left out. */
		if (next + top->request.interval_ns < profil_now())
			next = profil_now();
	}
}

/* The last page stays on the terminal. */
static int top_main(int argc, char **argv)
{
	struct top top = { .choice = { .printable = profil_text_printable,
				       .has_totals = true } };

	parse_top(argc, argv, &top.request);
	profil_output_stdout();
	top.request.record.is_silent = profil_output_columns(stdout);
	top.function.source = top.request.source;
	for (enum top_side side = 0; side < TOP_SIDES; side++)
		profil_profile_init(&top.parts[side].profile);
	profil_profile_init(&top.plain);
	choose_first(&top);
	if (!profil_recorder_begin(&top.recorder, &top.request.record))
		return profil_recorder_end(&top.recorder);
	profil_screen_begin(&top.screen, isatty(STDIN_FILENO));
	watch(&top);
	profil_screen_end(&top.screen);
	profil_top_function_close(&top.function);
	profil_selection_reset(&top.selection);
	/* A command that top has started does not outlive it. */
	if (top.recorder.child.pid && top.recorder.event == RECORD_DEADLINE)
		kill(top.recorder.child.pid, SIGTERM);
	profil_recorder_stop(&top.recorder);
	if (top.recorder.event != RECORD_DEADLINE || top.is_over)
		refresh(&top);
	profil_recorder_close(&top.recorder);
	return profil_recorder_end(&top.recorder);
}

#define AT(member) offsetof(struct top_options, member)

static const struct option_row options[] = {
	{ 'b', "by", OPTION_CHOICE, AT(by), "KIND",
	  "have a row for each of a kind", .choices = profil_row_words,
	  .preset = "function" },
	{ 0, "cgroup", OPTION_STRING, AT(record.cgroup), "PATH",
	  "show the programs in the cgroup PATH, as in system.slice" },
	{ 0, "children", OPTION_FLAG, AT(record.children), NULL,
	  "with -p: also the children of the process, running and later ones" },
	{ 'd', "delay", OPTION_SECONDS, AT(interval_ns), "TIME",
	  "print a page after each TIME, as in 2s or 500ms", .preset = "1s" },
	{ 'F', "freq", OPTION_RATE, AT(record.rate), "HZ",
	  "take HZ samples a second of CPU time, instead of one\n"
	  "in each tick of the kernel" },
	OPTION_ROW_HELP,
	{ 'k', "kernel", OPTION_FLAG, AT(record.needs_kernel), NULL,
	  "count kernel time in the functions of the kernel, as root" },
	{ 0, "limit", OPTION_NUMBER, AT(limit), "ROWS",
	  "print ROWS rows at most", .least = 1, .most = INT_MAX },
	{ 0, "no-callers", OPTION_FLAG, AT(record.lacks_callers), NULL,
	  "do not record the callers of the samples" },
	{ 'n', "updates", OPTION_NUMBER, AT(updates), "NUMBER",
	  "end after NUMBER pages", .least = 1, .most = INT_MAX },
	{ 'p', "pid", OPTION_NUMBERS, AT(record.pids), "PID",
	  "show the running process PID, or several with commas between",
	  .least = 1, .most = INT_MAX },
	{ 0, "source", OPTION_STRING, AT(source), "DIR",
	  "look for source files of a function in DIR first" },
	{ 0 }
};

const struct verb profil_verb_top = {
	.name = "top",
	.operands = "[-p PID | [--] COMMAND [ARGUMENT]...]",
	.about =
		"profil top prints each second where the process PID, COMMAND or, without both,\n"
		"the machine spends its time: on a terminal on the whole screen, with the callers\n"
		"of a function after Enter and its source lines after a, else as plain text.\n",
	.example =
		"Example: profil top -F 1000 -p $(pidof -s postgres) --children\n",
	.operands_end_options = true,
	.options = options,
	.main = top_main,
	.completion = COMPLETE_COMMAND,
};
