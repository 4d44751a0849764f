// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"

u32 profil_clock_tick_source;
