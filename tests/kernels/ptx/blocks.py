#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocks.py - barriers of a part of a block, mbarrier objects and the copies that they wait for, from PTX on the host."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import ptx_host
from cuda_toolkit import HEADER, assemble

# %r0 is the thread, %r1 its input, %d1 where its result goes; %r9 is the result. s is shared memory.
KERNEL = """.visible .entry {name}(.param .u64 x, .param .u64 y)
{{
  .reg .b32 %r<24>; .reg .b64 %d<8>; .reg .pred %p<4>;
  .shared .align 16 .b8 s[1024]; .shared .align 8 .b64 m; .shared .align 8 .b64 n;
  ld.param.u64 %d2, [x]; ld.param.u64 %d3, [y];
  mov.u32 %r0, %tid.x; mul.wide.u32 %d0, %r0, 4; add.u64 %d1, %d3, %d0; add.u64 %d0, %d2, %d0;
  ld.global.u32 %r1, [%d0]; shl.b32 %r2, %r0, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; mov.u32 %r9, 0;
{body}
  st.global.u32 [%d1], %r9;
  ret;
}}
"""
# A function that has shared memory beside that of the kernel that calls it.
FUNCTION = """.func (.param .b32 r) swapped(.param .b32 v)
{
  .reg .b32 %r<6>; .shared .align 16 .b8 t[1024];
  ld.param.b32 %r1, [v]; mov.u32 %r2, %tid.x; shl.b32 %r2, %r2, 2; mov.u32 %r3, t; add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1; bar.sync 0; xor.b32 %r2, %r2, 4; add.u32 %r4, %r3, %r2; ld.shared.u32 %r5, [%r4];
  st.param.b32 [r], %r5; ret;
}
"""
CALLED = """
  st.shared.u32 [%r3], %r1; bar.sync 0;
  { .param .b32 a, b; st.param.b32 [a], %r0; call (b), swapped, (a); ld.param.b32 %r5, [b]; }
  bar.sync 0; xor.b32 %r2, %r2, 508; mov.u32 %r6, s; add.u32 %r6, %r6, %r2; ld.shared.u32 %r9, [%r6];
  mad.lo.u32 %r9, %r5, 10000, %r9;
"""
# The first half of the block writes what the second one reads: it arrives and goes on, and waits for the second half
# before it writes again.
HANDED_OVER = """
  mov.u32 %r4, 0; setp.ge.u32 %p0, %r0, 64;
AGAIN:
  @%p0 bra READ;
  add.u32 %r5, %r1, %r4; st.shared.u32 [%r3], %r5; bar.arrive 1, 128; bar.sync 2, 128; bra NEXT;
READ:
  mov.u32 %r6, 1; bar.sync %r6, 128;
  ld.shared.u32 %r5, [%r3+-256]; mad.lo.u32 %r9, %r5, 3, %r9; bar.arrive 2, 128;
NEXT:
  add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 5; @%p1 bra AGAIN;
"""
VOTES = """
  setp.lt.u32 %p0, %r0, 96; and.b32 %r4, %r1, 1; setp.ne.u32 %p1, %r4, 0;
  @!%p0 bra END;
  barrier.red.popc.u32 %r9, 3, 96, %p1; shl.b32 %r9, %r9, 2;
  barrier.red.and.pred %p2, 3, 96, %p1; selp.u32 %r5, 1, 0, %p2; or.b32 %r9, %r9, %r5;
  bar.red.or.pred %p2, 4, 96, !%p1; selp.u32 %r5, 2, 0, %p2; or.b32 %r9, %r9, %r5;
END:
  barrier.sync 5;
"""
ARRIVALS = """
  setp.ne.u32 %p0, %r0, 0;
  @!%p0 mbarrier.init.shared.b64 [m], 128; bar.sync 0;
  st.shared.u32 [%r3], %r1;
  mbarrier.arrive.shared.b64 %d4, [m];
WAIT:
  mbarrier.test_wait.shared.b64 %p1, [m], %d4; @!%p1 bra WAIT;
  xor.b32 %r4, %r2, 508; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; ld.shared.u32 %r9, [%r4];
  mbarrier.pending_count.b64 %r6, %d4; setp.eq.u32 %p2, %r6, 0; @%p2 add.u32 %r9, %r9, 1000000;
  setp.lt.u32 %p2, %r0, 32; mov.u32 %r7, 1;
  @%p2 mbarrier.arrive_drop.shared.b64 _, [m];
  @!%p2 mbarrier.arrive.shared.b64 _, [m], 1;
SECOND:
  mbarrier.try_wait.parity.shared.b64 %p1, [m], %r7, 100; @!%p1 bra SECOND;
  @%p2 bra END;
  cp.async.mbarrier.arrive.noinc.shared.b64 [m]; mov.u32 %r7, 0;
THIRD:
  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [m], %r7; @!%p1 bra THIRD;
  add.u32 %r9, %r9, 1;
END:
  bar.sync 0; @!%p0 mbarrier.inval.shared.b64 [m];
"""
COPIES = """
  setp.ne.u32 %p0, %r0, 0;
  @!%p0 mbarrier.init.shared.b64 [n], 1; bar.sync 0; @%p0 bra WAIT;
  mbarrier.arrive.expect_tx.shared.b64 _, [n], 512;
  mov.u32 %r4, s; mov.u32 %r5, n;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%d2], 256, [%r5];
  add.u64 %d5, %d2, 256;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4+256], [%d5], 256, [%r5];
WAIT:
  mov.u32 %r6, 0;
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %p1, [n], %r6; @!%p1 bra AGAIN;
  xor.b32 %r4, %r2, 4; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; ld.shared.u32 %r9, [%r4];
  bar.sync 0; st.shared.u32 [%r3], %r9; fence.proxy.async.shared::cta; bar.sync 0; mov.u32 %r4, s;
  @!%p0 cp.async.bulk.global.shared::cta.bulk_group [%d3], [%r4], 512;
  @!%p0 cp.async.bulk.commit_group; @!%p0 cp.async.bulk.wait_group 0; bar.sync 0;
  ld.global.u32 %r9, [%d1]; add.u32 %r9, %r9, 7;
"""
# Twice into global memory, and once into shared memory.
REDUCED = """
  setp.ne.u32 %p0, %r0, 0; @!%p0 mbarrier.init.shared.b64 [n], 1;
  st.shared.u32 [%r3], %r1; st.shared.u32 [%r3+512], %r0; fence.proxy.async.shared::cta; bar.sync 0; @%p0 bra WAIT;
  mbarrier.arrive.expect_tx.shared.b64 _, [n], 512; mov.u32 %r4, s; mov.u32 %r5, n;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d3], [%r4], 512;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d3], [%r4], 512;
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; add.u32 %r6, %r4, 512;
  cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32 [%r6], [%r4], 512, [%r5];
WAIT:
  mov.u32 %r6, 0;
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %p1, [n], %r6; @!%p1 bra AGAIN;
  bar.sync 0; ld.shared.u32 %r9, [%r3+512]; ld.global.u32 %r6, [%d1]; mad.lo.u32 %r9, %r6, 1000, %r9;
"""
CLUSTER = """
  st.shared.u32 [%r3], %r1; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
  xor.b32 %r4, %r2, 508; mov.u32 %r5, s; add.u32 %r4, %r4, %r5; mapa.shared::cluster.u32 %r6, %r4, 0;
  ld.shared::cluster.u32 %r9, [%r6]; getctarank.shared::cluster.u32 %r7, %r6; add.u32 %r9, %r9, %r7;
"""


def handed_over(x):
    return np.concatenate([0 * x[:64], sum(3 * (x[:64] + k) for k in range(5))])


def votes(x):
    odd = x[:96] % 2
    return np.where(np.arange(128) < 96, odd.sum() * 4 + odd.all() + 2 * (1 - odd).any(), 0)


def arrivals(x):
    return x[::-1] + (np.arange(128) >= 32)


KERNELS = {
    "handed_over": (HANDED_OVER, handed_over),
    "votes": (VOTES, votes),
    "arrivals": (ARRIVALS, arrivals),
    "copies": (COPIES, lambda x: x[np.arange(128) ^ 1] + 7),
    "reduced": (REDUCED, lambda x: 2000 * x + np.maximum(x, np.arange(128))),
    "cluster": (CLUSTER, lambda x: x[::-1]),
    "called": (CALLED, lambda x: x[::-1] + (np.arange(128) ^ 1) * 10000),
}


def main():
    text = HEADER + FUNCTION + "".join(KERNEL.format(name=name, body=body) for name, (body, _) in KERNELS.items())
    failures = int(assemble(text) == 1)
    module = ptx_host.Module(text)
    x = np.random.default_rng(4).integers(0, 1000, 128).astype("u4")
    for name, (_, expected) in KERNELS.items():
        for attempt in range(2):  # the second launch finds what the first one has left
            got = module.launch(name, (1, 1, 1), (128, 1, 1), x, np.zeros(128, "u4"))[1]
            want = np.asarray(expected(x.astype("i8"))).astype("u4")
            if not np.array_equal(got, want):
                failures += 1
                bad = np.flatnonzero(got != want)
                print(f"{name}: thread {bad[0]} of {bad.size}: {got[bad[0]]}, expected {want[bad[0]]}")
    print(f"{len(KERNELS)} kernels, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
