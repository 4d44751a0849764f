// SPDX-License-Identifier: GPL-2.0-only
/* Samples that are not in places, and reasons why a profile is incomplete */
#include "print/print.h"
#include "profile/head.h"
#include "util/text.h"

/* Samples of a table of the driver that are not in places */

/* A time that would be 0.00 s is not printed. */
#define LEAST_NS 5000000

/*
 * Print the times of samples of @class that have a text, the first behind @separator,
 * the others behind commas: their number
 */
static int print_times(FILE *out, const struct profile_head *head,
		       enum taken_class class, const char *separator)
{
	const struct head_field *field = profil_head_fields;
	int parts = 0;

	for (; field->line; field++) {
		uint64_t time =
			*profil_head_number(head, field) * head->period_ns;

		if (field->class == class && field->text && time >= LEAST_NS)
			fprintf(out, "%s%.2f s %s", parts++ ? ", " : separator,
				time / 1e9, field->text);
	}
	return parts;
}

int profil_elsewhere_print(FILE *out, const struct profile_head *head)
{
	int parts = print_times(out, head, TAKEN_AWAY, "");

	parts += print_times(out, head, TAKEN_KERNEL, parts ? ", " : "");
	if (head->idle_ns >= LEAST_NS)
		fprintf(out, "%s%.2f s idle", parts++ ? ", " : "",
			head->idle_ns / 1e9);
	return parts;
}

/* Percent of all samples: files with less in nameless functions have no line */
#define SHARE 2

/* Samples that were taken before the file was replaced have names. */
static void print_hint(FILE *out, const struct profile_object *object,
		       const struct naming *naming)
{
	bool are_some = naming->nameless < naming->samples;
	const char *its = are_some ? "some of its" : "its";
	char *name;

	if (object->names == PROFILE_NAMES_READ &&
	    !strcmp(object->path, "[vdso]"))
		return;
	name = profil_text_printable(profil_text_base(object->path));
	if (object->names == PROFILE_NAMES_REPLACED)
		fprintf(out,
			"%s was replaced after it was run: %s functions have offsets in place of names\n",
			name, its);
	else if (object->names == PROFILE_NAMES_UNREADABLE)
		fprintf(out,
			"%s cannot be read: %s functions have offsets in place of names\n",
			name, its);
	else
		fprintf(out, "%s has %s symbols\n", name,
			are_some ? "only some" : "no");
	free(name);
}

/* Programs that write the names of their code on request, and the request */
static const struct {
	const char *program;
	const char *options;
} compilers[] = {
	{ "node", "--perf-basic-prof" },
	{ "java", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
};

static void print_generated(FILE *out, const char *path)
{
	const char *program = profil_text_base(path);
	char *name = profil_text_printable(program);

	fprintf(out,
		"code that %s has generated has no names from /tmp/perf-PID.map",
		name);
	for (size_t i = 0; i < sizeof(compilers) / sizeof(*compilers); i++)
		if (!strcmp(program, compilers[i].program))
			fprintf(out, ", which %s %s writes", name,
				compilers[i].options);
	fputc('\n', out);
	free(name);
}

/*
 * Sum of the generated code of the program of object @first, which has an object
 * for each process. Nothing if a process before it has such code.
 */
static struct naming generated_by(const struct profile *profile,
				  const struct naming *namings, uint32_t first)
{
	struct naming sum = { 0 };

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		if (object->kind != PROFILE_JIT ||
		    object->path != profile->objects[first].path)
			continue;
		if (i < first)
			return (struct naming){ 0 };
		sum.samples += namings[i].samples;
		sum.nameless += namings[i].nameless;
	}
	return sum;
}

/* Of a map there may be names of some code only. */
static void print_generators(FILE *out, const struct profile *profile,
			     const struct naming *namings)
{
	uint64_t total = profil_profile_total(profile);

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		struct naming code;

		if (profile->objects[i].kind != PROFILE_JIT)
			continue;
		code = generated_by(profile, namings, i);
		if (code.nameless == code.samples &&
		    code.nameless * 100.0 > (double)total * SHARE)
			print_generated(out, profile->objects[i].path);
	}
}

void profil_hints_print(FILE *out, const struct profile *profile)
{
	struct naming *namings = profil_profile_namings(profile);
	uint64_t total = profil_profile_total(profile);
	int skipped = 0;

	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];
		const struct naming *naming = &namings[i];

		if (object->kind != PROFILE_FILE || !naming->samples)
			continue;
		if (object->names == PROFILE_NAMES_SKIPPED)
			skipped++;
		else if (naming->nameless &&
			 (object->names != PROFILE_NAMES_READ ||
			  naming->nameless * 100.0 > (double)total * SHARE))
			print_hint(out, object, naming);
	}
	print_generators(out, profile, namings);
	if (skipped)
		fprintf(out,
			"interrupted: the names of %d file%s were not looked up\n",
			skipped, plural(skipped));
	free(namings);
}

/*
 * Lost samples have a line if they are more than LOST_FEW, and more than one of
 * ONE_OF samples; stale ones, if they are more than one of ONE_OF
 */
#define LOST_FEW 100
#define ONE_OF 50

/*
 * Less CPU time than this has no line: in seconds, in periods of samples, and as
 * one part in PART of all
 */
#define FEW_SECONDS 0.05
#define FEW_PERIODS 10
#define PART 10
/* Standard deviations of the number of samples that chance explains */
#define DEVIATIONS 3

/* Seconds of difference between CPU time and samples of @seconds by chance */
static double chance(double period, double seconds)
{
	double few = FEW_PERIODS * period;

	return (few > FEW_SECONDS ? few : FEW_SECONDS) +
	       DEVIATIONS * sqrt(seconds * period);
}

/*
 * Seconds of CPU time without samples, or of samples without CPU time if negative; 0 if
 * chance explains them
 */
static double difference(const struct profile_head *head)
{
	double period = head->period_ns / 1e9;
	double all = head->cpu_ns / 1e9;
	double sampled = profile_sampled(head) * period;
	double missing;

	if (head->table == TABLE_MACHINE)
		return 0;
	missing = all - sampled;
	if (fabs(missing) < chance(period, sampled) ||
	    fabs(missing) < all / PART)
		return 0;
	return missing;
}

double profil_missing_seconds(const struct profile *profile)
{
	return fmax(difference(&profile->head), 0);
}

/* CPU time of children is known if the command has waited for them. */
static void print_missing(FILE *out, const struct profile_head *head)
{
	double missing = difference(head);

	if (missing > 0)
		fprintf(out,
			"%.2f s of %.2f s of CPU time are not in the profile\n",
			missing, head->cpu_ns / 1e9);
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
	print_times(out, head, TAKEN_LOST, ": ");
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

	if (!head->period_ns || head->samples || head->table == TABLE_MACHINE ||
	    (!head->cpu_ns && !head->attached))
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
	print_unseen(out, &profile->head);
	print_processes(out, &profile->head);
	print_missing(out, &profile->head);
	print_lost(out, &profile->head);
	print_stale(out, &profile->head);
	print_none(out, &profile->head);
	print_difference(out, profile);
}

char *profil_notes_text(const struct profile *profile)
{
	char *text;
	size_t size;
	FILE *out = profil_memory_stream(&text, &size);

	if (profil_elsewhere_print(out, &profile->head))
		fputc('\n', out);
	profil_notes_print(out, profile);
	profil_hints_print(out, profile);
	profil_memory_stream_end(out);
	return text;
}
