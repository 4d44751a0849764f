// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbolize FILE PLACES: look up PLACES addresses, spread evenly over the code
 * of FILE, as `profil run` does for a profile, and print how many have a name.
 * The caller counts the instructions that this takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "elf/demangle.h"
#include "elf/symbols.h"

static void range_of_code(const struct boundaries *boundaries, __u64 *low,
			  __u64 *high)
{
	*low = UINT64_MAX;
	*high = 0;
	for (size_t i = 0; i + 1 < boundaries->nr; i++) {
		if (!boundaries->array[i].code)
			continue;
		if (boundaries->array[i].address < *low)
			*low = boundaries->array[i].address;
		*high = boundaries->array[i + 1].address;
	}
}

int main(int argc, char **argv)
{
	struct symbols *symbols;
	__u64 low, high;
	unsigned long places, named = 0;

	if (argc != 3)
		return 2;
	places = strtoul(argv[2], NULL, 10);
	symbols = profil_symbols_open(argv[1], NULL);
	profil_symbols_read(symbols);
	range_of_code(&symbols->boundaries, &low, &high);
	for (unsigned long i = 0; i < places; i++) {
		__u64 address = low + (high - low) / places * i;
		struct profile_function function =
			profil_symbols_function(symbols, address);
		char *name = profil_function_name(argv[1], &function);

		named += (function.name || *function.symbol) && *name;
		free(name);
	}
	printf("%lu\n", named);
	profil_symbols_close(symbols);
	return 0;
}
