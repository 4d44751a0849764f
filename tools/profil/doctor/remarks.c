// SPDX-License-Identifier: GPL-2.0-only
/* Remarks on sources of symbols, and on perf(1) */
#include <stdlib.h>

#include "doctor/checks.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static const char servers[] = "from files, and from debuginfod at %s";

static const char no_debuginfod[] =
	"from files only: libdebuginfod is not installed";

static const char files_only[] = "from files only: DEBUGINFOD_URLS is not set";

static const char restricted[] =
	"not needed: kernel.perf_event_paranoid is %d, which restricts perf but not profil";

static const char unrestricted[] =
	"not needed: kernel.perf_event_paranoid is %d";

void profil_check_symbols(const struct machine *machine,
			  struct finding *finding)
{
	if (!machine->servers || !*machine->servers) {
		profil_finding_good(finding, files_only);
	} else if (machine->has_debuginfod) {
		profil_finding_good(finding, servers, machine->servers);
	} else {
		profil_finding_good(finding, no_debuginfod);
		profil_finding_mend(finding, "sudo apt install libdebuginfod1");
	}
}

void profil_check_perf(const struct machine *machine, struct finding *finding)
{
	char line[32];

	if (!profil_machine_read(machine, PARANOID, line, sizeof(line)))
		profil_finding_good(finding,
				    "not needed, and this kernel has none");
	else if (atoi(line) > 1)
		profil_finding_good(finding, restricted, atoi(line));
	else
		profil_finding_good(finding, unrestricted, atoi(line));
}
