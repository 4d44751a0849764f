// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that the loader maps for a program
 *
 * ldd(1) executes the loader with the program, or the program itself. Here the names in
 * the dynamic section are looked for in the same directories, and in the cache of the
 * loader.
 */
#include "elf/boundaries.h"
#include "elf/frame_rows.h"
#include "elf/needed.h"
#include "util/regular_file.h"

#define CACHE "/etc/ld.so.cache"
#define MOST_OF_CACHE (64 << 20)

/* The flags are of a library of glibc in the loader's cache. */
#ifdef __aarch64__
#define DEBIAN_NAME "aarch64-linux-gnu"
#define NATIVE_LIBRARY 0xa03
#else
#define DEBIAN_NAME "x86_64-linux-gnu"
#define NATIVE_LIBRARY 0x303
#endif

/* Directories of libraries that the loader has built in, behind those of its cache */
static const char directories[] = "/lib/" DEBIAN_NAME ":/usr/lib/" DEBIAN_NAME
				  ":/lib64:/usr/lib64:/lib:/usr/lib";

/**
 * struct cache_entry - a library in the cache
 * @flags: kind of library
 * @key: offset of its name in the cache
 * @value: that of its path
 * @unused: zero
 * @level: processors that it is for, 0 for all
 */
struct cache_entry {
	int32_t flags;
	uint32_t key;
	uint32_t value;
	uint32_t unused;
	uint64_t level;
};

/* The head of the cache: its kind, the number of entries, and 24 other bytes */
#define CACHE_KIND "glibc-ld.so.cache1.1"
#define CACHE_HEAD 48

/*
 * A search
 * @paths: what was found, @nr of them
 * @cache: content of the cache, @size bytes, with a zero behind them
 */
struct search {
	char **paths;
	size_t nr;
	char *cache;
	size_t size;
};

static bool is_usable(const char *path)
{
	GElf_Ehdr head;
	int fd = profil_regular_file_open(path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	bool is_it = elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) &&
		     head.e_ident[EI_CLASS] == ELFCLASS64 &&
		     head.e_machine == NATIVE_MACHINE->elf;

	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return is_it;
}

/* Add @path, which is freed or kept; false if it is no file for this machine. */
static bool add_path(struct search *search, char *path)
{
	char *real = realpath(path, NULL);
	bool is_new = real && search->nr < NEEDED_FILES;

	free(path);
	if (!real || !is_usable(real)) {
		free(real);
		return false;
	}
	for (size_t i = 0; i < search->nr; i++)
		is_new &= !!strcmp(search->paths[i], real);
	if (is_new)
		search->paths[search->nr++] = real;
	else
		free(real);
	return true;
}

/* The name of the directory of @path, for its dynamic section: $ORIGIN */
static char *expand(const char *directory, size_t size, const char *path)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	const char *end = strrchr(path, '/');

	for (size_t i = 0; end && i < 2; i++) {
		size_t length = strlen(words[i]);

		if (size >= length && !memcmp(directory, words[i], length))
			return profil_format("%.*s%.*s", (int)(end - path),
					     path, (int)(size - length),
					     directory + length);
	}
	return profil_format("%.*s", (int)size, directory);
}

/* Look for @name in @list, directories with colons between, of the file @path. */
static bool find_in(struct search *search, const char *list, const char *name,
		    const char *path)
{
	while (list && *list) {
		size_t size = strcspn(list, ":");
		char *directory = expand(list, size, path);
		char *file = profil_format("%s/%s", directory, name);

		free(directory);
		if (add_path(search, file))
			return true;
		list += size + (list[size] == ':');
	}
	return false;
}

static const char *string_at(const struct search *search, uint32_t offset)
{
	return offset < search->size ? search->cache + offset : "";
}

static bool find_in_cache(struct search *search, const char *name)
{
	struct cache_entry entry;
	uint32_t nr;

	if (search->size < CACHE_HEAD ||
	    memcmp(search->cache, CACHE_KIND, strlen(CACHE_KIND)))
		return false;
	memcpy(&nr, search->cache + strlen(CACHE_KIND), sizeof(nr));
	nr = lesser(nr, (search->size - CACHE_HEAD) / sizeof(entry));
	for (size_t i = 0; i < nr; i++) {
		char *path;

		memcpy(&entry, search->cache + CACHE_HEAD + i * sizeof(entry),
		       sizeof(entry));
		if (entry.flags != NATIVE_LIBRARY || entry.level ||
		    strcmp(string_at(search, entry.key), name))
			continue;
		path = profil_copy_string(string_at(search, entry.value));
		if (add_path(search, path))
			return true;
	}
	return false;
}

/* Directories that a file names for the libraries that it needs */
struct own_directories {
	const char *before;
	const char *after;
};

static void find_library(struct search *search, const char *name,
			 const struct own_directories *own, const char *path)
{
	if (strchr(name, '/')) {
		add_path(search, profil_copy_string(name));
		return;
	}
	if (!find_in(search, own->before, name, path) &&
	    !find_in(search, getenv("LD_LIBRARY_PATH"), name, path) &&
	    !find_in(search, own->after, name, path) &&
	    !find_in_cache(search, name))
		find_in(search, directories, name, path);
}

/* The string with the number @nr of those with @tag in the dynamic section, or NULL */
static const char *dynamic_string(Elf *elf, Elf_Scn *section, int64_t tag,
				  size_t nr)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr head;
	GElf_Dyn it;

	if (!data || !gelf_getshdr(section, &head))
		return NULL;
	for (int i = 0; gelf_getdyn(data, i, &it) && it.d_tag != DT_NULL; i++)
		if (it.d_tag == tag && !nr--)
			return elf_strptr(elf, head.sh_link, it.d_un.d_val);
	return NULL;
}

static void find_libraries(struct search *search, Elf *elf, const char *path)
{
	GElf_Shdr head;
	Elf_Scn *section = profil_section_find(elf, SHT_DYNAMIC, NULL, &head);
	struct own_directories own;
	const char *name;

	if (!section)
		return;
	own.after = dynamic_string(elf, section, DT_RUNPATH, 0);
	own.before = own.after ? NULL :
				 dynamic_string(elf, section, DT_RPATH, 0);
	for (size_t i = 0; i < NEEDED_FILES; i++) {
		name = dynamic_string(elf, section, DT_NEEDED, i);
		if (!name)
			return;
		find_library(search, name, &own, path);
	}
}

static void find_interpreter(struct search *search, Elf *elf)
{
	size_t nr = 0;
	GElf_Phdr it;
	Elf_Data *data;

	elf_getphdrnum(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &it) || it.p_type != PT_INTERP)
			continue;
		data = elf_getdata_rawchunk(elf, it.p_offset, it.p_filesz,
					    ELF_T_BYTE);
		if (data && data->d_size)
			add_path(search,
				 profil_format("%.*s", (int)data->d_size,
					       (char *)data->d_buf));
		return;
	}
}

static void find_needed(struct search *search, const char *path)
{
	int fd = profil_regular_file_open(path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);

	if (elf) {
		find_interpreter(search, elf);
		find_libraries(search, elf, path);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

size_t profil_needed_find(const char *path, char *paths[NEEDED_FILES])
{
	struct search search = { .paths = paths };
	int cache = profil_regular_file_open(CACHE);

	elf_version(EV_CURRENT);
	if (cache >= 0) {
		search.cache = profil_regular_file_text(cache, MOST_OF_CACHE,
							&search.size);
		close(cache);
	}
	add_path(&search, profil_copy_string(path));
	for (size_t i = 0; i < search.nr; i++)
		find_needed(&search, search.paths[i]);
	free(search.cache);
	return search.nr;
}
