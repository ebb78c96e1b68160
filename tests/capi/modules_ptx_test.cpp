// SPDX-License-Identifier: MIT
// PTX as the text of arr_module_create.
#include "modules.h"

namespace arr_test {
namespace {

class ModulesOfPtx : public Modules {};

TEST_P(ModulesOfPtx, Text) {
  const char* ptx =
      "// a comment\n.version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      "  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [out];\n  st.global.u32 [%rd1], 41;\n  ret;\n}\n";
  arr_module m = nullptr;
  const char* options[] = {"-DN=4"};
  EXPECT_EQ(arr_module_create(ptx, -1, &device, 1, options, &m), ARR_E_ARGUMENT);
  EXPECT_EQ(m, nullptr);
  const arr_status made = arr_module_create(ptx, -1, &device, 0, nullptr, &m);
  if (!host()) {  // the fake's ptxas takes texts of its own only; NVRTC would have taken this for C++
    EXPECT_EQ(made, ARR_E_COMPILE);
    EXPECT_EQ(said().find("ptxas application ptx input, line 1"), 0U) << said();
    return;
  }
  ASSERT_EQ(made, ARR_OK) << arr_last_error();
  EXPECT_EQ(run_k(m), 41);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

ARR_ON_DEVICES(ModulesOfPtx);

}  // namespace
}  // namespace arr_test
