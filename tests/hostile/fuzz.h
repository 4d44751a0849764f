/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The function that libFuzzer calls with each input */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The functions by which the linker replaces exit() and posix_spawnp() */
void __wrap_exit(int status) __attribute__((noreturn));
void __real_exit(int status) __attribute__((noreturn));
int __wrap_posix_spawnp(void);

#endif
