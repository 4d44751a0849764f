/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of each page: asset.c.css and asset.c.js */
#ifndef PROFIL_HTML_ASSET_H
#define PROFIL_HTML_ASSET_H

/* Hash of asset.c.js, by which the page permits this script and no other */
#define ASSET_SCRIPT_HASH "sha256-JliFL4wHHi8gDLKO8OmERW26NV7LTI3zWQGC1hIezxQ="

extern const char profil_html_style[];
extern const char profil_html_script[];

#endif
