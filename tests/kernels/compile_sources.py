# SPDX-License-Identifier: MIT
"""The sources whose compile time compile_time.py measures: one kernel of many barriers, and a module of twenty kernels."""

STEPS = 40
STEP = """
__device__ float step%(i)d(float* s, float x, int k) {
  int t = threadIdx.x;
  s[t] = x;
  __syncthreads();
  float y = 0;
  for (int j = 0; j < k; j++) {
    if (t > j && t < 256 - j) y += s[t - j] * %(i)d.5f + s[t + j] / (1.0f + y * y);
    else y -= s[t ^ %(other)d];
  }
  __syncthreads();
  if (y > %(i)d.0f) y = sqrtf(y) + sinf(x);
  return y;
}
__device__ float plain%(i)d(float x, float y) {
  float r = x;
  for (int j = 0; j < %(turns)d; j++) {
    if (r > y) r = r * 0.5f + y; else r = fmaf(r, y, %(i)d.25f);
    if (r < 0) r = -r;
  }
  return r;
}
"""


def one_kernel():
    text = [STEP % {"i": i, "other": i % 31 + 1, "turns": 4 + i % 5} for i in range(STEPS)]
    text.append(
        'extern "C" __global__ void big(const float* in, float* o, int n, int k) {\n  __shared__ float s[256];\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float x = i < n ? in[i] : 0, y = 1;\n"
    )
    for i in range(STEPS):
        text.append(f"  x = step{i}(s, x, k + {i});\n  y = plain{i}(x, y);\n")
        text.append(f"  if (blockIdx.x % {i + 2} == 0) x += plain{i * 7 % STEPS}(y, x);\n")
        if i % 4 == 3:
            text.append(f"  for (int r = 0; r < k; r++) x = step{i * 3 % STEPS}(s, x + r, {i});\n")
    return "".join(text) + "  if (i < n) o[i] = x + y;\n}\n"


# Five kinds of kernels, each for four types or sizes.
SHARED = """
template <class T> __device__ T block_sum(T v, T* s) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x * blockDim.y / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  T sum = s[0];
  __syncthreads();
  return sum;
}
template <class T> __device__ T warp_sum(T v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
"""
KINDS = [
    """
extern "C" __global__ void product%(n)d(int m, int n, int k, const %(T)s* a, const %(T)s* b, %(T)s* c, %(T)s beta) {
  __shared__ %(T)s sa[%(W)d][%(W)d + 1], sb[%(W)d][%(W)d + 1];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * %(W)d + ty, col = blockIdx.x * %(W)d + tx;
  %(T)s sum = 0;
  for (int p = 0; p < k; p += %(W)d) {
    sa[ty][tx] = row < m && p + tx < k ? a[row * k + p + tx] : %(T)s(0);
    sb[ty][tx] = col < n && p + ty < k ? b[(p + ty) * n + col] : %(T)s(0);
    __syncthreads();
    for (int q = 0; q < %(W)d; q++) sum += sa[ty][q] * sb[q][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum + (beta == 0 ? %(T)s(0) : beta * c[row * n + col]);
}
""",
    """
extern "C" __global__ void softmax%(n)d(int rows, int cols, const %(T)s* x, %(T)s* y, %(T)s* norms) {
  __shared__ %(T)s s[256], best[32];
  int row = blockIdx.x, t = threadIdx.x, lane = t %% 32, warp = t / 32;
  if (row >= rows) return;
  %(T)s most = x[row * cols];
  for (int j = t; j < cols; j += blockDim.x) most = x[row * cols + j] > most ? x[row * cols + j] : most;
  for (int o = 16; o > 0; o >>= 1) {
    %(T)s other = __shfl_xor_sync(0xffffffffu, most, o);
    most = other > most ? other : most;
  }
  if (lane == 0) best[warp] = most;
  __syncthreads();
  for (int w = 0; w < blockDim.x / 32; w++) most = best[w] > most ? best[w] : most;
  %(T)s sum = 0;
  for (int j = t; j < cols; j += blockDim.x) sum += y[row * cols + j] = exp(x[row * cols + j] - most);
  sum = block_sum(sum, s);
  for (int j = t; j < cols; j += blockDim.x) y[row * cols + j] /= sum;
  if (t == 0) norms[row] = most + log(sum);
}
""",
    """
extern "C" __global__ void diffuse%(n)d(int w, int h, int steps, const %(T)s* in, %(T)s* out, %(T)s rate) {
  __shared__ %(T)s s[%(W)d + 2][34];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 32 + tx - 1, y = blockIdx.y * %(W)d + ty - 1;
  bool inside = x < w && y < h;
  s[ty][tx] = inside ? in[y * w + x] : %(T)s(0);
  if (tx == 1) s[ty][0] = x > 0 && inside ? in[y * w + x - 1] : s[ty][tx];
  if (tx == 32) s[ty][33] = x < w - 1 && inside ? in[y * w + x + 1] : s[ty][tx];
  if (ty == 1) s[0][tx] = y > 0 && inside ? in[(y - 1) * w + x] : s[ty][tx];
  if (ty == %(W)d) s[ty + 1][tx] = y < h - 1 && inside ? in[(y + 1) * w + x] : s[ty][tx];
  __syncthreads();
  for (int k = 0; k < steps; k++) {
    %(T)s next = s[ty][tx] + rate * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1] - 4 * s[ty][tx]);
    __syncthreads();
    s[ty][tx] = next;
    __syncthreads();
  }
  if (inside) out[y * w + x] = s[ty][tx];
}
""",
    """
extern "C" __global__ void sort%(n)d(int n, %(T)s* keys, int* places, int* counts) {
  __shared__ %(T)s k[%(S)d];
  __shared__ int p[%(S)d], hits[64];
  int t = threadIdx.x, base = blockIdx.x * %(S)d;
  for (int i = t; i < %(S)d; i += blockDim.x) {
    k[i] = base + i < n ? keys[base + i] : %(T)s(1e30);
    p[i] = base + i;
  }
  if (t < 64) hits[t] = 0;
  __syncthreads();
  for (int size = 2; size <= %(S)d; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      for (int i = t; i < %(S)d / 2; i += blockDim.x) {
        int lo = 2 * i - (i & (d - 1)), hi = lo + d;
        bool up = (lo & size) == 0;
        if ((k[lo] > k[hi]) == up) {
          %(T)s key = k[lo]; k[lo] = k[hi]; k[hi] = key;
          int place = p[lo]; p[lo] = p[hi]; p[hi] = place;
        }
      }
      __syncthreads();
    }
  for (int i = t; i < %(S)d; i += blockDim.x)
    if (base + i < n) {
      keys[base + i] = k[i];
      places[base + i] = p[i];
      atomicAdd(&hits[p[i] %% 64], 1);
    }
  __syncthreads();
  if (t < 64) atomicAdd(&counts[t], hits[t]);
}
""",
    """
extern "C" __global__ void forces%(n)d(int n, const %(T)s* x, const %(T)s* mass, %(T)s* out, %(T)s* energy, %(T)s soft) {
  __shared__ %(T)s sx[128], sy[128], sz[128], sm[128], part[128];
  int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x;
  %(T)s px = i < n ? x[3 * i] : 0, py = i < n ? x[3 * i + 1] : 0, pz = i < n ? x[3 * i + 2] : 0;
  %(T)s ax = 0, ay = 0, az = 0, potential = 0;
  for (int tile = 0; tile < n; tile += 128) {
    int j = tile + t;
    sx[t] = j < n ? x[3 * j] : 0, sy[t] = j < n ? x[3 * j + 1] : 0, sz[t] = j < n ? x[3 * j + 2] : 0;
    sm[t] = j < n ? mass[j] : 0;
    __syncthreads();
    for (int q = 0; q < 128; q++) {
      %(T)s dx = sx[q] - px, dy = sy[q] - py, dz = sz[q] - pz, r = dx * dx + dy * dy + dz * dz + soft;
      %(T)s inverse = 1 / sqrt(r), f = sm[q] * inverse * inverse * inverse;
      ax += f * dx, ay += f * dy, az += f * dz, potential -= sm[q] * inverse;
    }
    __syncthreads();
  }
  if (i < n) out[3 * i] = ax, out[3 * i + 1] = ay, out[3 * i + 2] = az;
  %(T)s total = block_sum(i < n ? potential * mass[i] : %(T)s(0), part);
  total = warp_sum(t < 32 ? total / 32 : %(T)s(0));
  if (t == 0) energy[blockIdx.x] = total / 2;
}
""",
]
FORMS = [("float", 16, 256), ("double", 16, 512), ("float", 8, 1024), ("double", 8, 128)]


def twenty_kernels():
    text = [SHARED]
    for n, (kind, width, size) in enumerate(FORMS):
        text += [k % {"n": n, "T": kind, "W": width, "S": size} for k in KINDS]
    return "".join(text)
