/* SPDX-License-Identifier: MIT */
/* after.c - the other header last. */
#include "arr/arr.h"

#include <stddef.h>

#include "upstream.h"

#include "use.h"
