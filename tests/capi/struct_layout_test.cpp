// SPDX-License-Identifier: MIT
// arr_struct_layout against what kernels say of their own structs, on the host and over the fake CUDA.
#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>

#include "modules.h"

namespace arr_test {
namespace {

struct Field {
  arr_dtype dtype;
  const char* type;
};
const Field fields[] = {{ARR_BOOL, "bool"},
                        {ARR_INT8, "signed char"},
                        {ARR_INT16, "short"},
                        {ARR_INT32, "int"},
                        {ARR_INT64, "long long"},
                        {ARR_UINT8, "unsigned char"},
                        {ARR_UINT16, "unsigned short"},
                        {ARR_UINT32, "unsigned"},
                        {ARR_UINT64, "unsigned long long"},
                        {ARR_FLOAT16, "__half"},
                        {ARR_FLOAT32, "float"},
                        {ARR_FLOAT64, "double"},
                        {ARR_COMPLEX64, "float2"},
                        {ARR_COMPLEX128, "double2"},
                        {ARR_BFLOAT16, "__nv_bfloat16"}};

struct Layout {
  std::vector<arr_dtype> dtypes;
  std::vector<int64_t> counts;
};

class StructLayout : public Modules {};

// Offsets, size and alignment of every struct, one after the other.
TEST_P(StructLayout, IsTheCompilers) {
  std::mt19937 random(20240511);
  std::vector<Layout> structs;
  for (const Field& f : fields) structs.push_back({{ARR_INT8, f.dtype, ARR_BOOL}, {1, 1, 1}});
  while (structs.size() < 60) {
    Layout s;
    for (size_t n = 1 + random() % 8; n > 0; --n) {
      s.dtypes.push_back(fields[random() % std::size(fields)].dtype);
      s.counts.push_back(random() % 3 == 0 ? 1 + static_cast<int64_t>(random() % 5) : 1);
    }
    structs.push_back(s);
  }
  std::ostringstream text, body;
  text << "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  for (size_t i = 0; i < structs.size(); ++i) {
    const Layout& s = structs[i];
    text << "struct S" << i << " {";
    for (size_t k = 0; k < s.dtypes.size(); ++k) {
      const auto* f = std::find_if(std::begin(fields), std::end(fields),
                                   [&](const Field& x) { return x.dtype == s.dtypes[k]; });
      text << " " << f->type << " f" << k;
      if (s.counts[k] > 1) text << "[" << s.counts[k] << "]";
      text << ";";
      body << "  *o++ = __builtin_offsetof(S" << i << ", f" << k << ");\n";
    }
    text << " };\n";
    body << "  *o++ = sizeof(S" << i << "); *o++ = alignof(S" << i << ");\n";
  }
  text << "extern \"C\" __global__ void k(long long* o) {\n" << body.str() << "}\n";
  std::vector<int64_t> expected;
  for (const Layout& s : structs) {
    const auto n = static_cast<int32_t>(s.dtypes.size());
    std::vector<int64_t> offsets(s.dtypes.size());
    int64_t bytes = 0, alignment = 0;
    ASSERT_EQ(arr_struct_layout(n, s.dtypes.data(), s.counts.data(), offsets.data(), &bytes, &alignment),
              ARR_OK);
    expected.insert(expected.end(), offsets.begin(), offsets.end());
    expected.insert(expected.end(), {bytes, alignment});
  }
  arr_module m = load(text.str().c_str());
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT64, static_cast<int64_t>(expected.size()));
  EXPECT_EQ(launch(k, 1, 1, {of(out)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int64_t>(out, expected.size()), expected);
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

TEST_P(StructLayout, FieldsReachTheKernel) {
  const arr_dtype dtypes[] = {ARR_INT8, ARR_COMPLEX64, ARR_INT16, ARR_FLOAT64};
  const int64_t counts[] = {3, 1, 1, 2};
  int64_t at[4], size = 0;
  ASSERT_EQ(arr_struct_layout(4, dtypes, counts, at, &size, nullptr), ARR_OK) << arr_last_error();
  std::vector<char> bytes(static_cast<size_t>(size));
  const auto put = [&](int64_t offset, const auto& x) { std::memcpy(bytes.data() + offset, &x, sizeof x); };
  put(at[0] + 2, int8_t{-3});
  put(at[1] + 4, 0.5F);
  put(at[2], int16_t{1000});
  put(at[3] + 8, 1e9);
  arr_module m = load(
      "struct S { signed char a[3]; float2 b; short c; double d[2]; };\n"
      "extern \"C\" __global__ void k(S s, double* o) { *o = s.a[2] + s.b.y + s.c + s.d[1]; }\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_FLOAT64, 1);
  arr_value v;
  arr_value_bytes(&v, bytes.data(), size);
  EXPECT_EQ(launch(k, 1, 1, {v, of(out)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<double>(out, 1)[0], -3 + 0.5 + 1000 + 1e9);
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

TEST_P(StructLayout, WrongFieldsAreRefused) {
  const arr_dtype dtypes[] = {ARR_FLOAT64, 99}, wide[] = {ARR_COMPLEX128, ARR_COMPLEX128};
  const int64_t none[] = {0, 1}, many[] = {1, INT64_MAX / 16}, more[] = {1, INT64_MAX};
  int64_t bytes = 5, offsets[2] = {6, 7};
  EXPECT_EQ(arr_struct_layout(0, dtypes, nullptr, nullptr, &bytes, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_struct_layout(1, nullptr, nullptr, nullptr, &bytes, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_struct_layout(2, dtypes, nullptr, offsets, &bytes, nullptr), ARR_E_DTYPE);
  EXPECT_EQ(arr_struct_layout(1, dtypes, none, offsets, &bytes, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument counts: entry 0 is 0, expected at least 1");
  EXPECT_EQ(arr_struct_layout(2, wide, many, offsets, &bytes, nullptr), ARR_E_SHAPE);
  EXPECT_EQ(arr_struct_layout(2, wide, more, offsets, &bytes, nullptr), ARR_E_SHAPE);
  EXPECT_EQ(bytes, 5);
  EXPECT_EQ(offsets[0], 6);
  EXPECT_EQ(arr_struct_layout(1, dtypes, nullptr, nullptr, nullptr, nullptr), ARR_OK);
}

ARR_ON_DEVICES(StructLayout);

}  // namespace
}  // namespace arr_test
