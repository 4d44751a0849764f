// SPDX-License-Identifier: GPL-2.0-only
/*
 * agent by_file|by_process OBJECT FILE: runs the BPF program of this name, of OBJECT, at
 * each 4 ms of each CPU until SIGINT. Then it prints the samples and what became of them,
 * and writes the counters to FILE. By process it looks ten times a second whether the
 * mappings of the processes with new counters can be read, as agents do for names.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"

#define PERIOD_NS 4000000
#define LOOK_US 100000
#define PIDS 65536

static volatile sig_atomic_t has_ended;
static bool was_looked_at[PIDS];
static bool known[PIDS];

static void end(int number)
{
	(void)number;
	has_ended = 1;
}

static int event_of(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(1, "perf_event_open");
	return fd;
}

static struct bpf_object *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);

	if (!object || bpf_object__load(object))
		errx(1, "%s cannot be loaded", path);
	return object;
}

static void attach(struct bpf_object *object, const char *name)
{
	struct bpf_program *program =
		bpf_object__find_program_by_name(object, name);
	long cpu;

	if (!program)
		errx(1, "there is no program %s", name);
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		if (!bpf_program__attach_perf_event(program,
						    event_of((int)cpu)))
			err(1, "%s cannot be attached", name);
}

/* Look whether the process of each new counter has mappings to be read. */
static void look(int map)
{
	struct place place, *before = NULL;
	char path[40];

	while (!bpf_map_get_next_key(map, before, &place)) {
		before = &place;
		if (place.where >= PIDS || was_looked_at[place.where])
			continue;
		was_looked_at[place.where] = true;
		snprintf(path, sizeof(path), "/proc/%llu/maps", place.where);
		known[place.where] = !access(path, R_OK);
	}
}

/* Write a line for each counter; the last field is 1 if the process is known. */
static void write_counters(int map, const char *path)
{
	struct place place, *before = NULL;
	FILE *file = fopen(path, "w");
	__u64 count;

	if (!file)
		err(1, "%s", path);
	while (!bpf_map_get_next_key(map, before, &place)) {
		before = &place;
		if (!bpf_map_lookup_elem(map, &place, &count))
			fprintf(file, "%llu %llu %llu %llu %d\n", place.where,
				place.device, place.at, count,
				place.where < PIDS && known[place.where]);
	}
	fclose(file);
}

static void print_outcomes(int map)
{
	__u64 counts[NR_OUTCOMES], sum = 0;
	__u32 i;

	for (i = 0; i < NR_OUTCOMES; i++) {
		bpf_map_lookup_elem(map, &i, &counts[i]);
		sum += counts[i];
	}
	printf("%llu samples: %llu counted, %llu of no program, ", sum,
	       counts[COUNTED], counts[NO_PROGRAM]);
	printf("%llu not found, %llu without room\n", counts[NOT_FOUND],
	       counts[FULL]);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	struct bpf_object *object;
	bool by_process;
	int places;

	if (argc != 4)
		errx(1, "usage: agent by_file|by_process OBJECT FILE");
	by_process = !strcmp(argv[1], "by_process");
	object = load(argv[2]);
	places = bpf_object__find_map_fd_by_name(object, "places");
	sigaction(SIGINT, &action, NULL);
	attach(object, argv[1]);
	while (!has_ended) {
		usleep(LOOK_US);
		if (by_process)
			look(places);
	}
	print_outcomes(bpf_object__find_map_fd_by_name(object, "outcomes"));
	write_counters(places, argv[3]);
	return 0;
}
