// SPDX-License-Identifier: MIT
// Statements of single threads, as at the edges of tiles, against the same statements run thread by thread:
// the pass moves them behind the loop over the others where nothing that follows them in their thread depends
// on that.
#include "support.h"

namespace arr::host_kernels::test {
namespace {

constexpr int shared_size = 200, out_size = 300;

struct Body {
  const char* text;
  void (*model)(int t, int a, int b, const int* in, int* s, int* out);
};
// clang-format off
#define BODY(...)                                                                                              \
  Body {                                                                                                       \
    #__VA_ARGS__, []([[maybe_unused]] int t, [[maybe_unused]] int a, [[maybe_unused]] int b,                   \
                     [[maybe_unused]] const int* in, [[maybe_unused]] int* s, [[maybe_unused]] int* out) { __VA_ARGS__; } \
  }
// No two threads touch one element, unless both read it.
const Body bodies[] = {
    BODY(s[t + 1] = in[t]; if (t == a) s[0] = in[t] + 7),
    BODY(if (t == a) s[0] = in[t] + 7; s[t + 1] = in[t]),
    BODY(if (t == a) s[t + 1] = 5; s[t + 1] += in[t]),
    BODY(s[t + 1] = in[t]; if (t == a) s[t + 1] += 5),
    BODY(if (t == a) s[170] = in[t]; if (t == b) s[171] = 3; s[t + 1] = 1),
    BODY(if (t == a || t == b) s[100 + t] += in[t]; s[t] = 2),
    BODY(if (t == a) s[100] = in[t]; if (t == a) s[100] += 2; s[t] = 2),
    BODY(out[t] = in[t]; if (t == a) out[t] = 9; out[t + 64] = 1),
    BODY(if (t == a) out[t] = 9; out[t] += in[t]),
    BODY(if (t == a) s[100] = out[t]; out[t] = 4),
    BODY(if (in[t] > 3 && t == a) s[100] = 1; s[t] = 3),
    BODY(if (out[t] > 3 && t == a) s[100] = 1; out[t] = 3),
    BODY(if (t == a) s[2 * t + 1] = 8; s[2 * t] = t),
    BODY(if (t == a) s[2 * t + (b & 1)] = 8; s[2 * t] = t),
    BODY(if (t != a) s[t] = 1; else s[100] = 2),
    BODY(if (t < b) { s[t] = in[t]; if (t == a) s[100] = in[t + 1]; if (t == 31) s[101] = 4; }),
    BODY(if (t == a) { s[100] = 1; if (in[0] > b) s[101] = 2; } s[t] = 6),
    BODY(int v = in[t]; if (t == a) v += in[t + 1]; s[t] = v),
    BODY(if (t == a) for (int i = 0; i < 5; i++) s[100 + i] = in[i]; s[t] = 6),
};
// clang-format on

std::string source_of(const Body& body) {
  return "extern \"C\" __global__ void k(int a, int b, const int* in, int* out, int* all) {\n"
         "  __shared__ int s[200];\n  int t = threadIdx.x;\n"
         "  for (int i = t; i < 200; i += blockDim.x) s[i] = -i;\n  __syncthreads();\n" +
         std::string(body.text) +
         ";\n  __syncthreads();\n  for (int i = t; i < 200; i += blockDim.x) all[i] = s[i];\n}\n";
}

TEST(HostKernelSingleThreads, DoWhatTheyDoOneByOne) {
  std::vector<int> in(100);
  for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<int>(i * 7 % 11);
  std::vector<int> start(out_size);
  for (size_t i = 0; i < start.size(); i++) start[i] = static_cast<int>(i * 5 % 13);
  for (const Body& body : bodies) {
    const Kernel k = make(source_of(body), "k");
    for (const int threads : {1, 5, 32, 33, 64})
      for (const int a : {-1, 0, 4, 31, 63, 64})
        for (const int b : {0, 4, 31, 40}) {
          std::vector<int> out = start, expected = start, all(shared_size), shared(shared_size);
          for (int i = 0; i < shared_size; i++) shared[static_cast<size_t>(i)] = -i;
          for (int t = 0; t < threads; t++) body.model(t, a, b, in.data(), shared.data(), expected.data());
          run(k, 1, static_cast<uint32_t>(threads), a, b, static_cast<const int*>(in.data()), out.data(),
              all.data());
          ASSERT_EQ(all, shared) << body.text << ", threads " << threads << ", a " << a << ", b " << b;
          ASSERT_EQ(out, expected) << body.text << ", threads " << threads << ", a " << a << ", b " << b;
        }
  }
}

constexpr const char* stencil = R"(
extern "C" __global__ void cross(int w, int h, const float* in, float* out) {
  __shared__ float s[6][18];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx + 1, y = blockIdx.y * 4 + ty + 1;
  bool inside = x < w - 1 && y < h - 1;
  if (inside) {
    s[ty + 1][tx + 1] = in[y * w + x];
    if (tx == 0) s[ty + 1][0] = in[y * w + x - 1];
    if (tx == 15 || x == w - 2) s[ty + 1][tx + 2] = in[y * w + x + 1];
    if (ty == 0) s[0][tx + 1] = in[(y - 1) * w + x];
    if (ty == 3 || y == h - 2) s[ty + 2][tx + 1] = in[(y + 1) * w + x];
  }
  __syncthreads();
  if (inside) out[y * w + x] = s[ty + 1][tx] + 2 * s[ty + 1][tx + 2] + 3 * s[ty][tx + 1] + 4 * s[ty + 2][tx + 1];
}
)";

// The last thread that is inside may be the tile's last one, or its first.
TEST(HostKernelSingleThreads, OfEdgesThatMeet) {
  const Kernel k = make(stencil, "cross");
  for (const int w : {3, 4, 17, 18, 19, 34, 50})
    for (const int h : {3, 5, 6, 7, 11}) {
      std::vector<float> in(static_cast<size_t>(w) * static_cast<size_t>(h)), out(in.size()),
          expected(in.size());
      for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i * 31 % 101);
      for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
          const float* p = &in[static_cast<size_t>(y * w + x)];
          expected[static_cast<size_t>(y * w + x)] = p[-1] + 2 * p[1] + 3 * p[-w] + 4 * p[w];
        }
      run(k, {static_cast<uint32_t>((w + 13) / 16), static_cast<uint32_t>((h + 1) / 4)}, {16, 4}, w, h,
          static_cast<const float*>(in.data()), out.data());
      ASSERT_EQ(out, expected) << w << " x " << h;
    }
}

}  // namespace
}  // namespace arr::host_kernels::test
