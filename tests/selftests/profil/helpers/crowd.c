// SPDX-License-Identifier: GPL-2.0-only
#include "helpers.h"

#include "common.h"

/* As many pages as START pins at most, and some */
#define LOCKED_PAGES 80

int set_max_sessions(unsigned int nr)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nr);
	return param_write("max_sessions", text);
}

/* A change of the user makes a process outlive its parent. */
static void hold(int fd, int (*become)(const void *argument),
		 const void *argument, size_t pages, int report)
{
	size_t bytes = pages * page_size();
	int result = become ? become(argument) : 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	result = result ?: start_spread(fd, new_pages(bytes), bytes, 0);
	if (write(report, &result, sizeof(result)) != sizeof(result))
		_exit(1);
	for (;;)
		pause();
}

struct holder holder_new(int fd, int (*become)(const void *argument),
			 const void *argument, size_t pages)
{
	struct holder holder = { -1, -EPIPE };
	int ends[2];

	if (pipe(ends))
		return holder;
	holder.pid = IN_CHILD((hold(fd, become, argument, pages, ends[1]), 0));
	close(ends[1]);
	if (read(ends[0], &holder.result, sizeof(holder.result)) !=
	    sizeof(holder.result))
		holder.result = -EPIPE;
	close(ends[0]);
	return holder;
}

static int become(const void *user)
{
	return become_user(*(const uid_t *)user, LOCKED_PAGES);
}

struct holder holder_of(int fd, uid_t user)
{
	return holder_new(fd, become, &user, 1);
}

/* Give the namespace of @pid its IDs; @map is that of users or groups. */
static int map_ids(pid_t pid, const char *map)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, map);
	snprintf(text, sizeof(text), "1 %d %d\n", MAPPED_ID, MAPPED_IDS);
	return write_text(path, text);
}

/* Fork a child that maps the IDs once a byte is in the pipe @told. */
static pid_t fork_mapper(int told)
{
	pid_t parent = getpid(), child = fork();
	char byte;

	if (!child)
		_exit(read(told, &byte, 1) != 1 || map_ids(parent, "uid_map") ||
		      map_ids(parent, "gid_map"));
	return child;
}

int become_mapped(const void *mapped)
{
	const struct mapped *user = mapped;
	uid_t uid = user->owner, id = user->id;
	int told[2];
	pid_t mapper;

	if (pipe(told))
		return -errno;
	mapper = fork_mapper(told[0]);
	if (setresuid(uid, uid, uid) || unshare(CLONE_NEWUSER) ||
	    write(told[1], "x", 1) != 1)
		return -errno;
	if (!exited_with(mapper, 0))
		return -EPERM;
	close(told[0]);
	close(told[1]);
	return setresgid(1, 1, 1) || setresuid(id, id, id) ? -errno : 0;
}

void holder_end(const struct holder *holder)
{
	if (holder->pid > 0)
		kill_child(holder->pid);
}

/* The session that START replaces counts until it has ended. */
bool only_session_is_charged(int fd, void *counters)
{
	int with_two, with_one;
	char saved[32];

	if (param_read("max_sessions", saved, sizeof(saved)) ||
	    set_max_sessions(2))
		return false;
	with_two = start_sites(fd, counters, 4, NSEC_PER_SEC);
	set_max_sessions(1);
	with_one = start_sites(fd, counters, 4, NSEC_PER_SEC);
	param_write("max_sessions", saved);
	return !with_two && with_one == -EAGAIN;
}
