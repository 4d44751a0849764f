# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of the programs of host tests, for the end of a Makefile that includes
# command.mk and has set
#
#	BOTH		names of tests, which are built plain and with the sanitizers
#	PLAIN_TOOLS	further programs
#	SANITIZED_TOOLS	those with the sanitizers
#
# The source of a test is NAME_test.c, and $(call both,NAME) its two programs. The
# Makefile names further sources.

FLAGS = $(COMMAND_FLAGS) -I$(SHARED)
HEADERS := $(wildcard *.h $(SHARED)/*.h $(COMMAND)/*.h $(COMMAND)/*/*.h \
	$(COMMAND)/../include/*.h)

plain_programs := $(addprefix $(BUILD)/,$(BOTH) $(PLAIN_TOOLS))
sanitized_programs := $(addprefix $(BUILD)/,$(BOTH:%=%-sanitized) $(SANITIZED_TOOLS))

all: $(plain_programs) $(sanitized_programs)

$(foreach name,$(BOTH),$(eval $(call both,$(name)): $(name)_test.c $(SHARED)/tap.c))
$(plain_programs): $(PLAIN)
$(sanitized_programs): $(SANITIZED)
$(sanitized_programs): private COMMAND_FLAGS += $(SANITIZE)
$(plain_programs) $(sanitized_programs): $(HEADERS) Makefile | $(BUILD)
	$(CC) $(CFLAGS) $(FLAGS) -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) \
		$(COMMAND_LIBS)

include $(SHARED)/host.mk
