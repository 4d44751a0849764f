// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorted symbols of a file
 *
 * libdwfl searches all symbols for each address. Here symbols are sorted once,
 * and one sweep over the addresses finds the symbol of each range of code, by
 * the preferences of libdwfl.
 */
#include <stdlib.h>

#include "elf/symtab.h"
#include "util/memory.h"

enum { BINDING_LOCAL, BINDING_WEAK, BINDING_GLOBAL };

static int binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return BINDING_LOCAL;
	case STB_WEAK:
		return BINDING_WEAK;
	}
	return BINDING_GLOBAL;
}

/* @symbol names an address of the file. */
static bool has_address(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	}
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
}

static void add(struct symtab *symtab, struct symbol symbol)
{
	if (symtab->nr == symtab->room) {
		symtab->room = symtab->room ? 2 * symtab->room : 256;
		symtab->array = profil_grow(symtab->array, symtab->room,
					    sizeof(*symtab->array));
	}
	symtab->array[symtab->nr++] = symbol;
}

/* A size beyond the last address is ignored. */
static uint64_t end_of(uint64_t address, uint64_t size)
{
	return size > UINT64_MAX - address ? address : address + size;
}

void profil_symtab_read(struct symtab *symtab, Dwfl_Module *module,
			GElf_Addr bias)
{
	int nr = module ? dwfl_module_getsymtab(module) : 0;

	for (int i = 0; i < nr; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name;

		name = dwfl_module_getsym_info(module, i, &symbol, &address,
					       NULL, NULL, NULL);
		if (!name || !*name || !has_address(&symbol))
			continue;
		address -= bias;
		add(symtab, (struct symbol){
				    .address = address,
				    .end = end_of(address, symbol.st_size),
				    .name = name,
				    .binding = binding_of(&symbol),
			    });
	}
}

/*
 * Symbols of one address are sorted by rising preference: the stronger, then the
 * shorter, then the first in the file, whose name has the lower address.
 */
static int by_preference(const void *a, const void *b)
{
	const struct symbol *one = a;
	const struct symbol *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	if (one->binding != other->binding)
		return one->binding < other->binding ? -1 : 1;
	if (one->end != other->end)
		return one->end > other->end ? -1 : 1;
	return (one->name < other->name) - (one->name > other->name);
}

void profil_symtab_sort(struct symtab *symtab)
{
	if (symtab->nr)
		qsort(symtab->array, symtab->nr, sizeof(*symtab->array),
		      by_preference);
}

void profil_symtab_free(struct symtab *symtab)
{
	free(symtab->array);
}

void profil_sweep_begin(struct sweep *sweep, const struct symtab *symtab)
{
	*sweep = (struct sweep){ .symtab = symtab };
	for (int i = 0; i < 2; i++)
		sweep->open[i] = profil_grow(NULL, symtab->nr + 1,
					     sizeof(*sweep->open[i]));
}

void profil_sweep_end(struct sweep *sweep)
{
	for (int i = 0; i < 2; i++)
		free(sweep->open[i]);
}

static void reach(struct sweep *sweep, const struct symbol *symbol)
{
	int kind = symbol->binding != BINDING_LOCAL;

	if (symbol->end > symbol->address)
		sweep->open[kind][sweep->nr_open[kind]++] = symbol;
	else
		sweep->label = symbol;
	if (symbol->end > sweep->covered)
		sweep->covered = symbol->end;
}

/* Innermost symbol of @kind that ends above @address */
static const struct symbol *innermost(struct sweep *sweep, int kind,
				      uint64_t address)
{
	const struct symbol **open = sweep->open[kind];

	while (sweep->nr_open[kind] &&
	       open[sweep->nr_open[kind] - 1]->end <= address)
		sweep->nr_open[kind]--;
	return sweep->nr_open[kind] ? open[sweep->nr_open[kind] - 1] : NULL;
}

const struct symbol *profil_sweep_to(struct sweep *sweep, uint64_t address,
				     bool bounds)
{
	const struct symtab *symtab = sweep->symtab;
	const struct symbol *symbol;

	if (bounds)
		sweep->label = NULL;
	while (sweep->next < symtab->nr &&
	       symtab->array[sweep->next].address <= address)
		reach(sweep, &symtab->array[sweep->next++]);
	symbol = innermost(sweep, 1, address);
	if (!symbol)
		symbol = innermost(sweep, 0, address);
	if (!symbol && sweep->label && sweep->label->address >= sweep->covered)
		symbol = sweep->label;
	return symbol;
}
