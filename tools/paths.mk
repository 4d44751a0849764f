# SPDX-License-Identifier: GPL-2.0-only
# Directories of make install, to be included. Those below PREFIX=/usr are no place for
# the headers: the C library has a <sys/profil.h> there.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include$(if $(filter /usr /usr/,$(PREFIX)),/profil)

# A value with a space is several words for make, and for the shell.
$(foreach name,DESTDIR PREFIX LIBDIR INCLUDEDIR,$(if $(word 2,$($(name))),$(error \
	$(name)=$($(name)): a directory with a space in its name is not supported)))
