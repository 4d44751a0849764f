// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short names of functions: names of C++, Rust, Go, D, Java and C, and tables whose names
 * differ in a part that is folded. Each short name was written by hand.
 */
#include <string.h>

#include "tap.h"
#include "util/short_names.h"
#include "util/text.h"

#define DOTS "…"

/* A name, and its short name of @width characters */
struct shortened {
	const char *name;
	size_t width;
	const char *wanted;
};

static bool is_shortened(const struct shortened *shortened)
{
	char *name = profil_copy_string(shortened->name);
	bool is_wanted;

	profil_short_names(&name, 1, shortened->width, DOTS);
	is_wanted = !strcmp(name, shortened->wanted) &&
		    profil_text_width(name) <= shortened->width;
	if (!is_wanted)
		tap_note("%s: \"%s\"", shortened->name, name);
	free(name);
	return is_wanted;
}

static const struct shortened names[] = {
	{ "std::vector<int>::push_back(int)", 32,
	  "std::vector<int>::push_back(int)" },
	{ "void std::swap<int>(int&, int&)", 30, "std::swap<int>(int&, int&)" },
	{ "void std::swap<int>(int&, int&)", 20, "std::swap<int>" },
	{ "void std::swap<int>(int&, int&)", 13, "std::swap<…>" },
	{ "unsigned long f<std::pair<int, long> >(int)", 12, "f<…>" },
	{ "std::vector<std::map<int, std::string> >::size() const", 26,
	  "std::vector<…>::size" },
	{ "a::b<int>::operator<(a::b<int> const&) const", 25,
	  "a::b<int>::operator<" },
	{ "a::b<int, long>::operator<<(a::b<int, long> const&)", 20,
	  "a::b<…>::operator<<" },
	{ "std::ostream& std::operator<< <std::char_traits<char> >(int)", 24,
	  "std::operator<< <…>" },
	{ "bool operator<=><int>(int const&, int const&)", 18,
	  "operator<=><int>" },
	{ "bool operator<=><a::b>(a::b const&)", 15, "operator<=><…>" },
	{ "a::ptr<std::map<int, long> >::operator->() const", 22,
	  "a::ptr<…>::operator->" },
	{ "a::ptr<std::map<int, long> >::operator->*(int)", 23,
	  "a::ptr<…>::operator->*" },
	{ "a::array<std::map<int, long> >::operator[](int)", 24,
	  "a::array<…>::operator[]" },
	{ "void a::call<int>::operator()<long, long>(long)", 25,
	  "a::call<…>::operator()<…>" },
	{ "a::from::operator std::vector<int, std::allocator<int> >()", 34,
	  "a::from::operator std::vector<…>" },
	{ "a::from::operator unsigned long() const", 32,
	  "a::from::operator unsigned long" },
	{ "operator new(unsigned long, std::nothrow_t const&)", 20,
	  "operator new" },
	{ "a<int>::operator delete[](void*, unsigned long)", 30,
	  "a<int>::operator delete[]" },
	{ "main::{lambda(auto:1)#1}::operator()<int>(int) const", 36,
	  "main::{lambda(…)#1}::operator()<…>" },
	{ "run(int)::{lambda()#2}::operator()() const", 30,
	  "run::{lambda()#2}::operator()" },
	{ "int (anonymous namespace)::work<int, long>(int, long)", 32,
	  "(anonymous namespace)::work<…>" },
	{ "decltype (((int)(1))<((int)(2))) less<int, long>(int, long)", 15,
	  "less<int, long>" },
	{ "decltype(auto) visit<a::b<int>, a::c>(a::b<int>&&)", 12,
	  "visit<…>" },
	{ "void (*choose<int, long>(int, long))(char)", 20,
	  "void (*choose<…>)" },
	{ "int f<(((int)3)>((a)4))>(int)", 10, "f<…>" },
	{ "name[abi:cxx11](std::string const&, int)", 20, "name[abi:cxx11]" },
	{ "a::b::work(int, long, char) [clone .cold]", 26,
	  "a::b::work [clone .cold]" },
	{ "<alloc::vec::Vec<u8> as core::clone::Clone>::clone", 44,
	  "…::vec::Vec<…> as core::clone::Clone>::clone" },
	{ "<alloc::vec::Vec<u8>>::push", 26, "<alloc::vec::Vec<…>>::push" },
	{ "<T as core::fmt::Debug>::fmt", 28, "<T as core::fmt::Debug>::fmt" },
	{ "std::rt::lang_start::<(), long>::{closure#0}", 40,
	  "std::rt::lang_start::<…>::{closure#0}" },
	{ "core::iter::Iterator::collect::<alloc::vec::Vec<u8>>", 34,
	  "core::iter::Iterator::collect::<…>" },
	{ "core::str::<impl str>::trim_matches::<char>", 40,
	  "core::str::<impl str>::trim_matches::<…>" },
	{ "encoding/json.(*decodeState).object", 30,
	  "…json.(*decodeState).object" },
	{ "main.Map[go.shape.int,go.shape.string]", 20, "main.Map[…]" },
	{ "std.algorithm.sort!(\"a < b\", int[]).sort(int[])", 34,
	  "std.algorithm.sort!(…).sort" },
	{ "void java.util.DualPivotQuicksort.sort(int[], int)", 36,
	  "java.util.DualPivotQuicksort.sort" },
	{ "space::inner::type::function", 22, "…::type::function" },
	{ "space::type<int>::a_long_name_of_a_method(int)", 20,
	  "…ng_name_of_a_method" },
	{ "a_function_of_c_with_a_long_name", 20, "a_function_of_c_wit…" },
	{ "function.constprop.0.isra.0.cold", 20, "function.constprop.…" },
	{ "liblonger-1.0.so.18.21.7+0x159a0", 20, "….so.18.21.7+0x159a0" },
	{ "ümläute::größe<int, long>(ß)", 15, "…::größe<…>" },
	{ "unbalanced<(int", 12, "unbalanced<…" },
	{ "operator", 8, "operator" },
	{ "", 3, "" },
};

TEST("a name is shortened by its parts")
{
	bool are_all = true;

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		are_all &= is_shortened(&names[i]);
	return are_all;
}

/* The most names of a table */
#define ROWS 4

/* Names of a table, of @width characters, and the short names */
struct table {
	size_t width;
	const char *names[ROWS];
	const char *wanted[ROWS];
};

static bool is_table(const struct table *table)
{
	char *short_names[ROWS];
	bool is_wanted = true;
	size_t nr = 0;

	for (; nr < ROWS && table->names[nr]; nr++)
		short_names[nr] = profil_copy_string(table->names[nr]);
	profil_short_names(short_names, nr, table->width, DOTS);
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(short_names[i], table->wanted[i])) {
			tap_note("%s: \"%s\"", table->names[i], short_names[i]);
			is_wanted = false;
		}
		free(short_names[i]);
	}
	return is_wanted;
}

static const struct table tables[] = {
	/* Components at the end */
	{ 32,
	  { "a::detail::lexer<a::json<std::map, std::vector>, char>::scan()",
	    "a::detail::lexer<a::json<std::map, std::vector>, char>::get()" },
	  { "a::detail::lexer<…>::scan", "a::detail::lexer<…>::get" } },
	/* Arguments of templates, the shortest that differs */
	{ 40,
	  { "void a::sort<a::iterator<int*, a::vec<int> >, long>(long)",
	    "void a::sort<a::iterator<int*, a::vec<int> >, int>(long)" },
	  { "a::sort<…, long>", "a::sort<…, int>" } },
	/* Parameters, and words behind them */
	{ 26,
	  { "a::map<a::text, a::vec<int> >::find(a::text const&) const",
	    "a::map<a::text, a::vec<int> >::find(a::text const&)",
	    "a::map<a::text, a::vec<int> >::find(int, long)" },
	  { "a::map<…>::find(…) const", "…::find(a::text const&)",
	    "a::map<…>::find(int, long)" } },
	/* The type of the result alone */
	{ 16,
	  { "int a::get<a::b<long> >(long)", "char a::get<a::b<long> >(long)" },
	  { "int a::get<…>", "char a::get<…>" } },
	/* Lambdas of one function */
	{ 36,
	  { "a::f(a::b<long>)::{lambda(int)#1}::operator()(int) const",
	    "a::f(a::b<long>)::{lambda(char)#1}::operator()(char) const",
	    "a::f(a::b<long>)::{lambda(char)#2}::operator()(char) const" },
	  { "a::f::{lambda(int)#1}::operator()",
	    "a::f::{lambda(char)#1}::operator()",
	    "a::f::{lambda(char)#2}::operator()" } },
	/* Rust: the type, in front of the trait */
	{ 24,
	  { "<alloc::vec::Vec<u8> as core::fmt::Debug>::fmt",
	    "<alloc::vec::Vec<u16> as core::fmt::Debug>::fmt",
	    "<alloc::sync::Arc<u16> as core::fmt::Debug>::fmt" },
	  { "…oc::vec::Vec<u8> …::fmt", "…oc::vec::Vec<u16>…::fmt",
	    "…oc::sync::Arc<…> …::fmt" } },
	/* A function of C and one of C++, and a part that was split off */
	{ 22,
	  { "work", "a::b<a::c>::work(int, long)",
	    "work(int, long, char, a::b)",
	    "a::b<a::c>::work(int, long) [clone .cold]" },
	  { "work", "a::b<a::c>::work", "work…ong, char, a::b)",
	    "…::work [clone .cold]" } },
	/* The front, the end and the middle of names of C */
	{ 14,
	  { "one_of_the_functions_of_a", "two_of_the_functions_of_a",
	    "two_of_the_functions_of_b" },
	  { "one_of_the_fu…", "…unctions_of_a", "…unctions_of_b" } },
	/* A difference in the middle, and little room */
	{ 17,
	  { "shop::index<a::b<int>, double, a::less>::insert(double)",
	    "shop::index<a::b<int>, long, a::less>::insert(long)" },
	  { "…uble, …>::insert", "…long, …>::insert" } },
	/* Types without their parts, and equal names in two files */
	{ 20,
	  { "a::vec<int, a::alloc<int> >::push_back(int)",
	    "a::vec<long, a::alloc<long> >::push_back(long)",
	    "a::vec<int, a::alloc<int> >::push_back(int)" },
	  { "…<int, …>::push_back", "…long, …>::push_back",
	    "…<int, …>::push_back" } },
};

TEST("short names of a table differ where the names do")
{
	bool are_all = true;

	for (size_t i = 0; i < ARRAY_LENGTH(tables); i++)
		are_all &= is_table(&tables[i]);
	return are_all;
}

/* The names of all tables, @nr of them */
static size_t all_names(char *copies[ARRAY_LENGTH(tables) * ROWS])
{
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(tables); i++)
		for (size_t row = 0; row < ROWS && tables[i].names[row]; row++)
			copies[nr++] = profil_copy_string(tables[i].names[row]);
	return nr;
}

static bool fits(size_t width, const char *dots)
{
	char *copies[ARRAY_LENGTH(tables) * ROWS];
	size_t nr = all_names(copies);
	bool all_fit = true;

	profil_short_names(copies, nr, width, dots);
	for (size_t i = 0; i < nr; i++) {
		if (profil_text_width(copies[i]) > width)
			tap_note("%zu: \"%s\"", width, copies[i]);
		all_fit &= profil_text_width(copies[i]) <= width;
		free(copies[i]);
	}
	return all_fit;
}

TEST("no short name is longer than its column")
{
	for (size_t width = 4; width < 80; width++) {
		CHECK(fits(width, DOTS));
		CHECK(fits(width, "..."));
	}
	return true;
}
