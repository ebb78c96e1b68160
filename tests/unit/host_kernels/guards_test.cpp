// SPDX-License-Identifier: MIT
// Guards at the beginning of kernels, which the pass takes as bounds of its loops over threads, and loops
// that it turns inside out or leaves as they are: results are those of one thread after the other.
#include <functional>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

// The threads that a guard lets through count up their element; those behind it do nothing.
TEST(HostKernelGuards, LetTheSameThreadsThrough) {
  struct Case {
    const char* guard;
    std::function<bool(int x, int y, int tx, int ty)> passes;
  };
  constexpr int w = 45, h = 11;
  const Case cases[] = {
      {"x < w && y < h", [](int x, int y, int, int) { return x < w && y < h; }},
      {"x > 0 && x < w - 1 && y > 0 && y < h - 1",
       [](int x, int y, int, int) { return x > 0 && x < w - 1 && y > 0 && y < h - 1; }},
      {"!(x >= w || y >= h)", [](int x, int y, int, int) { return x < w && y < h; }},
      {"x <= w && y >= 3", [](int x, int y, int, int) { return x <= w && y >= 3; }},
      {"x == 7", [](int x, int, int, int) { return x == 7; }},
      {"y == 4 && x != 0", [](int x, int y, int, int) { return y == 4 && x != 0; }},
      {"x != 5", [](int x, int, int, int) { return x != 5; }},
      {"threadIdx.x < 3 && threadIdx.y == 1", [](int, int, int tx, int ty) { return tx < 3 && ty == 1; }},
      {"threadIdx.x - 1u < 5u", [](int, int, int tx, int) { return tx >= 1 && tx < 6; }},
      {"x - 40 < 3 && 20 - y > 12", [](int x, int y, int, int) { return x - 40 < 3 && 20 - y > 12; }},
      {"(long long)x + 1 < w && (unsigned long long)y < h",
       [](int x, int y, int, int) { return x + 1 < w && y < h; }},
      {"x < limit[0] && y < limit[1]", [](int x, int y, int, int) { return x < w - 5 && y < h - 5; }},
      {"(x & 1) && y < h", [](int x, int y, int, int) { return (x & 1) != 0 && y < h; }},
      {"x + y < 20", [](int x, int y, int, int) { return x + y < 20; }},
      {"x < -1", [](int, int, int, int) { return false; }},
      {"x < w && (y < h || x == 2)", [](int x, int y, int, int) { return x < w && (y < h || x == 2); }},
      {"(unsigned)x < 0xfffffff0u && y < 2147483647", [](int, int, int, int) { return true; }},
      {"blockIdx.y * 4 + threadIdx.y < 9 && blockIdx.x * 16 + threadIdx.x < 33",
       [](int x, int y, int, int) { return y < 9 && x < 33; }},
  };
  std::string source = "extern \"C\" {\n";
  int number = 0;
  for (const Case& c : cases) {
    const std::string n = std::to_string(number++), guard = c.guard;
    const std::string head =
        "(int w, int h, const int* limit, int pitch, int* out) {\n"
        "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n";
    source += "__global__ void plain" + n + head + "if (" + guard + ") out[y * pitch + x] += 1;\n}\n";
    source += "__global__ void returns" + n + head + "if (!(" + guard + ")) return;\n" +
              "for (int k = 0; k < 3; k++) out[y * pitch + x] += k;\n}\n";
    source += "__global__ void meets" + n + head + "__shared__ int s[64]; if (!(" + guard + ")) return;\n" +
              "int t = threadIdx.y * blockDim.x + threadIdx.x; s[t] = x; __syncthreads();\n" +
              "if (threadIdx.x & 1) { __syncthreads(); }\n out[y * pitch + x] += s[t] - x + 1;\n}\n";
  }
  const auto image = compile(source + "}", {});
  constexpr int pitch = 48, rows = 12;
  const int limit[] = {w - 5, h - 5};
  for (int i = 0; i < number; i++)
    for (const auto& [kind, adds] : {std::pair{"plain", 1}, {"returns", 3}, {"meets", 1}}) {
      const std::string name = kind + std::to_string(i);
      std::vector<int> out(pitch * rows, 0);
      const int* bounds = limit;
      run(kernel(image, name), {3, 3}, {16, 4}, w, h, bounds, pitch, out.data());
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < pitch; x++)
          ASSERT_EQ(out[size_t(y * pitch + x)], cases[i].passes(x, y, x % 16, y % 4) ? adds : 0)
              << name << " " << cases[i].guard << " at " << x << "," << y;
    }
}

constexpr const char* keeping = R"(
extern "C" {
__global__ void one(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; j++) sum += in[j * n + i] * (j + 1);
  out[i] = sum;
}
__global__ void rows(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; j++) sum += in[i * m + j] * (j + 1);
  out[i] = sum;
}
__global__ void three(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = 0, b = 1, c = in[i];
  for (int j = 0; j < m; j++) { a += in[j * n + i]; b = b * 0.5f + a; c = c > b ? c - b : c; }
  out[i] = a + b + c;
}
__global__ void in_arrays(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float bins[24] = {};
  for (int j = 0; j < m; j++) bins[(i * 7 + j * 5) % 24] += in[j * n + i];
  float sum = 0;
  for (int b = 0; b < 24; b++) sum += bins[b] * b;
  out[i] = sum;
}
__global__ void to_different_ends(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m && j <= i; j++) { if (j == 5 && i % 3 == 0) break; sum += in[j * n + i]; }
  out[i] = sum;
}
})";

// Strips of every width, and what is left of a row: 1 to 150 threads, of which some are behind the guard.
TEST(HostKernelGuards, LoopsOfThreadsThatKeepValues) {
  const auto image = compile(keeping, {});
  constexpr int m = 9;
  const std::function<float(int, int, const std::vector<float>&)> expected[] = {
      [](int i, int n, const auto& in) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += in[size_t(j * n + i)] * float(j + 1);
        return sum;
      },
      [](int i, int, const auto& in) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += in[size_t(i * m + j)] * float(j + 1);
        return sum;
      },
      [](int i, int n, const auto& in) {
        float a = 0, b = 1, c = in[size_t(i)];
        for (int j = 0; j < m; j++) {
          a += in[size_t(j * n + i)];
          b = b * 0.5f + a;
          c = c > b ? c - b : c;
        }
        return a + b + c;
      },
      [](int i, int n, const auto& in) {
        float bins[24] = {}, sum = 0;
        for (int j = 0; j < m; j++) bins[(i * 7 + j * 5) % 24] += in[size_t(j * n + i)];
        for (int b = 0; b < 24; b++) sum += bins[b] * float(b);
        return sum;
      },
      [](int i, int n, const auto& in) {
        float sum = 0;
        for (int j = 0; j < m && j <= i; j++) {
          if (j == 5 && i % 3 == 0) break;
          sum += in[size_t(j * n + i)];
        }
        return sum;
      }};
  const char* names[] = {"one", "rows", "three", "in_arrays", "to_different_ends"};
  for (int n : {1, 7, 15, 16, 17, 31, 33, 63, 64, 65, 100, 150})
    for (size_t k = 0; k < 5; k++) {
      std::vector<float> in(size_t(n * m)), out(size_t(n) + 1, -1.0f);
      for (size_t i = 0; i < in.size(); i++) in[i] = float(i * 37 % 11);
      const float* from = in.data();
      run(kernel(image, names[k]), 2, 96, n, m, from, out.data());
      for (int i = 0; i < n; i++)
        ASSERT_NEAR(out[size_t(i)], expected[k](i, n, in), 1e-3) << names[k] << " " << i << " of " << n;
      EXPECT_EQ(out[size_t(n)], -1.0f);
    }
}

// Threads at the edges of a tile, and others, that do more than the rest; and a counter with another start in
// each thread in a loop with barriers.
TEST(HostKernelGuards, SingleThreadsThatDoMore) {
  const auto image = compile(R"(
extern "C" {
__global__ void edges(int n, int rows, const int* in, int* out) {
  __shared__ int s[66];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, at = i;
  for (int r = 0; r < rows; r++) {
    if (i < n) {
      s[t + 1] = in[at];
      if (t == 0) s[0] = i > 0 ? in[at - 1] : 0;
      if (t == blockDim.x - 1 || i == n - 1) s[t + 2] = i < n - 1 ? in[at + 1] : 0;
    }
    __syncthreads();
    if (i < n) out[at] = s[t] + 2 * s[t + 1] + s[t + 2];
    at += n;
    __syncthreads();
  }
}
__global__ void cases(int n, int rows, const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, add = 1;
  if (i >= n) return;
  switch (threadIdx.x) {
    case 0: out[n + i] = 5; add = 2; break;
    case 5: add = 3;
    case 9: out[n + i] = 6; break;
    default: add = 4;
  }
  if (i == n - 2) out[n + i] += 10;
  if (i != 7) out[i] = in[i] + add;
}
})",
                             {});
  constexpr int rows = 4;
  for (int n : {1, 2, 31, 63, 64, 65, 127, 130})
    for (uint32_t width : {1U, 7U, 16U, 33U, 64U}) {
      const auto un = size_t(n);
      std::vector<int> in(un * rows), out(un * rows, 0), more(2 * un, 0);
      for (size_t i = 0; i < in.size(); i++) in[i] = int(i * 13 % 101);
      const int* from = in.data();
      const uint32_t grid = (uint32_t(n) + width - 1) / width;
      run(kernel(image, "edges"), grid, width, n, rows, from, out.data());
      run(kernel(image, "cases"), grid, width, n, rows, from, more.data());
      for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++) {
          const int left = i > 0 ? in[size_t(r * n + i - 1)] : 0,
                    right = i < n - 1 ? in[size_t(r * n + i + 1)] : 0;
          ASSERT_EQ(out[size_t(r * n + i)], left + 2 * in[size_t(r * n + i)] + right)
              << n << " " << width << " " << i;
        }
      for (int i = 0; i < n; i++) {
        const uint32_t t = uint32_t(i) % width;
        const int add = t == 0   ? 2
                        : t == 5 ? 3
                        : t == 9 ? 1
                                 : 4,
                  mark = t == 0             ? 5
                         : t == 5 || t == 9 ? 6
                                            : 0;
        ASSERT_EQ(more[size_t(i)], i != 7 ? in[size_t(i)] + add : 0) << n << " " << width << " " << i;
        ASSERT_EQ(more[un + size_t(i)], mark + (i == n - 2 ? 10 : 0)) << n << " " << width << " " << i;
      }
    }
}

}  // namespace
}  // namespace arr::host_kernels::test
