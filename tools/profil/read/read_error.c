// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "read/read_error.h"

/* Each sentence is a format for the numbers in struct read_details. */
static const char *const sentences[] = {
	[READ_EMPTY] =
		"empty file: the program is still running, or did not write it",
	[READ_PROGRAM] =
		"program or library: name the file that it has written, too",
	[READ_NEITHER] = "not a profil.data, gmon.out or mon.out file",
	[READ_VERSION] = "the version is %lld, not 1",
	[READ_NOT_BSD] = "the version is not that of BSD",
	[READ_TAG] = "a record has the unknown tag %lld",
	[READ_BLOCKS] = "a record has %lld basic blocks",
	[READ_NO_HISTOGRAM] = "no histogram",
	[READ_NO_SECONDS] = "a histogram is not in seconds",
	[READ_RANGE] = "a histogram has the empty range from 0x%llx to 0x%llx",
	[READ_BINS] = "a histogram has %lld bins",
	[READ_MANY_BINS] = "a histogram has %lld bins for %llu addresses",
	[READ_RATE] = "a histogram has %lld samples a second",
	[READ_LENGTH] =
		"the length of header and bins, %lld bytes, is impossible",
	[READ_NOT_16] = "counters do not have 16 bits",
	[READ_NEGATIVE_ARC] = "an arc has a negative number of calls",
	[READ_MON_RANGE] = "the range from 0x%llx to 0x%llx is empty",
	[READ_MON_FUNCTIONS] =
		"the file is too short for the calls of %llu functions",
	[READ_MON_NEGATIVE] = "a function has a negative number of calls",
	[READ_MON_HALF_BIN] = "the file ends within a bin",
	[READ_MON_NO_BINS] = "no bins",
	[READ_MON_MANY_BINS] = "%llu bins for %llu addresses",
	[READ_OTHER_KIND] = "a gmon.out and a mon.out have no sum",
	[READ_OTHER_WORD] = "the size of addresses differs from that before",
	[READ_OTHER_RATE] = "the sampling rate differs from that before",
	[READ_OVERLAP] = "a histogram overlaps one of a different range",
	[READ_OTHER_BINS] =
		"two histograms of one range differ in their number of bins",
	[READ_MANY_SAMPLES] = "too many samples to add up",
	[READ_MANY_CALLS] = "too many calls to add up",
};

static const char *const parts[] = {
	[PART_HEADER] = "the header",
	[PART_RECORD] = "a record",
	[PART_HISTOGRAM_HEAD] = "the head of a histogram",
	[PART_HISTOGRAM] = "a histogram",
	[PART_ARC] = "an arc",
	[PART_BLOCKS_HEAD] = "the head of basic blocks",
	[PART_BLOCKS] = "basic blocks",
	[PART_CALLS] = "the calls",
	[PART_BINS] = "the bins",
};

void profil_read_error_text(char text[READ_ERROR_TEXT], enum read_error error,
			    const struct read_details *details)
{
	char sentence[128];

	if (error == READ_CUT)
		snprintf(sentence, sizeof(sentence), "the file ends within %s",
			 parts[details->part]);
	else
		snprintf(sentence, sizeof(sentence), sentences[error],
			 details->numbers[0], details->numbers[1]);
	if (details->kind)
		snprintf(text, READ_ERROR_TEXT, "malformed %s: %s",
			 details->kind, sentence);
	else if (error > READ_NEITHER)
		snprintf(text, READ_ERROR_TEXT, "cannot be added up: %s",
			 sentence);
	else
		snprintf(text, READ_ERROR_TEXT, "%s", sentence);
}
