/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls as data: the argument, the list of regions, and their fields */
#ifndef FUZZ_FIELDS_H
#define FUZZ_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/profil.h>

#define REGIONS_MAX 3
#define ARGUMENT_BYTES 128

/**
 * struct request - an argument of a call, and the list that it names
 * @command: the ioctl
 * @at: address of the argument
 * @start: the argument of START
 * @stats: that of STATS and STOP
 * @version: that of VERSION
 * @attach: that of ATTACH
 * @bytes: the argument and what is behind it
 * @regions: the list of regions, repeated up to the number in @start
 */
struct request {
	__u64 command;
	__u64 at;
	union {
		struct profil_start start;
		struct profil_stats stats;
		struct profil_version version;
		struct profil_attach attach;
		char bytes[ARGUMENT_BYTES];
	};
	struct profil_region regions[REGIONS_MAX];
};

/**
 * struct field - a field of a request
 * @name: as in linux/profil.h
 * @at: bytes from the beginning of the request
 * @bytes: 4 or 8
 * @is_address: the field has to be harmless, see memory.h
 * @is_out: the driver writes the field, and ignores what it was
 */
struct field {
	const char *name;
	size_t at;
	unsigned int bytes;
	bool is_address;
	bool is_out;
};

/*
 * The fields of a command: those of its structure, those that are only out
 * included, what lies behind it, and its address; for START also those of two
 * regions
 */
const struct field *fields_of(unsigned long command, unsigned int *nr);

/*
 * True if each byte of the command's structure in linux/profil.h, and for START
 * of two regions, is in one of its fields.
 */
bool fields_are_complete(unsigned long command);

__u64 field_get(const struct request *request, const struct field *field);
void field_set(struct request *request, const struct field *field, __u64 value);

/* Boundary values: sizes, limits, addresses, and their neighbours */
extern const __u64 boundary_values[];
extern const unsigned int nr_boundary_values;

/*
 * A valid request over the arena. Counters of the two descriptors lie apart, and
 * ATTACH names the peer of the same number.
 */
void request_init(struct request *request, unsigned int device,
		  unsigned long command);

/* Write the request to the arena, as far as that has memory. */
void request_place(const struct request *request);

#endif /* FUZZ_FIELDS_H */
