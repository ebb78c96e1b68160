// SPDX-License-Identifier: MIT
// main.c: a C99 program that links; layout_generated.c beside it takes the address of every function.
#include <stdio.h>
#include "arr/arr.h"

int main(void) {
  if (arr_check_abi(ARR_VERSION) == ARR_OK) return 0;
  fprintf(stderr, "%s\n", arr_last_error());
  return 1;
}
