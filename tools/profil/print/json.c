// SPDX-License-Identifier: GPL-2.0-only
/* A profile as JSON */
#include "print/json.h"
#include "print/notes.h"
#include "print/view.h"
#include "profile/head.h"
#include "util/text.h"

void profil_json_string(FILE *out, const char *text)
{
	char *utf8 = profil_text_utf8(text);

	fputc('"', out);
	for (const char *at = utf8; *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
	fputc('"', out);
	free(utf8);
}

/* Characters of a string that may be cut */
#define WIDTH 300

static const char ellipsis[] = "…";

char *profil_json_cut(const char *text)
{
	char *name = profil_text_utf8(text);
	size_t kept = profil_text_bytes(name, WIDTH);

	name = profil_grow(name, kept + sizeof(ellipsis), 1);
	if (name[kept])
		memcpy(name + kept, ellipsis, sizeof(ellipsis));
	return name;
}

void profil_json_string_cut(FILE *out, const char *text)
{
	char *name = profil_json_cut(text);

	profil_json_string(out, name);
	free(name);
}

static void print_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": ", name);
	profil_json_string(out, text);
	fputs(",\n", out);
}

static void print_seconds(FILE *out, const char *name, uint64_t nanoseconds)
{
	fprintf(out, "  \"%s\": %" PRIu64 ".%09" PRIu64 ",\n", name,
		nanoseconds / 1000000000, nanoseconds % 1000000000);
}

static void print_number(FILE *out, const char *name, uint64_t number)
{
	fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, number);
}

static void print_command(FILE *out, const struct profile_head *head)
{
	fputs("  \"command\": [", out);
	for (uint32_t i = 0; i < head->argc; i++) {
		fputs(i ? ", " : "", out);
		profil_json_string(out, head->argv[i]);
	}
	fputs("],\n", out);
}

static void print_table(FILE *out, const struct profile_head *head)
{
	const struct head_field *field = profil_head_fields;
	bool has_walks = profil_taken_sum(&head->taken, TAKEN_WALK);
	const char *separator = "";

	fputs("  \"table\": {", out);
	for (; field->line; field++) {
		if (!field->class || (field->class == TAKEN_WALK && !has_walks))
			continue;
		fprintf(out, "%s\"%s\": %" PRIu64, separator, field->name,
			*profil_head_number(head, field));
		separator = ", ";
	}
	fputs("},\n", out);
}

void profil_json_print_head(FILE *out, const struct profile *profile)
{
	const struct profile_head *head = &profile->head;

	print_command(out, head);
	print_member(out, "host", head->host);
	print_member(out, "machine", head->machine);
	print_member(out, "release", head->release);
	print_number(out, "recordings", head->recordings);
	fprintf(out, "  \"complete\": %s,\n",
		head->is_complete ? "true" : "false");
	print_number(out, "exit_status", head->status);
	print_seconds(out, "begin", head->begin_ns);
	print_seconds(out, "wall_seconds", head->wall_ns);
	print_seconds(out, "cpu_seconds", head->cpu_ns);
	print_seconds(out, "kernel_seconds", head->kernel_ns);
	print_number(out, "period_ns", head->period_ns);
	print_number(out, "samples", profil_profile_total(profile));
	print_number(out, "lost", head->lost);
	if (head->table == TABLE_MACHINE)
		print_member(out, "cgroup", head->cgroup);
	if (head->table != TABLE_NONE)
		print_table(out, head);
	if (head->table == TABLE_MACHINE)
		print_seconds(out, "idle_seconds", head->idle_ns);
	if (head->table == TABLE_TREE)
		print_number(out, "processes", head->taken.processes);
	fprintf(out, "  \"missing_seconds\": %.9f,\n",
		profil_missing_seconds(profile));
}

static void print_row(FILE *out, const struct view *view, size_t index)
{
	const struct view_row *row = &view->rows[index];
	const char *separator = "";

	fputs(index ? ",\n    {" : "\n    {", out);
	for (int i = 0; i < view->nr_names; i++) {
		fprintf(out, "%s\"%s\": ", separator, view->heads[i]);
		profil_json_string(out, view->names[i][index]);
		separator = ", ";
	}
	for (int i = 0; i < view->nr_columns; i++) {
		const struct view_column *column = &view->columns[i];
		double number = profil_view_cell(view, row, column);

		if (!isnan(number))
			fprintf(out, "%s\"%s\": %.*f", separator,
				column->kind->member,
				column->kind->member_digits, number);
		separator = ", ";
	}
	fputs("}", out);
}

static void print_rows(FILE *out, const struct rows *rows, double limit)
{
	struct view view;
	double samples = 0;

	profil_view_begin_rows(&view, IN_JSON, rows);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->array[i];

		if (row->is_special ||
		    profil_percent(rows, row->samples) >= limit)
			profil_view_add(&view, row, NULL, row->names, NULL);
		else
			samples += row->samples;
	}
	fputs("  \"rows\": [", out);
	for (size_t i = 0; i < view.nr; i++)
		print_row(out, &view, i);
	fprintf(out,
		"\n  ],\n  \"other_rows\": %zu,\n  \"other_samples\": %.0f,\n",
		rows->nr - view.nr, samples);
	profil_view_end(&view);
}

void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit)
{
	fputs("{\n  \"format\": \"profil report\",\n  \"version\": 1,\n", out);
	profil_json_print_head(out, profile);
	print_rows(out, rows, limit);
	fprintf(out, "  \"left_out_samples\": %.0f\n}\n", rows->left_out);
}
