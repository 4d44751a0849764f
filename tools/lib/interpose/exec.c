// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Noting a program before a process of a run executes it
 *
 * The caller may be a child of vfork() or a signal handler: no malloc(), no lock,
 * no large buffer on the stack, and no change to memory outside the run's file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/sandbox.h"
#include "core/user_copy.h"
#include "include/decimal.h"
#include "include/unseen.h"
#include "interpose/exec.h"
#include "run/recorder.h"

#define LIBRARY "/libprofil.so.1"
#define TOKEN "$PLATFORM"

/* Strings that form the path of a program */
#define PARTS 4

#if defined(__aarch64__)
#define PLATFORM "aarch64"
#else
#define PLATFORM "x86_64"
#endif

/**
 * struct word - libprofil's path in an LD_PRELOAD
 * @variable: index of the variable in the environment
 * @list: its value
 * @start: index of the path in @list
 * @length: length of the path
 */
struct word {
	size_t variable;
	const char *list;
	size_t start;
	size_t length;
};

/* Index of the variable @name, or of the NULL at the end */
static size_t find_variable(char *const envp[], const char *name)
{
	size_t length = strlen(name);
	size_t i;

	for (i = 0; envp[i]; i++)
		if (!strncmp(envp[i], name, length) && envp[i][length] == '=')
			break;
	return i;
}

static bool is_library(const char *path, size_t length)
{
	size_t tail = strlen(LIBRARY);

	return length > tail && !memcmp(path + length - tail, LIBRARY, tail);
}

static bool find_word(char *const envp[], struct word *word)
{
	size_t start = 0;

	word->variable = find_variable(envp, "LD_PRELOAD");
	if (!envp[word->variable])
		return false;
	word->list = strchr(envp[word->variable], '=') + 1;
	while (word->list[start]) {
		size_t length = strcspn(word->list + start, " :");

		word->start = start;
		word->length = length;
		if (is_library(word->list + start, length))
			return true;
		start += length + (word->list[start + length] != '\0');
	}
	return false;
}

static bool can_open(const char *path, int flags)
{
	int fd = syscall(SYS_openat, AT_FDCWD, path,
			 flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);

	if (fd >= 0)
		syscall(SYS_close, fd);
	return fd >= 0 ||
	       !(errno == ENOENT || errno == ENOTDIR || errno == EACCES);
}

/* Whether the dynamic linker can open libprofil; true for too long a path */
static bool can_open_word(const struct word *word)
{
	const char *from = word->list + word->start;
	const char *token = memmem(from, word->length, TOKEN, strlen(TOKEN));
	size_t head = token ? (size_t)(token - from) : word->length;
	size_t tail = token ? word->length - head - strlen(TOKEN) : 0;
	char path[REACH_PATH];

	if (word->length >= sizeof(path) - sizeof(PLATFORM))
		return true;
	memcpy(path, from, head);
	if (token) {
		memcpy(path + head, PLATFORM, strlen(PLATFORM));
		head += strlen(PLATFORM);
		memcpy(path + head, token + strlen(TOKEN), tail);
	}
	path[head + tail] = '\0';
	return can_open(path, O_RDONLY);
}

static bool names_run(char *const envp[], const char *run)
{
	const char *variable = envp[find_variable(envp, RUN_ENVIRONMENT)];

	return variable && !strcmp(strchr(variable, '=') + 1, run);
}

/* Effect of the environment on a program that can take part */
static enum reach judge(bool built_in, bool has_word, bool opens, bool has_run,
			const char *run)
{
	if (!has_run || !(built_in || has_word))
		return REACH_ENVIRONMENT;
	if (!built_in && !opens)
		return REACH_ROOT;
	return can_open(run, O_RDWR) ? REACH_YES : REACH_FILE;
}

/* Join the strings in @path; false if the result is too long. */
static bool join(char path[REACH_PATH], const char *const parts[PARTS])
{
	size_t at = 0;

	for (size_t i = 0; i < PARTS; i++) {
		size_t length = strlen(parts[i]);

		if (length >= REACH_PATH - at)
			return false;
		memcpy(path + at, parts[i], length + 1);
		at += length;
	}
	return true;
}

/*
 * Path of the program's file; false if it is unknown. A thread can have descriptors
 * of its own.
 */
static bool locate(const struct exec_call *call, char path[REACH_PATH])
{
	const char *parts[PARTS] = { call->name, "", "", "" };
	char digits[DECIMAL_DIGITS];

	if (call->search)
		return profil_reach_find(call->name, path);
	if (*call->name != '/' && call->fd != AT_FDCWD) {
		parts[0] = "/proc/thread-self/fd/";
		parts[1] = decimal(call->fd, digits);
		parts[2] = *call->name ? "/" : "";
		parts[3] = call->name;
	}
	return join(path, parts);
}

/*
 * Find the name of a program that is executed by its descriptor. The kernel reads
 * @path before it writes the result there, which saves a second buffer.
 */
static void name_file(const struct exec_call *call, char path[REACH_PATH])
{
	ssize_t length;

	if (*call->name || call->search)
		return;
	length = syscall(SYS_readlinkat, AT_FDCWD, path, path, REACH_PATH - 1);
	if (length >= 0)
		path[length] = '\0';
}

static struct run_unseen *note(const struct exec_call *call, char *const envp[],
			       bool has_word, bool opens)
{
	char path[REACH_PATH];
	const char *run_path;
	struct run *run = profil_recorder_run(&run_path);
	enum reach reach;
	bool built_in;

	if (!locate(call, path))
		return NULL;
	reach = profil_reach(path, &built_in);
	if (reach == REACH_YES)
		reach = judge(built_in, has_word, opens,
			      names_run(envp, run_path), run_path);
	if (reach == REACH_YES)
		return NULL;
	name_file(call, path);
	return profil_unseen_add(run, path, reach);
}

/* Make the call without libprofil's path and the separator beside it. */
static int begin_without(const struct exec_call *call, const struct word *word)
{
	const char *old = call->envp[word->variable];
	size_t start = word->list - old + word->start;
	size_t end, nr, length = strlen(old);

	for (nr = 0; call->envp[nr]; nr++)
		continue;
	char *envp[nr + 1];
	char list[length + 1];

	end = start + word->length;
	if (old[end])
		end++;
	else if (word->start)
		start--;
	memcpy(list, old, start);
	memcpy(list + start, old + end, length - end + 1);
	memcpy(envp, call->envp, (nr + 1) * sizeof(*envp));
	envp[word->variable] = list;
	if (!strcmp(list, "LD_PRELOAD="))
		memmove(envp + word->variable, envp + word->variable + 1,
			(nr - word->variable) * sizeof(*envp));
	return call->begin(call, envp);
}

/*
 * The filter of this process holds for the program, too, and may kill it at a system
 * call of libprofil's constructor. So the program does not get the library. No system
 * call tells here whether the pointers can be read.
 */
static int begin_in_sandbox(const struct exec_call *call, struct run *run)
{
	struct run_unseen *entry = NULL;
	struct word word;
	int ret;

	if (!call->envp || !find_word(call->envp, &word))
		return call->begin(call, call->envp);
	if (call->name)
		entry = profil_unseen_add(run, call->name, REACH_SECCOMP);
	ret = begin_without(call, &word);
	if (ret)
		profil_unseen_remove(entry);
	return ret;
}

/*
 * Whether the path and the environment can be read. With an unreadable pointer
 * the call is passed on, and fails with EFAULT.
 */
static bool can_read(const char *name, char *const envp[])
{
	struct readable array = { 0 };
	struct readable strings = { 0 };

	if (!name || !profil_user_can_read_string(&strings, name))
		return false;
	for (; profil_user_can_read(&array, envp, sizeof(*envp)); envp++) {
		if (!*envp)
			return true;
		if (!profil_user_can_read_string(&strings, *envp))
			return false;
	}
	return false;
}

/* After clearenv() the environment is NULL. */
int profil_exec(const struct exec_call *call)
{
	char *const none[] = { NULL };
	char *const *envp = call->envp ? call->envp : none;
	struct run_unseen *entry;
	const char *path;
	struct run *run = profil_recorder_run(&path);
	bool has_word, opens;
	struct word word;
	int saved = errno;
	int ret;

	if (!run)
		return call->begin(call, call->envp);
	if (profil_sandbox_is_on())
		return begin_in_sandbox(call, run);
	if (!can_read(call->name, envp)) {
		errno = saved;
		return call->begin(call, call->envp);
	}
	has_word = find_word(envp, &word);
	opens = has_word && can_open_word(&word);
	entry = note(call, envp, has_word, opens);
	errno = saved;
	if (has_word && !opens)
		ret = begin_without(call, &word);
	else
		ret = call->begin(call, call->envp);
	if (ret)
		profil_unseen_remove(entry);
	return ret;
}
