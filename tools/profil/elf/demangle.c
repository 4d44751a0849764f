// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of functions as in the source code, by libiberty
 *
 * Symbols come from files that are not trusted, and a symbol of 400 bytes may have a
 * name of many megabytes, also in a file that a compiler has made. The text and the
 * time of a name are bounded, and a name that is too long for a person is cut.
 */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "elf/demangle.h"
#include "profile/profile.h"
#include "util/text.h"

/* Bytes of a name, of the text that it is cut from, and of a symbol that has one */
#define MAX_NAME 4096
#define MAX_TEXT (256 << 10)
#define MAX_SYMBOL 4096

/* libiberty refuses longer ones by default, lest they need too much of the stack. */
#define MAX_USUAL 1024

#define OPTIONS (DMGL_PARAMS | DMGL_ANSI)

/*
 * The text of a name
 * @bytes: the text, with room for the end of one that was cut
 * @size: its bytes
 * @end: what follows when the text is full, or the time is over
 * @is_running: @end is valid
 */
static struct {
	char bytes[MAX_TEXT + sizeof("...")];
	size_t size;
	jmp_buf end;
	volatile sig_atomic_t is_running;
} text;

static void append(const char *bytes, size_t size, void *data)
{
	size_t room = MAX_TEXT - text.size;
	size_t taken = size < room ? size : room;

	(void)data;
	memcpy(text.bytes + text.size, bytes, taken);
	text.size += taken;
	if (size > room && text.is_running)
		longjmp(text.end, 1);
}

/*
 * CPU time of a name
 *
 * libiberty takes exponential time for some symbols of C++ without printing anything.
 * It has no memory of its own meanwhile, and can be left anywhere.
 */

/* Microseconds for a name, and for one after all have taken ALL_US */
#define NAME_US 200000
#define LATER_US 4000
#define ALL_US 2000000

static void end_name(int signal)
{
	(void)signal;
	if (text.is_running)
		longjmp(text.end, 1);
}

static void begin_time(long us)
{
	const struct itimerval time = { .it_value.tv_usec = us };
	static bool is_ready;

	if (!is_ready)
		sigaction(SIGVTALRM,
			  &(struct sigaction){ .sa_handler = end_name,
					       .sa_flags = SA_NODEFER },
			  NULL);
	is_ready = true;
	setitimer(ITIMER_VIRTUAL, &time, NULL);
}

/* Microseconds that are left */
static long end_time(void)
{
	struct itimerval none = { 0 }, time = { 0 };

	setitimer(ITIMER_VIRTUAL, &none, &time);
	return time.it_value.tv_usec;
}

/* Print the name of a @symbol of C++, as far as there is room and time. */
static bool print_cxx(const char *symbol)
{
	static long spent;
	const long us = spent < ALL_US ? NAME_US : LATER_US;
	const bool is_long = strlen(symbol) > MAX_USUAL;
	const int options = OPTIONS | (is_long ? DMGL_NO_RECURSE_LIMIT : 0);
	volatile bool has_name = false;

	text.size = 0;
	begin_time(us);
	if (!setjmp(text.end)) {
		text.is_running = true;
		has_name = cplus_demangle_v3_callback(symbol, options, append,
						      NULL);
	}
	text.is_running = false;
	spent += us - end_time();
	return has_name || text.size == MAX_TEXT;
}

/* The same of Rust, whose symbols print something in each step */
static bool print_rust(const char *symbol)
{
	volatile bool has_name = false;

	text.size = 0;
	if (!setjmp(text.end)) {
		text.is_running = true;
		has_name =
			rust_demangle_callback(symbol, OPTIONS, append, NULL);
	}
	text.is_running = false;
	return has_name || text.size == MAX_TEXT;
}

/*
 * Names of D
 *
 * dlang_demangle() has no bound, and allocates, so that it cannot be left: it is called
 * if it has to take few steps only. A reference repeats the steps between its target and
 * itself. Steps behind a part that may be read in two ways count twice.
 */

#define MAX_D_SYMBOL 1024

/* Steps of a name, some 60 ms, and of one after all have taken ALL_D_STEPS */
#define D_STEPS 0x1000000
#define LATER_D_STEPS 0x40000
#define ALL_D_STEPS 0x40000000

/**
 * struct d_steps - the steps that a symbol may take
 * @symbol: the symbol
 * @until: steps up to each byte
 * @is_end: a name may end before the byte, and arguments may follow
 * @ways: how often the steps count from here on
 */
struct d_steps {
	const char *symbol;
	uint64_t until[MAX_D_SYMBOL + 1];
	bool is_end[MAX_D_SYMBOL + 1];
	uint64_t ways;
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Steps of a reference at @at, "Q", whose distance is a number of letters */
static uint64_t steps_of_reference(struct d_steps *steps, size_t at)
{
	const char *letter = &steps->symbol[at + 1];
	size_t distance = 0;

	while (*letter >= 'A' && *letter <= 'Z' && distance < MAX_D_SYMBOL)
		distance = 26 * distance + *letter++ - 'A';
	distance = 26 * distance + *letter - 'a';
	if (*letter < 'a' || *letter > 'z' || distance > at)
		return 1;
	steps->is_end[letter + 1 - steps->symbol] = true;
	return is_digit(steps->symbol[at - distance]) ?
		       1 :
		       steps->until[at] - steps->until[at - distance];
}

/* Go over a number at @at, which may be the length of a name. */
static void step_over_length(struct d_steps *steps, size_t at)
{
	char *end;
	unsigned long length = strtoul(&steps->symbol[at], &end, 10);
	size_t digits = end - &steps->symbol[at];

	if (length <= strlen(end))
		steps->is_end[at + digits + length] = true;
	if (at && steps->symbol[at - 1] == 'S' && (digits > 1 || *end == '_'))
		steps->ways *= 4;
}

static bool takes_few_steps(const char *symbol)
{
	static uint64_t all;
	const uint64_t most = all < ALL_D_STEPS ? D_STEPS : LATER_D_STEPS;
	struct d_steps steps = { .symbol = symbol, .ways = 1 };
	size_t size = strlen(symbol);

	for (size_t at = 0; at < size && size <= MAX_D_SYMBOL; at++) {
		char byte = symbol[at];
		uint64_t nr = 1;

		if (steps.is_end[at] && strchr("MFUVWRY", byte))
			steps.ways *= 2;
		if (byte == 'Q')
			nr = steps_of_reference(&steps, at);
		else if (byte == 'Z')
			steps.is_end[at + 1] = true;
		else if (is_digit(byte))
			step_over_length(&steps, at);
		steps.until[at + 1] = steps.until[at] + nr * steps.ways;
		if (steps.until[at + 1] > most)
			return false;
	}
	if (size > MAX_D_SYMBOL)
		return false;
	all += steps.until[size];
	return true;
}

static bool print_d(const char *symbol)
{
	char *name = NULL;

	if (!strncmp(symbol, "_D", 2) && takes_few_steps(symbol))
		name = dlang_demangle(symbol, OPTIONS);
	text.size = 0;
	if (name)
		append(name, strlen(name), NULL);
	free(name);
	return name;
}

/* Names for people */

/* Bytes of a name before its last "<......" */
#define MAX_FOLDED (MAX_NAME - 6)

/*
 * Store in @name, of MAX_NAME bytes and their end, the text without what is deeper than
 * @most in angle brackets. False if that is too long, and is cut.
 */
static bool fold(char *name, int most)
{
	const char *from = text.bytes;
	size_t size = 0;
	int depth = 0;

	for (; *from && size < MAX_FOLDED; from++) {
		if (*from == '>' && depth && from[-1] != '-')
			depth--;
		if (depth <= most)
			name[size++] = *from;
		if (*from == '<' && depth++ == most)
			size = stpcpy(name + size, "...") - name;
	}
	/* A character of several bytes is not cut. */
	while (size && depth <= most && (*from & 0xc0) == 0x80) {
		from--;
		size--;
	}
	stpcpy(name + size, *from ? "..." : "");
	return !*from;
}

/* The deepest nesting of templates that a name shows if all of it is too long */
#define MAX_NESTING 8

/* Printable name of the text */
static char *name_of_text(void)
{
	char name[MAX_NAME + 1];
	int most = MAX_NESTING;

	stpcpy(text.bytes + text.size, text.size == MAX_TEXT ? "..." : "");
	if (text.size <= MAX_NAME)
		return profil_text_printable(text.bytes);
	while (!fold(name, most) && most)
		most--;
	return profil_text_printable(name);
}

/* LLVM marks a local function that another module of the link calls. */
static void cut_llvm(char *name)
{
	char *mark = strstr(name, ".llvm.");
	size_t digits = mark ? strspn(mark + 6, "0123456789") : 0;

	if (digits && !mark[6 + digits])
		*mark = '\0';
}

/* An exported symbol may have a version. */
static void cut_version(char *name)
{
	char *at = strchr(name, '@');

	if (at && at > name)
		*at = '\0';
}

static bool print_name(const char *symbol)
{
	return print_rust(symbol) || print_cxx(symbol) || print_d(symbol);
}

char *profil_demangle(const char *symbol)
{
	char *copy = profil_copy_string(symbol);
	size_t size;

	cut_version(copy);
	cut_llvm(copy);
	size = strlen(copy);
	if (size > MAX_SYMBOL || !print_name(copy)) {
		text.size = 0;
		append(copy, size, NULL);
	}
	free(copy);
	return name_of_text();
}

char *profil_function_name(const char *path,
			   const struct profile_function *function)
{
	char name[512];

	if (function->name || *function->symbol)
		return profil_demangle(function->name ? function->name :
							function->symbol);
	snprintf(name, sizeof(name), "%.480s+0x%" PRIx64,
		 profil_text_base(path), function->address);
	return profil_text_printable(name);
}
