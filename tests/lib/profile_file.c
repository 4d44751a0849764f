// SPDX-License-Identifier: GPL-2.0-only
#include "profile_file.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	unsigned char bytes[1 << 22];
	size_t size;
	size_t at;
	bool good;
};

static bool load(const char *path, struct reader *reader)
{
	FILE *file = fopen(path, "r");

	memset(reader, 0, sizeof(*reader));
	if (!file) {
		printf("# there is no %s\n", path);
		return false;
	}
	reader->size = fread(reader->bytes, 1, sizeof(reader->bytes), file);
	reader->good = reader->size < sizeof(reader->bytes);
	fclose(file);
	return reader->good;
}

static void read_bytes(struct reader *reader, void *to, size_t size)
{
	if (size > reader->size - reader->at) {
		reader->good = false;
		memset(to, 0, size);
		return;
	}
	memcpy(to, reader->bytes + reader->at, size);
	reader->at += size;
}

/* 4 bytes in files of 32-bit programs */
static uint64_t read_long(struct reader *reader)
{
	unsigned long value;

	read_bytes(reader, &value, sizeof(value));
	return value;
}

static uint32_t read_int(struct reader *reader)
{
	uint32_t value;

	read_bytes(reader, &value, sizeof(value));
	return value;
}

static void read_bins(struct reader *reader, struct hist *hist, uint32_t nr)
{
	if (nr > MAX_BINS) {
		reader->good = false;
		return;
	}
	hist->nr_bins = nr;
	read_bytes(reader, hist->bins, nr * sizeof(*hist->bins));
}

static struct calls *new_calls(struct reader *reader, struct profile_file *out)
{
	if (out->nr_calls == MAX_CALLS) {
		reader->good = false;
		out->nr_calls--;
	}
	return &out->calls[out->nr_calls++];
}

static bool is_complete(const struct reader *reader, const char *path)
{
	bool whole = reader->good && reader->at == reader->size;

	if (!whole)
		printf("# %s has an error at byte %zu of %zu\n", path,
		       reader->at, reader->size);
	return whole;
}

bool mon_out_read(const char *path, struct profile_file *out)
{
	static struct reader reader;
	struct hist *hist = out->hists;
	uint64_t functions;

	memset(out, 0, sizeof(*out));
	if (!load(path, &reader))
		return false;
	out->nr_hists = 1;
	hist->low = read_long(&reader);
	hist->high = read_long(&reader);
	functions = read_long(&reader);
	for (uint64_t i = 0; i < functions && reader.good; i++) {
		struct calls *calls = new_calls(&reader, out);

		calls->self = read_long(&reader);
		calls->count = read_long(&reader);
	}
	read_bins(&reader, hist, (reader.size - reader.at) / 2);
	return is_complete(&reader, path);
}

static void read_hist(struct reader *reader, struct profile_file *out)
{
	struct hist *hist = &out->hists[out->nr_hists % MAX_HISTS];
	char dimension[16];
	uint32_t nr;

	reader->good &= out->nr_hists++ < MAX_HISTS;
	hist->low = read_long(reader);
	hist->high = read_long(reader);
	nr = read_int(reader);
	hist->rate = read_int(reader);
	read_bytes(reader, dimension, sizeof(dimension));
	reader->good &= !memcmp(dimension, "seconds\0\0\0\0\0\0\0\0s", 16);
	read_bins(reader, hist, nr);
}

static void read_arc(struct reader *reader, struct profile_file *out)
{
	struct calls *calls = new_calls(reader, out);

	calls->from = read_long(reader);
	calls->self = read_long(reader);
	calls->count = out->is_bsd ? read_long(reader) : read_int(reader);
}

static void read_records(struct reader *reader, struct profile_file *out)
{
	while (reader->good && reader->at < reader->size) {
		unsigned char tag;

		read_bytes(reader, &tag, 1);
		if (tag == 0)
			read_hist(reader, out);
		else if (tag == 1)
			read_arc(reader, out);
		else
			reader->good = false;
	}
}

/* One histogram, with 4.4BSD's header, and arcs */
static void read_bsd(struct reader *reader, struct profile_file *out)
{
	static const char zeros[12];
	struct hist *hist = out->hists;
	char spare[12];
	uint32_t size;

	out->is_bsd = true;
	out->nr_hists = 1;
	hist->low = read_long(reader);
	hist->high = read_long(reader);
	size = read_int(reader);
	reader->good &= read_int(reader) == 0x51879;
	hist->rate = read_int(reader);
	read_bytes(reader, spare, sizeof(spare));
	reader->good &= !memcmp(spare, zeros, sizeof(spare));
	read_bins(reader, hist, (size - reader->at) / 2);
	while (reader->good && reader->at < reader->size)
		read_arc(reader, out);
}

/* gprof -s does not clear the reserved part of the header. */
bool gmon_out_read(const char *path, struct profile_file *out)
{
	static struct reader reader;
	size_t known = strstr(path, ".sum") ? 8 : 20;
	char head[20];

	memset(out, 0, sizeof(*out));
	if (!load(path, &reader))
		return false;
	read_bytes(&reader, head, sizeof(head));
	if (!memcmp(head, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", known)) {
		read_records(&reader, out);
	} else {
		reader.at = 0;
		read_bsd(&reader, out);
	}
	return is_complete(&reader, path);
}

uint64_t hist_sum(const struct hist *hist)
{
	return hist_sum_of(hist, hist->low, hist->high);
}

uint64_t hist_sum_of(const struct hist *hist, uint64_t low, uint64_t high)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < hist->nr_bins; i++) {
		uint64_t length = hist->high - hist->low;
		uint64_t begin = hist->low + i * length / hist->nr_bins;
		uint64_t end = hist->low + (i + 1) * length / hist->nr_bins;

		if (begin < high && end > low)
			sum += hist->bins[i];
	}
	return sum;
}

uint64_t calls_of(const struct profile_file *out, uint64_t low, uint64_t high)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < out->nr_calls; i++)
		if (out->calls[i].self >= low && out->calls[i].self < high)
			sum += out->calls[i].count;
	return sum;
}

static int note_base(struct dl_phdr_info *object, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = object->dlpi_addr;
	return 1;
}

uint64_t program_base(void)
{
	uint64_t base = 0;

	dl_iterate_phdr(note_base, &base);
	return base;
}
