// SPDX-License-Identifier: GPL-2.0-only
/* Texts for code in anonymous memory, by lists of mappings as in /proc */
#include "tap.h"

#include "run/jit.h"

#define PAGE 0x1000ULL

static struct jit jit;
static struct jit_scan scan;

/* Counters of a text: a number that tells when it was added */
static uint64_t add_counters(const struct jit_range *range, void *data)
{
	uint64_t *last = data;

	(void)range;
	return ++*last;
}

static void begin(void)
{
	static uint64_t last;

	scan = (struct jit_scan){
		.jit = &jit,
		.counters = add_counters,
		.data = &last,
	};
}

static void take(uint64_t start, uint64_t end, bool executable)
{
	struct map map = {
		.start = start,
		.end = end,
		.executable = executable,
		.path = "",
	};

	profil_jit_take(&scan, &map);
}

static void take_file(uint64_t start, uint64_t end)
{
	profil_jit_take_file(&scan, (struct jit_range){ start, end });
}

static bool text_is(uint32_t index, uint64_t start, uint64_t end)
{
	CHECK(index < jit.nr);
	CHECK_EQUAL(start, jit.texts[index].range.start);
	CHECK_EQUAL(end, jit.texts[index].range.end);
	CHECK(!jit.texts[index].counters == (start == end));
	return true;
}

static bool is_covered(uint64_t start, uint64_t end)
{
	return profil_jit_covers(&jit, (struct jit_range){ start, end });
}

TEST("a text extends over the memory that adjoins its code")
{
	begin();
	take(0x10000, 0x18000, false);
	take(0x18000, 0x19000, true);
	take(0x19000, 0x20000, false);
	take(0x30000, 0x40000, false);
	profil_jit_end(&scan);
	CHECK_EQUAL(1, jit.nr);
	CHECK(text_is(0, 0x10000, 0x20000));
	CHECK(is_covered(0x10000, 0x20000));
	CHECK(!is_covered(0x1f000, 0x21000));
	CHECK_EQUAL(0, scan.missed);
	return true;
}

/* A text from 0x10000 to 0x20000 */
static bool begin_with_text(void)
{
	begin();
	take(0x10000, 0x20000, true);
	profil_jit_end(&scan);
	CHECK_EQUAL(1, jit.nr);
	begin();
	return true;
}

/* The file has the larger offset, and takes its samples from the text. */
TEST("a text stays where a file is mapped inside it")
{
	CHECK(begin_with_text());
	take(0x10000, 0x14000, true);
	take_file(0x14000, 0x18000);
	take(0x18000, 0x20000, true);
	profil_jit_end(&scan);
	CHECK_EQUAL(1, jit.nr);
	CHECK(text_is(0, 0x10000, 0x20000));
	return true;
}

TEST("a text ends where a file is mapped over its beginning")
{
	CHECK(begin_with_text());
	take_file(0x8000, 0x18000);
	profil_jit_end(&scan);
	CHECK_EQUAL(1, jit.nr);
	CHECK(text_is(0, 0x10000, 0x10000));
	CHECK(!is_covered(0x10000, 0x11000));
	return true;
}

TEST("code behind such a file gets another text")
{
	CHECK(begin_with_text());
	take_file(0x10000, 0x14000);
	take(0x14000, 0x20000, true);
	profil_jit_end(&scan);
	CHECK_EQUAL(2, jit.nr);
	CHECK(text_is(0, 0x10000, 0x10000));
	CHECK(text_is(1, 0x14000, 0x20000));
	CHECK(is_covered(0x14000, 0x20000));
	return true;
}

/* The memory has grown since. */
TEST("code behind a text gets another text")
{
	CHECK(begin_with_text());
	take(0x10000, 0x30000, true);
	profil_jit_end(&scan);
	CHECK_EQUAL(2, jit.nr);
	CHECK(text_is(1, 0x20000, 0x30000));
	return true;
}

TEST("files that adjoin a text change nothing")
{
	CHECK(begin_with_text());
	take_file(0x8000, 0x10000);
	take(0x10000, 0x20000, true);
	take_file(0x20000, 0x28000);
	profil_jit_end(&scan);
	CHECK_EQUAL(1, jit.nr);
	CHECK(text_is(0, 0x10000, 0x20000));
	return true;
}

/* Pages of code that do not adjoin */
static void take_pages(uint64_t nr)
{
	begin();
	for (uint64_t i = 1; i <= nr; i++)
		take(2 * i * PAGE, (2 * i + 1) * PAGE, true);
	profil_jit_end(&scan);
}

TEST("code beyond the last text is reported")
{
	take_pages(JIT_TEXTS);
	CHECK_EQUAL(JIT_TEXTS, jit.nr);
	CHECK_EQUAL(0, scan.missed);
	take_pages(JIT_TEXTS + 3);
	CHECK_EQUAL(JIT_TEXTS, jit.nr);
	CHECK_EQUAL(3, scan.missed);
	take_pages(JIT_TEXTS);
	CHECK_EQUAL(0, scan.missed);
	return true;
}
