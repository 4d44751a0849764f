// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of a recording on their way to a server */
#include <err.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "push/curl.h"
#include "push/stream.h"
#include "util/text.h"

#define MIB 1048576ULL

void profil_stream_begin(struct stream *stream,
			 const struct stream_request *request)
{
	struct sender *sender = &stream->sender;

	*stream = (struct stream){ 0 };
	profil_endpoint_parse(&sender->endpoint, request->url);
	profil_credentials_read(&sender->endpoint.credentials, request->headers,
				request->netrc);
	profil_labels_add_words(&sender->labels, request->labels);
	profil_labels_add_build_id(&sender->labels, request->command);
	sender->spool = (struct spool){
		.directory = request->spool,
		.limit = request->spool_mib * MIB,
	};
	profil_curl_load();
	profil_spool_require(&sender->spool);
	profil_sender_begin(sender);
}

static void trim(struct stream *stream)
{
	const struct spool *spool = &stream->sender.spool;
	uint64_t dropped = profil_spool_trim(spool);

	if (dropped && !stream->dropped)
		warnx("%s has reached its limit of %llu MiB: the oldest profiles are dropped",
		      spool->directory,
		      (unsigned long long)(spool->limit / MIB));
	stream->dropped += dropped;
}

void profil_stream_add(struct stream *stream, const struct profile *profile)
{
	int error;

	if (!profil_profile_total(profile))
		return;
	error = -profil_spool_add(&stream->sender.spool, profile);
	if (error && !stream->failed++)
		warnx("cannot write to %s (%s): profiles are not pushed",
		      stream->sender.spool.directory, strerror(error));
	trim(stream);
	profil_sender_wake(&stream->sender);
}

static const char *plural(uint64_t number)
{
	return number == 1 ? "" : "s";
}

static void tell_lost(const struct stream *stream)
{
	const struct sender_account *account = stream->sender.account;
	uint64_t lost = stream->dropped + stream->failed + account->refused +
			account->damaged;

	if (lost)
		warnx("%" PRIu64 " profile%s not pushed: %" PRIu64
		      " dropped at the limit, %" PRIu64 " not written, %" PRIu64
		      " refused, %" PRIu64 " damaged",
		      lost, plural(lost), stream->dropped, stream->failed,
		      account->refused, account->damaged);
}

void profil_stream_end(struct stream *stream, bool is_quiet)
{
	struct sender *sender = &stream->sender;
	struct spool_state state;

	profil_sender_end(sender);
	state = profil_spool_look(&sender->spool);
	if (!is_quiet)
		warnx("%" PRIu64 " profile%s pushed to %s",
		      sender->account->sent, plural(sender->account->sent),
		      sender->endpoint.shown);
	if (state.files)
		warnx("%" PRIu64
		      " profile%s left in %s: the next recording with this --spool pushes them, or profil push",
		      state.files, plural(state.files),
		      sender->spool.directory);
	else
		rmdir(sender->spool.directory);
	tell_lost(stream);
	munmap(sender->account, sizeof(*sender->account));
	profil_labels_free(&sender->labels);
	profil_endpoint_free(&sender->endpoint);
}
