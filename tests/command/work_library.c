// SPDX-License-Identifier: GPL-2.0-only
/* A library for workload to open; its only function is WORK. */

#include "work.h"

WORK_FUNCTION(WORK, "")
