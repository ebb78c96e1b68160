// SPDX-License-Identifier: MIT
// fake_library.c: libraries that module arr must refuse, or must get on with: FAKE_STATUS is what
// arr_check_abi says.
#include <stdint.h>

int32_t arr_check_abi(int32_t version);
const char* arr_last_error(void);

int32_t arr_check_abi(int32_t version) {
  (void)version;
  return FAKE_STATUS;
}

const char* arr_last_error(void) { return "arr_check_abi: version 9.0.0 is not served"; }
