// SPDX-License-Identifier: GPL-2.0-only
/*
 * What people call a program: by the name that it was executed by, which may be that of a
 * link to its file, and by the script that it interprets
 */
#include <ctype.h>
#include <sys/stat.h>

#include "process/called.h"
#include "util/text.h"

/* The kernel cuts names of processes. */
#define COMM_LENGTH 15

static bool is_comm(const char *name, const char *comm)
{
	return *name && !strncmp(name, comm, COMM_LENGTH) &&
	       strlen(comm) <= COMM_LENGTH;
}

static bool is_same_file(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Path of @name in the directory of @file, to be freed */
static char *beside(const char *file, const char *name)
{
	int length = (int)(profil_text_base(file) - file);

	return profil_format("%.*s%s", length, file, name);
}

/* What is executed by a descriptor has no name of its own. */
static bool is_descriptor(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/fd/", 8);
}

/* A name that begins with - is that of a login shell. */
static char *by_argument(const char *file, const char *comm, const char *first)
{
	const char *path = first + (*first == '-');
	const char *name = profil_text_base(path);

	if (strchr(name, ' ') || !is_comm(name, comm) || is_descriptor(path))
		return NULL;
	if (!strcmp(name, profil_text_base(file)))
		return profil_copy_string(file);
	return *path == '/' ? profil_copy_string(path) : beside(file, name);
}

/* The name of a process that is a link to the file, beside it */
static char *by_link(const char *file, const char *comm)
{
	char *path = beside(file, comm);

	if (*comm && !strchr(comm, '/') && is_same_file(path, file))
		return path;
	free(path);
	return NULL;
}

/* A title, as of setproctitle(3), is one string, whose first word may be the name. */
static char *executed_path(const struct called *called)
{
	const char *file = called->file;
	char *first = profil_copy_string(called->argv[0] ?: "");
	char *path = by_argument(file, called->comm, first);

	if (!path) {
		first[strcspn(first, " ")] = '\0';
		path = by_argument(file, called->comm, first);
	}
	free(first);
	if (!path)
		path = by_link(file, called->comm);
	return path ?: profil_copy_string(file);
}

/*
 * An interpreter, whose name may end in a version. Letters of its options, which may be
 * in one word: @flags; @values, which have a value behind them or in the next word;
 * @rests, which have the rest of the word. @module is followed by a module in place of a
 * script. A script is not known behind another option.
 */
struct interpreter {
	const char *name;
	const char *flags;
	const char *values;
	const char *rests;
	char module;
};

static const struct interpreter interpreters[] = {
	{ "python", "bBdEiIOPqRsStuvx", "WX", "", 'm' },
	{ "perl", "acfnpsStTuUvwWX", "I", "0CDFilmMx" },
	{ "ruby", "alnpsSvwy", "CEIr", "0FiKTWx" },
	{ "php", "Hnq", "cdz", "" },
	{ "node", "i", "r", "" },
	{ "nodejs", "i", "r", "" },
	{ "sh", "abefhkmnpuvxBCEHPT", "oO", "" },
	{ "bash", "abefhkmnpuvxBCEHPT", "oO", "" },
	{ "dash", "abefhkmnpuvxBCEHPT", "o", "" },
	{ "zsh", "abefhkmnpuvxBCEHPT", "o", "" },
	{ "ksh", "abefhkmnpuvxBCEHPT", "o", "" },
};

static bool is_version(const char *text)
{
	return !text[strspn(text, "0123456789.")];
}

static const struct interpreter *interpreter_of(const char *path)
{
	const char *name = profil_text_base(path);
	size_t nr = sizeof(interpreters) / sizeof(*interpreters);

	for (size_t i = 0; i < nr; i++) {
		size_t length = strlen(interpreters[i].name);

		if (!strncmp(name, interpreters[i].name, length) &&
		    is_version(name + length))
			return &interpreters[i];
	}
	return NULL;
}

/* Long options of node without a value, which names of generated code need */
static bool is_long_flag(const char *word)
{
	return strchr(word, '=') || !strncmp(word, "--perf-", 7) ||
	       !strcmp(word, "--interpreted-frames-native-stack");
}

/*
 * Words of options that begin with @argv, 0 if the script behind them is not sure; with
 * @module, if these are its option and name, or its option.
 */
static int option_words(const struct interpreter *it, char *const *argv,
			const char **module)
{
	const char *letter = argv[0] + 1;

	if (*letter == '-')
		return is_long_flag(argv[0]);
	for (; *letter; letter++) {
		if (*letter == it->module)
			*module = letter[1] ? letter + 1 : argv[1];
		if (strchr(it->values, *letter))
			return letter[1] || !argv[1] ? 1 : 2;
		if (strchr(it->rests, *letter))
			return 1;
		if (!strchr(it->flags, *letter))
			return 0;
	}
	return 1;
}

/* The last component of @path, which may be a directory, to be freed; NULL if it is "" */
static char *base_of(const char *path)
{
	int length = (int)strlen(path);
	char *whole, *base;

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (!length)
		return NULL;
	whole = profil_format("%.*s", length, path);
	base = profil_copy_string(profil_text_base(whole));
	free(whole);
	return base;
}

/* The script and what is in front of it, to be freed; NULL if it is not sure */
static char *script_of(const struct interpreter *it, char *const *argv)
{
	const char *module = NULL;
	int words;

	for (argv++; *argv && **argv == '-' && strcmp(*argv, "--");
	     argv += words) {
		words = (*argv)[1] ? option_words(it, argv, &module) : 0;
		if (module)
			return profil_format("-m %s", module);
		if (!words)
			return NULL;
	}
	if (*argv && !strcmp(*argv, "--"))
		argv++;
	return *argv ? base_of(*argv) : NULL;
}

/* Options of java with a value in the next word; one with = has it in its own. */
static bool has_value(const char *word)
{
	static const char *const options[] = {
		"-cp",
		"-classpath",
		"--class-path",
		"-p",
		"--module-path",
		"--upgrade-module-path",
		"--add-modules",
		"--add-opens",
		"--add-exports",
		"--add-reads",
		"--patch-module",
		"--limit-modules",
		"--enable-native-access",
		"--source",
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(word, options[i]))
			return true;
	return false;
}

/* The archive, or the class or module without its package */
static char *java_program(char *const *argv)
{
	const char *word, *dot;

	for (argv++; *argv && **argv == '-'; argv++) {
		word = *argv;
		if (!strcmp(word, "-jar") && argv[1])
			return profil_format("-jar %s",
					     profil_text_base(argv[1]));
		if (!strcmp(word, "-m") || !strcmp(word, "--module"))
			continue;
		if (has_value(word) && !*++argv)
			return NULL;
	}
	word = *argv;
	if (!word || !isalpha((unsigned char)*word))
		return NULL;
	word = profil_text_base(word);
	dot = strrchr(word, '.');
	if (dot && strcmp(dot, ".java"))
		word = dot + 1;
	return profil_copy_string(word);
}

void profil_called_find(struct called *called)
{
	char *const *argv = called->argv;
	const struct interpreter *it;

	called->path = executed_path(called);
	called->script = NULL;
	it = interpreter_of(called->path) ?: interpreter_of(called->file);
	if (!*argv)
		return;
	if (it)
		called->script = script_of(it, argv);
	else if (!strcmp(profil_text_base(called->path), "java"))
		called->script = java_program(argv);
}

void profil_called_free(struct called *called)
{
	free(called->path);
	free(called->script);
	*called = (struct called){ 0 };
}

bool profil_called_has_comm(const struct called *called)
{
	return is_comm(profil_text_base(called->path), called->comm);
}

bool profil_called_may_have_script(const struct called *called)
{
	return interpreter_of(called->path) || interpreter_of(called->file) ||
	       !strcmp(profil_text_base(called->path), "java");
}
