// SPDX-License-Identifier: GPL-2.0-only
/*
 * damage FILE [PROGRAM]: read FILE cut at each size, and with each byte changed. The
 * sizes and the number of changes with which it is read are printed. What is read has
 * to agree with itself, and a file that is refused has one line of printable text.
 * FILE is a profil.data; with PROGRAM, it is a gmon.out or mon.out of PROGRAM, whose
 * samples and calls are all in the profile that is made of it.
 */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "read/import.h"
#include "sound.h"

static struct profile profile;
static struct import import;

/* @text, of at most @room bytes, is a sentence. */
static void require_sentence(const char *text, size_t room)
{
	size_t length = strnlen(text, room);

	if (length < 10 || length > 200)
		errx(1, "a sentence of %zu bytes", length);
	for (size_t i = 0; i < length; i++)
		if (!isprint((unsigned char)text[i]))
			errx(1, "a byte that cannot be printed");
}

static bool reads_data(const void *bytes, size_t size)
{
	int fd = memfd_create("damaged", MFD_CLOEXEC);
	char text[DATA_ERROR_TEXT];
	bool is_read;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size ||
	    lseek(fd, 0, 0))
		err(1, "memfd_create");
	profil_profile_init(&profile);
	is_read = !profil_data_read(&profile, fd, text);
	if (!is_read)
		require_sentence(text, sizeof(text));
	if (is_read ? !is_sound(&profile) : profile.nr_samples > 0)
		errx(1, "the profile does not agree with itself");
	profil_profile_free(&profile);
	close(fd);
	return is_read;
}

static void require_histograms(const struct gprof_data *data)
{
	uint64_t end = 0;

	for (size_t i = 0; i < data->nr_histograms; i++) {
		const struct histogram *it = &data->histograms[i];

		if (it->low < end || it->low >= it->high || !it->nr ||
		    it->nr > it->high - it->low)
			errx(1, "histogram %zu is not sound", i);
		end = it->high;
	}
}

/* The profile of the program has the samples and calls of @data, and no more. */
static void require_totals(const struct gprof_data *data)
{
	unsigned __int128 parts = all_samples(&profile);
	uint64_t calls = 0;

	for (uint32_t i = 0; i < profile.nr_calls; i++)
		calls += profile.calls[i].count;
	if (parts != (unsigned __int128)data->samples * SAMPLE_PARTS ||
	    calls != data->calls)
		errx(1, "samples or calls are lost");
}

static bool reads_counts(const void *bytes, size_t size)
{
	struct gprof_data data = { .kind = NULL };
	struct input input;
	bool is_read;

	forget_samples(&profile);
	profil_input_begin(&input, fmemopen((void *)bytes, size, "r"));
	is_read = profil_gprof_check(&input, &data) &&
		  profil_gprof_read(&input, &data, &import);
	if (is_read) {
		require_histograms(&data);
		require_totals(&data);
	} else {
		require_sentence(input.wrong, INPUT_WRONG);
	}
	fclose(input.file);
	free(data.histograms);
	return is_read;
}

/* In memory that ends behind the @size bytes */
static bool reads(const char *bytes, size_t size)
{
	char *copy = malloc(size + !size);
	bool is_read;

	memcpy(copy, bytes, size);
	/* Without bytes, a pointer that the sanitizer lets no code read */
	is_read = (import.path ? reads_counts : reads_data)(copy + !size, size);
	free(copy);
	return is_read;
}

/* Each bit of text and marks of its format, or any value of binary data */
static bool is_tried(char byte, char other)
{
	char changed = byte ^ other;

	return import.path || (changed && !(changed & (changed - 1))) ||
	       memchr("\t\n-9:%", other, 7);
}

static void change_bytes(char *bytes, size_t size)
{
	size_t tried = 0, read = 0;

	for (size_t at = 0; at < size; at++) {
		char byte = bytes[at];

		for (int other = 0; other < 256; other++) {
			if (!is_tried(byte, other))
				continue;
			bytes[at] = other;
			tried++;
			read += reads(bytes, size);
		}
		bytes[at] = byte;
	}
	printf("%zu of %zu changed files are read\n", read, tried);
}

int main(int argc, char **argv)
{
	static char bytes[65536];
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	size_t size;

	if (!in)
		err(1, "argument");
	size = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	if (argc > 2) {
		import =
			(struct import){ .profile = &profile, .path = argv[2] };
		profil_profile_init(&profile);
		profil_import_begin(&import, 8);
	}
	printf("%zu bytes, read when cut at", size);
	for (size_t cut = 0; cut <= size; cut++)
		if (reads(bytes, cut))
			printf(" %zu", cut);
	puts("");
	change_bytes(bytes, size);
	return 0;
}
