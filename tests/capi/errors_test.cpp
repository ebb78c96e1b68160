// SPDX-License-Identifier: MIT
// Every way a call can be wrong: the status, the exact line of text, untouched outs, nothing left behind.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

arr_array zeros(arr_dtype dtype, const std::vector<int64_t>& shape) {
  arr_array a = nullptr;
  arr_status status =
      arr_zeros(dtype, static_cast<int32_t>(shape.size()), shape.data(), ARR_ORDER_C, nullptr, nullptr, &a);
  EXPECT_EQ(status, ARR_OK) << arr_last_error();
  return a;
}

class Errors : public testing::Test {
 protected:
  void SetUp() override {
    a = zeros(ARR_FLOAT64, {3, 4});
    b = zeros(ARR_FLOAT64, {5, 4});
    i = zeros(ARR_INT32, {3, 4});
    handles = arr_live_handles();
    objects = arr_live_objects();
  }
  void TearDown() override {
    EXPECT_EQ(arr_live_handles(), handles);
    EXPECT_EQ(arr_live_objects(), objects);
    for (arr_array x : {a, b, i}) EXPECT_EQ(arr_release(x), ARR_OK);
  }
  // The call fails with this status and line, and leaves `out` alone.
  void fails(arr_status status, const std::string& line, const std::function<arr_status(arr_array*)>& call) {
    auto* before = reinterpret_cast<arr_array>(static_cast<uintptr_t>(0x1234));
    arr_array out = before;
    EXPECT_EQ(call(&out), status) << line;
    EXPECT_EQ(arr_last_status(), status);
    EXPECT_EQ(std::string(arr_last_error()), line);
    EXPECT_EQ(out, before);
  }
  arr_array a = nullptr, b = nullptr, i = nullptr;
  int64_t handles = 0, objects = 0;
};

TEST_F(Errors, Handles) {
  const std::string line = "arr_exp: argument x: expected a live array handle, got one that is ";
  fails(ARR_E_HANDLE, line + "NULL", [](arr_array* o) { return arr_exp(nullptr, nullptr, o); });
  arr_array dead = zeros(ARR_FLOAT32, {2});
  EXPECT_EQ(arr_release(dead), ARR_OK);
  EXPECT_EQ(arr_release(dead), ARR_E_HANDLE);
  const std::string gone = line + "released, never valid, or of another kind";
  fails(ARR_E_HANDLE, gone, [&](arr_array* o) { return arr_exp(dead, nullptr, o); });
  arr_stream stream = nullptr;
  ASSERT_EQ(arr_stream_create(nullptr, 0, &stream), ARR_OK);
  fails(ARR_E_HANDLE, gone,
        [&](arr_array* o) { return arr_exp(reinterpret_cast<arr_array>(stream), nullptr, o); });
  EXPECT_EQ(arr_release(reinterpret_cast<arr_array>(stream)), ARR_E_HANDLE);
  EXPECT_EQ(arr_stream_release(stream), ARR_OK);
  fails(ARR_E_HANDLE,
        "arr_exp: argument stream: expected a live stream handle, got one that is released, never valid, or "
        "of another kind",
        [&](arr_array* o) { return arr_exp(a, stream, o); });
}

TEST_F(Errors, ShapesAndAxes) {
  const int64_t negative[] = {2, -3}, huge[] = {1LL << 40, 1LL << 40}, five[] = {5};
  const int32_t far[] = {2}, twice[] = {0, -2};
  fails(ARR_E_SHAPE, "arr_add: argument y: shape (5,4) does not broadcast with (3,4)",
        [&](arr_array* o) { return arr_add(a, b, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_zeros: argument shape: (2,-3) has a negative extent",
        [&](arr_array* o) { return arr_zeros(ARR_FLOAT32, 2, negative, 0, nullptr, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_create: argument shape: (1099511627776,1099511627776) takes more than 2^63 bytes",
        [&](arr_array* o) { return arr_create(ARR_INT8, 2, huge, 0, nullptr, nullptr, o); });
  for (int32_t ndim : {-1, 33, std::numeric_limits<int32_t>::max()}) {
    fails(ARR_E_SHAPE, "arr_ones: argument ndim: " + std::to_string(ndim) + ", expected 0 to 32",
          [&](arr_array* o) { return arr_ones(ARR_INT8, ndim, huge, 0, nullptr, nullptr, o); });
  }
  fails(ARR_E_SHAPE, "arr_reshape: argument shape: (3,4) does not reshape to (5,)",
        [&](arr_array* o) { return arr_reshape(a, 1, five, 0, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_sum: argument axes: axis 2 of an array with 2 dimensions",
        [&](arr_array* o) { return arr_sum(a, 1, far, false, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_max: argument axes: axis -2 is named twice",
        [&](arr_array* o) { return arr_max(a, 2, twice, false, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_matmul: argument b: shape (5,4) does not multiply with (3,4)",
        [&](arr_array* o) { return arr_matmul(a, b, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_index_axis: argument index: index 3 along axis 0 of extent 3, expected -3 to 2",
        [&](arr_array* o) { return arr_index_axis(a, 0, 3, o); });
  EXPECT_EQ(arr_add_into(b, a, a, nullptr), ARR_E_SHAPE);
  EXPECT_STREQ(
      arr_last_error(),
      "arr_add_into: argument dst: shape (5,4), to which an operand of shape (3,4) does not broadcast");
}

TEST_F(Errors, TypesAndValues) {
  fails(ARR_E_DTYPE, "arr_zeros: argument dtype: 99 is not an element type",
        [&](arr_array* o) { return arr_zeros(99, 0, nullptr, 0, nullptr, nullptr, o); });
  fails(ARR_E_DTYPE, "arr_bitwise_and: argument x: bitwise_and is not defined for float64",
        [&](arr_array* o) { return arr_bitwise_and(a, a, nullptr, o); });
  fails(ARR_E_DTYPE, "arr_astype: argument dtype: float64 does not cast to int32 within the casting rule",
        [&](arr_array* o) { return arr_astype(a, ARR_INT32, ARR_CAST_SAME_KIND, ARR_ORDER_K, nullptr, o); });
  EXPECT_EQ(arr_add_into(i, a, a, nullptr), ARR_E_DTYPE);
  EXPECT_STREQ(arr_last_error(),
               "arr_add_into: argument dst: the result is float64, which does not cast to int32 within the "
               "casting rule");
  arr_value v, weak;
  arr_value_array(&v, i);
  arr_value_i64(&weak, 1LL << 40);
  arr_value_weak(&weak);
  fails(ARR_E_ARGUMENT, "arr_add_v: a plain number: 1099511627776 does not fit in int32",
        [&](arr_array* o) { return arr_add_v(&v, &weak, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_add_v: argument x: at least one operand must be an array",
        [&](arr_array* o) { return arr_add_v(&weak, &weak, nullptr, o); });
  arr_value unknown = {77, 0, 0, 0};
  fails(ARR_E_ARGUMENT, "arr_add_v: argument y: a value of kind 77, expected a scalar",
        [&](arr_array* o) { return arr_add_v(&v, &unknown, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_create: argument order: 7 is not one of ARR_ORDER_C, _F, _K",
        [&](arr_array* o) { return arr_create(ARR_INT8, 0, nullptr, 7, nullptr, nullptr, o); });
  const arr_device nowhere = {5, 0}, second = {ARR_HOST, 1};
  fails(ARR_E_ARGUMENT, "arr_create: argument device: 5 is not a device type of libarr (1 host, 2 CUDA)",
        [&](arr_array* o) { return arr_create(ARR_INT8, 0, nullptr, 0, &nowhere, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_create: argument device: index 1 of 1 host device",
        [&](arr_array* o) { return arr_create(ARR_INT8, 0, nullptr, 0, &second, nullptr, o); });
}

TEST_F(Errors, NullPointers) {
  EXPECT_EQ(arr_add(a, a, nullptr, nullptr), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(), "arr_add: argument out: NULL");
  EXPECT_EQ(arr_shape(a, -1, nullptr, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, nullptr, 96, nullptr), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(), "arr_get: argument host: NULL");
  fails(ARR_E_ARGUMENT, "arr_full: argument value: NULL",
        [&](arr_array* o) { return arr_full(ARR_INT8, 0, nullptr, 0, nullptr, nullptr, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_load_npy: argument path: NULL",
        [&](arr_array* o) { return arr_load_npy(nullptr, -1, nullptr, nullptr, o); });
  arr_value_f64(nullptr, 1);
  EXPECT_EQ(arr_release(nullptr), ARR_OK);
}

TEST_F(Errors, ReadOnlyAndWrongSizes) {
  const int64_t big[] = {2, 3, 4};
  arr_array view = nullptr;
  ASSERT_EQ(arr_broadcast_to(a, 3, big, &view), ARR_OK);
  arr_value one;
  arr_value_f64(&one, 1);
  EXPECT_EQ(arr_fill(view, &one, nullptr), ARR_E_READONLY);
  EXPECT_STREQ(arr_last_error(), "arr_fill: argument a: the array is read-only");
  EXPECT_EQ(arr_release(view), ARR_OK);
  double host[12];
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, host, 88, nullptr), ARR_E_SHAPE);
  EXPECT_STREQ(arr_last_error(), "arr_get: argument nbytes: 88, but float64 (3,4) takes 96");
  fails(ARR_E_SHAPE, "arr_min: argument a: min over axis 0 of shape (0,2), which is empty", [](arr_array* o) {
    arr_array e = zeros(ARR_INT8, {0, 2});
    arr_status status = arr_min(e, 0, nullptr, false, nullptr, o);
    arr_release(e);
    return status;
  });
}

TEST_F(Errors, MemoryLimit) {
  arr_memory_stats stats = {};
  stats.struct_size = sizeof stats;
  ASSERT_EQ(arr_memory_info(nullptr, &stats), ARR_OK);
  ASSERT_EQ(arr_memory_limit(nullptr, stats.in_use + (1 << 20)), ARR_OK);
  const int64_t shape[] = {1 << 22};
  arr_array out = nullptr;
  EXPECT_EQ(arr_zeros(ARR_FLOAT64, 1, shape, 0, nullptr, nullptr, &out), ARR_E_MEMORY);
  EXPECT_NE(std::string(arr_last_error()).find("33554432"), std::string::npos) << arr_last_error();
  EXPECT_TRUE(arr_memory_pressure());
  ASSERT_EQ(arr_memory_limit(nullptr, 0), ARR_OK);
  ASSERT_EQ(arr_zeros(ARR_FLOAT64, 1, shape, 0, nullptr, nullptr, &out), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_release(out), ARR_OK);
}

TEST_F(Errors, LastErrorIsPerThreadAndCanBeTaken) {
  EXPECT_EQ(arr_exp(nullptr, nullptr, &a), ARR_E_HANDLE);
  const std::string mine = arr_last_error();
  std::thread([] {
    EXPECT_STREQ(arr_last_error(), "");
    arr_error none = nullptr;
    EXPECT_EQ(arr_error_take(&none), ARR_E_ARGUMENT);
  }).join();
  EXPECT_EQ(mine, arr_last_error());
  arr_error taken = nullptr;
  ASSERT_EQ(arr_error_take(&taken), ARR_OK);
  EXPECT_EQ(arr_add(a, b, nullptr, &b), ARR_E_SHAPE);
  arr_status status = 0;
  char text[200];
  int64_t length = 0;
  EXPECT_EQ(arr_error_status(taken, &status), ARR_OK);
  EXPECT_EQ(status, ARR_E_HANDLE);
  EXPECT_EQ(arr_error_text(taken, sizeof text, text, &length), ARR_OK);
  EXPECT_EQ(mine, text);
  EXPECT_EQ(length, static_cast<int64_t>(mine.size()));
  EXPECT_EQ(arr_error_text(taken, 5, text, &length), ARR_OK);
  EXPECT_STREQ(text, "arr_");
  EXPECT_EQ(arr_error_release(taken), ARR_OK);
}

TEST_F(Errors, HostileTextStaysOneLine) {
  const std::string path = std::string("/nonexistent/%n%s\n\x1b[31m") + std::string(10000, 'x');
  arr_array out = nullptr;
  EXPECT_EQ(arr_load_npy(path.c_str(), -1, nullptr, nullptr, &out), ARR_E_IO);
  const std::string line = arr_last_error();
  EXPECT_LT(line.size(), 1024U);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
}

TEST_F(Errors, StridesThatAreNotUsed) {
  double x[6] = {1, 2, 3, 4, 5, 6};
  const int64_t huge = std::numeric_limits<int64_t>::max();
  const int64_t shape[] = {1, 3, 1}, strides[] = {huge, 2, -huge}, none[] = {0, 4}, wide[] = {huge, huge};
  arr_array view = nullptr;
  ASSERT_EQ(arr_wrap(x, ARR_FLOAT64, 3, shape, strides, nullptr, nullptr, nullptr, &view), ARR_OK)
      << arr_last_error();
  double got[3] = {};
  EXPECT_EQ(arr_get(view, ARR_ORDER_C, got, sizeof got, nullptr), ARR_OK);
  EXPECT_EQ(got[2], 5);
  EXPECT_EQ(arr_release(view), ARR_OK);
  ASSERT_EQ(arr_wrap(x, ARR_FLOAT64, 2, none, wide, nullptr, nullptr, nullptr, &view), ARR_OK)
      << arr_last_error();
  EXPECT_EQ(arr_release(view), ARR_OK);
  fails(ARR_E_SHAPE, "arr_wrap: argument strides: 9223372036854775807 * 8 does not fit in 64 bits",
        [&](arr_array* o) {
          return arr_wrap(x, ARR_FLOAT64, 1, &shape[1], &strides[0], nullptr, nullptr, nullptr, o);
        });
}

TEST_F(Errors, ChosenIndices) {
  arr_array index = zeros(ARR_INT64, {2}), other = nullptr;
  arr_value five, one;
  arr_value_i64(&five, 5);
  arr_value_f64(&one, 1);
  EXPECT_EQ(arr_fill(index, &five, nullptr), ARR_OK);
  auto at = [&](int32_t op, arr_array to, int32_t n, const arr_array* in, const arr_value* value) {
    return [=](arr_array*) { return arr_ufunc_at(op, to, n, in, value, nullptr); };
  };
  fails(ARR_E_ARGUMENT, "arr_ufunc_at: argument indices: index 5 along axis 0 of extent 3, expected -3 to 2",
        at(ARR_OP_ADD, a, 1, &index, &one));
  fails(ARR_E_ARGUMENT, "arr_ufunc_at: argument nindices: 0, expected 1 to 2 for an array of shape (3,4)",
        at(ARR_OP_ADD, a, 0, nullptr, &one));
  fails(ARR_E_ARGUMENT, "arr_ufunc_at: argument indices: NULL", at(ARR_OP_ADD, a, 1, nullptr, &one));
  fails(ARR_E_HANDLE, "arr_ufunc_at: argument indices: expected a live array handle, got one that is NULL",
        at(ARR_OP_ADD, a, 1, &other, &one));
  fails(ARR_E_DTYPE, "arr_ufunc_at: argument indices: array 0 is of float64, expected integers",
        at(ARR_OP_ADD, a, 1, &b, &one));
  fails(ARR_E_ARGUMENT, "arr_ufunc_at: argument b: add takes 2 operands, got 1",
        at(ARR_OP_ADD, a, 1, &index, nullptr));
  fails(ARR_E_SHAPE, "arr_bincount: argument x: 2 dimensions, expected 1",
        [&](arr_array* o) { return arr_bincount(i, nullptr, 0, nullptr, o); });
  fails(ARR_E_SHAPE, "arr_bincount: argument weights: shape (3,4), expected that of x, (2,)",
        [&](arr_array* o) { return arr_bincount(index, a, 0, nullptr, o); });
  fails(ARR_E_ARGUMENT, "arr_bincount: argument minlength: -1 is negative",
        [&](arr_array* o) { return arr_bincount(index, nullptr, -1, nullptr, o); });
  EXPECT_EQ(arr_release(index), ARR_OK);
}

TEST_F(Errors, Histograms) {
  arr_array edges = nullptr;
  arr_histogram_options o = {};
  auto histogram = [&](int64_t nbins, arr_array given, const arr_histogram_options* options) {
    return [=, this, &edges](arr_array* out) {
      return arr_histogram(a, nbins, given, options, nullptr, out, &edges);
    };
  };
  fails(ARR_E_ARGUMENT, "arr_histogram: argument nbins: 0, expected 1 or more",
        histogram(0, nullptr, nullptr));
  fails(ARR_E_ARGUMENT,
        "arr_histogram: argument options: struct_size is 0, expected " + std::to_string(sizeof o),
        histogram(3, nullptr, &o));
  const double range[] = {2, 1};
  o.struct_size = sizeof o;
  o.range = range;
  fails(ARR_E_ARGUMENT, "arr_histogram: argument options: a range of 2 to 1, expected two numbers in order",
        histogram(3, nullptr, &o));
  o.range = nullptr;
  o.weights = b;
  fails(ARR_E_SHAPE, "arr_histogram: argument options: weights: shape (5,4), expected that of x, (3,4)",
        histogram(3, nullptr, &o));
  fails(ARR_E_SHAPE, "arr_histogram: argument edges: shape (5,4), expected a vector of 2 or more",
        histogram(0, b, nullptr));
  fails(ARR_E_ARGUMENT, "arr_histogramdd: argument ndim: 0, expected 1 to 32", [&](arr_array* out) {
    return arr_histogramdd(0, nullptr, nullptr, nullptr, nullptr, nullptr, out, &edges);
  });
  EXPECT_EQ(edges, nullptr);
}

TEST(Versions, HeaderAndLibraryAgree) {
  EXPECT_EQ(arr_version(), ARR_VERSION);
  EXPECT_EQ(arr_check_abi(ARR_VERSION), ARR_OK);
  EXPECT_EQ(arr_check_abi(ARR_VERSION + 1), ARR_E_UNAVAILABLE);
  EXPECT_EQ(arr_check_abi(ARR_VERSION + 1000000), ARR_E_UNAVAILABLE);
  EXPECT_EQ(arr_check_abi(-1), ARR_E_UNAVAILABLE);
  EXPECT_STREQ(arr_status_name(ARR_E_SHAPE), "ARR_E_SHAPE");
  EXPECT_STREQ(arr_status_name(12345), "unknown status");
}

TEST(Threads, DistinctArraysInManyThreads) {
  int64_t before = arr_live_handles();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int round = 0; round < 300; ++round) {
        arr_array x = zeros(ARR_FLOAT32, {64, 3 + t}), y = nullptr, s = nullptr;
        arr_value v;
        arr_value_f64(&v, t);
        EXPECT_EQ(arr_fill(x, &v, nullptr), ARR_OK);
        EXPECT_EQ(arr_add(x, x, nullptr, &y), ARR_OK);
        EXPECT_EQ(arr_sum(y, 0, nullptr, false, nullptr, &s), ARR_OK);
        float total = 0;
        EXPECT_EQ(arr_get(s, ARR_ORDER_C, &total, 4, nullptr), ARR_OK);
        EXPECT_EQ(total, static_cast<float>(128 * (3 + t) * t));
        for (arr_array a : {x, y, s}) EXPECT_EQ(arr_release(a), ARR_OK);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(arr_live_handles(), before);
}

}  // namespace
