/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of each page: asset.c.css and asset.c.js */
#ifndef PROFIL_HTML_ASSET_H
#define PROFIL_HTML_ASSET_H

/* Hash of asset.c.js, by which the page permits this script and no other */
#define ASSET_SCRIPT_HASH "sha256-96vhhyLth8+n959eRq/mHKvj91y5c+j11efZVABzZY8="

extern const char profil_html_style[];
extern const char profil_html_script[];

#endif
