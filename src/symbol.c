// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "symbol.h"

/*
 * The kernel's text of a symbol is "function+0xOFFSET/0xSIZE [module]"; of an
 * address without a symbol it is the address, which is not for users.
 */
void profil_symbol_find(struct profil_symbol *symbol)
{
	unsigned long pc = SYMBOL_BASE + (s32)symbol->offset;
	char text[KSYM_SYMBOL_LEN], module[KSYM_NAME_LEN] = "";
	unsigned long offset = 0;
	char *plus;

	symbol->start = symbol->offset;
	symbol->name[0] = 0;
	if ((s32)symbol->offset == S32_MIN)
		return;
	sprint_symbol(text, pc);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+%lx", &offset) != 1)
		return;
	symbol->start = symbol->offset - offset;
	if (strchr(plus, '['))
		strscpy(module, strchr(plus, '[') - 1, sizeof(module));
	*plus = 0;
	strscpy(symbol->name, text, sizeof(symbol->name));
	strlcat(symbol->name, module, sizeof(symbol->name));
}
