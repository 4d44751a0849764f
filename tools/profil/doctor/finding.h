/* SPDX-License-Identifier: GPL-2.0-only */
/* Result of one check of the machine */
#ifndef PROFIL_FINDING_H
#define PROFIL_FINDING_H

#include <stdbool.h>

#define FINDING_TEXT 1024

/**
 * struct finding - result of a check
 * @is_wrong: profil does not work, or not wholly
 * @text: the state that was found
 * @mend: command that mends or changes the state; may be empty
 */
struct finding {
	bool is_wrong;
	char text[FINDING_TEXT];
	char mend[FINDING_TEXT];
};

/* Store a state in which profil works. */
__attribute__((format(printf, 2, 3))) void
profil_finding_good(struct finding *finding, const char *format, ...);

/* Store a state in which profil does not work. */
__attribute__((format(printf, 2, 3))) void
profil_finding_wrong(struct finding *finding, const char *format, ...);

/* Add to the command of @finding. */
__attribute__((format(printf, 2, 3))) void
profil_finding_mend(struct finding *finding, const char *format, ...);

#endif
