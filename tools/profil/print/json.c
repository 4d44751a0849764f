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

static void print_caller(FILE *out, const struct row *row)
{
	if (!row->caller || !*row->caller)
		return;
	fputs(", \"caller\": ", out);
	profil_json_string(out, row->caller);
	fprintf(out, ", \"caller_percent\": %.4f",
		100 * row->caller_samples / row->samples);
}

/* @first: members in front, each with a comma behind it */
static void print_row(FILE *out, const struct view *view, size_t index,
		      const char *first)
{
	const struct view_row *row = &view->rows[index];
	const char *separator = "";

	fprintf(out, "%s\n    {%s", index ? "," : "", first);
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
	print_caller(out, row->sides[FIRST_SIDE]);
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
		print_row(out, &view, i, "");
	fprintf(out,
		"\n  ],\n  \"other_rows\": %zu,\n  \"other_samples\": %.0f,\n",
		rows->nr - view.nr, samples);
	profil_view_end(&view);
}

/* Index of the line of each node, to be freed */
static uint32_t *lines_of(const struct branches *branches)
{
	uint32_t *lines = profil_indices(branches->tree->nr_nodes);

	for (size_t i = 0; i < branches->nr; i++)
		lines[branches->array[i].node] = i;
	return lines;
}

/* The line of the parent is a number of the array, from 0 on. */
static void print_node(FILE *out, const struct view *view,
		       const struct branches *branches, const uint32_t *lines,
		       size_t index)
{
	uint32_t node = branches->array[index].node;
	uint32_t parent = branches->tree->nodes[node].parent;
	char *first;

	if (parent == PROFILE_NONE)
		first = profil_copy_string("\"parent\": null, ");
	else
		first = profil_format("\"parent\": %u, ", lines[parent]);
	print_row(out, view, index, first);
	free(first);
}

static void print_part(FILE *out, const char *member, unsigned int kinds,
		       struct call_tree_part *part)
{
	const struct branches *branches = &part->branches;
	uint32_t *lines = lines_of(branches);
	struct view view;

	profil_view_begin_rows(&view, IN_JSON | IN_NODES | kinds, &part->rows);
	fprintf(out, "  \"%s\": [", member);
	for (size_t i = 0; i < part->rows.nr; i++) {
		const struct row *row = &part->rows.array[i];

		profil_view_add(&view, row, NULL, row->names, NULL);
		print_node(out, &view, branches, lines, i);
	}
	fprintf(out,
		"\n  ],\n  \"other_%s\": %zu,\n  \"other_%s_samples\": %.0f,\n",
		member, branches->cut, member, branches->cut_samples);
	profil_view_end(&view);
	profil_call_tree_part_free(part);
	free(lines);
}

void profil_json_begin(FILE *out, const struct profile *profile)
{
	fputs("{\n  \"format\": \"profil report\",\n  \"version\": 1,\n", out);
	profil_json_print_head(out, profile);
}

void profil_json_end(FILE *out, double left_out)
{
	fprintf(out, "  \"left_out_samples\": %.0f\n}\n", left_out);
}

void profil_json_print_tree(FILE *out, const struct call_tree *calls,
			    const struct flat *flat)
{
	struct call_tree_part all;
	double left_out;

	profil_json_begin(out, calls->profile);
	profil_call_tree_all(&all, calls, flat);
	left_out = all.rows.left_out;
	print_part(out, "tree", 0, &all);
	profil_json_end(out, left_out);
}

void profil_json_print_function(FILE *out, const struct call_tree *calls,
				uint32_t name, const struct flat *flat)
{
	struct call_tree_part part;
	double left_out;

	profil_json_begin(out, calls->profile);
	profil_call_tree_callers(&part, calls, name, flat);
	print_part(out, "callers", IN_CALLERS_NODES, &part);
	profil_call_tree_callees(&part, calls, name, flat);
	left_out = part.rows.left_out;
	print_part(out, "callees", IN_CALLERS_NODES, &part);
	profil_json_end(out, left_out);
}

void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit)
{
	profil_json_begin(out, profile);
	print_rows(out, rows, limit);
	profil_json_end(out, rows->left_out);
}
