// SPDX-License-Identifier: GPL-2.0-only
/* `profil push`: send recordings to a server */
#include <err.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "push/send.h"
#include "push/stream.h"
#include "read/files.h"
#include "record/child.h"
#include "resolve/resolve.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "verbs.h"

#define SECOND 1000000000ULL

/**
 * struct push_options - options and operands
 * @words: labels
 * @headers: lines of the header
 * @netrc: file with user names and passwords, or NULL
 * @retry_ns: time in which a server that does not answer is tried again
 * @endpoint: where to
 * @labels: labels of @words
 */
struct push_options {
	struct option_list words;
	struct option_list headers;
	const char *netrc;
	uint64_t retry_ns;
	struct endpoint endpoint;
	struct labels labels;
};

static void sleep_ms(long ms)
{
	struct timespec step = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&step, NULL);
}

/* Try until the server has @profile, or the time is over. */
static void send(const struct push_options *request, const char *file,
		 const struct profile *profile)
{
	uint64_t end = profil_child_now() + request->retry_ns;
	char text[SEND_TEXT];
	long pause = 0;

	for (;;) {
		enum send_result result = profil_send(&request->endpoint,
						      &request->labels, profile,
						      SEND_MS, text);

		if (result == SEND_TAKEN)
			return;
		pause = profil_sender_pause(pause);
		if (result != SEND_LATER ||
		    profil_child_now() + pause * 1000000ULL > end)
			break;
		sleep_ms(pause);
	}
	errx(EXIT_PROFIL, "%s is not pushed: %s does not take it (%s)", file,
	     request->endpoint.shown, text);
}

static void push_file(const struct push_options *request, const char *file)
{
	struct profile profile;

	profil_files_read_data((char *[]){ (char *)file, NULL }, &profile);
	if (!profil_profile_total(&profile))
		errx(EXIT_PROFIL, "push: %s has no samples",
		     profil_file_name(file));
	profil_resolve_again(&profile);
	send(request, profil_file_name(file), &profile);
	profil_profile_free(&profile);
}

static struct push_options parse_push(int argc, char **argv)
{
	struct push_options request = { .retry_ns = 30 * SECOND };

	profil_option_parse(&profil_verb_push, argc, argv, &request);
	if (!argv[optind])
		errx(EXIT_PROFIL,
		     "push: name a server, as in profil push http://HOST:4040/ingest");
	profil_labels_add_words(&request.labels, request.words.items);
	profil_endpoint_parse(&request.endpoint, argv[optind]);
	profil_credentials_read(&request.endpoint.credentials,
				request.headers.items, request.netrc);
	free(request.headers.items);
	free(request.words.items);
	return request;
}

static int push(int argc, char **argv)
{
	struct push_options request = parse_push(argc, argv);
	char **files = argv + optind + 1;
	int nr;

	profil_curl_load();
	push_file(&request, *files ?: DATA_NAME);
	for (nr = 1; *files && files[nr]; nr++)
		push_file(&request, files[nr]);
	warnx("%d profile%s pushed to %s", nr, nr == 1 ? "" : "s",
	      request.endpoint.shown);
	profil_labels_free(&request.labels);
	profil_endpoint_free(&request.endpoint);
	return 0;
}

#define AT(member) offsetof(struct push_options, member)

static const struct option_row options[] = {
	{ 0, "header", OPTION_LIST, AT(headers), "LINE",
	  "a line NAME: VALUE of the header of requests, or @FILE with such lines",
	  .completion = COMPLETE_NOTHING },
	OPTION_ROW_HELP,
	{ 'l', "label", OPTION_LIST, AT(words), "LABEL",
	  "a label NAME=VALUE of the profiles, in place of the recording's own",
	  .completion = COMPLETE_NOTHING },
	{ 0, "netrc", OPTION_STRING, AT(netrc), "FILE",
	  "take the user and password from FILE, not from ~/.netrc" },
	{ 0, "retry", OPTION_SECONDS, AT(retry_ns), "TIME",
	  "try again for TIME while the server is away", .preset = "30s" },
	{ 0 }
};

const struct verb profil_verb_push = {
	.name = "push",
	.operands = "URL [FILE]...",
	.about =
		"profil push sends the profile in each FILE, profil.data without any, to the\n"
		"server at URL: http://HOST:4040/ingest is Grafana Pyroscope's,\n"
		"http://HOST:7070/api/profiles/writeraw is Parca's.\n",
	.example =
		"Example: profil push -l version=1.2 http://localhost:4040/ingest\n",
	.options = options,
	.main = push,
};
