/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's books: how many of each object and charge there are. A driver without users
 * has none. Each CPU counts what it adds and removes; the sum is exact at rest.
 */
#ifndef PROFIL_BOOKS_H
#define PROFIL_BOOKS_H

#include <linux/cred.h>
#include <linux/percpu.h>
#include <linux/pid.h>

enum book {
	BOOK_SESSIONS,
	BOOK_QUOTAS, /* references to those of users and address spaces */
	BOOK_CHARGES, /* sessions that are charged to these */
	BOOK_WORKS,
	BOOK_TASK_WORKS,
	BOOK_NOTIFIERS,
	BOOK_LOCKED, /* pages */
	BOOK_ITEMS,
	BOOK_ENTRIES, /* texts and names */
	BOOK_MEMBERS, /* of trees, with spares */
	BOOK_TIMED, /* as context switches read it: not 0 if the timer serves a program */
	BOOK_REFERENCES, /* to PIDs and credentials */
	NR_BOOKS,
};

DECLARE_PER_CPU(long[NR_BOOKS], profil_books);

/* Any context */
static __always_inline void book_add(enum book book, long nr)
{
	this_cpu_add(profil_books[book], nr);
}

/* Those of the kernel, of which only the references of the driver are counted; NULL is fine. */
static inline struct pid *book_get_pid(struct pid *pid)
{
	book_add(BOOK_REFERENCES, !!pid);
	return get_pid(pid);
}

static inline void book_put_pid(struct pid *pid)
{
	book_add(BOOK_REFERENCES, -!!pid);
	put_pid(pid);
}

static inline const struct cred *book_get_cred(const struct cred *cred)
{
	book_add(BOOK_REFERENCES, !!cred);
	return get_cred(cred);
}

static inline void book_put_cred(const struct cred *cred)
{
	book_add(BOOK_REFERENCES, -!!cred);
	put_cred(cred);
}

/* Report each that is not empty, of a driver at rest, as a defect of it. */
void profil_books_close(void);

#endif /* PROFIL_BOOKS_H */
