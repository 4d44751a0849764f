// SPDX-License-Identifier: GPL-2.0-only
/* Check of the source of ticks, and of the rates that the driver accepts */
#include <string.h>

#include "doctor/checks.h"

#define SECOND 1000000000ULL
#define RESTRICTED "/sys/module/profil/parameters/restrict_fastprof"
#define CHOSEN "/sys/module/profil/parameters/clock"
#define FTRACE "/proc/sys/kernel/ftrace_enabled"

static const char switched_off[] =
	"%s, 1 to %llu samples a second: higher rates are switched off";

static const char no_timers[] =
	"%s, 1 to %llu samples a second: no timers for higher rates";

static const char no_hook[] =
	"sudo dmesg | grep profil: has the reason why no tick is hooked";

static const char no_ftrace[] =
	"kernel.ftrace_enabled is 0, so the tick cannot be hooked";

static bool holds(const struct machine *machine, const char *path,
		  const char *expected)
{
	char line[32];

	return profil_machine_read(machine, path, line, sizeof(line)) &&
	       !strcmp(line, expected);
}

static const char *name_of(unsigned int clock)
{
	switch (clock) {
	case PROFIL_CLOCK_FTRACE:
		return "tick by ftrace";
	case PROFIL_CLOCK_KPROBE:
		return "tick by kprobe";
	default:
		return "timer";
	}
}

static void check_rates(const struct machine *machine, struct finding *finding,
			const struct profil_version *version)
{
	unsigned long long most = SECOND / version->min_period_ns;
	const char *name = name_of(version->clock);

	if (version->min_period_ns != version->tick_ns) {
		profil_finding_good(finding, "%s, 1 to %llu samples a second",
				    name, most);
	} else if (holds(machine, RESTRICTED, "Y")) {
		profil_finding_good(finding, switched_off, name, most);
		profil_finding_mend(finding, "echo 0 | sudo tee " RESTRICTED);
	} else {
		profil_finding_good(finding, no_timers, name, most);
	}
}

/* The module names the reason in the kernel's log. */
static void note_timer(const struct machine *machine, struct finding *finding,
		       const struct profil_version *version)
{
	if (version->clock == PROFIL_CLOCK_TIMER &&
	    holds(machine, CHOSEN, "auto") && !*finding->mend)
		profil_finding_mend(finding, no_hook);
}

void profil_check_clock(const struct machine *machine, struct finding *finding)
{
	struct profil_version version;

	if (machine->ask(machine, &version) || !version.min_period_ns) {
		profil_finding_good(finding,
				    "unknown: the device does not answer");
	} else if (version.clock == PROFIL_CLOCK_FTRACE &&
		   holds(machine, FTRACE, "0")) {
		profil_finding_wrong(finding, no_ftrace);
		profil_finding_mend(finding,
				    "sudo sysctl kernel.ftrace_enabled=1");
	} else {
		check_rates(machine, finding, &version);
		note_timer(machine, finding, &version);
	}
}
