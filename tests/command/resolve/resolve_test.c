// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of the places of a profile
 *
 * The oracle for files is the dynamic linker, which knows at which offsets of
 * this program its functions are; maps of generated code are written here.
 */
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "profile/profile.h"
#include "resolve/resolve.h"
#include "tap.h"
#include "util/interrupt.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/* Process IDs are lower. */
#define MAX_PID 4194304

static uint32_t map_pid;
static char map_path[48], other_path[64];
static char own_path[4096];

/* Functions to be found */
__attribute__((noipa)) int resolve_test_first(int value)
{
	return value + 3;
}

static __attribute__((noipa)) int resolve_test_second(int value)
{
	return resolve_test_first(value) * 5;
}

/**
 * struct position - position of an address of this process in its program
 * @address: address in memory
 * @offset: offset in the file
 * @link: link-time address
 */
struct position {
	uintptr_t address;
	uint64_t offset;
	uint64_t link;
};

static int locate(struct dl_phdr_info *info, size_t size, void *data)
{
	struct position *position = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *load = &info->dlpi_phdr[i];
		uintptr_t into =
			position->address - info->dlpi_addr - load->p_vaddr;

		if (load->p_type != PT_LOAD || into >= load->p_memsz)
			continue;
		position->offset = load->p_offset + into;
		position->link = load->p_vaddr + into;
		return 1;
	}
	return 0;
}

static struct position position_of(const void *address)
{
	struct position position = { .address = (uintptr_t)address };

	dl_iterate_phdr(locate, &position);
	return position;
}

static uint32_t add_object(struct profile *profile, enum profile_kind kind,
			   const char *path)
{
	struct profile_object object = { .kind = kind, .path = path };

	profil_profile_add_program(profile, path);
	return profil_profile_add_object(profile, &object);
}

static void add_place(struct profile *profile, uint32_t object, uint64_t offset,
		      uint64_t samples)
{
	struct profile_place place = {
		.object = object,
		.offset = offset,
		.user = samples,
	};

	profil_profile_add_place(profile, &place);
}

static const struct profile_function *function_of(const struct profile *profile,
						  uint32_t place)
{
	uint32_t function = profile->places[place].function;

	return function < profile->nr_functions ?
		       &profile->functions[function] :
		       NULL;
}

/* Place of @profile at @offset; the number of places if there is none */
static uint32_t place_at(const struct profile *profile, uint64_t offset)
{
	uint32_t i = 0;

	while (i < profile->nr_places && profile->places[i].offset != offset)
		i++;
	return i;
}

TEST("functions of a file")
{
	struct position first = position_of(resolve_test_first);
	struct position second = position_of(resolve_test_second);
	const struct profile_function *function;
	struct profile profile;
	uint32_t at;

	CHECK_EQUAL(25, resolve_test_second(2));
	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, own_path);
	add_place(&profile, 0, second.offset, 50);
	add_place(&profile, 0, first.offset + 1, 50);
	add_place(&profile, 0, first.offset, 50);
	profil_profile_sort(&profile);
	profil_resolve(&profile, NULL, NULL);
	CHECK_EQUAL(2, profile.nr_functions);
	at = place_at(&profile, first.offset);
	CHECK_EQUAL(first.link, profile.places[at].address);
	function = function_of(&profile, at);
	CHECK(function && !strcmp(function->symbol, "resolve_test_first"));
	CHECK_EQUAL(first.link, function->address);
	CHECK(function->size && !function->is_local);
	CHECK(function == function_of(&profile, at + 1));
	function = function_of(&profile, place_at(&profile, second.offset));
	CHECK(function && !strcmp(function->name, "resolve_test_second"));
	CHECK(function->is_local);
	profil_profile_free(&profile);
	return true;
}

/**
 * struct other_root - a root directory with a copy of this program
 * @directory: the directory
 * @copy: path of the copy
 * @root: the directory, for the code under test
 */
struct other_root {
	char directory[32];
	char copy[48];
	struct resolve_root root;
};

static char *own_bytes(size_t *size)
{
	struct stat status;
	int fd = open(own_path, O_RDONLY);
	char *bytes;

	if (fd < 0 || fstat(fd, &status))
		return NULL;
	*size = status.st_size;
	bytes = malloc(*size);
	if (bytes && read(fd, bytes, *size) != (ssize_t)*size)
		bytes[0] = '\0';
	close(fd);
	return bytes;
}

/* Rename the first function in all tables of strings. */
static void rename_first(char *bytes, size_t size, const char *name)
{
	static const char old[] = "resolve_test_first";
	char *end = bytes + size;

	for (char *at = bytes; (at = memmem(at, end - at, old, sizeof(old)));)
		memcpy(at, name, sizeof(old));
}

/* The copy has the build ID of this program, and another name of a function. */
static bool make_root(struct other_root *root, const char *name)
{
	size_t size;
	char *bytes = own_bytes(&size);
	FILE *file;

	*root = (struct other_root){ .directory = "/tmp/resolve-test.XXXXXX",
				     .root.outer = "" };
	if (!bytes || !mkdtemp(root->directory))
		return false;
	rename_first(bytes, size, name);
	snprintf(root->copy, sizeof(root->copy), "%s/program", root->directory);
	root->root.path = root->directory;
	file = fopen(root->copy, "w");
	if (file) {
		fwrite(bytes, 1, size, file);
		fclose(file);
	}
	free(bytes);
	return file;
}

static void remove_root(struct other_root *root)
{
	unlink(root->copy);
	rmdir(root->directory);
}

/* The identity that a recording has of the file */
static struct run_identity identity_of(const char *path)
{
	struct run_identity identity = { 0 };
	struct profile profile;
	struct stat status;

	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, path);
	add_place(&profile, 0, 0, 1);
	profil_resolve(&profile, NULL, NULL);
	if (!stat(path, &status)) {
		identity.device = (uint64_t)major(status.st_dev) << 32 |
				  minor(status.st_dev);
		identity.inode = status.st_ino;
	}
	identity.build_id_size = profile.objects[0].build_id_size;
	memcpy(identity.build_id, profile.objects[0].build_id,
	       identity.build_id_size);
	profil_profile_free(&profile);
	return identity;
}

/* The first function of /program, of which each root has one, is @name. */
static bool is_first(const struct run_identity *identity,
		     const struct resolve_root *roots, const char *name)
{
	struct resolve_origin origin = {
		.identity = *identity,
		.roots = roots,
		.nr_roots = 2,
	};
	struct profile profile;
	bool is_same;

	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, "/program");
	add_place(&profile, 0, position_of(resolve_test_first).offset, 1);
	profil_resolve(&profile, &origin, NULL);
	tap_note("%s", function_of(&profile, 0)->symbol);
	is_same = !strcmp(function_of(&profile, 0)->symbol, name);
	profil_profile_free(&profile);
	return is_same;
}

static bool opens_file(const char *path, const struct run_identity *identity,
		       const struct resolve_root *roots, const char *name)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	bool opened;

	if (inotify_add_watch(events, path, IN_OPEN) < 0)
		return true;
	opened = !is_first(identity, roots, name) ||
		 read(events, &event, sizeof(event)) > 0;
	close(events);
	return opened;
}

static bool takes_either(const struct other_root *one,
			 const struct other_root *other)
{
	struct resolve_root roots[2] = { one->root, other->root };
	struct run_identity identity = identity_of(other->copy);

	CHECK(identity.build_id_size);
	CHECK(!opens_file(one->copy, &identity, roots, "resolve_test_other"));
	identity = identity_of(one->copy);
	CHECK(!opens_file(other->copy, &identity, roots, "resolve_test_one!!"));
	/* By the build ID alone, after the inode is gone */
	CHECK(!unlink(one->copy));
	CHECK(is_first(&identity, roots, "resolve_test_other"));
	return true;
}

TEST("the root directory that has the file")
{
	struct other_root one, other;
	bool passed;

	CHECK(make_root(&one, "resolve_test_one!!"));
	CHECK(make_root(&other, "resolve_test_other"));
	passed = takes_either(&one, &other);
	remove_root(&one);
	remove_root(&other);
	return passed;
}

TEST("segments and build ID of a file")
{
	struct position first = position_of(resolve_test_first);
	const struct profile_object *object;
	struct profile profile;
	bool found = false;

	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, own_path);
	add_place(&profile, 0, first.offset, 1);
	profil_resolve(&profile, NULL, NULL);
	object = profile.objects;
	CHECK_EQUAL(PROFILE_NAMES_READ, object->names);
	CHECK(object->is_relocatable);
	CHECK_EQUAL(20, object->build_id_size);
	for (uint32_t i = 0; i < profile.nr_segments; i++) {
		const struct profile_segment *segment = &profile.segments[i];

		if (first.offset - segment->offset < segment->size)
			found = first.link ==
				segment->address +
					(first.offset - segment->offset);
	}
	CHECK(found);
	profil_profile_free(&profile);
	return true;
}

/* State of the names of this program for a recording of a file with @identity */
static enum profile_names names_for(const struct run_identity *identity)
{
	struct resolve_origin origin = { .identity = *identity };
	struct profile profile;
	enum profile_names names;

	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, own_path);
	add_place(&profile, 0, 0x1230, 1);
	profil_resolve(&profile, &origin, NULL);
	names = profile.objects[0].names;
	profil_profile_free(&profile);
	return names;
}

/* Without a build ID, each member of the identity tells another file. */
TEST("names of another file")
{
	struct run_identity identity = identity_of(own_path);
	struct stat status;

	CHECK(!stat(own_path, &status));
	identity.build_id_size = 0;
	identity.size = status.st_size;
	identity.mtime_ns =
		status.st_mtim.tv_sec * 1000000000ULL + status.st_mtim.tv_nsec;
	CHECK_EQUAL(PROFILE_NAMES_READ, names_for(&identity));
	for (int i = 0; i < 5; i++) {
		struct run_identity other = identity;

		other.device += i == 0;
		other.inode += i == 1;
		other.size += i == 2;
		other.mtime_ns += i == 3;
		other.build_id[0] += i == 4;
		other.build_id_size = i == 4 ? 20 : 0;
		CHECK_EQUAL(PROFILE_NAMES_REPLACED, names_for(&other));
	}
	return true;
}

TEST("a file that is gone or replaced")
{
	struct resolve_origin origins[2] = { 0 };
	struct profile profile;

	origins[0].identity.inode = 1;
	origins[0].identity.device = 1;
	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, own_path);
	add_object(&profile, PROFILE_FILE, "/nonexistent/lib one.so");
	add_place(&profile, 0, 0x1230, 1);
	add_place(&profile, 1, 0x4560, 1);
	profil_resolve(&profile, origins, NULL);
	CHECK_EQUAL(PROFILE_NAMES_REPLACED, profile.objects[0].names);
	CHECK_EQUAL(PROFILE_NAMES_UNREADABLE, profile.objects[1].names);
	CHECK_EQUAL(0x4560, profile.places[1].address);
	CHECK(!strcmp(function_of(&profile, 1)->name, "lib one.so+0x4560"));
	CHECK(!*function_of(&profile, 1)->symbol);
	CHECK(strstr(function_of(&profile, 0)->name, "+0x1230"));
	profil_profile_free(&profile);
	return true;
}

TEST("no file is read after an interrupt")
{
	struct profile profile;

	profil_interrupt_begin();
	raise(SIGINT);
	profil_profile_init(&profile);
	add_object(&profile, PROFILE_FILE, own_path);
	add_place(&profile, 0, 0x1230, 1);
	profil_resolve(&profile, NULL, NULL);
	CHECK_EQUAL(PROFILE_NAMES_SKIPPED, profile.objects[0].names);
	CHECK(strstr(function_of(&profile, 0)->name, "+0x1230"));
	profil_profile_free(&profile);
	return true;
}

TEST("code in no file has no function")
{
	struct profile profile;

	profil_profile_init(&profile);
	add_object(&profile, PROFILE_OUTSIDE, "/bin/x");
	add_place(&profile, 0, 0, 3);
	profil_resolve(&profile, NULL, NULL);
	CHECK_EQUAL(PROFILE_NONE, profile.places[0].function);
	CHECK_EQUAL(0, profile.nr_functions);
	profil_profile_free(&profile);
	return true;
}

/* Write @text to the map, and look up the code at 0x1000, 0x1010 and 0x2000. */
static void resolve_jit(struct profile *profile, const char *text, size_t size)
{
	struct resolve_origin origin = { .pid = map_pid };
	int fd = open(map_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, size) != (ssize_t)size)
		tap_note("cannot write %s", map_path);
	close(fd);
	profil_profile_init(profile);
	add_object(profile, PROFILE_JIT, "/usr/bin/node");
	add_place(profile, 0, 0x1000, 3);
	add_place(profile, 0, 0x1010, 3);
	add_place(profile, 0, 0x2000, 3);
	profil_resolve(profile, &origin, NULL);
	unlink(map_path);
}

static const char map[] = "1000 10 LazyCompile:*old /a b.js:1\n"
			  "nonsense\n"
			  "0x1000 10 prefix\n"
			  "2000 0 empty\n"
			  "2000 ffffffffffffffff beyond\n"
			  "fff 20 LazyCompile:*loop /a b.js:7\n"
			  "1010 1 _Z3fooi";

TEST("names of generated code")
{
	const struct profile_function *function;
	struct profile profile;

	resolve_jit(&profile, map, strlen(map));
	function = function_of(&profile, 0);
	CHECK(!strcmp(function->name, "LazyCompile:*loop /a b.js:7"));
	CHECK_EQUAL(0xfff, function->address);
	CHECK_EQUAL(0x20, function->size);
	function = function_of(&profile, 1);
	CHECK(!strcmp(function->symbol, "_Z3fooi"));
	CHECK(!strcmp(function->name, "foo(int)"));
	CHECK(!strcmp(function_of(&profile, 2)->name, "[jit: node]"));
	profil_profile_free(&profile);
	return true;
}

/* A damaged map gives other names or none, and never a place without any. */
TEST("maps with every byte changed")
{
	for (size_t at = 0; at < strlen(map); at++)
		for (int byte = 0; byte < 256; byte += byte < 128 ? 1 : 17) {
			struct profile profile;
			char text[sizeof(map)];

			memcpy(text, map, sizeof(map));
			text[at] = byte;
			resolve_jit(&profile, text, strlen(map));
			for (uint32_t i = 0; i < profile.nr_places; i++)
				CHECK(function_of(&profile, i) &&
				      *function_of(&profile, i)->name);
			profil_profile_free(&profile);
		}
	return true;
}

static bool has_only_nameless_code(const struct profile *profile)
{
	return profile->nr_functions == 1 &&
	       !strcmp(function_of(profile, 0)->name, "[jit: node]");
}

/* Profile of generated code whose map is at map_path already */
static void resolve_existing(struct profile *profile, uint64_t begin_ns)
{
	struct resolve_origin origin = { .pid = map_pid };

	profil_profile_init(profile);
	profile->head.begin_ns = begin_ns;
	add_object(profile, PROFILE_JIT, "/usr/bin/node");
	add_place(profile, 0, 0x1000, 3);
	profil_resolve(profile, &origin, NULL);
}

TEST("links, other owners' files and old maps are not read")
{
	struct profile profile;
	FILE *file = fopen(other_path, "w");

	CHECK(file && fputs(map, file) >= 0 && !fclose(file));
	CHECK(!symlink(other_path, map_path));
	resolve_existing(&profile, 0);
	CHECK(has_only_nameless_code(&profile));
	profil_profile_free(&profile);
	CHECK(!rename(other_path, map_path));
	resolve_existing(&profile, UINT64_MAX);
	CHECK(has_only_nameless_code(&profile));
	profil_profile_free(&profile);
	resolve_existing(&profile, 1);
	CHECK(!has_only_nameless_code(&profile));
	profil_profile_free(&profile);
	if (!geteuid()) {
		CHECK(!chown(map_path, 65534, 65534));
		resolve_existing(&profile, 1);
		CHECK(has_only_nameless_code(&profile));
		profil_profile_free(&profile);
	}
	CHECK(!unlink(map_path));
	return true;
}

/* The map at map_path is opened when names are looked up. */
static bool is_map_opened(void)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	struct profile profile;
	bool opened;

	if (inotify_add_watch(events, map_path, IN_OPEN) < 0)
		return true;
	resolve_existing(&profile, 0);
	opened = read(events, &event, sizeof(event)) > 0;
	profil_profile_free(&profile);
	close(events);
	return opened;
}

/* Devices act on being opened; a FIFO is the one that needs no privilege. */
TEST("only regular files are opened as maps")
{
	FILE *file = fopen(map_path, "w");
	bool opened;

	CHECK(file && fputs(map, file) >= 0 && !fclose(file));
	CHECK(is_map_opened());
	CHECK(!unlink(map_path) && !mkfifo(map_path, 0600));
	opened = is_map_opened();
	CHECK(!unlink(map_path));
	return !opened;
}

TEST("long lines of a map")
{
	static char text[100000];
	struct profile profile;

	memset(text, 'x', sizeof(text));
	memcpy(text, "1000 8 long", 11);
	memcpy(text + sizeof(text) - 16, "\n1010 1 second\n\n\n", 16);
	resolve_jit(&profile, text, sizeof(text));
	CHECK(!strncmp(function_of(&profile, 0)->name, "longxxx", 7));
	CHECK(strlen(function_of(&profile, 0)->name) < 1024);
	CHECK(!strcmp(function_of(&profile, 1)->name, "second"));
	profil_profile_free(&profile);
	return true;
}

int main(void)
{
	ssize_t size =
		readlink("/proc/self/exe", own_path, sizeof(own_path) - 1);

	if (size < 0)
		return 1;
	map_pid = MAX_PID + getpid();
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%u.map", map_pid);
	snprintf(other_path, sizeof(other_path), "%s.other", map_path);
	return tap_run();
}
