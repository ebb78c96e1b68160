// SPDX-License-Identifier: MIT
// Integers in parts of a word. Row k of `out` is function k of all arguments.
#define ROW(value) out[k++ * n + i] = value
#define INDEX                                           \
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0; \
  if (i >= n) return
#define BOTH(name) ROW(name##2(a, b)), ROW(name##4(a, b))
#define ONE(name) ROW(name##2(a)), ROW(name##4(a))
extern "C" __global__ void lanes(const unsigned* x, const unsigned* y, unsigned* out, int n) {
  INDEX;
  unsigned a = x[i], b = y[i];
  BOTH(__vadd), BOTH(__vaddss), BOTH(__vaddus), BOTH(__vsub), BOTH(__vsubss), BOTH(__vsubus);
  BOTH(__vabsdiffs), BOTH(__vabsdiffu), BOTH(__vmaxs), BOTH(__vmaxu), BOTH(__vmins), BOTH(__vminu);
  BOTH(__vavgs), BOTH(__vavgu), BOTH(__vhaddu), BOTH(__vsads), BOTH(__vsadu);
  ONE(__vabs), ONE(__vabsss), ONE(__vneg), ONE(__vnegss);
}
#define COMPARED(name) BOTH(__vcmp##name), BOTH(__vset##name)
extern "C" __global__ void lanes_compared(const unsigned* x, const unsigned* y, unsigned* out, int n) {
  INDEX;
  unsigned a = x[i], b = y[i];
  COMPARED(eq), COMPARED(ne), COMPARED(ges), COMPARED(geu), COMPARED(gts), COMPARED(gtu);
  COMPARED(les), COMPARED(leu), COMPARED(lts), COMPARED(ltu);
}
extern "C" __global__ void dots(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out,
                                int n) {
  INDEX;
  unsigned a = x[i], b = y[i], c = z[i];
  int s = (int)a, t = (int)b, u = (int)c;
  ROW((unsigned)__dp4a(s, t, u)), ROW(__dp4a(a, b, c)), ROW((unsigned)__dp2a_lo(s, t, u)),
      ROW(__dp2a_lo(a, b, c));
  ROW((unsigned)__dp2a_hi(s, t, u)), ROW(__dp2a_hi(a, b, c));
  char4 bytes =
      make_char4((signed char)a, (signed char)(a >> 8), (signed char)(a >> 16), (signed char)(a >> 24));
  char4 others =
      make_char4((signed char)b, (signed char)(b >> 8), (signed char)(b >> 16), (signed char)(b >> 24));
  ushort2 halves = make_ushort2((unsigned short)a, (unsigned short)(a >> 16));
  uchar4 parts = make_uchar4((unsigned char)b, (unsigned char)(b >> 8), (unsigned char)(b >> 16),
                             (unsigned char)(b >> 24));
  ROW((unsigned)__dp4a(bytes, others, u)), ROW(__dp2a_hi(halves, parts, c));
  ROW(__funnelshift_lc(a, b, c & 63)), ROW(__funnelshift_rc(a, b, c & 63));
  ROW(__fns(a, c & 31, (int)(b % 21) - 10)), ROW(__byte_perm(a, b, c));
}
