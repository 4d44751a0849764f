/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages in the encoding of Protocol Buffers, and their compression */
#ifndef PROFIL_EXPORT_PROTOBUF_H
#define PROFIL_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct protobuf - a message
 * @bytes: the fields that have been added
 * @size: number of bytes
 */
struct protobuf {
	uint8_t *bytes;
	size_t size;
};

/* Add a field; a number of 0 is the same as none. */
void profil_protobuf_number(struct protobuf *message, unsigned int field,
			    uint64_t number);
void profil_protobuf_numbers(struct protobuf *message, unsigned int field,
			     const uint64_t *numbers, size_t nr);
void profil_protobuf_string(struct protobuf *message, unsigned int field,
			    const char *string);

/* Add the message @part as a field, and free it. */
void profil_protobuf_message(struct protobuf *message, unsigned int field,
			     struct protobuf *part);
void profil_protobuf_free(struct protobuf *message);

/* Write @size bytes, compressed; equal bytes become equal files. */
void profil_export_gzip(FILE *out, const void *bytes, size_t size);

#endif
