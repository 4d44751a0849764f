# SPDX-License-Identifier: GPL-2.0-only
#
# Targets of host tests: check, list, which prints the tests, and clean. For the end of a
# Makefile that has set
#
#	BUILD	directory of its programs, build by default
#	LIST	the tests, each a program or a script in BUILD that prints TAP
#
# and has a target all. A file of BUILD that no other rule makes is copied: from the
# Makefile's directory, from one of vpath, or a script from this one.

BUILD ?= build
vpath %.sh $(dir $(lastword $(MAKEFILE_LIST)))
vpath tap.py $(dir $(lastword $(MAKEFILE_LIST)))

$(BUILD):
	mkdir -p $@

$(BUILD)/%: % | $(BUILD)
	install -m 755 $< $@

list:
	@printf '%s\n' $(LIST)

check: all
	@failed=0; for test in $(LIST); do $$test || failed=1; done; exit $$failed

clean:
	rm -rf build

.PHONY: all list check clean
