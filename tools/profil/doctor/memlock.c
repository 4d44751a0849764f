// SPDX-License-Identifier: GPL-2.0-only
/* Check of the memory that the user may lock */
#include <stdio.h>
#include <string.h>

#include <linux/capability.h>

#include "doctor/checks.h"
#include "include/run_layout.h"

/* Debian's limit, which is enough for most commands, and a limit too small */
#define USUAL_KIB 8192
#define LEAST_KIB 1024

/* KiB of counters, one for each byte, for a page of code with samples */
#define PAGE_KIB (4 * RUN_COUNTER)

static const char limits[] =
	"echo '* - memlock %d' | sudo tee /etc/security/limits.d/profil.conf; log in again";

static const char few_pages[] =
	"%llu KiB: enough for %llu pages of hot code only";

static const char pages[] = "%llu KiB: enough for %llu pages of hot code";

/* The process may lock any amount. */
static bool has_capability(const struct machine *machine)
{
	FILE *file = profil_machine_open(machine, "/proc/self/status");
	unsigned long long effective = 0;
	char line[256];

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "CapEff: %llx", &effective);
	fclose(file);
	return effective >> CAP_IPC_LOCK & 1;
}

static void mend(const struct machine *machine, struct finding *finding)
{
	if (machine->memlock.rlim_max / 1024 >= USUAL_KIB)
		profil_finding_mend(finding, "ulimit -l %d", USUAL_KIB);
	else
		profil_finding_mend(finding, limits, USUAL_KIB);
}

void profil_check_memlock(const struct machine *machine,
			  struct finding *finding)
{
	unsigned long long kib = machine->memlock.rlim_cur / 1024;

	if (machine->memlock.rlim_cur == RLIM_INFINITY ||
	    has_capability(machine)) {
		profil_finding_good(finding, "no limit for this user");
	} else if (kib < LEAST_KIB) {
		profil_finding_wrong(finding, few_pages, kib, kib / PAGE_KIB);
		mend(machine, finding);
	} else {
		profil_finding_good(finding, pages, kib, kib / PAGE_KIB);
	}
}
