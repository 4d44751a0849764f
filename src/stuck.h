/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel refuses to take off: it may call the module at any time, so
 * the module must not go. That takes a kernel that has found its own records
 * of patched text wrong, and has switched ftrace off for good.
 */
#ifndef PROFIL_STUCK_H
#define PROFIL_STUCK_H

/* @what cannot be taken off, for the reason @err: warn, and keep the module. */
void profil_stuck_report(const char *what, int err);

/*
 * The last of the ways out of the module, from where no reference keeps it: does
 * not return if anything is stuck.
 */
void profil_stuck_wait(void);

#endif /* PROFIL_STUCK_H */
