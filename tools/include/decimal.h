/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers in paths of proc(5). snprintf() takes much stack, and signal handlers must
 * not call it.
 */
#ifndef PROFIL_LIB_DECIMAL_H
#define PROFIL_LIB_DECIMAL_H

#define DECIMAL_DIGITS 12

/* The number as text, at the end of @digits */
static inline const char *decimal(unsigned int number,
				  char digits[DECIMAL_DIGITS])
{
	char *first = digits + DECIMAL_DIGITS - 1;

	*first = '\0';
	do {
		*--first = '0' + number % 10;
		number /= 10;
	} while (number);
	return first;
}

#endif
