/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sending of profiles to a server
 *
 * The credentials are in memory only: neither a recording nor a spool has them, and
 * no message prints them.
 */
#ifndef PROFIL_PUSH_H
#define PROFIL_PUSH_H

#include "util/option.h"

/*
 * Options and operands
 * @files: recordings, ended by NULL
 * @labels: as NAME=VALUE
 * @headers: lines "NAME: VALUE" of the header of requests, or @FILE
 * @netrc: file with user names and passwords, or NULL for ~/.netrc
 * @follow: directory of recordings, or NULL
 * @kernel: samples in kernel mode are those of functions of the kernel
 * @retry_ns: time in which a server that does not answer is tried again
 */
struct push_request {
	const char *url;
	char **files;
	struct option_list labels;
	struct option_list headers;
	const char *netrc;
	const char *follow;
	long spool_mib;
	bool kernel;
	uint64_t retry_ns;
};

/* Read the command line. Exits with a sentence, or the help. */
void profil_push_parse(int argc, char **argv, struct push_request *request);

#endif
