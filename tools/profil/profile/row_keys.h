/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attributes that the places of one row have in common
 *
 * A file that includes this one defines KEY(name, word, plural of a row, members of
 * struct key_kind). rows.c has the functions WORD_number() and WORD_name().
 */
KEY(FUNCTION, function, functions, .of_object = true)
KEY(OBJECT, object, objects, .of_object = false)
KEY(LINE, line, lines, .of_object = true)
KEY(ADDRESS, address, addresses, .of_object = true, .of_function = true)
KEY(PROGRAM, program, programs, .of_object = false)
KEY(CGROUP, cgroup, cgroups, .of_object = false)
KEY(THREAD, thread, threads, .of_object = false)
KEY(COMM, comm, names, .of_object = false)
#undef KEY
