// SPDX-License-Identifier: MIT
// Conversions of floating-point numbers to integers that cannot hold them: a GPU's results (PTX ISA, cvt).
#include <cmath>
#include <limits>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

template <class F>
struct Results {
  F x;
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
};

constexpr int32_t least32 = std::numeric_limits<int32_t>::min(), most32 = std::numeric_limits<int32_t>::max();
constexpr int64_t least64 = std::numeric_limits<int64_t>::min(), most64 = std::numeric_limits<int64_t>::max();
constexpr uint32_t mostu32 = ~uint32_t{0};
constexpr uint64_t mostu64 = ~uint64_t{0}, high64 = uint64_t{1} << 63;

// Types below 32 bits are the low bits of a conversion to 32.
template <class F>
std::vector<Results<F>> table() {
  const F inf = std::numeric_limits<F>::infinity();
  return {
      {F(-0.75), 0, 0, 0, 0, 0, 0, 0, 0},
      {F(2.75), 2, 2, 2, 2, 2, 2, 2, 2},
      {F(300), 44, 44, 300, 300, 300, 300, 300, 300},
      {F(-3), -3, 0, -3, 0, -3, 0, -3, 0},
      {F(70000), 112, 112, 4464, 4464, 70000, 70000, 70000, 70000},
      {F(3e9), -1, 0x00, -1, 0x5e00, most32, 3000000000u, 3000000000, 3000000000u},
      {F(-3e9), 0, 0, 0, 0, least32, 0, -3000000000, 0},
      {F(1e20), -1, 255, -1, 65535, most32, mostu32, most64, mostu64},
      {F(-1e20), 0, 0, 0, 0, least32, 0, least64, 0},
      {inf, -1, 255, -1, 65535, most32, mostu32, most64, mostu64},
      {-inf, 0, 0, 0, 0, least32, 0, least64, 0},
  };
}

template <class F>
void expect_a_gpus_conversions(const char* type, const Results<F>& nan) {
  if (!by_pass()) GTEST_SKIP() << "g++ has no saturating conversions; docs/guides/kernels.md says so";
  const Kernel k = make(std::string("template <class F> __global__ void k(const F* x, signed char* i8, "
                                    "unsigned char* u8, short* i16, unsigned short* u16, int* i32, unsigned* "
                                    "u32, long long* i64, unsigned long long* u64) {\n"
                                    "  int i = threadIdx.x;\n"
                                    "  i8[i] = x[i]; u8[i] = x[i]; i16[i] = x[i]; u16[i] = x[i];\n"
                                    "  i32[i] = x[i]; u32[i] = x[i]; i64[i] = x[i]; u64[i] = x[i];\n}\n"),
                        std::string("k<") + type + ">");
  std::vector<Results<F>> rows = table<F>();
  rows.push_back(nan);
  const size_t n = rows.size();
  std::vector<F> x;
  for (const auto& r : rows) x.push_back(r.x);
  std::vector<int8_t> i8(n);
  std::vector<uint8_t> u8(n);
  std::vector<int16_t> i16(n);
  std::vector<uint16_t> u16(n);
  std::vector<int32_t> i32(n);
  std::vector<uint32_t> u32(n);
  std::vector<int64_t> i64(n);
  std::vector<uint64_t> u64(n);
  run(k, 1, static_cast<uint32_t>(n), x.data(), i8.data(), u8.data(), i16.data(), u16.data(), i32.data(),
      u32.data(), i64.data(), u64.data());
  for (size_t i = 0; i < n; i++) {
    const Results<F>& r = rows[i];
    EXPECT_EQ(int{i8[i]}, int{r.i8}) << r.x;
    EXPECT_EQ(int{u8[i]}, int{r.u8}) << r.x;
    EXPECT_EQ(i16[i], r.i16) << r.x;
    EXPECT_EQ(u16[i], r.u16) << r.x;
    EXPECT_EQ(i32[i], r.i32) << r.x;
    EXPECT_EQ(u32[i], r.u32) << r.x;
    EXPECT_EQ(i64[i], r.i64) << r.x;
    EXPECT_EQ(u64[i], r.u64) << r.x;
  }
}

TEST(HostKernelConversions, FloatToIntegers) {
  expect_a_gpus_conversions<float>("float", {NAN, 0, 0, 0, 0, 0, 0, least64, high64});
}
TEST(HostKernelConversions, DoubleToIntegers) {
  expect_a_gpus_conversions<double>("double", {NAN, 0, 0, 0, 0, least32, high64 >> 32, least64, high64});
}

}  // namespace
}  // namespace arr::host_kernels::test
