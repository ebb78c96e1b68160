// SPDX-License-Identifier: MIT
// main.c: a C99 program that links; layout.c, which bindings/generate/generate.py writes, takes the address
// of every function.
#include <stdio.h>
#include <string.h>
#include "arr/arr.h"

extern const int abi_doubles_count;
extern const double abi_doubles[][2]; /* what a constant is, and what the bindings say */

int main(void) {
  for (int i = 0; i < abi_doubles_count; ++i) {
    if (memcmp(&abi_doubles[i][0], &abi_doubles[i][1], sizeof(double)) == 0) continue;
    fprintf(stderr, "double constant %d is %.17g, in the bindings %.17g\n", i, abi_doubles[i][0],
            abi_doubles[i][1]);
    return 1;
  }
  if (arr_check_abi(ARR_VERSION) == ARR_OK) return 0;
  fprintf(stderr, "%s\n", arr_last_error());
  return 1;
}
