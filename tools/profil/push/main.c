// SPDX-License-Identifier: GPL-2.0-only
/* profil-push: the program of `profil push`, which alone is linked with libcurl */
#include <err.h>
#include <locale.h>
#include <time.h>

#include "profile/data_file.h"
#include "push/push.h"
#include "read/files.h"
#include "resolve/resolve.h"
#include "util/exit_status.h"
#include "util/output.h"

/* Try until the server has @profile, or the time is over. */
static void send(const struct endpoint *endpoint, const char *file,
		 const struct profile *profile)
{
	long end = profil_send_now() + endpoint->request->retry_ns / 1000000;
	char text[SEND_TEXT];
	long pause = 0;

	for (;;) {
		enum send_result result =
			profil_send(endpoint, profile, SEND_MS, text);
		struct timespec step;

		if (result == SEND_TAKEN)
			return;
		pause = profil_send_pause(pause);
		if (result != SEND_LATER || profil_send_now() + pause > end)
			break;
		step = (struct timespec){ .tv_sec = pause / 1000 };
		nanosleep(&step, NULL);
	}
	errx(EXIT_PROFIL, "%s is not pushed: %s does not take it (%s)", file,
	     endpoint->shown, text);
}

static void push_file(const struct endpoint *endpoint, char *file)
{
	struct profile profile;

	profil_files_read_data((char *[]){ file, NULL }, &profile);
	if (!profil_profile_total(&profile))
		errx(EXIT_PROFIL, "push: %s has no samples",
		     profil_file_name(file));
	profil_resolve_again(&profile);
	send(endpoint, profil_file_name(file), &profile);
	profil_profile_free(&profile);
}

static void push_files(const struct endpoint *endpoint)
{
	char **files = endpoint->request->files;
	int nr;

	push_file(endpoint, *files ?: DATA_NAME);
	for (nr = 1; *files && files[nr]; nr++)
		push_file(endpoint, files[nr]);
	warnx("%d profile%s pushed to %s", nr, nr == 1 ? "" : "s",
	      endpoint->shown);
}

int main(int argc, char **argv)
{
	struct push_request request;
	struct endpoint endpoint;

	setlocale(LC_CTYPE, "");
	profil_output_begin();
	profil_push_parse(argc, argv, &request);
	profil_endpoint_begin(&endpoint, &request);
	if (request.follow)
		profil_follow(&endpoint);
	else
		push_files(&endpoint);
	return 0;
}
