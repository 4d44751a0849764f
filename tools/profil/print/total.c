// SPDX-License-Identifier: GPL-2.0-only
/* The line of totals below a flat profile */
#include <inttypes.h>
#include <string.h>

#include "print/total.h"

void profil_total_print_profile(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;
	uint64_t samples = profil_profile_total(profile);

	fprintf(out, "%" PRIu64 " sample%s", samples, samples == 1 ? "" : "s");
	if (head->period_ns)
		fprintf(out, ", one each %.4g ms", head->period_ns / 1e6);
	if (head->lost)
		fprintf(out, "; %" PRIu64 " lost", head->lost);
	fputc('\n', out);
}

/* Print @parts as samples, without zeros at the end of the fraction. */
static void print_parts(FILE *out, uint64_t parts)
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

void profil_total_print_report(FILE *out, const struct attribution *attribution,
			       const struct gprof_data *data, bool assumed)
{
	fprintf(out, "total %" PRIu64 " sample%s", data->samples,
		data->samples == 1 ? "" : "s");
	if (data->rate)
		fprintf(out, " (%.3f s, %u a second%s)",
			(double)data->samples / data->rate, data->rate,
			assumed ? " assumed" : "");
	fputs(", outside ", out);
	print_parts(out, attribution->outside.parts);
	fputc('\n', out);
}
