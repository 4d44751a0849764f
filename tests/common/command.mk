# SPDX-License-Identifier: GPL-2.0-only
#
# Objects of the command for host tests, which many programs link. A Makefile that
# includes this file may set CFLAGS and
#
#	BUILD		directory of its programs
#
# before, and gets
#
#	SHARED		path of this directory
#	COMMAND		path of tools/profil
#	COMMAND_FLAGS	flags to compile a test with
#	SANITIZE	flags for the sanitizers
#	PLAIN		archive of all objects but that of main()
#	SANITIZED	the same, built with the sanitizers
#	CLANG		the same, built by clang with its sanitizers, for a fuzzer
#	PLAIN_MAIN	object of main()
#	SANITIZED_MAIN	the same, built with the sanitizers
#	CLANG_MAIN	the same, built by clang
#	PLAIN_PUSH	objects of profil-push, which has a main() of its own
#	SANITIZED_PUSH	the same, built with the sanitizers
#	CLANG_PUSH	the same, built by clang
#	COMMAND_LIBS	libraries to link last
#	CURL_LIBS	those of profil-push before them
#
# COMMAND_OBJECTS is the directory of the objects, which several Makefiles may
# share.

CFLAGS ?= -O2 -g
BUILD ?= build
SHARED := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
COMMAND ?= $(SHARED)/../../tools/profil
COMMAND_OBJECTS ?= $(BUILD)/objects

# The dependencies of an object are read in other directories, too.
command := $(abspath $(COMMAND))

COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror \
	-Wno-missing-field-initializers -I$(command) \
	-iquote $(abspath $(command)/..) \
	-I$(abspath $(command)/../../uapi)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
COMMAND_LIBS := -ldw -lelf -liberty -lm -lz -pthread
CURL_LIBS = $(shell pkg-config --libs libcurl)

# The disassembler, if it is installed
ifneq ($(shell pkg-config --exists capstone 2>/dev/null && echo yes),)
COMMAND_FLAGS += -DWITH_CAPSTONE
COMMAND_LIBS += -lcapstone
endif

command_names := $(patsubst $(command)/%.c,%,$(wildcard $(command)/*.c \
	$(command)/*/*.c))
push_names := $(filter push/%,$(command_names))
command_names := $(filter-out main push/%,$(command_names))

PLAIN := $(COMMAND_OBJECTS)/plain.a
SANITIZED := $(COMMAND_OBJECTS)/sanitized.a
PLAIN_MAIN := $(COMMAND_OBJECTS)/plain/main.o
SANITIZED_MAIN := $(COMMAND_OBJECTS)/sanitized/main.o
CLANG := $(COMMAND_OBJECTS)/clang.a
CLANG_MAIN := $(COMMAND_OBJECTS)/clang/main.o
PLAIN_PUSH := $(push_names:%=$(COMMAND_OBJECTS)/plain/%.o)
SANITIZED_PUSH := $(push_names:%=$(COMMAND_OBJECTS)/sanitized/%.o)
CLANG_PUSH := $(push_names:%=$(COMMAND_OBJECTS)/clang/%.o)

# $(call command_rules,DIRECTORY,SET,FLAGS): profil and profil-push in DIRECTORY, of the
# objects PLAIN, SANITIZED or CLANG, for eval
define command_rules
$(1)/profil: $($(2)_MAIN)
$(1)/profil-push: $($(2)_PUSH)
$(1)/profil $(1)/profil-push: $($(2)) Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $(3) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) \
		$$(if $$(filter %-push,$$@),$$(CURL_LIBS)) $$(COMMAND_LIBS)
endef

# A Makefile's own target all is the first.
all:

$(PLAIN): $(patsubst %,$(COMMAND_OBJECTS)/plain/%.o,$(command_names))
$(SANITIZED): $(patsubst %,$(COMMAND_OBJECTS)/sanitized/%.o,$(command_names))
$(CLANG): $(patsubst %,$(COMMAND_OBJECTS)/clang/%.o,$(command_names))
$(PLAIN) $(SANITIZED) $(CLANG):
	rm -f $@
	ar cr $@ $^

# With -O2 the compiler takes half as long again for these objects, and with all of -g a
# third. A sanitizer prints files and lines, which -g1 has.
$(COMMAND_OBJECTS)/sanitized/%: private COMMAND_FLAGS += $(SANITIZE) -DUNCONFINED -O1 -g1
$(COMMAND_OBJECTS)/clang/%: private CC := clang
$(COMMAND_OBJECTS)/clang/%: private COMMAND_FLAGS += $(SANITIZE) -DUNCONFINED -g1 \
	-fsanitize=fuzzer-no-link

define compile_command
@mkdir -p $(@D)
$(CC) $(CFLAGS) $(COMMAND_FLAGS) -MMD -MP -c -o $@ $<
endef

define compile_rules
$(COMMAND_OBJECTS)/$(1)/%.o: $(command)/%.c
	$$(compile_command)

$(COMMAND_OBJECTS)/$(1)/html/print.o: $(wildcard $(command)/html/print.c.*)
endef

$(foreach set,plain sanitized clang,$(eval $(call compile_rules,$(set))))

-include $(wildcard $(COMMAND_OBJECTS)/*/*.d $(COMMAND_OBJECTS)/*/*/*.d)
