// SPDX-License-Identifier: MIT
// Tensors that are refused: status and text, nothing taken over, nothing read beyond the struct.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <random>

#include "failing_new/failing_new.h"
#include "support.h"

namespace arr_test {
namespace {

using DLPackRefuse = NoLeaks;

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

struct Case {
  const char* name;
  arr_status status;
  const char* part;
  std::function<void(Tensor&)> change;
};

const Case cases[] = {
    {"ndim -1", ARR_E_SHAPE, "ndim -1", [](Tensor& t) { t.fields.ndim = -1; }},
    {"ndim over ours", ARR_E_SHAPE, "ndim 33", [](Tensor& t) { t.fields.ndim = ARR_MAX_NDIM + 1; }},
    {"ndim largest", ARR_E_SHAPE, "ndim 2147483647", [](Tensor& t) { t.fields.ndim = INT32_MAX; }},
    {"no shape", ARR_E_FORMAT, "shape is NULL", [](Tensor& t) { t.fields.shape = nullptr; }},
    {"negative extent", ARR_E_SHAPE, "negative extent", [](Tensor& t) { t.shape[1] = -1; }},
    {"smallest extent", ARR_E_SHAPE, "negative extent",
     [](Tensor& t) { t.shape[0] = std::numeric_limits<int64_t>::min(); }},
    {"product", ARR_E_SHAPE, "2^63",
     [](Tensor& t) {
       t.set({huge, huge}, {1, 1});
     }},
    {"product with 0", ARR_E_SHAPE, "2^63",
     [](Tensor& t) {
       t.set({huge, huge, 0}, {1, 1, 1});
     }},
    {"bytes", ARR_E_SHAPE, "2^63", [](Tensor& t) { t.set({huge / 4}, {1}); }},
    {"stride", ARR_E_SHAPE, "does not fit",
     [](Tensor& t) {
       t.set({2, 3}, {huge / 4, 1});
     }},
    {"smallest stride", ARR_E_SHAPE, "does not fit",
     [](Tensor& t) {
       t.set({2, 3}, {std::numeric_limits<int64_t>::min(), 1});
     }},
    {"reach", ARR_E_SHAPE, "reaches beyond", [](Tensor& t) { t.set({1000000}, {huge / 1000000}); }},
    {"reach together", ARR_E_SHAPE, "together",
     [](Tensor& t) {
       t.set({2, 2, 2}, {huge / 9, huge / 9, 1});
     }},
    {"reach both ways", ARR_E_SHAPE, "together",
     [](Tensor& t) {
       t.set({2, 2, 2}, {huge / 9, -huge / 9, 1});
     }},
    {"offset largest", ARR_E_SHAPE, "address space", [](Tensor& t) { t.fields.byte_offset = UINT64_MAX; }},
    {"offset over int64", ARR_E_SHAPE, "address space",
     [](Tensor& t) { t.fields.byte_offset = uint64_t{1} << 63; }},
    {"below address 0", ARR_E_SHAPE, "address space", [](Tensor& t) { t.set({3}, {-huge / 32}); }},
    {"no data", ARR_E_FORMAT, "data is NULL", [](Tensor& t) { t.fields.data = nullptr; }},
    {"no data but an offset", ARR_E_FORMAT, "data is NULL",
     [](Tensor& t) {
       t.fields.data = nullptr;
       t.fields.byte_offset = 64;
     }},
    {"misaligned data", ARR_E_FORMAT, "not aligned",
     [](Tensor& t) {
       t.fields.data = reinterpret_cast<char*>(t.values) + 4;
       t.set({2}, {1});
     }},
    {"misaligned offset", ARR_E_FORMAT, "not aligned",
     [](Tensor& t) {
       t.fields.byte_offset = 1;
       t.set({2}, {1});
     }},
    {"lanes 0", ARR_E_DTYPE, "0 lanes", [](Tensor& t) { t.fields.lanes = 0; }},
    {"lanes 2", ARR_E_DTYPE, "2 lanes", [](Tensor& t) { t.fields.lanes = 2; }},
    {"lanes 4", ARR_E_DTYPE, "4 lanes", [](Tensor& t) { t.fields.lanes = 4; }},
    {"bits 0", ARR_E_DTYPE, "0 bits", [](Tensor& t) { t.fields.bits = 0; }},
    {"bits 1", ARR_E_DTYPE, "1 bits", [](Tensor& t) { t.fields.bits = 1; }},
    {"bits 24", ARR_E_DTYPE, "24 bits", [](Tensor& t) { t.fields.bits = 24; }},
    {"float128", ARR_E_DTYPE, "128 bits", [](Tensor& t) { t.fields.bits = 128; }},
    {"opaque", ARR_E_DTYPE, "code 3", [](Tensor& t) { t.fields.code = 3; }},
    {"code 18", ARR_E_DTYPE, "code 18", [](Tensor& t) { t.fields.code = 18; }},
    {"code 255", ARR_E_DTYPE, "code 255", [](Tensor& t) { t.fields.code = 255; }},
    {"old bool", ARR_E_DTYPE, "code 1, 1 bits",
     [](Tensor& t) {
       t.fields.code = 1;
       t.fields.bits = 1;
     }},
    {"float8", ARR_E_DTYPE, "code 10",
     [](Tensor& t) {
       t.fields.code = 10;
       t.fields.bits = 8;
     }},
    {"float4", ARR_E_DTYPE, "code 17",
     [](Tensor& t) {
       t.fields.code = 17;
       t.fields.bits = 8;
       t.fields.flags = 4;
     }},
    {"device 99", ARR_E_FORMAT, "device type 99", [](Tensor& t) { t.fields.device_type = 99; }},
    {"device -1", ARR_E_FORMAT, "device type -1", [](Tensor& t) { t.fields.device_type = -1; }},
    {"ROCm", ARR_E_FORMAT, "device type 10", [](Tensor& t) { t.fields.device_type = 10; }},
};

TEST_F(DLPackRefuse, NothingIsTaken) {
  for (const Case& c : cases) {
    for (bool versioned : {true, false}) {
      SCOPED_TRACE(c.name);
      Tensor t;
      c.change(t);
      t.fields.versioned = versioned ? 1 : 0;
      void* tensor = foreign_make(&t.fields, &t.owner);
      Handle a;
      expect_failure(import(tensor, versioned, &a), c.status, c.part);
      EXPECT_EQ(static_cast<arr_array>(a), nullptr);
      EXPECT_EQ(t.owner.deletions, 0);
      foreign_free(tensor, versioned ? 1 : 0);
    }
  }
}

TEST_F(DLPackRefuse, Arguments) {
  Handle a;
  expect_failure(import(nullptr, true, &a), ARR_E_ARGUMENT, "argument t: NULL");
  expect_failure(import(nullptr, false, &a), ARR_E_ARGUMENT, "argument t: NULL");
  Tensor t;
  void* tensor = foreign_make(&t.fields, &t.owner);
  auto* m = static_cast<DLManagedTensorVersioned*>(tensor);
  expect_failure(arr_from_dlpack(m, -1, nullptr), ARR_E_ARGUMENT, "argument out");
  for (int64_t token : {int64_t{0}, int64_t{1}, int64_t{-2}, huge}) {
    expect_failure(arr_from_dlpack(m, token, a.out()), ARR_E_ARGUMENT, "argument ready_stream");
  }
  foreign_free(tensor, 1);
  t.fields.versioned = 0;
  tensor = foreign_make(&t.fields, &t.owner);
  expect_failure(import(tensor, false, &a, 1), ARR_E_ARGUMENT, "argument flags: 1");
  foreign_free(tensor, 0);
  EXPECT_EQ(t.owner.deletions, 0);
}

TEST_F(DLPackRefuse, StridesAreRequiredFromVersion12) {
  Tensor t;
  t.fields.minor = 2;
  t.fields.strides = nullptr;
  void* tensor = foreign_make(&t.fields, &t.owner);
  Handle a;
  expect_failure(import(tensor, true, &a), ARR_E_FORMAT, "strides are NULL");
  foreign_free(tensor, 1);
}

TEST_F(DLPackRefuse, CudaTensorWithoutCuda) {
  int32_t count = 0;
  if (arr_device_count(ARR_CUDA, &count) == ARR_OK && count > 0) GTEST_SKIP() << "CUDA works here";
  Tensor t;
  t.fields.device_type = 2;
  void* tensor = foreign_make(&t.fields, &t.owner);
  Handle a;
  expect_failure(import(tensor, true, &a), ARR_E_UNAVAILABLE, "CUDA");
  EXPECT_EQ(t.owner.deletions, 0);
  foreign_free(tensor, 1);
}

// Only the fields that no version moves may be read of another major version: the rest lies where reading is
// fatal.
TEST_F(DLPackRefuse, OtherMajorIsDeletedUnread) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* pages =
      static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  char* front = pages + page - 24;
  for (uint32_t major : {0U, 2U, 99U, UINT32_MAX}) {
    for (int no_deleter : {0, 1}) {
      foreign_owner owner{};
      owner.no_deleter = no_deleter;
      foreign_put_front(front, major, &owner);
      Handle a;
      expect_failure(import(front, true, &a), ARR_E_FORMAT, "DLPack version");
      EXPECT_EQ(owner.deletions, no_deleter == 0 ? 1 : 0);
    }
  }
  munmap(pages, 2 * page);
}

// Each allocation of an import or export fails once: nothing is taken, nothing leaks.
TEST_F(DLPackRefuse, OutOfMemory) {
  for (bool versioned : {true, false}) {
    int failures = 0;
    for (int64_t n = 0; n < 100; ++n) {
      Tensor t;
      t.fields.versioned = versioned ? 1 : 0;
      void* tensor = foreign_make(&t.fields, &t.owner);
      Handle a;
      int64_t before = arr_live_objects();
      fail_allocation(n);
      arr_status status = import(tensor, versioned, &a);
      bool failed = stop_failing();
      if (status == ARR_OK) {
        a.reset();
        EXPECT_EQ(t.owner.deletions, 1);
        if (!failed) break;
        continue;
      }
      ++failures;
      EXPECT_EQ(status, ARR_E_MEMORY);
      EXPECT_EQ(t.owner.deletions, 0);
      EXPECT_EQ(arr_live_objects(), before);
      foreign_free(tensor, versioned ? 1 : 0);
    }
    EXPECT_GT(failures, 0);
    Handle a = from_values<double>(ARR_FLOAT64, {2}, {1, 2});
    failures = 0;
    for (int64_t n = 0; n < 100; ++n) {
      Exported t;
      int64_t before = arr_live_objects();
      fail_allocation(n);
      arr_status status = t.take(a, versioned);
      stop_failing();
      if (status == ARR_OK) break;
      ++failures;
      EXPECT_EQ(status, ARR_E_MEMORY);
      EXPECT_EQ(t.tensor, nullptr);
      EXPECT_EQ(arr_live_objects(), before);
    }
    EXPECT_GT(failures, 0);
  }
}

// Numbers of all sizes.
struct Random {
  std::mt19937_64 engine{20240607};
  uint64_t pick(uint64_t n) { return engine() % n; }
  int64_t number() {
    switch (pick(6)) {
      case 0:
        return static_cast<int64_t>(pick(4));
      case 1:
        return -static_cast<int64_t>(pick(4));
      case 2:
        return static_cast<int64_t>(engine() >> pick(64));
      case 3:
        return std::numeric_limits<int64_t>::min() + static_cast<int64_t>(pick(3));
      case 4:
        return huge - static_cast<int64_t>(pick(3));
      default:
        return static_cast<int64_t>(pick(100));
    }
  }
};

// A tensor of such numbers; its pointers are good.
struct RandomTensor : Tensor {
  RandomTensor(Random& r, char* data) : shape(40), strides(40), versioned(r.pick(2) == 0) {
    for (auto& x : shape) x = r.pick(3) == 0 ? r.number() : static_cast<int64_t>(r.pick(3));
    for (auto& x : strides) x = r.number();
    const bool wild = r.pick(4) == 0;
    foreign_fields& f = fields;
    f.versioned = versioned ? 1 : 0;
    f.major = r.pick(20) == 0 ? static_cast<uint32_t>(r.engine()) : 1;
    f.minor = static_cast<uint32_t>(r.pick(4));
    f.flags = r.engine() >> r.pick(64);
    f.data = r.pick(10) == 0 ? nullptr : data + r.pick(3) * 8;
    f.device_type = wild ? static_cast<int32_t>(r.number()) : r.pick(8) == 0 ? 13 : 1;
    f.device_id = static_cast<int32_t>(r.number());
    f.ndim = wild ? static_cast<int32_t>(r.number()) : static_cast<int32_t>(r.pick(5));
    f.code = static_cast<uint8_t>(wild ? r.engine() : r.pick(7));
    f.bits = static_cast<uint8_t>(wild ? r.engine() : 8U << r.pick(5));
    f.lanes = static_cast<uint16_t>(wild ? r.pick(3) : 1);
    f.shape = r.pick(20) == 0 ? nullptr : shape.data();
    f.strides = r.pick(5) == 0 ? nullptr : strides.data();
    f.byte_offset = r.pick(3) == 0 ? static_cast<uint64_t>(r.number()) : r.pick(4) * 16;
  }
  Ints shape, strides;
  bool versioned;
};

// An accepted tensor can be exported again, and is released once.
void check_accepted(Handle& a, const RandomTensor& t) {
  int32_t flags = 0;
  Exported again;
  ASSERT_EQ(arr_array_flags(a, &flags), ARR_OK);
  Ints got = shape_of(a);
  ASSERT_TRUE(std::equal(got.begin(), got.end(), t.shape.begin()));
  arr_status exported = again.take(a, true);
  ASSERT_EQ(exported, ARR_OK) << arr_last_error();
  again.reset();
  ASSERT_EQ(t.owner.deletions, 0);
  a.reset();
  ASSERT_EQ(t.owner.deletions, 1);
}

// Random numbers of all sizes in every field; the pointers are good, and the data is not touched.
TEST_F(DLPackRefuse, RandomFields) {
  const char* wish = std::getenv("ARR_FUZZ_RUNS");
  const int64_t runs = wish == nullptr ? 100000 : std::atoll(wish);
  Random random;
  alignas(16) char data[64] = {};
  int64_t accepted = 0;
  for (int64_t run = 0; run < runs; ++run) {
    RandomTensor t(random, data);
    void* tensor = foreign_make(&t.fields, &t.owner);
    Handle a;
    arr_status status = import(tensor, t.versioned, &a);
    if (status == ARR_OK) {
      ++accepted;
      ASSERT_NO_FATAL_FAILURE(check_accepted(a, t));
    } else if (t.versioned && t.fields.major != 1) {
      ASSERT_EQ(t.owner.deletions, 1);
    } else {
      ASSERT_TRUE(status == ARR_E_SHAPE || status == ARR_E_FORMAT || status == ARR_E_DTYPE ||
                  status == ARR_E_UNAVAILABLE)
          << arr_last_error();
      ASSERT_EQ(t.owner.deletions, 0);
      foreign_free(tensor, t.versioned ? 1 : 0);
    }
  }
  EXPECT_GT(accepted, runs / 20);
}

}  // namespace
}  // namespace arr_test
