# SPDX-License-Identifier: GPL-2.0-only
#
# make [KDIR=headers]	profil.ko, tools/lib/libprofil.so.1, tools/profil/profil
# make help		all targets

include tools/paths.mk
export PREFIX DESTDIR

# What Kbuild has no part in is made in any directory. make clean leaves Kbuild out there.
spaced := $(word 2,$(CURDIR))$(findstring :,$(CURDIR))
ifneq ($(and $(spaced),$(or $(filter-out tools lib command install-tools \
	uninstall clean help,$(MAKECMDGOALS)),$(if $(MAKECMDGOALS),,all))),)
$(error $(CURDIR): Kbuild builds in no directory with a space or a colon in its path)
endif

KREL := $(shell uname -r)
headers := $(wildcard /lib/modules/$(KREL)/build/Makefile)
ifeq ($(headers),)
headers := $(shell printf '%s\n' $(wildcard /lib/modules/*/build/Makefile) | \
	sort -V | tail -n 1)
endif
KDIR ?= $(patsubst %/Makefile,%,$(headers))

# Headers with a vmlinux enable BTF for modules, which needs pahole.
no_btf := $(if $(shell command -v pahole),,CONFIG_DEBUG_INFO_BTF_MODULES=)
kbuild = -C $(KDIR) M=$(CURDIR) $(no_btf)

# The modules' directory is named by the kernel's UTS release. Debian's
# kernel.release has another name.
utsrelease := $(KDIR)/include/generated/utsrelease.h
release = $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' $(utsrelease))

# Any kernel loads an uncompressed module. Headers of a distribution enable
# module signing, but have no key.
key = $(shell sed -n 's/^CONFIG_MODULE_SIG_KEY="\(.*\)"/\1/p' $(KDIR)/.config)
has_key = $(filter pkcs11:%,$(key))$(if $(key),$(wildcard $(KDIR)/$(key) $(key)))
INSTALL_MODULE = INSTALL_MOD_DIR=updates CONFIG_MODULE_COMPRESS_ALL= \
	CONFIG_MODULE_COMPRESS_GZIP= CONFIG_MODULE_COMPRESS_XZ= \
	CONFIG_MODULE_COMPRESS_ZSTD= $(if $(has_key),,CONFIG_MODULE_SIG_ALL=)

VERSION := $(shell sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' src/main.c)
DKMS_SOURCE = $(DESTDIR)/usr/src/profil-$(VERSION)
# DKMS reads the output of its own make, which must not inherit these variables.
dkms := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dkms
dkms_remove = $(if $(DESTDIR),,test ! -e /var/lib/dkms/profil/$(VERSION) || \
	$(dkms) remove profil/$(VERSION) --all)
# The module is loaded at boot: /dev/profil has no number of its own, by which the
# first program that opens it could load it.
BOOT = $(DESTDIR)/usr/lib/modules-load.d/profil.conf
install_boot = install -D -m 644 packaging/modules-load.conf $(BOOT)
PAGES := $(notdir $(wildcard Documentation/man/*.[1-9]*))
# The page x.5profil is installed in man5.
man := $(DESTDIR)$(PREFIX)/share/man
man_dir = $(man)/man$(shell printf %.1s $(patsubst .%,%,$(suffix $(1))))

# The service that records the machine names the command by its path.
UNIT = $(DESTDIR)$(PREFIX)/lib/systemd/system/profil.service
PRESET = $(DESTDIR)$(PREFIX)/lib/systemd/system-preset/80-profil.preset
TMPFILES = $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/profil.conf
SERVICE = $(UNIT) $(PRESET) $(TMPFILES)

# Missing programs and headers are reported before the build.
goals := $(or $(MAKECMDGOALS),all)
to_build := $(filter all tools lib command install install-tools install-dkms,\
	$(goals))
to_install := $(filter install,$(goals))
NEEDS := $(if $(to_build),compiler) \
	$(if $(filter-out lib,$(to_build)),libdw libiberty zlib) \
	$(if $(filter all module install install-dkms,$(goals)),headers) \
	$(if $(DESTDIR),,$(if $(to_install),kmod)) \
	$(if $(filter install-dkms,$(goals)),dkms) \
	$(if $(filter dist deb,$(goals)),$(if $(wildcard .git),git)) \
	$(if $(filter deb,$(goals)),dpkg)

all: tools module

tools: lib command

have: export CC := $(CC)
have: export KDIR := $(KDIR)
have: export KREL := $(KREL)
have:
	@tools/needs $(NEEDS)

module: | have
	$(MAKE) $(kbuild) modules

lib: | have
	$(MAKE) -C tools/lib

command: lib | have
	$(MAKE) -C tools/profil

# On a real machine: make && sudo make install && sudo modprobe profil
install: install-tools module
	$(dkms_remove)
	rm -f $(DESTDIR)/lib/modules/$(release)/updates/profil.ko*
	$(MAKE) $(kbuild) KERNELRELEASE=$(release) INSTALL_MOD_PATH=$(DESTDIR) \
		$(INSTALL_MODULE) modules_install
	$(install_boot)
	$(if $(DESTDIR),,depmod -a $(release))
	@$(if $(DESTDIR),,test $(release) = $(KREL) || echo "note: profil.ko is \
	installed for Linux $(release), and Linux $(KREL) is running: 'profil \
	doctor' names the remedy")

# Without the module: the library, the command, its service, which is not enabled, and
# the manual pages
install-tools: tools
	$(MAKE) -C tools/lib install
	$(MAKE) -C tools/profil install
	$(foreach page,$(PAGES),install -D -m 644 Documentation/man/$(page) \
		$(call man_dir,$(page))/$(page) &&) true
	install -D -m 644 packaging/profil.service $(UNIT)
	sed -i 's,/usr/bin/,$(PREFIX)/bin/,' $(UNIT)
	install -D -m 644 packaging/profil.preset $(PRESET)
	install -D -m 644 packaging/tmpfiles.conf $(TMPFILES)
	$(if $(DESTDIR),,ldconfig)

# DKMS builds the module again for each new kernel. DKMS does not replace an
# installed module, so that is removed first.
install-dkms: install-tools
	$(if $(DESTDIR),,$(MAKE) uninstall-module)
	$(MAKE) dkms-source
	$(if $(DESTDIR),,$(dkms) add profil/$(VERSION))
	$(if $(DESTDIR),,$(dkms) install profil/$(VERSION) -k $(release))

# The sources of the module, for DKMS or for a package that contains them
dkms-source:
	rm -rf $(DKMS_SOURCE)
	install -d $(DKMS_SOURCE)
	cp -r Kbuild Makefile LICENSE LICENSES dkms.conf $(DKMS_SOURCE)
	for file in $$(find src uapi -name '*.[ch]'); do \
		install -D -m 644 $$file $(DKMS_SOURCE)/$$file || exit 1; done
	install -D tools/needs $(DKMS_SOURCE)/tools/needs
	install -D -m 644 tools/paths.mk $(DKMS_SOURCE)/tools/paths.mk
	$(install_boot)

# Remove the files of install, install-tools and install-dkms
uninstall: uninstall-module
	$(MAKE) -C tools/lib uninstall
	$(MAKE) -C tools/profil uninstall
	rm -f $(foreach page,$(PAGES),$(call man_dir,$(page))/$(page)) $(SERVICE)
	for directory in $(sort $(foreach page,$(PAGES),$(call man_dir,$(page)))) \
		$(dir $(SERVICE)) $(DESTDIR)$(PREFIX)/lib/systemd; do \
		test ! -d $$directory || \
		rmdir --ignore-fail-on-non-empty $$directory || exit 1; done
	$(if $(DESTDIR),,ldconfig)

uninstall-module:
	$(dkms_remove)
	rm -rf $(DKMS_SOURCE)
	for file in $(DESTDIR)/lib/modules/*/updates/profil.ko*; do \
		test -e "$$file" || continue; \
		rm "$$file" || exit 1; \
		rmdir --ignore-fail-on-non-empty "$${file%/*}"; \
		release=$${file%/updates/*}; \
		$(if $(DESTDIR),:,depmod -a) "$${release##*/}"; done
	rm -f $(BOOT)
	test ! -d $(dir $(BOOT)) || \
		rmdir --ignore-fail-on-non-empty $(dir $(BOOT))

# The sources of the last commit: the same bytes for the same commit. An unpacked
# tarball has no commit, and is packed again without what was built in it.
DIST = profil-$(VERSION)
in_git := $(wildcard .git)

ifneq ($(in_git),)
dist: | have
	git archive --format=tar --prefix=$(DIST)/ -o $(DIST).tar HEAD
	gzip -9 -n -f $(DIST).tar
else
dist:
	$(MAKE) KDIR= clean
	tar --sort=name --owner=root:0 --group=root:0 --exclude='./$(DIST).tar*' \
		--transform='s,^\.,$(DIST),' -cf $(DIST).tar .
	gzip -9 -n -f $(DIST).tar
endif

# Debian's packages of these sources, in ../
deb: dist
	packaging/build-deb $(DIST).tar.gz ..

setup:
	@tests/setup

demo:
	@tests/setup demo
	@examples/run-demo

# Compiles SQLite, records it in a virtual machine, compiles it again with the
# profile, and prints how much faster it is.
pgo:
	@tests/setup pgo
	@examples/pgo/run

# The groups are described in tests/check.
CHECK_GROUPS ?= stock

check: setup
	@tests/check $(CHECK_GROUPS)

# KERNELS are names as in tests/qemu/lib.sh, by default all that are in Debian.
# TESTS is all or smoke, by default smoke on arm64 only. The makefiles of the tests
# have a TESTS of their own, which that of a command line would replace.
check-kernels: setup
	@env -u MAKEFLAGS tests/kernels $(TESTS:%=-t %) $(KERNELS)

check-builds: setup
	@tests/check kernels

# The kernel without dynamic ftrace is built, as that with the checkers is.
check-machines:
	@tests/setup machines
	@tests/check machines noftrace armhf

check-debug: setup
	@tests/check debug

check-kcsan: setup
	@tests/check kcsan

check-rt: setup
	@tests/check rt

# The packages are large: compilers and tools that read exported files.
check-consumers:
	@tests/setup consumers
	@tests/check consumers

# The two tools come from later releases of Debian, and are not installed.
check-proof:
	@tests/setup proof
	@tests/check proof

# Runs as root, in directories of the cache, and downloads Debian's packages.
check-install:
	@tests/setup install
	@tests/check install

# All tests that a release has to pass, hours
check-release:
	@tests/release

# Prints a table of the cost of profiling, and writes
# Documentation/performance.md.
bench:
	@tests/setup bench
	@tests/bench/run

# T seconds on KERNEL: 6.12, 6.1, debug, kcsan or rt. SEED repeats a failure.
T ?= 600
KERNEL ?= 6.12
# A kernel with checkers has to report deliberate defects first.
show_checkers = $(if $(filter debug kcsan rt,$(KERNEL)),tests/checkers/run $(KERNEL))

torture: setup
	@$(show_checkers)
	@KERNEL=$(KERNEL) tests/torture/run $(T) $(SEED)

# The account of N samples. Four nanoseconds of each instruction of the guest let
# most of them be those of samples.
account: N = 100000000
account: setup
	@tests/qemu/run -k $(KERNEL) -c -n 2 -t $$(($(N) / 2000 + 1200)) -- \
		/tooltests/account $(N) $(SEED)

# The fuzzer is guided by the places of the driver that it reaches.
fuzz: KERNEL = debug
fuzz: setup
	@$(show_checkers)
	@KERNEL=$(KERNEL) tests/fuzz/run $(T) $(SEED)

# Branch coverage of src/ by all tests of the driver, some twenty minutes
coverage: setup
	@tests/coverage/run

# ONLY: src, lib, command, or names of mutants in tests/mutants
mutants: setup
	@tests/mutants/run $(ONLY)

shell: setup
	@tests/qemu/run -i

clean-module:
	$(if $(spaced),,$(if $(KDIR),-$(MAKE) $(kbuild) clean))

clean: clean-module
	$(MAKE) -C tools/lib clean
	$(MAKE) -C tools/profil clean
	$(MAKE) -C examples clean
	rm -rf examples/pgo/build
	for makefile in $(filter-out tests/headers/%,$(wildcard tests/*/Makefile \
			tests/*/*/Makefile)); do \
		$(MAKE) -C $${makefile%/Makefile} clean || exit; \
	done

help:
	@echo 'make [KDIR=headers]   build the module, the library and the command'
	@echo 'make install          [PREFIX=/usr/local] [DESTDIR=], as root'
	@echo 'make install-tools    install all but the module'
	@echo 'make install-dkms     install all, with the module by DKMS'
	@echo 'make uninstall        remove all installed files'
	@echo 'make dist             make a tarball of the last commit'
	@echo 'make deb              build Debian packages of the last commit'
	@echo 'make demo             profile real programs in a virtual machine'
	@echo 'make pgo              make SQLite faster with its profile, and measure it'
	@echo 'make check            run unit tests, static checks, and all tests'
	@echo '                      on Debian'\''s kernel 6.12'
	@echo 'make check-builds     test the driver on Linux 6.1, and other clocks on 6.12'
	@echo 'make check-kernels    [KERNELS="6.1 6.12-arm64 ..."] [TESTS=all|smoke]: test'
	@echo '                      the driver on each of Debian'\''s kernels, and write'
	@echo '                      Documentation/kernels.md'
	@echo 'make check-machines   test isolated CPUs, suspending, 32-bit programs, and the'
	@echo '                      driver on a kernel without dynamic ftrace'
	@echo 'make check-debug      test the driver on a kernel with its checkers on'
	@echo 'make check-kcsan      test the driver with the data race detector'
	@echo 'make check-rt         test the driver on PREEMPT_RT'
	@echo 'make check-consumers  test exported files and pages with other tools'
	@echo 'make check-proof      prove the arithmetic, regions, counters, ring, slots'
	@echo 'make check-install    test the installation on fresh Debian 12 and 13'
	@echo 'make check-release    all tests, and the torture, the fuzzer, the account and'
	@echo '                      the coverage below, with a line of figures for each'
	@echo 'make bench            measure the cost of samples and sessions'
	@echo 'make torture          [T=600] [SEED=n] [KERNEL=6.12] do everything at once'
	@echo '                      to sessions and to their memory, at random'
	@echo 'make account          [N=100000000] [SEED=n] [KERNEL=6.12] take N samples,'
	@echo '                      and account for each'
	@echo 'make fuzz             [T=600] [SEED=n] [KERNEL=debug] call the driver with'
	@echo '                      arguments that are chosen by what they reach'
	@echo 'make coverage         print the branch coverage of the driver by its tests'
	@echo 'make mutants          [ONLY=src|lib|command|NAME] change the sources by one'
	@echo '                      defect at a time, and print which test fails'
	@echo 'make shell            open a prompt in a virtual machine'
	@echo 'make setup            install the Debian packages for these targets'

.PHONY: all tools have module lib command install install-tools install-dkms \
	uninstall uninstall-module dkms-source dist deb setup demo pgo bench \
	check check-kernels check-builds check-machines check-debug check-kcsan check-rt \
	check-consumers check-proof check-install check-release torture account fuzz coverage \
	mutants shell clean-module clean help
