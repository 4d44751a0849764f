// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile of files, which has calls */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/table.h"
#include "util/memory.h"

static int by_time(const void *a, const void *b)
{
	const struct function *one = *(const struct function *const *)a;
	const struct function *other = *(const struct function *const *)b;

	if (one->parts != other->parts)
		return one->parts < other->parts ? 1 : -1;
	if (one->calls != other->calls)
		return one->calls < other->calls ? 1 : -1;
	return strcmp(one->name, other->name);
}

/* Those that have something to print, in order; @nr of them */
static const struct function **choose(const struct attribution *attribution,
				      size_t *nr)
{
	const struct function **chosen = NULL;
	size_t all = attribution->boundaries->nr;

	*nr = 0;
	chosen = profil_grow(NULL, all, sizeof(*chosen));
	for (size_t i = 0; i < all; i++)
		if (attribution->array[i].parts || attribution->array[i].calls)
			chosen[(*nr)++] = &attribution->array[i];
	if (*nr)
		qsort(chosen, *nr, sizeof(*chosen), by_time);
	return chosen;
}

/* Nothing is sampled where the rate is not known. */
static double seconds(const struct gprof_data *data, uint64_t parts)
{
	double samples = (double)parts / SAMPLE_PARTS;

	return data->rate ? samples / data->rate : 0;
}

static void print_calls(FILE *out, uint64_t calls, double time)
{
	if (calls)
		fprintf(out, " %10" PRIu64 " %10.4f", calls,
			1000 * time / calls);
	else
		fprintf(out, " %10s %10s", "", "");
}

static void print_line(FILE *out, const struct gprof_data *data,
		       const struct function *function, uint64_t sum)
{
	double all = data->samples ? data->samples : 1;
	double time = seconds(data, function->parts);

	fprintf(out, "%7.2f %10.3f %10.3f",
		100 * ((double)function->parts / SAMPLE_PARTS) / all,
		seconds(data, sum), time);
	print_calls(out, function->calls, time);
	fprintf(out, "  %s\n", function->name);
}

/* A number of parts, as samples to the last digit */
static void print_samples(FILE *out, uint64_t parts)
{
	char fraction[24];
	size_t length;

	length = snprintf(fraction, sizeof(fraction), ".%06" PRIu64,
			  (uint64_t)(parts % SAMPLE_PARTS));
	while (strchr("0.", fraction[length - 1]) && length-- > 1)
		;
	fprintf(out, "%" PRIu64 "%.*s", (uint64_t)(parts / SAMPLE_PARTS),
		(int)length, fraction);
}

static void print_total(FILE *out, const struct attribution *attribution,
			const struct gprof_data *data, bool assumed)
{
	fprintf(out, "total %" PRIu64 " samples", data->samples);
	if (data->rate)
		fprintf(out, " (%.3f s, %u a second%s)",
			seconds(data, data->samples * SAMPLE_PARTS), data->rate,
			assumed ? " assumed" : "");
	fputs(", outside ", out);
	print_samples(out, attribution->outside.parts);
	fputc('\n', out);
}

void profil_table_print(FILE *out, const struct attribution *attribution,
			const struct gprof_data *data, bool assumed)
{
	uint64_t sum = 0;
	size_t nr;
	const struct function **chosen = choose(attribution, &nr);

	fprintf(out, "%7s %10s %10s %10s %10s  %s\n", "percent", "cumulative",
		"seconds", "calls", "ms/call", "symbol");
	for (size_t i = 0; i < nr; i++) {
		sum += chosen[i]->parts;
		print_line(out, data, chosen[i], sum);
	}
	print_total(out, attribution, data, assumed);
	free(chosen);
}
