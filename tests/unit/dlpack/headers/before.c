/* SPDX-License-Identifier: MIT */
/* before.c - the other header first. */
#include <stddef.h>

#include "upstream.h"

#include "arr/arr.h"
#include "use.h"
