/* SPDX-License-Identifier: GPL-2.0-only */
/* Sample profile of LLVM, as text, for clang -fprofile-sample-use */
#ifndef PROFIL_EXPORT_LLVM_H
#define PROFIL_EXPORT_LLVM_H

#include "export/format.h"

enum export_error profil_export_llvm_check(const struct profile *profile);
enum export_error profil_export_llvm(const struct profile *profile, FILE *out);

/* Samples in functions with source lines */
uint64_t profil_export_llvm_samples(const struct profile *profile);

#endif
