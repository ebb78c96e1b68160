// SPDX-License-Identifier: MIT
// Exported tensors: their fields, for both structs, their owners and lifetimes.
#include <memory>
#include <thread>

#include "support.h"

namespace arr_test {
namespace {

// The parameter: versioned or not.
class DLPackExport : public NoLeaks, public ::testing::WithParamInterface<bool> {
 protected:
  static Handle matrix(int32_t order = ARR_ORDER_C) {
    std::vector<int32_t> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    return from_values(ARR_INT32, {3, 4}, values, order);
  }
  static void* data_of(arr_array a) {
    void* data = nullptr;
    EXPECT_EQ(arr_data(a, &data), ARR_OK);
    return data;
  }
};
INSTANTIATE_TEST_SUITE_P(Structs, DLPackExport, ::testing::Bool(), [](const auto& i) {
  return i.param ? std::string("Versioned") : std::string("Legacy");
});

TEST_P(DLPackExport, RowMajor) {
  Handle a = matrix();
  Exported t;
  ARR_TRY(t.take(a, GetParam()));
  EXPECT_EQ(t.shape(), (Ints{3, 4}));
  EXPECT_EQ(t.strides(), (Ints{4, 1}));
  EXPECT_EQ(t.fields.byte_offset, 0U);
  EXPECT_EQ(t.fields.data, data_of(a));
  EXPECT_EQ(t.fields.device_type, 1);
  EXPECT_EQ(t.fields.device_id, 0);
  EXPECT_EQ(t.at<int32_t>({2, 1}), 9);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.fields.data) % 64, 0U);
  if (GetParam()) {
    EXPECT_EQ(t.fields.major, 1U);
    EXPECT_EQ(t.fields.minor, 0U);
    EXPECT_EQ(t.fields.flags, 0U);
  }
}

TEST_P(DLPackExport, ColumnMajorKeepsItsMeaning) {
  Handle a = matrix(ARR_ORDER_F);
  Exported t;
  ARR_TRY(t.take(a, GetParam()));
  EXPECT_EQ(t.shape(), (Ints{3, 4}));
  EXPECT_EQ(t.strides(), (Ints{1, 3}));
  EXPECT_EQ(t.at<int32_t>({1, 2}), values_of<int32_t>(a)[6]);
}

TEST_P(DLPackExport, SteppedAndNegativeViews) {
  Handle a = matrix(), view;
  Ints start{INT64_MAX, 1}, stop{INT64_MIN, INT64_MAX}, step{-1, 2};
  ARR_TRY(arr_slice(a, 2, start.data(), stop.data(), step.data(), view.out()));
  Exported t;
  ARR_TRY(t.take(view, GetParam()));
  EXPECT_EQ(t.shape(), (Ints{3, 2}));
  EXPECT_EQ(t.strides(), (Ints{-4, 2}));
  EXPECT_EQ(t.fields.byte_offset, 0U);
  EXPECT_EQ(t.at<int32_t>({0, 0}), 9);
  EXPECT_EQ(t.at<int32_t>({2, 1}), 3);
  t.at<int32_t>({2, 1}) = 33;
  EXPECT_EQ(values_of<int32_t>(a)[3], 33);
}

TEST_P(DLPackExport, BroadcastIsReadOnly) {
  Handle a = from_values<float>(ARR_FLOAT32, {3}, {1, 2, 3}), wide;
  Ints shape{2, 3};
  ARR_TRY(arr_broadcast_to(a, 2, shape.data(), wide.out()));
  Exported t;
  if (!GetParam()) {
    expect_failure(t.take(wide, false), ARR_E_READONLY, "read-only");
    EXPECT_EQ(t.tensor, nullptr);
    ARR_TRY(t.take(wide, false, ARR_DLPACK_COPY));
    EXPECT_EQ(t.strides(), (Ints{3, 1}));
    return;
  }
  ARR_TRY(t.take(wide, true));
  EXPECT_EQ(t.strides(), (Ints{0, 1}));
  EXPECT_EQ(t.fields.flags, 1U);
}

TEST_P(DLPackExport, NoDimensions) {
  Handle a;
  arr_value v{};
  arr_value_f64(&v, 2.5);
  ARR_TRY(arr_full(ARR_FLOAT64, 0, nullptr, ARR_ORDER_C, &v, nullptr, nullptr, a.out()));
  Exported t;
  ARR_TRY(t.take(a, GetParam()));
  EXPECT_EQ(t.fields.ndim, 0);
  EXPECT_EQ(t.at<double>({}), 2.5);
}

TEST_P(DLPackExport, NoElements) {
  for (const Ints& shape : {Ints{0}, Ints{0, 3}, Ints{3, 0}}) {
    Handle a;
    ARR_TRY(arr_zeros(ARR_FLOAT32, static_cast<int32_t>(shape.size()), shape.data(), ARR_ORDER_C, nullptr,
                      nullptr, a.out()));
    Exported t;
    ARR_TRY(t.take(a, GetParam()));
    EXPECT_EQ(t.fields.data, nullptr);
    EXPECT_EQ(t.shape(), shape);
    EXPECT_NE(t.fields.strides, nullptr);
  }
}

TEST_P(DLPackExport, EveryElementType) {
  struct Code {
    arr_dtype dtype;
    uint8_t code, bits;
  };
  const Code codes[] = {{ARR_BOOL, 6, 8},       {ARR_INT8, 0, 8},         {ARR_INT16, 0, 16},
                        {ARR_INT32, 0, 32},     {ARR_INT64, 0, 64},       {ARR_UINT8, 1, 8},
                        {ARR_UINT16, 1, 16},    {ARR_UINT32, 1, 32},      {ARR_UINT64, 1, 64},
                        {ARR_FLOAT16, 2, 16},   {ARR_FLOAT32, 2, 32},     {ARR_FLOAT64, 2, 64},
                        {ARR_COMPLEX64, 5, 64}, {ARR_COMPLEX128, 5, 128}, {ARR_BFLOAT16, 4, 16}};
  for (const Code& c : codes) {
    int64_t n = 2;
    Handle a, back;
    ARR_TRY(arr_ones(c.dtype, 1, &n, ARR_ORDER_C, nullptr, nullptr, a.out()));
    Exported t;
    ARR_TRY(t.take(a, GetParam()));
    EXPECT_EQ(t.fields.code, c.code);
    EXPECT_EQ(t.fields.bits, c.bits);
    EXPECT_EQ(t.fields.lanes, 1);
    ARR_TRY(import(std::exchange(t.tensor, nullptr), GetParam(), &back));
    arr_dtype dtype = 0;
    ARR_TRY(arr_array_dtype(back, &dtype));
    EXPECT_EQ(dtype, c.dtype);
  }
}

TEST_P(DLPackExport, ReadOnlyArray) {
  Tensor source;
  source.fields.flags = 1;
  Handle a;
  ARR_TRY(import(foreign_make(&source.fields, &source.owner), true, &a));
  Exported t;
  if (GetParam()) {
    ARR_TRY(t.take(a, true));
    EXPECT_EQ(t.fields.flags, 1U);
  } else {
    expect_failure(t.take(a, false), ARR_E_READONLY, "argument a");
  }
}

TEST_P(DLPackExport, CopyIsTheConsumersAlone) {
  Handle a = matrix();
  Exported t;
  ARR_TRY(t.take(a, GetParam(), ARR_DLPACK_COPY));
  EXPECT_NE(t.fields.data, data_of(a));
  if (GetParam()) {
    EXPECT_EQ(t.fields.flags, 2U);
  }
  t.at<int32_t>({0, 0}) = 99;
  EXPECT_EQ(values_of<int32_t>(a)[0], 0);
}

TEST_P(DLPackExport, Ownership) {
  Handle a = matrix(), view;
  Ints start{1}, stop{3};
  ARR_TRY(arr_slice(a, 1, start.data(), stop.data(), nullptr, view.out()));
  Exported first, second, of_view;
  ARR_TRY(first.take(a, GetParam()));
  ARR_TRY(second.take(a, GetParam()));
  ARR_TRY(of_view.take(view, GetParam()));
  EXPECT_EQ(first.fields.data, second.fields.data);
  EXPECT_NE(first.fields.shape, second.fields.shape);
  // Garbage in the struct harms neither the array nor the deleter.
  foreign_spoil(second.tensor, GetParam());
  EXPECT_EQ(shape_of(a), (Ints{3, 4}));
  second.reset();
  EXPECT_EQ(values_of<int32_t>(a)[11], 11);
  a.reset();
  view.reset();
  EXPECT_EQ(first.at<int32_t>({2, 3}), 11);
  first.reset();
  EXPECT_EQ(of_view.at<int32_t>({0, 0}), 4);
}

TEST_P(DLPackExport, LaterChangesAreSeen) {
  Handle a = matrix();
  Exported t;
  ARR_TRY(t.take(a, GetParam()));
  t.at<int32_t>({0, 0}) = 50;
  EXPECT_EQ(values_of<int32_t>(a)[0], 50);
  ARR_TRY(arr_add_into(a, a, a, nullptr));
  EXPECT_EQ(t.at<int32_t>({0, 0}), 100);
}

TEST_P(DLPackExport, DeleterKeepsTheLastError) {
  Handle a = matrix();
  Exported t;
  ARR_TRY(t.take(a, GetParam()));
  EXPECT_EQ(arr_ndim(nullptr, nullptr), ARR_E_ARGUMENT);
  std::string before = arr_last_error();
  t.reset();
  EXPECT_EQ(before, arr_last_error());
}

TEST_P(DLPackExport, Refused) {
  Handle a = matrix();
  Exported t;
  expect_failure(t.take(a, GetParam(), 0, 0), ARR_E_ARGUMENT, "argument consumer_stream: 0");
  expect_failure(t.take(a, GetParam(), 0, 1), ARR_E_ARGUMENT, "argument consumer_stream: 1");
  expect_failure(t.take(a, GetParam(), 0, INT64_MIN), ARR_E_ARGUMENT, "argument consumer_stream");
  expect_failure(t.take(a, GetParam(), 2), ARR_E_ARGUMENT, "argument flags: 2");
  expect_failure(t.take(nullptr, GetParam()), ARR_E_HANDLE, "argument a");
  arr_array dead = a;
  a.reset();
  expect_failure(t.take(dead, GetParam()), ARR_E_HANDLE, "argument a");
  EXPECT_EQ(t.tensor, nullptr);
  arr_status s =
      GetParam() ? arr_to_dlpack(dead, -1, 0, nullptr) : arr_to_dlpack_legacy(dead, -1, 0, nullptr);
  expect_failure(s, ARR_E_ARGUMENT, "argument out");
}

TEST_P(DLPackExport, ManyThreads) {
  Handle a = matrix();
  constexpr int threads = 8, each = 10000;
  std::vector<std::thread> pool;
  for (int k = 0; k < threads; ++k) {
    pool.emplace_back([&] {
      std::unique_ptr<Exported> kept;
      for (int i = 0; i < each; ++i) {
        auto t = std::make_unique<Exported>();
        if (t->take(a, GetParam()) != ARR_OK || t->at<int32_t>({2, 3}) != 11) {
          ADD_FAILURE() << arr_last_error();
          return;
        }
        if (i % 7 == 0) kept = std::move(t);
      }
      // Given up on yet another thread.
      std::thread([k = std::move(kept)]() mutable { k.reset(); }).join();
    });
  }
  for (auto& t : pool) t.join();
}

// Ours, taken in again and again: each link keeps the one before.
TEST_P(DLPackExport, ChainOfRoundTrips) {
  Handle a = matrix();
  void* data = data_of(a);
  for (int i = 0; i < 1000; ++i) {
    Exported t;
    ARR_TRY(t.take(a, GetParam()));
    ARR_TRY(import(std::exchange(t.tensor, nullptr), GetParam(), &a));
  }
  EXPECT_EQ(data_of(a), data);
  EXPECT_EQ(values_of<int32_t>(a)[11], 11);
}

}  // namespace
}  // namespace arr_test
