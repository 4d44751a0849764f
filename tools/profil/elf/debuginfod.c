// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files from the servers of DEBUGINFOD_URLS
 *
 * libdwfl would ask the servers as well, but not tell a server without the file
 * from one that does not answer, for which it waits again and again. The library
 * is loaded when it is needed, as libdwfl does.
 */
#include <dlfcn.h>

#include "elf/debuginfod.h"
#include "util/clock.h"
#include "util/interrupt.h"

/*
 * Seconds after which libdebuginfod takes a server for silent, and tries again up
 * to twice; usual are 90
 */
#define PATIENCE "10"

/* Seconds more after which the request is ended in any case */
#define MORE 5

/* Bytes of the largest file; the largest of Debian have some 3 GB. */
#define LARGEST "4294967296"

static const char left_out[] =
	"DEBUGINFOD_URLS=%s: a file is left out, which has more bytes than DEBUGINFOD_MAXSIZE=%s";

struct debuginfod_client;

typedef int progress(struct debuginfod_client *client, long done, long all);

/*
 * Functions of libdebuginfod, in the order of enum debuginfod_kind, and the
 * handle of a client, or NULL
 */
static struct {
	struct debuginfod_client *(*begin)(void);
	void (*set_progress)(struct debuginfod_client *client,
			     progress *function);
	int (*find[2])(struct debuginfod_client *client,
		       const unsigned char *id, int size, char **path);
	struct debuginfod_client *client;
} library;

static bool is_silent;

/* State of the present request */
static long progress_done;
static uint64_t progress_at;
static bool is_ended;
static bool is_too_large;

static uint64_t patience(void)
{
	long seconds = strtol(getenv("DEBUGINFOD_TIMEOUT"), NULL, 10);

	return (seconds > 0 ? seconds : strtol(PATIENCE, NULL, 10)) + MORE;
}

static bool exceeds_limit(long size)
{
	long limit = strtol(getenv("DEBUGINFOD_MAXSIZE"), NULL, 10);

	return limit > 0 && size > limit;
}

/*
 * Called some times a second; another value than 0 ends the request. Before the
 * first byte, @done is the number of calls. The library compares only a size that
 * the server tells with the limit.
 */
static int follow(struct debuginfod_client *client, long done, long all)
{
	(void)client;
	(void)all;
	if (done != progress_done && done != progress_done + 1)
		progress_at = profil_now();
	progress_done = done;
	is_ended = (profil_now() - progress_at) / SECOND > patience();
	is_too_large = exceeds_limit(done);
	return is_ended || is_too_large || profil_interrupted();
}

static bool load(void)
{
	static bool is_loaded;
	void *handle;

	if (is_loaded)
		return library.client;
	is_loaded = true;
	handle = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	if (!handle) {
		warnx("libdebuginfod is not installed: DEBUGINFOD_URLS has no effect");
		return false;
	}
	library.begin = dlsym(handle, "debuginfod_begin");
	library.set_progress = dlsym(handle, "debuginfod_set_progressfn");
	library.find[DEBUGINFOD_DEBUGINFO] =
		dlsym(handle, "debuginfod_find_debuginfo");
	library.find[DEBUGINFOD_EXECUTABLE] =
		dlsym(handle, "debuginfod_find_executable");
	if (!library.begin || !library.set_progress || !library.find[0] ||
	    !library.find[1])
		return false;
	library.client = library.begin();
	if (library.client)
		library.set_progress(library.client, follow);
	return library.client;
}

bool profil_debuginfod_has_servers(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	return !is_silent && servers && *servers;
}

/* A server without the file is no error. */
static void note_failure(int error)
{
	if (profil_interrupted() ||
	    (!is_ended && !is_too_large && error == ENOENT))
		return;
	if (is_too_large || error == EFBIG) {
		warnx(left_out, getenv("DEBUGINFOD_URLS"),
		      getenv("DEBUGINFOD_MAXSIZE"));
		return;
	}
	is_silent = true;
	warnx("no answer from DEBUGINFOD_URLS=%s: names are from files here only",
	      getenv("DEBUGINFOD_URLS"));
}

void profil_debuginfod_path(enum debuginfod_kind kind, const void *id,
			    size_t size, char path[PATH_MAX])
{
	char *found = NULL;
	int fd;

	if (!profil_debuginfod_has_servers() || !load())
		return;
	setenv("DEBUGINFOD_TIMEOUT", PATIENCE, 0);
	setenv("DEBUGINFOD_MAXSIZE", LARGEST, 0);
	is_ended = false;
	is_too_large = false;
	progress_done = 0;
	progress_at = profil_now();
	fd = library.find[kind](library.client, id, size, &found);
	if (fd < 0)
		note_failure(-fd);
	else
		close(fd);
	if (found)
		snprintf(path, PATH_MAX, "%s", found);
	free(found);
}
