/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of gmon.out, which libprofil writes and `profil report` reads
 *
 * GNU's format: GMON_MAGIC, the version as 4 bytes, zeros up to
 * GMON_GNU_HEADER bytes, then records, each after a tag of 1 byte. 4.4BSD's: the
 * low and the high address, GMON_BSD_REST bytes of header, the bins of one
 * histogram, then arcs up to the end. An address is an unsigned long.
 */
#ifndef PROFIL_GMON_LAYOUT_H
#define PROFIL_GMON_LAYOUT_H

#define GMON_MAGIC "gmon"
#define GMON_MAGIC_SIZE 4
#define GMON_GNU_VERSION 1
#define GMON_GNU_HEADER 20

#define GMON_BSD_VERSION 0x00051879
/* Bytes of 4.4BSD's header after the addresses */
#define GMON_BSD_REST 24

/* Bytes of a bin, and of the unit's name in GNU's histogram */
#define GMON_BIN_SIZE 2
#define GMON_DIMENSION_SIZE 15

/* Tags of GNU's records */
enum gmon_tag { GMON_TAG_HIST, GMON_TAG_ARC, GMON_TAG_BLOCKS };

#endif
