// SPDX-License-Identifier: MIT
// libcu++ in kernels: cuda::barrier and related types, atomics, asynchronous copies, and cuda::std.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void reversed(const int* x, int* out) {
  __shared__ int part[96];
  __shared__ block_barrier bar;
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    part[t] = x[t] + round;
    block_barrier::arrival_token token = bar.arrive();
    out[96 * round + t] = 1000 * round;
    bar.wait(cuda::std::move(token));
    out[96 * round + t] += part[95 - t];
    bar.arrive_and_wait();
  }
}

// Half of the threads make what the others take.
extern "C" __global__ void producer_consumer(const int* x, int* out) {
  __shared__ int part[2][32];
  __shared__ block_barrier full[2], empty[2];
  const int t = threadIdx.x;
  if (t < 2) {
    init(&full[t], 64);
    init(&empty[t], 64);
  }
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < 4; k++) {
      empty[k % 2].arrive_and_wait();
      part[k % 2][t] = 2 * x[32 * k + t];
      (void)full[k % 2].arrive();
    }
  } else {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    for (int k = 0; k < 4; k++) {
      full[k % 2].arrive_and_wait();
      out[32 * k + t - 32] = part[k % 2][63 - t];
      if (k < 2) (void)empty[k % 2].arrive();
    }
  }
}

extern "C" __global__ void atomics(int* counts, float* sum, unsigned* max_value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> count(counts[i % 4]);
  count.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device> total(*sum);
  total.fetch_add(0.5f);
  cuda::atomic_ref<unsigned, cuda::thread_scope_system> top(*max_value);
  top.fetch_max(7u * i);
  cuda::atomic_ref<int> other(counts[4]);
  int seen = other.load();
  while (!other.compare_exchange_weak(seen, seen + i, cuda::std::memory_order_relaxed)) {
  }
}

// The operators, and orders of both names.
extern "C" __global__ void counters(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> a;
  __shared__ cuda::std::atomic<unsigned> b;
  if (threadIdx.x == 0) {
    a.store(0, cuda::memory_order_relaxed);
    b.store(~0u, cuda::std::memory_order_relaxed);
  }
  __syncthreads();
  a++, ++a, a += 3, a--;
  b &= ~(1u << threadIdx.x % 32);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = a.load();
  out[1] = static_cast<int>(b.exchange(5));
  out[2] = static_cast<int>(b);
  int expected = 7;
  out[3] = a.compare_exchange_strong(expected, 8, cuda::memory_order_acq_rel, cuda::memory_order_acquire);
  out[4] = expected;
}

extern "C" __global__ void flags(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  __shared__ block_barrier bar;
  const int t = threadIdx.x;
  if (t == 0) {
    flag = 0;
    init(&bar, 64);
  }
  __syncthreads();
  flag.fetch_add(t);
  // The last thread goes on when all have come, and the others when it has said so.
  if (t < 63) {
    (void)bar.arrive();
    flag.wait(t % 2 ? -1 : -2);
    out[t] = flag.load() >= 0;
  } else {
    bar.arrive_and_wait();
    out[t] = 2;
  }
  __syncthreads();
  if (t == 0) out[0] = flag.load(cuda::std::memory_order_acquire);
}

extern "C" __global__ void staged_copies(const float* x, float* y, int stages) {
  extern __shared__ float tile[];
  const auto block = cooperative_groups::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(block, &state);
  const int n = blockDim.x, t = threadIdx.x;
  for (int fetch = 0, compute = 0; compute < stages; compute++) {
    for (; fetch < stages && fetch < compute + 2; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile + fetch % 2 * n, x + fetch * n, sizeof(float) * n, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    y[compute * n + t] = 2 * tile[compute % 2 * n + n - 1 - t];
    pipe.consumer_release();
  }
}
extern "C" __global__ void copies_of_a_barrier(const int* x, int* y) {
  __shared__ alignas(16) int tile[64];
  __shared__ block_barrier bar;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, x, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void primitive_copies(const int4* x, int4* y) {
  __shared__ int4 tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}

template <class T>
__device__ T twice(T x) {
  static_assert(cuda::std::is_arithmetic<T>::value, "numbers");
  return x + x;
}
extern "C" __global__ void standard(long long* out) {
  cuda::std::array<int, 4> a = {1, 2, 3, 4};
  int sum = 0;
  for (int x : a) sum += x;
  cuda::std::tuple<int, double> t(5, 2.5);
  cuda::std::pair<int, int> p(6, 7);
  cuda::std::swap(p.first, p.second);
  out[0] = sum + a.size();
  out[1] = cuda::std::get<0>(t) + static_cast<int>(2 * cuda::std::get<1>(t));
  out[2] = 10 * p.first + p.second;
  out[3] = cuda::std::numeric_limits<int>::max();
  out[4] = twice(cuda::std::int64_t{1} << 40);
  out[5] = cuda::std::is_same<cuda::std::remove_reference_t<int&>, int>::value;
}
