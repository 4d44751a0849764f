// SPDX-License-Identifier: GPL-2.0-only
/* `profil push`: send recordings to a server, by the program profil-push */
#include "push/push.h"
#include "verbs.h"

void profil_push_parse(int argc, char **argv, struct push_request *request)
{
	*request = (struct push_request){
		.spool_mib = 64,
		.retry_ns = 30000000000,
	};
	profil_option_parse(&profil_verb_push, argc, argv, request);
	request->url = argv[optind];
	request->files = argv + optind + 1;
	refuse(!request->url,
	       "push: name a server, as in profil push http://HOST:4040/ingest");
	refuse(request->follow && *request->files,
	       "push: --follow sends the files of a directory: name no other");
}

/*
 * The program is beside this one. Its messages have the name of this one. Without
 * proc(5) nothing is executed: a name alone would be one in the working directory.
 */
static int run_sender(int argc, char **argv)
{
	static const char name[] = "profil-push";
	char path[PATH_MAX + sizeof(name)];
	struct push_request request;
	ssize_t size;
	char *slash;

	profil_push_parse(argc, argv, &request);
	size = readlink("/proc/self/exe", path, PATH_MAX);
	slash = size > 0 ? memrchr(path, '/', size) : NULL;
	if (slash) {
		memcpy(slash + 1, name, sizeof(name));
		argv[0] = program_invocation_name;
		execv(path, argv);
	}
	die_err("cannot execute profil-push beside profil (%s): make builds it with libcurl and pkg-config; on Debian: sudo apt install libcurl4-gnutls-dev pkg-config",
		strerror(errno));
}

#define AT(member) offsetof(struct push_request, member)

static const struct option_row options[] = {
	{ 0, "follow", OPTION_STRING, AT(follow), "DIRECTORY",
	  "send what profil record --spool leaves in DIRECTORY, the oldest first, until SIGTERM" },
	{ 0, "header", OPTION_LIST, AT(headers), "LINE",
	  "a line NAME: VALUE of the header of requests, or @FILE with such lines",
	  .completion = COMPLETE_NOTHING },
	OPTION_ROW_HELP,
	{ 'k', "kernel", OPTION_FLAG, AT(kernel), NULL,
	  "count kernel time in the functions of the kernel (recordings of root)" },
	{ 'l', "label", OPTION_LIST, AT(labels), "LABEL",
	  "a label NAME=VALUE of the profiles, in place of the recording's own",
	  .completion = COMPLETE_NOTHING },
	{ 0, "netrc", OPTION_STRING, AT(netrc), "FILE",
	  "take the user and password from FILE, not from ~/.netrc" },
	{ 0, "retry", OPTION_SECONDS, AT(retry_ns), "TIME",
	  "try again for TIME while the server does not answer, with --follow at the end",
	  .preset = "30s" },
	{ 0, "spool-limit", OPTION_NUMBER, AT(spool_mib), "MIB",
	  "with --follow: drop the oldest profiles of DIRECTORY beyond MIB",
	  .preset = "64", .least = 1, .most = 1048576 },
	{ 0 }
};

const struct verb profil_verb_push = {
	.name = "push",
	.operands = "URL [FILE]...",
	.about =
		"profil push sends the profile in each FILE, profil.data without any, to the\n"
		"server at URL: http://HOST:4040/ingest is Grafana Pyroscope's,\n"
		"http://HOST:7070/api/profiles/writeraw is Parca's,\n"
		"http://HOST:4318/v1development/profiles is an OpenTelemetry collector's.\n",
	.example =
		"Example: profil push -l version=1.2 http://localhost:4040/ingest\n",
	.options = options,
	.main = run_sender,
};
