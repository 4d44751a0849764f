/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_CPU_TIME_H
#define PROFIL_CPU_TIME_H

#include <stdint.h>
#include <sys/types.h>

/**
 * struct cpu_time - CPU time of a command
 * @all_ns: nanoseconds in user and kernel mode
 * @kernel_ns: part of @all_ns in kernel mode
 */
struct cpu_time {
	uint64_t all_ns;
	uint64_t kernel_ns;
};

/*
 * CPU time of the process @pid, of its running descendants, and of those that
 * were waited for, by /proc; 0 if there is no such process
 */
struct cpu_time profil_cpu_time(pid_t pid);

/* CPU time of the process @pid alone */
struct cpu_time profil_cpu_time_alone(pid_t pid);

/* Nanoseconds since the boot in which CPUs had no task to run, of all CPUs, by /proc */
uint64_t profil_cpu_idle_ns(void);

#endif
