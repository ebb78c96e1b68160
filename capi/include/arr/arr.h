/* SPDX-License-Identifier: MIT */
/* arr.h - all of libarr's C API. */
#ifndef ARR_ARR_H
#define ARR_ARR_H
#include "arr/base.h"
#include "arr/constants.h"
#include "arr/dtype.h"
#include "arr/device.h"
#include "arr/memory.h"
#include "arr/array.h"
#include "arr/view.h"
#include "arr/ops.h"
#include "arr/numeric.h"
#include "arr/reduce.h"
#include "arr/scan.h"
#include "arr/statistics.h"
#include "arr/histogram.h"
#include "arr/expr.h"
#include "arr/fuse.h"
#include "arr/module.h"
#include "arr/kernel.h"
#include "arr/calculus.h"
#include "arr/search.h"
#include "arr/signal.h"
#include "arr/user_kernel.h"
#include "arr/linalg.h"
#include "arr/io.h"
#include "arr/dlpack.h"
#endif
