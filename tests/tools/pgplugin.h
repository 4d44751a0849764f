/* SPDX-License-Identifier: GPL-2.0-only */
/* What libpg.so has for pg-plugin */
#ifndef TOOLS_PGPLUGIN_H
#define TOOLS_PGPLUGIN_H

typedef void (*work_fn)(unsigned long count);

void work_of_pg(unsigned long count);

#endif /* TOOLS_PGPLUGIN_H */
