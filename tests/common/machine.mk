# SPDX-License-Identifier: GPL-2.0-only
#
# X86_64 is not empty if the compiler is for that processor, MUSL is the compiler
# for musl, if it is there.

X86_64 := $(filter x86_64-%,$(shell $(CC) -dumpmachine))
MUSL := $(and $(X86_64),$(shell command -v musl-gcc))
