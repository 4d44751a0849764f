// SPDX-License-Identifier: GPL-2.0-only
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/pagemap.h>
#include <linux/string.h>

#include "build_id.h"
#include "names.h"

/* Where the fields of a class of ELF files are; all but offsets are alike. */
struct layout {
	u32 phoff;
	u32 phnum;
	u32 phentsize;
	u32 p_offset;
	u32 p_filesz;
	u32 word;
};

#define LAYOUT(bits)                                                      \
	{                                                                 \
		offsetof(struct elf##bits##_hdr, e_phoff),                \
			offsetof(struct elf##bits##_hdr, e_phnum),        \
			sizeof(struct elf##bits##_phdr),                  \
			offsetof(struct elf##bits##_phdr, p_offset),      \
			offsetof(struct elf##bits##_phdr, p_filesz),      \
			sizeof(((struct elf##bits##_phdr *)0)->p_filesz), \
	}

static const struct layout layouts[] = {
	[ELFCLASS32] = LAYOUT(32),
	[ELFCLASS64] = LAYOUT(64),
};

/* Part of a file: that of a program, which may be anything */
struct part_of_file {
	const u8 *bytes;
	size_t size;
};

/* The @size bytes at @at as a number of the kernel's byte order, ~0 if outside */
static u64 number(struct part_of_file part, u64 at, u32 size)
{
	size_t skipped =
		IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? sizeof(u64) - size : 0;
	u64 value = 0;

	if (at > part.size || size > part.size - at)
		return ~0ULL;
	memcpy((void *)&value + skipped, part.bytes + at, size);
	return value;
}

static const char owner[] = "GNU";

/* Copy the descriptor of the note at @at, of @desc bytes, if it is a build ID. */
static u32 copy_note(struct part_of_file notes, u64 at, u64 desc, u8 *id)
{
	u64 start = at + sizeof(struct elf32_note) + sizeof(owner);

	if (number(notes, at, 4) != sizeof(owner) ||
	    number(notes, at + 8, 4) != 3 /* NT_GNU_BUILD_ID */ || !desc ||
	    desc > BUILD_ID_MAX || start + desc > notes.size ||
	    memcmp(notes.bytes + start - sizeof(owner), owner, sizeof(owner)))
		return 0;
	memcpy(id, notes.bytes + start, desc);
	return desc;
}

/*
 * The notes of a file that are looked at. Its page has room for thousands, in parts that
 * overlap, and a look-up is not preempted.
 */
#define NOTES_MAX 32

static u32 find_in_notes(struct part_of_file notes, u32 *left, u8 *id)
{
	u64 at = 0;

	while (*left && at + sizeof(struct elf32_note) < notes.size) {
		u64 name = number(notes, at, 4),
		    desc = number(notes, at + 4, 4);
		u32 size = copy_note(notes, at, desc, id);

		if (size)
			return size;
		--*left;
		at += sizeof(struct elf32_note) + ALIGN(name, 4) +
		      ALIGN(desc, 4);
	}
	return 0;
}

static u32 find_build_id(struct part_of_file page, u8 *id)
{
	const struct layout *layout;
	u64 at, nr, class = page.bytes[EI_CLASS];
	u32 size = 0, left = NOTES_MAX;

	if (memcmp(page.bytes, ELFMAG, SELFMAG) ||
	    (class != ELFCLASS32 && class != ELFCLASS64))
		return 0;
	layout = &layouts[class];
	at = number(page, layout->phoff, layout->word);
	nr = number(page, layout->phnum, 2);
	for (; !size && nr && at < page.size; nr--, at += layout->phentsize) {
		u64 offset = number(page, at + layout->p_offset, layout->word);
		u64 length = number(page, at + layout->p_filesz, layout->word);
		struct part_of_file notes = { page.bytes + offset, length };

		if (number(page, at, 4) == PT_NOTE && offset <= page.size &&
		    length <= page.size - offset)
			size = find_in_notes(notes, &left, id);
	}
	return size;
}

/* A user may write the page: what is checked and then used is a copy. */
u32 profil_build_id(struct file *file, void *room, size_t size, u8 *id)
{
	struct folio *folio = filemap_get_folio(file->f_mapping, 0);
	bool is_read;
	void *page;

	if (IS_ERR_OR_NULL(folio))
		return 0;
	size = min(size, PAGE_SIZE);
	is_read = folio_test_uptodate(folio);
	if (is_read) {
		page = kmap_local_folio(folio, 0);
		memcpy(room, page, size);
		kunmap_local(page);
	}
	folio_put(folio);
	return is_read ?
		       find_build_id((struct part_of_file){ room, size }, id) :
		       0;
}
