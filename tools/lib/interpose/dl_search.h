/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DL_SEARCH_H
#define PROFIL_LIB_DL_SEARCH_H

/**
 * struct opener - a deferred call of dlopen() or dlmopen()
 * @open: makes the call for a file
 * @mode: RTLD_* flags
 */
struct opener {
	void *(*open)(const struct opener *opener, const char *file, int mode);
	int mode;
};

/* Make the call for @file with the result that a call by @caller would have. */
void *profil_dl_search(const struct opener *opener, const char *file,
		       const void *caller);

#endif
