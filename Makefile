# SPDX-License-Identifier: GPL-2.0-only
#
# make [KDIR=headers]	profil.ko, tools/lib/libprofil.so.1, tools/profil/profil
# make help		all targets

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

KREL := $(shell uname -r)
headers := $(wildcard /lib/modules/$(KREL)/build/Makefile)
ifeq ($(headers),)
headers := $(shell printf '%s\n' $(wildcard /lib/modules/*/build/Makefile) | \
	sort -V | tail -n 1)
endif
KDIR ?= $(patsubst %/Makefile,%,$(headers))

# Headers that come with a vmlinux ask for type information, which takes pahole.
no_btf := $(if $(shell command -v pahole),,CONFIG_DEBUG_INFO_BTF_MODULES=)
kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR) $(no_btf)

all: lib command module

module: have-headers
	$(kbuild) modules

have-headers:
	@test -n "$(KDIR)" || { \
	echo "profil.ko needs the headers of a kernel, and none are installed:" \
	"install linux-headers-$(KREL) (or linux-headers-amd64), or say" \
	"make KDIR=<headers>." >&2; exit 1; }
	@test -f "$(KDIR)/Makefile" || { \
	echo "KDIR=$(KDIR) holds no kernel headers: name the folder that" \
	"/lib/modules/<version>/build points to." >&2; exit 1; }

lib:
	$(MAKE) -C tools/lib

command: lib
	$(MAKE) -C tools/profil

# On a real machine: make && sudo make install && sudo modprobe profil
install: all
	$(kbuild) INSTALL_MOD_PATH=$(DESTDIR) modules_install
	$(if $(DESTDIR),,depmod -a $$(cat $(KDIR)/include/config/kernel.release))
	$(MAKE) -C tools/lib install
	$(MAKE) -C tools/profil install
	for page in Documentation/man/*.[1-9]*; do \
		section=$${page##*.}; \
		install -D -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$$(\
		printf %.1s $$section)/$${page##*/} || exit 1; done
	$(if $(DESTDIR),,ldconfig)

setup:
	@tests/setup

demo:
	@tests/setup demo
	@examples/run-demo

# What to check: tests/check says which groups there are.
CHECK_GROUPS ?= stock

check: setup
	@tests/check $(CHECK_GROUPS)

check-debug: setup
	@tests/check debug

check-kcsan: setup
	@tests/check kcsan

check-rt: setup
	@tests/check rt

# What profiling costs: prints a table, and writes Documentation/performance.md.
bench:
	@tests/setup bench
	@tests/bench/run

shell: setup
	@tests/qemu/run -i

clean:
	$(if $(KDIR),-$(kbuild) clean)
	$(MAKE) -C tools/lib clean
	$(MAKE) -C tools/profil clean
	$(MAKE) -C examples clean
	$(MAKE) -C tests/unit clean
	$(MAKE) -C tests/report clean
	$(MAKE) -C tests/arm64 clean
	$(MAKE) -C tests/selftests/profil clean
	$(MAKE) -C tests/tools clean
	$(MAKE) -C tests/bench clean

help:
	@echo 'make [KDIR=headers]   build the module, the library and the command'
	@echo 'make install          [PREFIX=/usr/local] [DESTDIR=], as root'
	@echo 'make demo             profile real programs in a virtual machine'
	@echo 'make check            unit tests, static checks, and the kselftests'
	@echo '                      on stock 6.1 and 6.12 kernels'
	@echo 'make check-debug      the kselftests on a kernel with its checkers on'
	@echo 'make check-kcsan      the same with the data race detector'
	@echo 'make check-rt         the same on PREEMPT_RT'
	@echo 'make bench            measure what a sample and all the rest costs'
	@echo 'make shell            a prompt in a virtual machine with all of it'
	@echo 'make setup            install the Debian packages that these need'

.PHONY: all module have-headers lib command install setup demo bench \
	check check-debug check-kcsan check-rt shell clean help
