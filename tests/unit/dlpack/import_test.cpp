// SPDX-License-Identifier: MIT
// Imported tensors that are accepted: layouts, flags, versions, and when the deleter runs.
#include <cstring>

#include "support.h"

namespace arr_test {
namespace {

class DLPackImport : public NoLeaks, public ::testing::WithParamInterface<bool> {
 protected:
  // Takes the tensor in, compares the elements, releases it: the deleter has run once, and only then.
  void expect_values(Tensor& t, const std::vector<double>& expected) {
    t.fields.versioned = GetParam() ? 1 : 0;
    Handle a;
    t.owner.deletions = 0;
    void* tensor = foreign_make(&t.fields, &t.owner);
    arr_status status = import(tensor, GetParam(), &a);
    ASSERT_EQ(status, ARR_OK) << arr_last_error();
    EXPECT_EQ(shape_of(a), t.shape);
    EXPECT_EQ(values_of<double>(a), expected);
    EXPECT_EQ(t.owner.deletions, 0);
    a.reset();
    EXPECT_EQ(t.owner.deletions, 1);
  }
};
INSTANTIATE_TEST_SUITE_P(Structs, DLPackImport, ::testing::Bool(), [](const auto& i) {
  return i.param ? std::string("Versioned") : std::string("Legacy");
});

TEST_P(DLPackImport, Strides) {
  Tensor t;
  expect_values(t, {0, 1, 2, 3, 4, 5});
  t.set({3, 2}, {1, 3});
  expect_values(t, {0, 3, 1, 4, 2, 5});
  t.set({3}, {2});
  expect_values(t, {0, 2, 4});
  t.set({2, 3}, {0, 1});
  expect_values(t, {0, 1, 2, 0, 1, 2});
  t.set({2, 2}, {2, 1});
  expect_values(t, {0, 1, 2, 3});
}

TEST_P(DLPackImport, NullStridesAreRowMajor) {
  Tensor t;
  t.fields.strides = nullptr;
  expect_values(t, {0, 1, 2, 3, 4, 5});
  t.fields.minor = 1;
  expect_values(t, {0, 1, 2, 3, 4, 5});
  t.shape = {2, 2};
  t.fields.shape = t.shape.data();
  t.fields.byte_offset = 2 * sizeof(double);
  expect_values(t, {2, 3, 4, 5});
}

TEST_P(DLPackImport, ByteOffset) {
  Tensor t;
  t.set({2, 2}, {2, 1});
  t.fields.byte_offset = sizeof(double);
  expect_values(t, {1, 2, 3, 4});
}

TEST_P(DLPackImport, NegativeStrides) {
  Tensor t;
  t.set({2, 3}, {-3, -1});
  t.fields.data = t.values + 5;
  expect_values(t, {5, 4, 3, 2, 1, 0});
  t.fields.data = t.values;
  t.fields.byte_offset = 5 * sizeof(double);
  expect_values(t, {5, 4, 3, 2, 1, 0});
}

TEST_P(DLPackImport, NoDimensions) {
  Tensor t;
  t.set({}, {});
  t.fields.shape = t.fields.strides = nullptr;
  expect_values(t, {0});
}

TEST_P(DLPackImport, NoElementsWithAnyPointer) {
  Tensor t;
  t.set({0, 3}, {INT64_MAX, INT64_MIN});
  t.fields.data = nullptr;
  expect_values(t, {});
  t.fields.data = reinterpret_cast<void*>(uintptr_t{3});
  t.fields.byte_offset = UINT64_MAX;
  expect_values(t, {});
}

TEST_P(DLPackImport, ExtentOneMayHaveAnyStride) {
  for (int64_t any : {int64_t{0}, int64_t{-7}, INT64_MAX, INT64_MIN}) {
    Tensor t;
    t.set({1, 3}, {any, 2});
    expect_values(t, {0, 2, 4});
  }
}

TEST_P(DLPackImport, SharedMemoryOfCudaIsHostMemory) {
  for (int32_t type : {3, 13}) {
    Tensor t;
    t.fields.device_type = type;
    expect_values(t, {0, 1, 2, 3, 4, 5});
  }
}

TEST_P(DLPackImport, ZeroStridesCannotBeWritten) {
  for (const Ints& strides : {Ints{0, 1}, Ints{1, 1}}) {
    Tensor t;
    t.fields.versioned = GetParam() ? 1 : 0;
    t.set({2, 3}, strides);
    Handle a;
    ARR_TRY(import(foreign_make(&t.fields, &t.owner), GetParam(), &a));
    expect_failure(try_write(a), ARR_E_READONLY, "same memory");
    EXPECT_EQ(t.values[0], 0);
  }
}

TEST_P(DLPackImport, WritesAreSeenByTheProducer) {
  Tensor t;
  t.fields.versioned = GetParam() ? 1 : 0;
  t.fields.flags = 2;  // a copy may be written too
  Handle a;
  ARR_TRY(import(foreign_make(&t.fields, &t.owner), GetParam(), &a));
  void* data = nullptr;
  ARR_TRY(arr_data(a, &data));
  EXPECT_EQ(data, t.values);
  ARR_TRY(try_write(a));
  for (double x : t.values) EXPECT_EQ(x, 1);
  t.values[3] = 7;
  EXPECT_EQ(values_of<double>(a)[3], 7);
}

TEST_P(DLPackImport, ReadOnly) {
  Tensor t;
  t.fields.versioned = GetParam() ? 1 : 0;
  t.fields.flags = 1;
  Handle a, view, sum;
  ARR_TRY(import(foreign_make(&t.fields, &t.owner), GetParam(), &a, ARR_DLPACK_READONLY));
  int32_t flags = 0;
  ARR_TRY(arr_array_flags(a, &flags));
  EXPECT_NE(flags & ARR_FLAG_READONLY, 0);
  expect_failure(try_write(a), ARR_E_READONLY, "read-only");
  ARR_TRY(arr_transpose(a, 0, nullptr, view.out()));
  expect_failure(try_write(view), ARR_E_READONLY, "read-only");
  ARR_TRY(arr_add(a, a, nullptr, sum.out()));
  EXPECT_EQ(values_of<double>(sum)[5], 10);
  ARR_TRY(try_write(sum));
}

TEST_P(DLPackImport, NoDeleter) {
  Tensor t;
  t.fields.versioned = GetParam() ? 1 : 0;
  t.owner.no_deleter = 1;
  void* tensor = foreign_make(&t.fields, &t.owner);
  Handle a;
  ARR_TRY(import(tensor, GetParam(), &a));
  EXPECT_EQ(values_of<double>(a)[5], 5);
  a.reset();
  foreign_free(tensor, GetParam() ? 1 : 0);
}

TEST_P(DLPackImport, DeletedAfterTheLastView) {
  Tensor t;
  t.fields.versioned = GetParam() ? 1 : 0;
  Handle a, view, second;
  ARR_TRY(import(foreign_make(&t.fields, &t.owner), GetParam(), &a));
  ARR_TRY(arr_transpose(a, 0, nullptr, view.out()));
  ARR_TRY(arr_retain(a, second.out()));
  a.reset();
  EXPECT_EQ(t.owner.deletions, 0);
  second.reset();
  EXPECT_EQ(t.owner.deletions, 0);
  EXPECT_EQ(values_of<double>(view)[1], 3);
  view.reset();
  EXPECT_EQ(t.owner.deletions, 1);
}

// A deleter that comes back into the library.
TEST_P(DLPackImport, DeleterReleasesAnotherArray) {
  Tensor outer, inner;
  outer.fields.versioned = inner.fields.versioned = GetParam() ? 1 : 0;
  Handle a, b;
  ARR_TRY(import(foreign_make(&inner.fields, &inner.owner), GetParam(), &b));
  outer.owner.extra = &b;
  outer.owner.hook = [](void* handle) {
    static_cast<Handle*>(handle)->reset();
    int64_t n = 10;
    Handle fresh;
    EXPECT_EQ(arr_zeros(ARR_INT8, 1, &n, ARR_ORDER_C, nullptr, nullptr, fresh.out()), ARR_OK);
  };
  ARR_TRY(import(foreign_make(&outer.fields, &outer.owner), GetParam(), &a));
  a.reset();
  EXPECT_EQ(outer.owner.deletions, 1);
  EXPECT_EQ(inner.owner.deletions, 1);
}

TEST(DLPackVersions, NewerMinorAndUnknownFlags) {
  Tensor t;
  t.fields.minor = 99;
  t.fields.flags = ~uint64_t{3};
  Handle a;
  ARR_TRY(import(foreign_make(&t.fields, &t.owner), true, &a));
  EXPECT_EQ(values_of<double>(a)[5], 5);
  ARR_TRY(try_write(a));
  a.reset();
  EXPECT_EQ(t.owner.deletions, 1);
}

}  // namespace
}  // namespace arr_test
