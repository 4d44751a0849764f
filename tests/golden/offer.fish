#!/usr/bin/fish -N
# SPDX-License-Identifier: GPL-2.0-only
#
# offer.fish LINE
#
# Prints the words that the completion for fish offers at the end of LINE.

source (status dirname)/profil.fish
complete -C "$argv[1]" | string replace -r '\t.*' ''
exit 0
