// SPDX-License-Identifier: MIT
// The quicker forms of complex functions. Apart from the other loops of complex numbers: those must do
// without fused instructions, and in parts that lie apart nothing is fused.
#define ARR_MAKES_PARTS
#include "host/loops/ops.h"
