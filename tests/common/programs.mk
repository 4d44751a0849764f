# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of the programs of host tests, for the end of a Makefile that includes
# command.mk and has set
#
#	PROGRAMS	tests, with the sanitizers
#	SANITIZED_TOOLS	further programs, with the sanitizers
#	PLAIN_TOOLS	those without
#
# The source of a test is NAME_test.c. The Makefile names further sources.

FLAGS = $(COMMAND_FLAGS) -I$(SHARED)
HEADERS := $(wildcard *.h $(SHARED)/*.h $(COMMAND)/*.h $(COMMAND)/*/*.h \
	$(COMMAND)/../include/*.h)

plain_programs := $(addprefix $(BUILD)/,$(PLAIN_TOOLS))
sanitized_programs := $(addprefix $(BUILD)/,$(PROGRAMS) $(SANITIZED_TOOLS))

all: $(plain_programs) $(sanitized_programs)

$(PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: %_test.c $(SHARED)/tap.c
$(plain_programs): $(PLAIN)
$(sanitized_programs): $(SANITIZED)
$(sanitized_programs): private COMMAND_FLAGS += $(SANITIZE)
$(plain_programs) $(sanitized_programs): $(HEADERS) Makefile | $(BUILD)
	$(CC) $(CFLAGS) $(FLAGS) -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) \
		$(COMMAND_LIBS)

include $(SHARED)/host.mk
