// SPDX-License-Identifier: MIT
// Inline PTX in the forms that real code has. Each kernel writes one row of `n` values per instruction.
#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define PUT(row) out[(row)*n + i] = r

extern "C" __global__ void integers(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out,
                                    int n) {
  INDEX;
  const unsigned x = a[i], y = b[i], z = c[i];
  unsigned r;
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(0);
  asm("sub.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(1);
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(2);
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(3);
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(4);
  asm volatile("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(5);
  asm volatile("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(6);
  asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(7);
  asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  PUT(8);
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(z));
  PUT(9);
  asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(z));
  PUT(10);
  asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(z));
  PUT(11);
  asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(z & 63), "r"(y & 63));
  PUT(12);
  asm volatile("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(z & 63), "r"(y & 63));
  PUT(13);
  asm volatile("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(14);
  asm volatile("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(15);
  asm volatile("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(16);
  asm volatile("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(17);
  asm volatile("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 3));
  PUT(18);
  asm volatile("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 3));
  PUT(19);
  asm volatile("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 3));
  PUT(20);
  asm volatile("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 3));
  PUT(21);
  asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(22);
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 63), "r"(y & 63));
  PUT(23);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  PUT(24);
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(z), "n"((0xF0 & 0xCC) | 0xAA));
  PUT(25);
  asm("popc.b32 %0, %1;" : "=r"(r) : "r"(x));
  PUT(26);
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(x));
  PUT(27);
  asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x));
  PUT(28);
  asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(x));
  PUT(29);
  asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.b32 %0, %3, 7, p;\n\t}"
      : "=r"(r)
      : "r"(x), "r"(y), "r"(z));
  PUT(30);
  asm("{ .reg .pred %%p, q; setp.ge.u32 %%p, %1, %2; setp.ne.u32 q, %1, 0; and.pred q, q, %%p;"
      " mov.u32 %0, 1; @q mov.u32 %0, 2; @!%%p add.u32 %0, %0, 4; }"
      : "=&r"(r)
      : "r"(x), "r"(y));
  PUT(31);
}

extern "C" __global__ void wide(const unsigned long long* a, const unsigned long long* b,
                                unsigned long long* out, int n) {
  INDEX;
  const unsigned long long x = a[i], y = b[i];
  unsigned long long r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  out[i] = r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"((unsigned)x), "r"((unsigned)y));
  out[n + i] = r;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"((int)x), "r"((int)y), "l"(y));
  PUT(2);
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(x));
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(high), "r"(low));
  PUT(3);
  // 128 bits in words, as numbers of many words are summed.
  unsigned s0, s1, s2, s3;
  asm("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, 0xffffffff;\n\taddc.u32 %3, "
      "%7, 0;"
      : "=r"(s0), "=r"(s1), "=r"(s2), "=r"(s3)
      : "r"((unsigned)x), "r"((unsigned)(x >> 32)), "r"((unsigned)y), "r"((unsigned)(y >> 32)),
        "r"((unsigned)y), "r"((unsigned)(y >> 32)));
  out[4 * n + i] = (unsigned long long)s1 << 32 | s0;
  out[5 * n + i] = (unsigned long long)s3 << 32 | s2;
  asm("sub.cc.u64 %0, %2, %3; subc.u64 %1, 0, 0;" : "=l"(r), "=l"(out[7 * n + i]) : "l"(x), "l"(y));
  PUT(6);
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
      : "=r"(low), "=r"(high)
      : "r"((unsigned)x), "r"((unsigned)y), "r"((unsigned)(y >> 32)));
  out[8 * n + i] = (unsigned long long)high << 32 | low;
  asm("bfe.u64 %0, %1, 13, 31;" : "=l"(r) : "l"(x));
  PUT(9);
  asm("{ .reg .u32 t<2>; cvt.u32.u64 t0, %1; mov.u32 t1, t0; cvt.u64.u32 %0, t1; }" : "=l"(r) : "l"(x));
  PUT(10);
  unsigned short h;
  asm("cvt.u16.u64 %0, %1;" : "=h"(h) : "l"(x));
  out[11 * n + i] = h;
}

extern "C" __global__ void floats(const float* a, const float* b, float* out, int n) {
  INDEX;
  const float x = a[i], y = b[i];
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(x), "f"(y), "f"(x));
  out[i] = r;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  out[n + i] = r;
  asm("mul.ftz.f32 %0, %1, 0f40490FDB;" : "=f"(r) : "f"(x));
  PUT(2);
  asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  PUT(3);
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  PUT(4);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x * x));
  PUT(5);
  asm("abs.f32 %0, %1;" : "=f"(r) : "f"(x));
  PUT(6);
  int k;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(k) : "f"(x));
  out[7 * n + i] = k;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(k) : "f"(x * 1e10f));
  out[8 * n + i] = k;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r) : "r"(k));
  PUT(9);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(x));
  PUT(10);
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(h));
  PUT(11);
  unsigned bits;
  asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(x));
  asm("xor.b32 %0, %0, 0x80000000;" : "+r"(bits));
  asm("mov.b32 %0, %1;" : "=f"(r) : "r"(bits));
  PUT(12);
  double d = x;
  asm("fma.rn.f64 %0, %0, %1, 0d3FF0000000000000;" : "+d"(d) : "d"((double)y));
  out[13 * n + i] = (float)d;
}

extern "C" __global__ void memory(const float4* x, float4* y, int* sums, const int* k, int n) {
  INDEX;
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(x + i));
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(y + i), "f"(v.w), "f"(v.z), "f"(v.y),
               "f"(v.x)
               : "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(x + i));
  int value, old;
  asm volatile("ld.global.cs.s32 %0, [%1+0];" : "=r"(value) : "l"(k + i));
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(sums), "r"(value) : "memory");
  asm volatile("atom.global.max.s32 %0, [%1+4], %2;" : "=r"(old) : "l"(sums), "r"(value) : "memory");
  asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(sums + 2), "r"(1)
               : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;\n" ::: "memory");
  signed char small;
  int wide;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(wide) : "l"((const char*)(k + i)));
  small = (signed char)wide;
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(sums + 8 + i), "r"((int)small));
}

__device__ __forceinline__ unsigned lane_id() {
  unsigned ret;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(ret));
  return ret;
}
extern "C" __global__ void places(unsigned* out, int n) {
  INDEX;
  unsigned warp, tid, ntid, ctaid, lower, sm;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
  asm("mov.u32 %0, %%ntid.x;\n\tmov.u32 %1, %%ctaid.x;" : "=r"(ntid), "=r"(ctaid));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  unsigned long long before, after, time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(after));
  out[i] = lane_id() + 100 * tid + 10000 * ctaid + 100000 * (ntid == blockDim.x);
  out[n + i] = lower;
  out[2 * n + i] = (after >= before) + 2 * (time > 1000000000ull) + 4 * (sm < 1024) + 8 * (warp < 32);
}

extern "C" __global__ void shared_and_warps(const int* x, int* out) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  unsigned where;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(where) : "l"(part + t));
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(where), "r"(x[t]) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  int got, sum;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(got) : "r"(where ^ 4u));
  unsigned mask, all;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 50; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(all)
               : "r"(got));
  sum = got;
  for (int d = 16; d > 0; d /= 2) {
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(sum), "r"(d));
    sum += other;
  }
  int below;
  asm volatile(
      "{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, 1, 0x0, 0xffffffff; @!p mov.s32 r0, 1000; "
      "mov.s32 %0, r0; }"
      : "=r"(below)
      : "r"(got));
  out[4 * t] = got, out[4 * t + 1] = sum, out[4 * t + 2] = below, out[4 * t + 3] = (int)(all ^ mask);
}

extern "C" __global__ void copies(const float* x, float* y, int n) {
  extern __shared__ float tile[];
  const int t = threadIdx.x, i = 4 * (blockIdx.x * blockDim.x + t);
  unsigned to = (unsigned)__cvta_generic_to_shared(tile + 4 * t);
  const int there = i < n ? 16 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(x + (i < n ? i : 0)),
               "r"(there));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  __syncthreads();
  const int o = blockDim.x - 1 - t;
  for (int k = 0; k < 4; k++) y[4 * (blockIdx.x * blockDim.x + t) + k] = tile[4 * o + k];
}

// Loops within a statement. It stands twice in a function: its labels are those of its braces.
#define COLLATZ(steps, from)                                                        \
  asm volatile(                                                                     \
      "{ .reg .pred p; .reg .u32 x, odd;\n\t"                                       \
      "mov.u32 x, %1; mov.u32 %0, 0;\n"                                             \
      "NEXT:\n\tsetp.le.u32 p, x, 1;\n\t@p bra.uni DONE;\n\tand.b32 odd, x, 1;\n\t" \
      "setp.ne.u32 p, odd, 0;\n\t@p bra ODD;\n\tshr.u32 x, x, 1;\n\tbra JOIN;\n"    \
      "ODD: mad.lo.u32 x, x, 3, 1;\nJOIN: add.u32 %0, %0, 1;\n\tbra NEXT;\nDONE: }" \
      : "=&r"(steps)                                                                \
      : "r"(from))
extern "C" __global__ void loops_inside(const unsigned* x, unsigned* out, int n) {
  INDEX;
  unsigned a, b;
  COLLATZ(a, x[i]);
  COLLATZ(b, x[i] + 1);
  out[i] = a, out[n + i] = b;
}

// A lock that each thread of all blocks takes.
extern "C" __global__ void lock(int* taken, int* sum) {
  asm volatile(
      "{ .reg .pred %%held<2>; .reg .s32 %%seen<3>;\n"
      "$TRY: atom.acquire.gpu.global.cas.b32 %%seen0, [%0], 0, 1;\n setp.ne.s32 %%held0, %%seen0, 0;\n "
      "@%%held0 bra $TRY;\n"
      "ld.volatile.global.s32 %%seen1, [%1]; add.s32 %%seen2, %%seen1, %2; st.volatile.global.s32 [%1], "
      "%%seen2;\n"
      "fence.acq_rel.gpu; st.release.gpu.global.s32 [%0], 0; }" ::"l"(taken),
      "l"(sum), "r"((int)threadIdx.x)
      : "memory");
}

// The first warp waits for a number that the last one writes.
extern "C" __global__ void flag(int* out) {
  __shared__ int ready;
  const unsigned where = (unsigned)__cvta_generic_to_shared(&ready);
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  int got = 0;
  if (threadIdx.x == 96) asm volatile("st.release.cta.shared.s32 [%0], 77;" ::"r"(where) : "memory");
  if (threadIdx.x < 32)
    asm volatile(
        "{\n.reg .pred none;\nWAIT:\nld.acquire.cta.shared.s32 %0, [%1];\nsetp.eq.s32 none, %0, 0;\n"
        "@none bra WAIT;\n}"
        : "=&r"(got)
        : "r"(where)
        : "memory");
  out[threadIdx.x] = got;
}
