// SPDX-License-Identifier: GPL-2.0-only
/* Messages in the encoding of Protocol Buffers, compressed by gzip */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "export/format.h"
#include "util/memory.h"

/* Types of fields: a number of variable length, and bytes after their number */
#define NUMBER 0
#define BYTES 2

static void add_byte(struct protobuf *message, uint8_t byte)
{
	ARRAY_ADD(message->bytes, message->size, byte);
}

/* Seven bits in each byte, the lowest first */
static void add_number(struct protobuf *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		add_byte(message, number | 0x80);
	add_byte(message, number);
}

static void add_bytes(struct protobuf *message, unsigned int field,
		      const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	add_number(message, field << 3 | BYTES);
	add_number(message, size);
	for (size_t i = 0; i < size; i++)
		add_byte(message, from[i]);
}

void profil_protobuf_number(struct protobuf *message, unsigned int field,
			    uint64_t number)
{
	if (!number)
		return;
	add_number(message, field << 3 | NUMBER);
	add_number(message, number);
}

void profil_protobuf_numbers(struct protobuf *message, unsigned int field,
			     const uint64_t *numbers, size_t nr)
{
	struct protobuf packed = { 0 };

	for (size_t i = 0; i < nr; i++)
		add_number(&packed, numbers[i]);
	profil_protobuf_message(message, field, &packed);
}

void profil_protobuf_string(struct protobuf *message, unsigned int field,
			    const char *string)
{
	add_bytes(message, field, string, strlen(string));
}

void profil_protobuf_message(struct protobuf *message, unsigned int field,
			     struct protobuf *part)
{
	add_bytes(message, field, part->bytes, part->size);
	profil_protobuf_free(part);
}

void profil_protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){ 0 };
}

/* The largest window, and a header of gzip */
#define WINDOW (15 + 16)
#define MEMORY 8

/* Bytes that are written at once */
#define PIECE 65536

/* Compress the input of @stream, up to the end if @flush is Z_FINISH. */
static void compress_part(z_stream *stream, FILE *out, int flush)
{
	unsigned char piece[PIECE];

	do {
		stream->next_out = piece;
		stream->avail_out = sizeof(piece);
		deflate(stream, flush);
		fwrite(piece, 1, sizeof(piece) - stream->avail_out, out);
	} while (!stream->avail_out);
}

void profil_export_gzip(FILE *out, const void *bytes, size_t size)
{
	z_stream stream = { .next_in = (void *)bytes };

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW,
			 MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		profil_memory_exhausted();
	while (size > UINT_MAX) {
		stream.avail_in = UINT_MAX;
		size -= UINT_MAX;
		compress_part(&stream, out, Z_NO_FLUSH);
	}
	stream.avail_in = size;
	compress_part(&stream, out, Z_FINISH);
	deflateEnd(&stream);
}
