// SPDX-License-Identifier: MIT
// Parts that tests of the low-level interface share: the devices to run on, which are the host and the fake
// CUDA.
#pragma once

#include <arr/arr.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace arr_test {

// Points the CUDA module at the fake before anything opens it.
inline const bool pointed = [] {
  for (const char* variable : {"ARR_CUDA_DRIVER", "ARR_CUDA_NVRTC", "ARR_CUDA_CUBLAS", "ARR_CUDA_CUBLASLT",
                               "ARR_CUDA_CUSOLVER", "ARR_CUDA_CUFFT"}) {
    setenv(variable, ARR_FAKE_CUDA, 0);
  }
  return true;
}();

#define ARR_DOES(call) ASSERT_EQ(call, ARR_OK) << arr_last_error()

class OnDevice : public testing::TestWithParam<int32_t> {
 protected:
  void SetUp() override {
    int32_t count = 0;
    ARR_DOES(arr_device_count(GetParam(), &count));
    if (count == 0) GTEST_SKIP() << "no such device";
    device = {GetParam(), 0};
  }
  [[nodiscard]] bool host() const { return device.type == ARR_HOST; }
  arr_device device{};
};

inline std::string name_of(const testing::TestParamInfo<int32_t>& info) {
  return info.param == ARR_HOST ? "host" : "cuda";
}

#define ARR_ON_DEVICES(suite) \
  INSTANTIATE_TEST_SUITE_P(Devices, suite, testing::Values(ARR_HOST, ARR_CUDA), arr_test::name_of)

}  // namespace arr_test
