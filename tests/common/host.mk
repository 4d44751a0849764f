# SPDX-License-Identifier: GPL-2.0-only
#
# Targets of host tests, for the end of a Makefile that has set
#
#	BUILD	directory of its programs
#	LIST	the tests, each a program or a script in BUILD that prints TAP
#
# and has a target all.

$(BUILD):
	mkdir -p $@

list:
	@printf '%s\n' $(LIST)

check: all
	@failed=0; for test in $(LIST); do $$test || failed=1; done; exit $$failed

clean:
	rm -rf build

.PHONY: all list check clean
