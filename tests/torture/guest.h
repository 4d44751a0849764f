/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guest of tests/qemu. Elsewhere the torture changes nothing but itself.
 */
#ifndef TORTURE_GUEST_H
#define TORTURE_GUEST_H

/* NULL in the guest, as root; else why operations on the machine are skipped */
const char *guest_missing(void);

#endif /* TORTURE_GUEST_H */
