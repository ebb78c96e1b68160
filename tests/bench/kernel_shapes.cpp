// SPDX-License-Identifier: MIT
// Kernels with a row, a body or a pixel per thread against plain C++ loops, and against the same compiler
// without the pass: it must never be the faster one.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "kernels.h"

namespace bench {

using namespace std::chrono_literals;

namespace {

[[gnu::noinline]] void plain_softmax(int n, int m, const float* in, float* out) {
  for (int i = 0; i < n; i++) {
    const float* row = in + i * m;
    float top = row[0], sum = 0;
    for (int j = 1; j < m; j++) top = std::fmax(top, row[j]);
    for (int j = 0; j < m; j++) sum += std::exp(row[j] - top);
    for (int j = 0; j < m; j++) out[i * m + j] = std::exp(row[j] - top) / sum;
  }
}
[[gnu::noinline]] void plain_rows(int n, int m, const float* in, float* out) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += in[i * m + j];
    out[i] = sum;
  }
}
[[gnu::noinline]] void plain_columns(int n, int m, const float* __restrict in, float* __restrict out) {
  for (int j = 0; j < m; j++) out[j] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) out[j] += in[i * m + j];
}
[[gnu::noinline]] void plain_rotate(int n, float* a) {
  for (int l = 0; l < n / 2; l++)
    for (int i = l; i < n - 1 - l; i++) {
      const int o = i - l, e = n - 1 - l;
      const float t = a[l * n + i];
      a[l * n + i] = a[(e - o) * n + l];
      a[(e - o) * n + l] = a[e * n + e - o];
      a[e * n + e - o] = a[i * n + e];
      a[i * n + e] = t;
    }
}
struct Bodies {
  const float *x, *y, *z, *m;
  float *ax, *ay, *az;
};
[[gnu::noinline]] void plain_bodies(int n, const Bodies& b) {
  for (int i = 0; i < n; i++) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      const float dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
      const float r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f), w = b.m[j] * r * r * r;
      sx += dx * w;
      sy += dy * w;
      sz += dz * w;
    }
    b.ax[i] = sx;
    b.ay[i] = sy;
    b.az[i] = sz;
  }
}
[[gnu::noinline]] void plain_hash(int n, int length, const unsigned char* keys, unsigned* out) {
  for (int i = 0; i < n; i++) {
    const unsigned char* key = keys + static_cast<long long>(i) * length;
    unsigned h = 0;
    for (int k = 0; k < length; k++) {
      h += key[k];
      h += h << 10;
      h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    h += h << 15;
    out[i] = h;
  }
}
[[gnu::noinline]] void plain_brighten(int w, int h, float a, const float* in, float* out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) out[y * w + x] = a * in[y * w + x] + 1.0f;
}
[[gnu::noinline]] void plain_five(int w, int h, const float* in, float* out) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      out[y * w + x] =
          0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
[[gnu::noinline]] void plain_nine(int w, int h, const float* in, float* out) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      const float* p = in + y * w + x;
      out[y * w + x] = 0.25f * p[0] + 0.125f * (p[-1] + p[1] + p[-w] + p[w]) +
                       0.0625f * (p[-w - 1] + p[-w + 1] + p[w - 1] + p[w + 1]);
    }
}
[[gnu::noinline]] void plain_blur(int w, int h, const float* in, float* out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += in[std::clamp(y + dy, 0, h - 1) * w + std::clamp(x + dx, 0, w - 1)];
      out[y * w + x] = sum / 9;
    }
}
[[gnu::noinline]] void plain_product(int n, const float* __restrict a, const float* __restrict b,
                                     float* __restrict c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}
[[gnu::noinline]] void plain_laplace(int nx, int ny, int nz, const float* in, float* out) {
  const int plane = nx * ny;
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const int at = z * plane + y * nx + x;
        out[at] = (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane]) / 6;
      }
}

std::string only_shape;  // the only kernel to be measured; "": all

// One source, compiled with and without the pass.
struct Both {
  std::shared_ptr<hk::Image> with, without;

  Both() : with(hk::compile(shapes_source, {})) {
    const char* pass = std::getenv("ARR_HOST_FISSION");
    const char* compiler = std::getenv("ARR_HOST_CXX");
    const std::string old = pass != nullptr ? pass : "", chosen = compiler != nullptr ? compiler : "";
    setenv("ARR_HOST_FISSION", "0", 1);
    if (compiler == nullptr) setenv("ARR_HOST_CXX", "clang++-19", 1);
    without = hk::compile(shapes_source, {});
    pass != nullptr ? setenv("ARR_HOST_FISSION", old.c_str(), 1) : unsetenv("ARR_HOST_FISSION");
    if (compiler == nullptr) unsetenv("ARR_HOST_CXX");
  }

  // `run` launches the kernel it is given; the results of both and of the plain loop are compared.
  void measure(const char* name, std::vector<float>& out, std::vector<float>& expected,
               const std::function<void(const hk::Kernel&)>& run, const std::function<void()>& plain) const {
    if (!only_shape.empty() && only_shape != name) return;
    const hk::Kernel kernel = hk::kernel(with, name), other = hk::kernel(without, name);
    const std::vector<float> before = out;
    const auto same = [&] {
      for (size_t i = 0; i < out.size(); i++)
        check(std::abs(out[i] - expected[i]) <= 2e-3f * (1 + std::abs(expected[i])), name);
    };
    expected = before;
    plain();
    run(kernel);
    same();
    out = before;
    run(other);
    same();
    double min_times[3] = {1e30, 1e30, 1e30};
    const auto begin = Clock::now();
    for (int i = 0; i < rounds || (!smoke && i < 10 * rounds && Clock::now() - begin < 1s); i++) {
      // In turns the first: the plain loop leaves its own array in the caches.
      for (const int which : {i % 2, 1 - i % 2})
        min_times[which] =
            std::min(min_times[which], milliseconds([&] { run(which == 0 ? kernel : other); }));
      min_times[2] = std::min(min_times[2], milliseconds(plain));
    }
    const std::string text = name;
    field(text + "_ms", min_times[0]);
    field(text + "_plain_ms", min_times[2]);
    field(text + "_ratio", min_times[0] / min_times[2]);
    field(text + "_without_pass_ratio", min_times[1] / min_times[2]);
  }
};

std::vector<float> numbers(size_t n) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; i++) v[i] = static_cast<float>(i * 7919 % 1013) * 0.001f;
  return v;
}

uint32_t blocks(int n, int each) { return static_cast<uint32_t>((n + each - 1) / each); }

void rows(const Both& both, int n, int m) {
  const std::vector<float> in = numbers(static_cast<size_t>(n) * static_cast<size_t>(m));
  std::vector<float> out(in.size()), expected;
  const float* x = in.data();
  const auto line = [](int threads) { return Size{{blocks(threads, 256), 1, 1}}; };
  both.measure(
      "softmax_rows", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, line(n), {{256, 1, 1}}, n, m, x, out.data());
      },
      [&] { plain_softmax(n, m, x, expected.data()); });
  both.measure(
      "sum_rows", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, line(n), {{256, 1, 1}}, n, m, x, out.data());
      },
      [&] { plain_rows(n, m, x, expected.data()); });
  both.measure(
      "sum_columns", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, line(m), {{256, 1, 1}}, n, m, x, out.data());
      },
      [&] { plain_columns(n, m, x, expected.data()); });
}

// Twice in a row per measurement would undo nothing: each run turns its own copy on.
void turned(const Both& both, int n) {
  std::vector<float> out = numbers(static_cast<size_t>(n) * static_cast<size_t>(n)), expected;
  both.measure(
      "rotate", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, {{blocks(n / 2, 256), 1, 1}}, {{256, 1, 1}}, n, out.data());
      },
      [&] { plain_rotate(n, expected.data()); });
}

void gravity(const Both& both, int n) {
  const auto un = static_cast<size_t>(n);
  const std::vector<float> in = numbers(4 * un);
  std::vector<float> out(3 * un), expected;
  const float* p = in.data();
  both.measure(
      "bodies", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, {{blocks(n, 256), 1, 1}}, {{256, 1, 1}}, n, p, p + un, p + 2 * un, p + 3 * un, out.data(),
               out.data() + un, out.data() + 2 * un);
      },
      [&] {
        float* e = expected.data();
        plain_bodies(n, {p, p + un, p + 2 * un, p + 3 * un, e, e + un, e + 2 * un});
      });
}

void hashes(const Both& both, int n, int length) {
  std::vector<unsigned char> keys(static_cast<size_t>(n) * static_cast<size_t>(length));
  for (size_t i = 0; i < keys.size(); i++) keys[i] = static_cast<unsigned char>(i * 31 % 251);
  std::vector<unsigned> out(static_cast<size_t>(n)), plain(out.size());
  std::vector<float> shown(out.size()), expected;  // their low bits, which float32 holds
  const auto show = [](const std::vector<unsigned>& from, std::vector<float>& to) {
    for (size_t i = 0; i < from.size(); i++) to[i] = static_cast<float>(from[i] & 0xffffu);
  };
  both.measure(
      "hash", shown, expected,
      [&](const hk::Kernel& k) {
        launch(k, {{blocks(n, 256), 1, 1}}, {{256, 1, 1}}, n, length,
               static_cast<const unsigned char*>(keys.data()), out.data());
        show(out, shown);
      },
      [&] {
        plain_hash(n, length, keys.data(), plain.data());
        show(plain, expected);
      });
}

void images(const Both& both, int w, int h) {
  const std::vector<float> in = numbers(static_cast<size_t>(w) * static_cast<size_t>(h));
  std::vector<float> out(in.size()), expected;
  const float* x = in.data();
  const Size grid{{blocks(w, 32), blocks(h, 8), 1}}, block{{32, 8, 1}};
  both.measure(
      "brighten", out, expected,
      [&](const hk::Kernel& k) { launch(k, grid, block, w, h, 0.5f, x, out.data()); },
      [&] { plain_brighten(w, h, 0.5f, x, expected.data()); });
  both.measure(
      "five_points", out, expected, [&](const hk::Kernel& k) { launch(k, grid, block, w, h, x, out.data()); },
      [&] { plain_five(w, h, x, expected.data()); });
  both.measure(
      "nine_points", out, expected, [&](const hk::Kernel& k) { launch(k, grid, block, w, h, x, out.data()); },
      [&] { plain_nine(w, h, x, expected.data()); });
  both.measure(
      "blur", out, expected, [&](const hk::Kernel& k) { launch(k, grid, block, w, h, x, out.data()); },
      [&] { plain_blur(w, h, x, expected.data()); });
}

void products(const Both& both, int n) {
  const auto un = static_cast<size_t>(n);
  const std::vector<float> a = numbers(un * un), b = numbers(un * un);
  std::vector<float> out(a.size()), expected;
  both.measure(
      "product", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, {{blocks(n, 16), blocks(n, 16), 1}}, {{16, 16, 1}}, n, a.data(), b.data(), out.data());
      },
      [&] { plain_product(n, a.data(), b.data(), expected.data()); });
}

void volumes(const Both& both, int n) {
  const auto un = static_cast<size_t>(n);
  const std::vector<float> in = numbers(un * un * un);
  std::vector<float> out(in.size()), expected;
  both.measure(
      "laplace", out, expected,
      [&](const hk::Kernel& k) {
        launch(k, {{blocks(n - 2, 32), blocks(n - 2, 8), 1}}, {{32, 8, 1}}, n, n, n, in.data(), out.data());
      },
      [&] { plain_laplace(n, n, n, in.data(), expected.data()); });
}

}  // namespace

void shapes(const std::string& name) {
  only_shape = name;
  const Both both;
  rows(both, smoke ? 50 : 2000, smoke ? 37 : 784);
  turned(both, smoke ? 40 : 1000);
  gravity(both, smoke ? 100 : 3000);
  hashes(both, smoke ? 100 : 50000, smoke ? 9 : 64);
  images(both, smoke ? 70 : 1500, smoke ? 30 : 1100);
  products(both, smoke ? 40 : 300);
  volumes(both, smoke ? 20 : 130);
}

}  // namespace bench
