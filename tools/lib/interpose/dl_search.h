/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DL_SEARCH_H
#define PROFIL_LIB_DL_SEARCH_H

/**
 * struct opener - a call of dlopen() or dlmopen() that is to be made
 * @open: makes it, for the file name that it is given
 * @mode: its RTLD_* flags
 */
struct opener {
	void *(*open)(const struct opener *opener, const char *file, int mode);
	int mode;
};

/* Make the call for @file as it would go if @caller had made it itself. */
void *profil_dl_search(const struct opener *opener, const char *file,
		       const void *caller);

#endif
