// SPDX-License-Identifier: GPL-2.0-only
/* Children with fewer rights: other users, user namespaces, seccomp, limits */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "torture.h"

/* Processes of one user share the limit. */
static int limit_memlock(struct stream *random)
{
	size_t pages = draw_one_in(random, 2) ? draw_below(random, 8) :
						draw_below(random, 300);
	struct rlimit limit = { pages * page_size(), pages * page_size() };

	return setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0;
}

static int become_other(struct stream *random)
{
	uid_t user = FIRST_USER + (uid_t)draw_below(random, NR_USERS);

	if (limit_memlock(random) || setgid(65534) || setuid(user))
		return -errno;
	return 0;
}

static int enter_namespace(struct stream *random)
{
	return limit_memlock(random) || unshare(CLONE_NEWUSER) ? -errno : 0;
}

/* The system call @nr has the result @result, all others work. */
static int filter(unsigned int nr, unsigned int result)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, result),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program_of_filter = { ARRAY_LENGTH(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program_of_filter))
		return -errno;
	return 0;
}

static int refuse_or_kill(struct stream *random)
{
	switch (draw_below(random, 4)) {
	case 0:
		return filter(SYS_ioctl, SECCOMP_RET_ERRNO | EPERM);
	case 1:
		return filter(SYS_getppid, SECCOMP_RET_KILL_PROCESS);
	case 2:
		return filter(SYS_ioctl, SECCOMP_RET_KILL_THREAD);
	default:
		return filter(SYS_munmap, SECCOMP_RET_ERRNO | ENOMEM);
	}
}

static int (*const changes[])(struct stream *random) = {
	become_other,
	enter_namespace,
	refuse_or_kill,
};

/* In a child: an actor, after a change of its rights */
static void live_with_less(struct actor *actor)
{
	struct stream *random = &actor->random;

	actor_inherit(actor);
	if (!changes[actor->argument](random))
		actor_live_on(actor);
}

/* A user who has nothing pinned can pin as many pages as the limit allows. */
static bool user_can_pin(uid_t user)
{
	const size_t pages = 8;
	char *counters = new_pages(pages * page_size());
	struct profil_region region = region_of(counters, pages * page_size(),
						profil_sites, SITE_SCALE(8));
	struct profil_start start = start_of(&region, 1, 8, 0);

	return !become_user(user, pages) && !session_start(&start);
}

bool users_have_nothing_pinned(void)
{
	bool can = true;

	for (uid_t user = FIRST_USER; user < FIRST_USER + NR_USERS; user++)
		can &= CHILD_OK(!user_can_pin(user));
	return can;
}

static const struct operation list[] = {
	{ "fork, setuid, memlock", NULL, 6, 0, .life = live_with_less },
	{ "fork, user namespace", NULL, 2, 1, .life = live_with_less },
	{ "fork, seccomp", NULL, 3, 2, .life = live_with_less },
};

const struct operations user_operations = { list, ARRAY_LENGTH(list) };
