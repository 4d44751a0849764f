/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wrong arguments of a call, in the order of the driver's checks: each alone, and with each
 * later one, of which the earlier is reported.
 */
#ifndef PROFIL_TEST_FAULT_ORDER_H
#define PROFIL_TEST_FAULT_ORDER_H

#include "harness.h"

/**
 * struct fault - a wrong value at one place of an argument
 * @name: for messages
 * @at: offset of the place
 * @bytes: its size
 * @value: the value
 * @error: what the call reports
 * @early: the check is before that of a privilege
 */
struct fault {
	const char *name;
	size_t at;
	size_t bytes;
	__u64 value;
	int error;
	bool early;
};

#define FAULT_AT(type, member) \
	.at = offsetof(type, member), .bytes = sizeof(((type *)0)->member)

/* The machine is little-endian, see common.c. */
static inline void fault_apply(void *argument, const struct fault *fault)
{
	memcpy((char *)argument + fault->at, &fault->value, fault->bytes);
}

static inline bool faults_overlap(const struct fault *a, const struct fault *b)
{
	return a != b && a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

/*
 * Compare the results of @attempt on @fd, whose argument has both faults, with the errors.
 * @late is the error of the faults behind the check of a privilege, or 0 for that of each.
 */
static inline void
check_fault_order(int fd,
		  int (*attempt)(int fd, const struct fault *first,
				 const struct fault *second),
		  const struct fault *faults, size_t nr, int late)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t j = i; j < nr; j++) {
			int error = late && !faults[i].early ? late :
							       faults[i].error;

			if (faults_overlap(&faults[i], &faults[j]))
				continue;
			EXPECT_EQ(-error, attempt(fd, &faults[i], &faults[j]))
			{
				TH_LOG("faults: %s, %s", faults[i].name,
				       faults[j].name);
			}
		}
}

#endif /* PROFIL_TEST_FAULT_ORDER_H */
