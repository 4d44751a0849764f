// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <zlib.h>

#include "export/gzip.h"
#include "util/memory.h"

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
