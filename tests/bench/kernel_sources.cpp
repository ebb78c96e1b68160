// SPDX-License-Identifier: MIT
// The source of the kernels of kernel_shapes.cpp.
#include "kernels.h"

namespace bench {

const char* const shapes_source = R"(
extern "C" __global__ void softmax_rows(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float top = in[i * m];
  for (int j = 1; j < m; ++j) top = fmaxf(top, in[i * m + j]);
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += expf(in[i * m + j] - top);
  for (int j = 0; j < m; ++j) out[i * m + j] = expf(in[i * m + j] - top) / sum;
}
extern "C" __global__ void sum_rows(int n, int m, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += in[i * m + j];
  out[i] = sum;
}
extern "C" __global__ void sum_columns(int n, int m, const float* in, float* out) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i * m + j];
  out[j] = sum;
}
extern "C" __global__ void rotate(int n, float* a) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= n / 2) return;
  for (int i = l; i < n - 1 - l; ++i) {
    int o = i - l, e = n - 1 - l;
    float t = a[l * n + i];
    a[l * n + i] = a[(e - o) * n + l];
    a[(e - o) * n + l] = a[e * n + e - o];
    a[e * n + e - o] = a[i * n + e];
    a[i * n + e] = t;
  }
}
extern "C" __global__ void bodies(int n, const float* x, const float* y, const float* z, const float* m,
                                  float* ax, float* ay, float* az) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float px = x[i], py = y[i], pz = z[i], sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; j++) {
    float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
    float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), w = m[j] * r * r * r;
    sx += dx * w;
    sy += dy * w;
    sz += dz * w;
  }
  ax[i] = sx;
  ay[i] = sy;
  az[i] = sz;
}
extern "C" __global__ void hash(int n, int length, const unsigned char* keys, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* key = keys + (long long)i * length;
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
extern "C" __global__ void brighten(int w, int h, float a, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = a * in[y * w + x] + 1.0f;
}
extern "C" __global__ void five_points(int w, int h, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
extern "C" __global__ void nine_points(int w, int h, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  const float* p = in + y * w + x;
  out[y * w + x] = 0.25f * p[0] + 0.125f * (p[-1] + p[1] + p[-w] + p[w]) +
                   0.0625f * (p[-w - 1] + p[-w + 1] + p[w - 1] + p[w + 1]);
}
extern "C" __global__ void blur(int w, int h, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int u = min(max(x + dx, 0), w - 1), v = min(max(y + dy, 0), h - 1);
      sum += in[v * w + u];
    }
  out[y * w + x] = sum / 9;
}
extern "C" __global__ void product(int n, const float* a, const float* b, float* c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}
#define W 32
#define H 8
extern "C" __global__ void laplace(int nx, int ny, int nz, const float* in, float* out) {
  __shared__ float s[H + 2][W + 2];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * W + tx + 1, y = blockIdx.y * H + ty + 1;
  bool inside = x < nx - 1 && y < ny - 1;
  int at = y * nx + x, plane = nx * ny;
  float below = 0, here = 0, above = 0;
  if (inside) here = in[at], above = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    at += plane;
    below = here;
    here = above;
    if (inside) {
      above = in[at + plane];
      s[ty + 1][tx + 1] = here;
      if (tx == 0) s[ty + 1][0] = in[at - 1];
      if (tx == W - 1 || x == nx - 2) s[ty + 1][tx + 2] = in[at + 1];
      if (ty == 0) s[0][tx + 1] = in[at - nx];
      if (ty == H - 1 || y == ny - 2) s[ty + 2][tx + 1] = in[at + nx];
    }
    __syncthreads();
    if (inside)
      out[at] = (s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1] + below + above) / 6;
    __syncthreads();
  }
}
)";

}  // namespace bench
