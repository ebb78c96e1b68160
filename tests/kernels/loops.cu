// SPDX-License-Identifier: MIT
// Loops over more elements than threads, and guards: every way in which threads leave a loop or skip its
// body.
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (blockDim.x * gridDim.x)

extern "C" __global__ void stride_size_t(unsigned long long n, const int* x, int* y) {
  for (unsigned long long i = INDEX; i < n; i += STRIDE) y[i] = 3 * x[i];
}
extern "C" __global__ void stride_long(long long n, const int* x, int* y) {
  for (int i = INDEX; i < n; i += STRIDE) y[i] = 3 * x[i];
}
extern "C" __global__ void stride_to(int n, const int* x, int* y) {
  for (int i = INDEX; i <= n; i += STRIDE) y[i] = 3 * x[i];
}
extern "C" __global__ void stride_sum(int n, const int* x, int* sums) {
  int sum = 0;
  for (int i = INDEX; i < n; i += STRIDE) sum += x[i];
  sums[INDEX] = sum;
}
extern "C" __global__ void stride_last(int n, const int* x, int* last) {
  int at = -1, value = 7;
  for (int i = INDEX; i < n; i += STRIDE) {
    at = i;
    if (x[i] > 0) value = x[i];
  }
  last[INDEX] = 1000 * at + value;
}
// Threads that never were in the loop bring something else.
extern "C" __global__ void stride_never(int n, const int* x, int* out) {
  int i = INDEX, sum = -9;
  if (i < n) sum = 1;
  for (; i < n; i += STRIDE) sum += x[i];
  out[INDEX] = sum;
}
// The code after the loop is for the threads that were in it.
extern "C" __global__ void stride_inside(int n, const int* x, int* out) {
  int i = INDEX;
  if (i < n) {
    int sum = 1;
    for (; i < n; i += STRIDE) sum += x[i];
    out[INDEX] = sum;
  }
}
// Counters go past the largest number and come back.
extern "C" __global__ void stride_wraps(unsigned n, unsigned step, const int* digits, int* out) {
  int written = 0;
  for (unsigned i = INDEX; i < n; i += step) written = 10 * written + digits[i >> 29];
  out[INDEX] = written;
}
extern "C" __global__ void stride_rounds(int n, int step, const int* digits, int* out) {
  int sum = 0;
  for (int i = INDEX; i < n; i += step) sum += digits[i % 8];
  out[INDEX] = sum;
}
extern "C" __global__ void guards_two(int n, int m, const int* x, int* y) {
  int i = INDEX;
  if (i < n && i < m) y[i] = 3 * x[i];
}
extern "C" __global__ void guards_return(int n, int m, const int* x, int* y) {
  int i = INDEX;
  if (i >= n || i > m) return;
  y[i] = 3 * x[i];
}
extern "C" __global__ void guard_stencil(int n, const int* x, int* y) {
  int i = INDEX;
  if (i > 0 && i + 1 < n) y[i] = x[i - 1] + x[i + 1];
}
extern "C" __global__ void guard_else(int n, const int* x, int* y) {
  int i = INDEX;
  if (i < n) {
    if (x[i] < 0) y[i] = -x[i];
  } else {
    y[i] = -7;
  }
}
extern "C" __global__ void guard_size_t(unsigned long long n, const int* x, int* y) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = 3 * x[i];
}
extern "C" __global__ void guard_other_way(int n, const int* x, int* y) {
  int i = INDEX;
  if (n - 1 >= i) y[i] = 3 * x[i];
}
extern "C" __global__ void guard_wraps(unsigned n, unsigned start, int* y) {
  unsigned i = start + threadIdx.x;
  if (i < n) y[threadIdx.x] = 1;
}
extern "C" __global__ void guard_tree(const int* x, int* sums) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = x[INDEX];
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) part[t] += part[t + s];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
