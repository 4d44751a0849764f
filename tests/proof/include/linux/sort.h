/* SPDX-License-Identifier: GPL-2.0-only */
/* <linux/sort.h> for a proof about a single region: a list of one is in order. */
#ifndef PROOF_LINUX_SORT_H
#define PROOF_LINUX_SORT_H

#include <linux/types.h>

#include "proof.h"

#define sort_r(base, num, size, cmp, swap, priv) \
	prove((num) <= 1 && (cmp), "no more than one region is sorted")

#endif /* PROOF_LINUX_SORT_H */
