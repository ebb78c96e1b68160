// SPDX-License-Identifier: MIT
// mbarrier objects by inline PTX, as libraries of kernels for sm_80 and sm_90 wait for them.
typedef unsigned long long u64;

__device__ __forceinline__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void start(unsigned barrier, unsigned threads) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(barrier), "r"(threads));
}
__device__ __forceinline__ u64 arrive(unsigned barrier) {
  u64 state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}
__device__ __forceinline__ void wait(unsigned barrier, unsigned phase) {
  asm volatile(
      "{\n"
      ".reg .pred       P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra     LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(barrier),
      "r"(phase));
}

// Rounds of two barriers: all have written; all have read.
extern "C" __global__ void rounds(const int* x, int* out, int n) {
  __shared__ u64 written, read;
  __shared__ int part[128];
  const int t = threadIdx.x;
  if (t == 0) start(address(&written), blockDim.x), start(address(&read), blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; k++) {
    part[t] = x[k * 128 + t];
    arrive(address(&written));
    wait(address(&written), k & 1);
    sum += (k + 1) * part[127 - t];
    arrive(address(&read));
    wait(address(&read), k & 1);
  }
  out[t] = sum;
}

// By the state that an arrival gives, and the count in it.
extern "C" __global__ void states(int* out) {
  __shared__ u64 barrier;
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.b64 [%0], 64;" ::"l"(&barrier) : "memory");
  __syncthreads();
  part[t] = t * t;
  u64 state;
  unsigned pending, tries = 0;
  asm volatile("mbarrier.arrive.release.cta.b64 %0, [%1];" : "=l"(state) : "l"(&barrier) : "memory");
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
  for (unsigned done = 0; !done; tries++)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "l"(&barrier), "l"(state)
                 : "memory");
  out[t] = part[63 - t] + 10000 * (pending >= 1 && pending <= 64 && tries > 0);
}

// Copies in bulk: one thread asks for the bytes of the next tile, all wait for them; half of the threads
// leave.
extern "C" __global__ void tiles(const float* x, float* y, int n) {
  __shared__ __align__(128) float tile[2][256];
  __shared__ u64 full[2];
  const int t = threadIdx.x;
  if (t == 0) start(address(&full[0]), 1), start(address(&full[1]), 1);
  asm volatile("fence.mbarrier_init.release.cluster;");
  __syncthreads();
  auto ask = [&](int k) {
    u64 state;
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(address(&full[k & 1])), "r"(1024)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            address(tile[k & 1])),
        "l"(x + 256 * k), "r"(1024), "r"(address(&full[k & 1]))
        : "memory");
  };
  if (t == 0) ask(0);
  for (int k = 0; k < n; k++) {
    if (t == 0 && k + 1 < n) ask(k + 1);
    wait(address(&full[k & 1]), k >> 1 & 1);
    y[256 * k + t] = 2 * tile[k & 1][255 - t];
    __syncthreads();
  }
}

extern "C" __global__ void fewer(int* out) {
  __shared__ u64 barrier;
  __shared__ int sum;
  const int t = threadIdx.x;
  if (t == 0) start(address(&barrier), blockDim.x), sum = 0;
  __syncthreads();
  if (t % 2 == 0) {
    u64 state;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(address(&barrier))
                 : "memory");
    return;
  }
  for (int k = 0; k < 3; k++) {
    atomicAdd(&sum, t);
    arrive(address(&barrier));
    wait(address(&barrier), k & 1);
  }
  out[t / 2] = sum;
}
