// SPDX-License-Identifier: MIT
// Parts that the tests of the memory pool share: blocks of the pool, and a fixture that checks that all are
// back.
#pragma once

#include "backend/interface.h"
#include "support.h"

namespace arr::cuda_test {

inline MemoryStats stats() {
  MemoryStats s;
  BackendError e;
  EXPECT_EQ(cuda().memory->stats(0, &s, &e), ARR_OK) << e.text;
  return s;
}
inline void* take(int64_t bytes, void* stream = nullptr) {
  void* p = nullptr;
  BackendError e;
  EXPECT_EQ(cuda().memory->allocate(0, bytes, stream, &p, &e), ARR_OK) << e.text;
  return p;
}
inline void give(void* p, int64_t bytes, void* stream = nullptr) {
  BackendError e;
  EXPECT_EQ(cuda().memory->release(0, p, bytes, stream, &e), ARR_OK) << e.text;
}

class PoolTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    ARR_WORKS(cuda().memory->trim(0, &error));
    held_ = arr_fake_cuda_live("memory");  // memory that lives as long as the device
    for (void*& s : streams_) ARR_WORKS(cuda().stream->create(0, 0, &s, &error));
  }
  void TearDown() override {
    arr_fake_cuda_reset();
    BackendError e;
    for (void* s : streams_) EXPECT_EQ(cuda().stream->destroy(0, s, &e), ARR_OK) << e.text;
    EXPECT_EQ(cuda().memory->limit(0, 0, &e), ARR_OK);
    EXPECT_EQ(cuda().memory->trim(0, &e), ARR_OK) << e.text;
    EXPECT_EQ(stats().in_use, 0);
    EXPECT_EQ(stats().cached, 0);
    EXPECT_EQ(arr_fake_cuda_live("memory"), held_);
  }
  void* streams_[2] = {};
  int64_t held_ = 0;
};

}  // namespace arr::cuda_test
