// SPDX-License-Identifier: GPL-2.0-only
/* Messages in the encoding of Protocol Buffers */
#include "export/protobuf.h"

/* Types of fields: a number of variable length, eight bytes, and bytes after their number */
#define NUMBER 0
#define FIXED 1
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

void profil_protobuf_bytes(struct protobuf *message, unsigned int field,
			   const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	add_number(message, field << 3 | BYTES);
	add_number(message, size);
	for (size_t i = 0; i < size; i++)
		add_byte(message, from[i]);
}

void profil_protobuf_string(struct protobuf *message, unsigned int field,
			    const char *text)
{
	profil_protobuf_bytes(message, field, text, strlen(text));
}

void profil_protobuf_number(struct protobuf *message, unsigned int field,
			    uint64_t number)
{
	if (!number)
		return;
	add_number(message, field << 3 | NUMBER);
	add_number(message, number);
}

void profil_protobuf_fixed(struct protobuf *message, unsigned int field,
			   uint64_t number)
{
	if (!number)
		return;
	add_number(message, field << 3 | FIXED);
	for (unsigned int i = 0; i < sizeof(number); i++)
		add_byte(message, number >> 8 * i);
}

void profil_protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){ 0 };
}

void profil_protobuf_message(struct protobuf *message, unsigned int field,
			     struct protobuf *part)
{
	profil_protobuf_bytes(message, field, part->bytes, part->size);
	profil_protobuf_free(part);
}

void profil_protobuf_numbers(struct protobuf *message, unsigned int field,
			     const uint64_t *numbers, size_t nr)
{
	struct protobuf packed = { 0 };

	for (size_t i = 0; i < nr; i++)
		add_number(&packed, numbers[i]);
	profil_protobuf_message(message, field, &packed);
}
