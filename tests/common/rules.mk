# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of the tests that run as root in a guest: all builds them in OUTPUT, list and
# list-counting print their names. For a Makefile that has set
#
#	TESTS		the tests, each a program or a script that prints TAP
#	COUNTING	the tests that compare numbers of samples with those due, on
#			a machine that counts instructions: see machine_counts()
#	TOOLS		programs that the tests run
#	LIBRARIES	shared objects that the tests load, with rules there
#	HELPERS		scripts that the tests source
#
# and adds the sources of each program as prerequisites, and its flags in LAST.

OUTPUT ?= build
TOP := ../..
LIB := $(TOP)/tools/lib
SELFTESTS := ../selftests/profil
COMMON := $(SELFTESTS)/common.c

CFLAGS ?= -O2 -g
FLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -pthread \
	-I$(TOP)/include -I$(TOP)/uapi -I../common -I$(SELFTESTS) \
	-I$(SELFTESTS)/helpers -I.

SCRIPTS := $(sort $(filter %.sh,$(TESTS) $(COUNTING))) $(HELPERS)
PROGRAMS := $(sort $(filter-out %.sh,$(TESTS) $(COUNTING)) $(TOOLS))
HEADERS := $(wildcard *.h */*.h ../common/*.h $(LIB)/gprof/mcount/*.h \
	$(TOP)/include/*/*.h $(TOP)/uapi/*/*.h $(SELFTESTS)/common.h \
	$(SELFTESTS)/helpers/*.h)

vpath %.c ../common $(SELFTESTS) $(SELFTESTS)/helpers
vpath %.sh ../common

all: $(addprefix $(OUTPUT)/,$(SCRIPTS) $(PROGRAMS) $(LIBRARIES))

$(addprefix $(OUTPUT)/,$(PROGRAMS)): $(HEADERS) $(MAKEFILE_LIST) | $(OUTPUT)
	$(CC) $(CFLAGS) $(FLAGS) -o $@ $(filter %.c,$^) $(LAST)

$(addprefix $(OUTPUT)/,$(SCRIPTS)): $(OUTPUT)/%.sh: %.sh | $(OUTPUT)
	install -m 755 $< $@

$(OUTPUT):
	mkdir -p $@

# The library is built by its own Makefile.
$(LIB)/libprofil.so $(LIB)/libprofil.a:
	$(MAKE) -C $(LIB)

list:
	@printf '%s\n' $(TESTS)

list-counting:
	@for test in $(COUNTING); do echo $$test; done

clean:
	rm -rf build

FORCE:
.PHONY: all list list-counting clean FORCE
