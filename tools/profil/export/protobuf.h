/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages in the encoding of Protocol Buffers */
#ifndef PROFIL_PROTOBUF_H
#define PROFIL_PROTOBUF_H

#include "util/base.h"

/* A message, by the fields that have been added */
struct protobuf {
	uint8_t *bytes;
	size_t size;
};

/* Add a field of bytes. */
void profil_protobuf_bytes(struct protobuf *message, unsigned int field,
			   const void *bytes, size_t size);
void profil_protobuf_string(struct protobuf *message, unsigned int field,
			    const char *text);

/* Add a field; a number of 0 is the same as none. */
void profil_protobuf_number(struct protobuf *message, unsigned int field,
			    uint64_t number);

/* The same for a field of eight bytes */
void profil_protobuf_fixed(struct protobuf *message, unsigned int field,
			   uint64_t number);

/* Add the message @part as a field, and free it. */
void profil_protobuf_message(struct protobuf *message, unsigned int field,
			     struct protobuf *part);

/* Add @nr numbers as one field. */
void profil_protobuf_numbers(struct protobuf *message, unsigned int field,
			     const uint64_t *numbers, size_t nr);
void profil_protobuf_free(struct protobuf *message);

#endif
