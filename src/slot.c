// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

#include "slot.h"

DEFINE_PER_CPU(const struct session *, profil_slot);

void profil_slot_wait(const struct session *session)
{
	int cpu;

	smp_mb(); /* pairs with slot_enter() */
	for_each_possible_cpu(cpu)
		smp_cond_load_acquire(per_cpu_ptr(&profil_slot, cpu),
				      VAL != session);
}
