// SPDX-License-Identifier: GPL-2.0-only
/*
 * findings CHECK [NAME=VALUE]...: what `profil doctor` finds on a machine whose root
 * directory is ./root, by the name of the check. The names are those of struct machine
 * and of the driver's answer and of struct trial; error is that of asking the driver, in a
 * number, and ask=file asks the file /dev/profil of the machine.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/checks.h"

static struct profil_version answer = {
	.abi = PROFIL_ABI,
	.clock = PROFIL_CLOCK_FTRACE,
	.tick_ns = 4000000,
	.min_period_ns = 100000,
};
static int error;
static struct trial answered = {
	.has_kernel = true,
	.samples = 10,
	.whole = 10,
};

static int ask(const struct machine *machine, struct profil_version *version)
{
	(void)machine;
	*version = answer;
	return -error;
}

static void try_callers(struct trial *trial)
{
	*trial = answered;
}

static void set(struct machine *machine, const char *name, const char *value)
{
	if (!strcmp(name, "release"))
		machine->release = value;
	else if (!strcmp(name, "version"))
		machine->version = value;
	else if (!strcmp(name, "library"))
		machine->library = value;
	else if (!strcmp(name, "servers"))
		machine->servers = value;
	else if (!strcmp(name, "service"))
		machine->service = value;
	else if (!strcmp(name, "debuginfod"))
		machine->has_debuginfod = true;
	else if (!strcmp(name, "soft"))
		machine->memlock.rlim_cur = strtoull(value, NULL, 10);
	else if (!strcmp(name, "hard"))
		machine->memlock.rlim_max = strtoull(value, NULL, 10);
	else if (!strcmp(name, "ask"))
		machine->ask = profil_machine_ask;
	else if (!strcmp(name, "abi"))
		answer.abi = atoi(value);
	else if (!strcmp(name, "clock"))
		answer.clock = PROFIL_CLOCK_TIMER;
	else if (!strcmp(name, "min_period_ns"))
		answer.min_period_ns = atoi(value);
	else if (!strcmp(name, "error"))
		error = atoi(value);
	else if (!strcmp(name, "refused"))
		answered = (struct trial){ .error = atoi(value) };
	else if (!strcmp(name, "is_flat"))
		answered.is_flat = true;
	else if (!strcmp(name, "has_kernel"))
		answered.has_kernel = atoi(value);
	else if (!strcmp(name, "samples"))
		answered.samples = atoi(value);
	else if (!strcmp(name, "whole"))
		answered.whole = atoi(value);
	else if (!strcmp(name, "tableless"))
		snprintf(answered.tableless, sizeof(answered.tableless), "%s",
			 value);
	else
		errx(1, "no such name: %s", name);
}

static void print(const char *check, const struct machine *machine)
{
	struct finding finding;
	struct facts facts;

	profil_facts_read(&facts, machine);
	finding = profil_doctor_check(check, &facts);
	printf("%s: %s\n", finding.is_wrong ? "wrong" : "good", finding.text);
	if (*finding.mend)
		puts(finding.mend);
	free(finding.text);
	free(finding.mend);
	profil_facts_free(&facts);
}

int main(int argc, char **argv)
{
	struct machine machine = {
		.root = "root",
		.release = "6.1.0-50",
		.version = "0.1",
		.library_directory = "/usr/local/lib",
		.service = "",
		.memlock = { 8192 * 1024, 8192 * 1024 },
		.ask = ask,
		.try_callers = try_callers,
	};

	for (int i = 2; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			errx(1, "no value: %s", argv[i]);
		*value = '\0';
		set(&machine, argv[i], value + 1);
	}
	print(argv[1], &machine);
	return argc < 2;
}
