// SPDX-License-Identifier: GPL-2.0-only
/* Assets: the assembler includes files whose names continue that of this one. */
#include "html/asset.h"

#define INCLUDE(symbol, suffix)                        \
	__asm__(".pushsection .rodata\n"               \
		".global " #symbol "\n" #symbol ":\n"  \
		".type " #symbol ", %object\n"         \
		".incbin \"" __FILE__ suffix "\"\n"    \
		".byte 0\n"                            \
		".size " #symbol ", . - " #symbol "\n" \
		".popsection\n")

INCLUDE(profil_html_style, ".css");
INCLUDE(profil_html_script, ".js");
