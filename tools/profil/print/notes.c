// SPDX-License-Identifier: GPL-2.0-only
/* Samples that are not in places, and reasons why a profile is incomplete */
#include <math.h>

#include "print/hints.h"
#include "print/notes.h"
#include "profile/head.h"
#include "profile/tree.h"
#include "util/text.h"

/* Samples of a table of the driver that are not in places */

/* A time that would be 0.00 s is not printed. */
#define LEAST_NS 5000000

/* Nor is a time beside the profile that is less than one part of so many of it. */
#define ELSEWHERE 50

/*
 * Print the times of samples of @class that have a text and are @least_ns long, the first
 * behind @separator, the others behind commas: their number
 */
static int print_times(FILE *out, const struct profile_head *head,
		       enum taken_class class, uint64_t least_ns,
		       const char *separator)
{
	const struct head_field *field = profil_head_fields;
	int parts = 0;

	for (; field->line; field++) {
		uint64_t time =
			*profil_head_number(head, field) * head->period_ns;

		if (field->class == class && field->text && time >= least_ns)
			fprintf(out, "%s%.2f s %s", parts++ ? ", " : separator,
				time / 1e9, field->text);
	}
	return parts;
}

/* The time of CPUs outside of the code of programs, as in "0.31 s in exit, 2.10 s idle" */
static void print_elsewhere(FILE *out, const struct profile_head *head)
{
	uint64_t least_ns = profile_sampled(head) * head->period_ns / ELSEWHERE;
	int parts;

	if (least_ns < LEAST_NS)
		least_ns = LEAST_NS;
	parts = print_times(out, head, TAKEN_AWAY, least_ns, "");
	parts += print_times(out, head, TAKEN_KERNEL, least_ns,
			     parts ? ", " : "");
	if (head->idle_ns >= LEAST_NS)
		fprintf(out, "%s%.2f s idle", parts++ ? ", " : "",
			head->idle_ns / 1e9);
	if (parts)
		fputc('\n', out);
}

/*
 * Lost samples have a line if they are more than LOST_FEW, and more than one of
 * ONE_OF samples; stale ones, if they are more than one of ONE_OF
 */
#define LOST_FEW 100
#define ONE_OF 50

/* Percent of samples whose callers are whole: with fewer there is a line. */
#define WHOLE_WALKS 95

/*
 * Less CPU time than this has no line: in seconds, in periods of samples, and as
 * one part in PART of all
 */
#define FEW_SECONDS 0.05
#define FEW_PERIODS 10
#define PART 10
/* Of a machine, also as one part of the time of all its CPUs, busy or not */
#define PART_OF_MACHINE 50
/* Standard deviations of the number of samples that chance explains */
#define DEVIATIONS 3

/* Seconds of difference between CPU time and samples of @seconds by chance */
static double chance(double period, double seconds)
{
	double few = FEW_PERIODS * period;

	return (few > FEW_SECONDS ? few : FEW_SECONDS) +
	       DEVIATIONS * sqrt(seconds * period);
}

/* Seconds of CPUs that samples should stand for, and those that they do */
static double all_seconds(const struct profile_head *head)
{
	return (head->table == TABLE_MACHINE ? head->busy_ns : head->cpu_ns) /
	       1e9;
}

static double sampled_seconds(const struct profile_head *head)
{
	uint64_t samples = profile_sampled(head);

	if (head->table == TABLE_MACHINE)
		samples = head->taken.ticks - head->taken.idle;
	return samples * head->period_ns / 1e9;
}

/*
 * Seconds of CPUs without samples, or of samples without CPU time if negative; 0 if
 * chance explains them. The kernel has the time of an idle machine in ticks of 10 ms.
 */
static double difference(const struct profile_head *head)
{
	double all = all_seconds(head);
	double sampled = sampled_seconds(head);
	double missing = all - sampled;
	double machine = (head->busy_ns + head->idle_ns) / 1e9;

	if (fabs(missing) < chance(head->period_ns / 1e9, sampled) ||
	    fabs(missing) < all / PART)
		return 0;
	if (head->table == TABLE_MACHINE && missing < machine / PART_OF_MACHINE)
		return 0;
	return missing;
}

double profil_missing_seconds(const struct profile *profile)
{
	return fmax(difference(&profile->head), 0);
}

static const char late_timers[] = {
	": in a virtual machine, timers are late while its host is busy; shares are usable then, and seconds are too few\n"
};

/* The cause is printed if it was measured: that of most of the @missing time. */
static void print_cause(FILE *out, const struct profile_head *head,
			double missing)
{
	double stolen = head->stolen_ns / 1e9;

	if (stolen > missing / 2)
		fprintf(out,
			": the host of the virtual machine took %.2f s; shares are usable, and seconds are too few\n",
			stolen);
	else if (head->is_virtual && !head->is_tick)
		fputs(late_timers, out);
	else if (head->is_tick)
		fputs(": the cause is not known, and -F 1000 shows whether shares are usable\n",
		      out);
	else
		fputs(": the cause is not known\n", out);
}

/* CPU time of children is known if the command has waited for them. */
static void print_missing(FILE *out, const struct profile_head *head)
{
	double missing = difference(head);

	if (missing > 0) {
		fprintf(out,
			head->table == TABLE_MACHINE ?
				"%.2f s of %.2f s of busy CPUs are not in the profile" :
				"%.2f s of %.2f s of CPU time are not in the profile",
			missing, all_seconds(head));
		print_cause(out, head, missing);
	}
	if (missing < 0)
		fprintf(out,
			"%.2f s of samples are of processes that the command did not wait for\n",
			-missing);
}

/* The last sample of a process that is dropped is denied. */
static void print_unseen(FILE *out, const struct profile_head *head)
{
	unsigned long long dropped = head->taken.dropped;
	uint64_t denied_ns = head->taken.denied * head->period_ns;

	if (head->taken.denied > dropped && denied_ns >= LEAST_NS)
		fprintf(out,
			"%.2f s of CPU time are of programs that profil may not see, as those that are not dumpable: run profil as root, or with CAP_SYS_PTRACE\n",
			denied_ns / 1e9);
	if (dropped)
		fprintf(out,
			"%llu process%s %s gained privileges, as by a set-user-ID program, and %s not recorded further: run profil as root, or with CAP_SYS_PTRACE\n",
			dropped, dropped == 1 ? "" : "es",
			dropped == 1 ? "has" : "have",
			dropped == 1 ? "is" : "are");
}

static void print_processes(FILE *out, const struct profile_head *head)
{
	unsigned long long running = head->taken.running;
	unsigned long long unfollowed = head->taken.unfollowed;

	if (unfollowed)
		fprintf(out,
			"%llu children of processes %s not recorded: no memory, too many processes in the recording, or too many recordings of a process, see profil(1)\n",
			unfollowed, unfollowed == 1 ? "is" : "are");
	if (running && head->is_complete && !head->attached)
		fprintf(out,
			"%llu process%s %s still running and will not be counted further\n",
			running, running == 1 ? "" : "es",
			running == 1 ? "is" : "are");
}

static void print_lost(FILE *out, const struct profile_head *head)
{
	if (head->lost <= LOST_FEW || head->lost <= head->samples / ONE_OF)
		return;
	fprintf(out, "%llu samples were lost", (unsigned long long)head->lost);
	print_times(out, head, TAKEN_LOST, LEAST_NS, ": ");
	fputc('\n', out);
}

/* Samples that have, or may lack, callers; a walk that is whole has no text. */
static uint64_t other_walks(const struct profile_head *head)
{
	const struct head_field *field = profil_head_fields;
	uint64_t sum = 0;

	for (; field->line; field++)
		if (field->class == TAKEN_WALK && field->text)
			sum += *profil_head_number(head, field);
	return sum;
}

/* Files that a line names */
#define FILES 3

/* Samples of the stacks that have ended in each object for lack of a table, to be freed */
static uint64_t *without_tables(const struct profile *profile)
{
	struct stack_sum *sums = profil_stack_sums(profile);
	uint64_t *objects =
		profil_zeros(profile->nr_objects + 1ULL, sizeof(*objects));

	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		if (stack->end == PROFIL_WALK_NO_ROWS)
			objects[profile->places[stack->place].object] +=
				sums[i].samples;
	}
	free(sums);
	return objects;
}

/* The index of the largest number, which becomes 0 */
static uint32_t take_most(uint64_t *numbers, uint32_t nr, uint64_t *most)
{
	uint32_t index = 0;

	for (uint32_t i = 1; i < nr; i++)
		if (numbers[i] > numbers[index])
			index = i;
	*most = numbers[index];
	numbers[index] = 0;
	return index;
}

/* Print the files with most of these samples, with their shares of @all. */
static void print_files(FILE *out, const struct profile *profile, uint64_t all)
{
	uint64_t *objects = without_tables(profile), most;
	uint32_t nr = profile->nr_objects, others = 0;

	for (int i = 0; nr && i < FILES; i++) {
		uint32_t index = take_most(objects, nr, &most);
		const char *path = profile->objects[index].path;

		if (!most)
			break;
		fputs(i ? ", " : "; without a table: ", out);
		profil_text_print(out, profil_text_base(path));
		fprintf(out, " %.1f %%", 100.0 * most / all);
	}
	for (uint32_t i = 0; i < nr; i++)
		others += !!objects[i];
	if (others)
		fprintf(out, ", %u other%s", others, plural(others));
	free(objects);
}

static void print_walks(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t whole = head->taken.walk_base, others = other_walks(head);

	if (whole + others <= LOST_FEW ||
	    100.0 * whole >= WHOLE_WALKS * (double)(whole + others))
		return;
	fprintf(out, "callers are whole for %.0f %% of the samples",
		100.0 * whole / (whole + others));
	print_times(out, head, TAKEN_WALK, LEAST_NS, "; the others: ");
	print_files(out, profile, whole + others);
	fputc('\n', out);
}

static void print_stale(FILE *out, const struct profile_head *head)
{
	unsigned long long stale = head->taken.stale;

	if (stale > head->samples / ONE_OF)
		fprintf(out,
			"%llu sample%s %s counted by the mapping that was there before, as the program was changing its mappings\n",
			stale, plural(stale), stale == 1 ? "was" : "were");
}

static void print_none(FILE *out, const struct profile_head *head)
{
	double period = head->period_ns / 1e9;
	double cpu = head->cpu_ns / 1e9;

	if (!head->period_ns || profile_sampled(head) ||
	    head->table == TABLE_MACHINE || (!head->cpu_ns && !head->attached))
		return;
	if (cpu < 2 * period && head->attached)
		fprintf(out,
			"the process took %.3f s of CPU time, so no sample was due\n",
			cpu);
	else if (cpu < 2 * period)
		fprintf(out,
			"the command took %.3f s of CPU time, and a sample stands for %.4g s: give a higher -F\n",
			cpu, period);
	else
		fprintf(out, "no sample was taken in %.3f s of CPU time\n",
			cpu);
}

/* The totals of the driver and the counters are independent of each other. */
static void print_difference(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t hits = head->hits - head->saturated;
	uint64_t counted =
		profil_profile_total(profile) - head->outside - head->lost;

	if (head->sessions == head->ended && counted != hits)
		fprintf(out,
			"the counters hold %lld samples more than were taken\n",
			(long long)(counted - hits));
}

void profil_notes_print(FILE *out, const struct profile *profile)
{
	if (profile->head.format)
		return;
	print_elsewhere(out, &profile->head);
	print_unseen(out, &profile->head);
	print_processes(out, &profile->head);
	print_missing(out, &profile->head);
	print_lost(out, &profile->head);
	print_stale(out, &profile->head);
	print_walks(out, profile);
	print_none(out, &profile->head);
	print_difference(out, profile);
}

char *profil_notes_text(const struct profile *profile)
{
	char *text;
	FILE *out = profil_memory_stream(&text, NULL);

	profil_notes_print(out, profile);
	profil_hints_print(out, profile);
	profil_memory_stream_end(out);
	return text;
}
