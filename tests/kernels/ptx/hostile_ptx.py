#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_ptx.py - PTX that is cut or wrong: an error with its line, and no crash. tests/fuzz changes texts at random."""

import ctypes
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import ptx_host
from cuda_toolkit import HEADER

arrpy = ptx_host.arrpy
GOOD = HEADER + (HERE / "sample.ptx").read_text()
BODY = ".visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<3>;\n.reg .pred %q<2>;\n{}\nret;\n}}\n"
# A statement in a kernel, on line 10; what its error says.
STATEMENTS = [
    ("add.u32 %r0, %r1;", "takes 3 operands"),
    ("add.u32 %r0, %r1, %rd1;", "'%rd1' is 64 bits, the instruction takes 32 bits"),
    ("add.u32 %r0, %r1, %r7;", "'%r7' is not declared"),
    ("add.u32 %r00, %r1, %r2;", "'%r00' is no register"),
    ("add.f32 %f0, %f1, 1;", "'1' is a whole number, expected 0f... or 0d..."),
    ("add.u32 %r0, %r1, 99999999999999999999;", "'99999999999999999999' is no number of the instruction's type"),
    ("add.q32 %r0, %r1, %r2;", "instruction 'add.q32' has no host form"),
    ("add.sat.u8 %r0, %r1, %r2;", "instruction 'add.sat.u8' has no host form"),
    ("mul.s32 %r0, %r1, %r2;", "instruction 'mul.s32' has no host form"),
    ("frobnicate.b32 %r0, %r1;", "instruction 'frobnicate.b32' has no host form"),
    ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, {%f1};", "has no host form"),
    ("wgmma.fence.sync.aligned;", "has no host form"),
    ("bar.sync 1, %rd1;", "'%rd1' is 64 bits, the instruction takes 32 bits"),
    ("bar.arrive 1;", "has no host form"),
    ("bar.sync;", "too few operands"),
    ("mbarrier.arrive.shared.b32 %rd1, [%r1];", "has no host form"),
    ("mbarrier.init.shared.b64 %r1, 4;", "expected an address in brackets"),
    ("mbarrier.try_wait.shared.b64 %q1, [%r1];", "has no host form"),
    ("mbarrier.test_wait.parity.shared.b64 %r1, [%r2], %r3;", "'%r1' is 32 bits, the instruction takes a predicate"),
    ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16;", "has no host form"),
    (
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];",
        "has no host form",
    ),
    ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u16 [%rd1], [%r1], 16;", "has no host form"),
    ("cp.reduce.async.bulk.global.global.bulk_group.add.u32 [%rd1], [%rd2], 16;", "has no host form"),
    ("cp.reduce.async.bulk.global.shared::cta.bulk_group.u32 [%rd1], [%r1], 16;", "has no host form"),
    ("alloca.u32 %r1, 16;", "has no host form"),
    ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];", "of another number of registers"),
    ("wmma.load.a.sync.aligned.row.m16n16k17.f16 {%r1}, [%rd1];", "has no host form"),
    ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};", "of another number of registers"),
    ("cvt.rn.e4m3x2.f32 %r1, %f1, %f2;", "has no host form"),
    ("vabsdiff4.u32.u32 %r1, %r2, %r3, %r1;", "has no host form"),
    ("vadd.u32.u32.u32 %r1, %r2.b4, %r3;", "'.b4' selects no part of a register"),
    ("vadd.u32.u32.u32 %r1, %r2, %rd1.h0;", "'%rd1' is 64 bits, the instruction takes 32 bits"),
    ("vadd.u32.u32.u32 %r1.h0, %r2, %r3;", "takes 4 operands"),
    ("vadd.u32.u32.u32.add %r1.h0, %r2, %r3, %r1;", "has no host form"),
    ("vadd.u32.u32.u64 %r1, %r2, %r3;", "has no host form"),
    ("vavrg.u32.u32.u32 %r1, %r2, %r3;", "has no host form"),
    ("vset.u32.u32 %r1, %r2, %r3;", "has no host form"),
    ("vshl.u32.u32.s32.clamp %r1, %r2, %r3;", "has no host form"),
    ("vadd2.u32.u32.u32 %r1, %r2.h14, %r3, %r1;", "'.h14' selects no parts of registers"),
    ("vadd4.u32.u32.u32 %r1.b01, %r2, %r3, %r1;", "'.b01' is no list of parts"),
    ("vadd4.u32.u32.u32.sat.add %r1, %r2, %r3, %r1;", "has no host form"),
    ("vmad.u32.u32.u32.po %r1, -%r2, %r3, %r1;", "has no host form"),
    ("vmad.u32.u32.u32.shr8 %r1, %r2, %r3, %r1;", "has no host form"),
    ("atom.global.add.v2.f32 {%f1}, [%rd1], {%f2, %f1};", "expected 2 registers"),
    ("mov.b128 %rd1, {%rd0, %rd2};", "'%rd1' is 64 bits, the instruction takes 128 bits"),
    ("and.b128 %rd1, %rd0, %rd2;", "has no host form"),
    ("suld.b.2d.b32.trap {%r1}, [%rd1, {%r2}];", "expected 2 coordinates"),
    ("suld.b.2d.b32 {%r1}, [%rd1, {%r2, %r3}];", "has no host form"),
    ("sured.b.add.2d.u32.trap [%rd1, {%r1}], %r3;", "expected 2 coordinates"),
    ("sured.b.add.2d.s64.trap [%rd1, {%r1, %r2}], %rd1;", "has no host form"),
    ("sured.b.xor.2d.b32.trap [%rd1, {%r1, %r2}], %r3;", "has no host form"),
    ("sured.p.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;", "has no host form"),
    ("sured.b.and.2d.b32 [%rd1, {%r1, %r2}], %r3;", "has no host form"),
    ("txq.width.b32 %r1, %rd1;", "expected an object in brackets"),
    ("txq.width.b32 %r1, [t];", "'t' is no register with an object"),
    ("txq.width.b32 %rd1, [%rd1];", "'%rd1' is 64 bits, the instruction takes 32 bits"),
    ("txq.force_unnormalized_coords.b32 %r1, [%rd1];", "has no host form"),
    ("txq.level.array_size.b32 %r1, [%rd1], %r2;", "has no host form"),
    ("txq.level.width.b32 %r1, [%rd1];", "has no host form"),
    ("suq.filter_mode.b32 %r1, [%rd1];", "has no host form"),
    ("suq.normalized_coords.b32 %r1, [%rd1];", "has no host form"),
    ("bra NOWHERE;", "label 'NOWHERE' is not in the function"),
    ("@%r1 bra L; L:", "'%r1' is no predicate"),
    ("@%q7 ret;", "'%q7' is no predicate"),
    ("brx.idx %r1, LIST;", "'LIST' is no list of branch targets"),
    ("call nothing, ();", "function 'nothing' is not declared"),
    ("call (%r1), %rd1, (), proto;", "a call through a register needs a .callprototype"),
    (
        "P: .callprototype _ (.param .b32 _); call %rd1, (), P;",
        "the function in '%rd1' is called with 0 of 1 parameters",
    ),
    ("P: .callprototype _ (); call %r1, (), P;", "'%r1' is no register of 64 bits"),
    ("P: .callprototype _ (.reg .b32 _);", "a function with parameters in registers has no host form"),
    ("P: .callprototype;", "expected _"),
    ("ld.param.u32 %r1, [q];", "'q' is not declared"),
    ("ld.param.u32 %r1, [p+6];", "'p+6' lies outside of 'p', which has 8 bytes"),
    ("ld.global.u32 %r1, [p];", "'p' is in another state space"),
    ("ld.global.u32 %r1, %rd1;", "expected an address in brackets"),
    ("ld.global.v2.u32 %r1, [%rd1];", "expected 2 registers"),
    ("ld.global.u64 %r1, [%rd1];", "'%r1' is 32 bits, the instruction takes 64 bits"),
    ("mov.u32 %r1, %pm0;", "special register '%pm0' has no host form"),
    ("mov.u32 %r1, %envreg3;", "special register '%envreg3' has no host form"),
    ("mov.u32 %r1, %tid.w;", "instruction 'mov.u32' has no host form"),
    ("exit %r1;", "instruction 'exit' takes no operands"),
    ("cvt.s32.f32 %r1, %f1;", "instruction 'cvt.s32.f32' has no host form"),
    ("setp.lt.s32 %r1, %r1, %r2;", "'%r1' is 32 bits, the instruction takes a predicate"),
    ("setp.lo.s32 %q1, %r1, %r2;", ".lo is for unsigned numbers"),
    ("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f0}, [%rd1, {%f1}];", "expected 2 coordinates"),
    ("tex.2d.v4.f32.f32 {%f0,%f1,%f2}, [%rd1, {%f1,%f2}];", "expected 4 registers"),
    ("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f0}, [t, {%f1,%f2}];", "'t' is no register with an object"),
    ("tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f0}, [%rd1, {%r1,%r2}];", "has no host form"),
    ("tld4.x.2d.v4.f32.f32 {%f0,%f1,%f2,%f0}, [%rd1, {%f1,%f2}];", "has no host form"),
    ("L: L: ret;", "label 'L' stands twice"),
    (".reg .b32 %r<2>;", "register '%r' is declared twice"),
    (".reg .b32 %z<0>;", "no register in '%z<0>'"),
    (".reg .b32 %z<99999999999999999999>;", "expected a number of registers"),
    (".reg .v2 .b32 %z;", "a register of several parts has no host form"),
    (".local .align 3 .b8 x[4];", "alignment 3 is no power of 2"),
    (".local .b8 x[999999999];", "local memory at most"),
    (".shared .b8 x[50000];", "bytes of static shared memory, the max is 49152"),
    (".shared .b8 x[4] = {1};", "may have no initial value"),
    (".shared .b8 x[2000000000][2000000000];", "expected a number of elements"),
    (".global .b8 x[2] = {1, 2, 3};", "more values than elements"),
    (".param .pred x;", "a predicate has no memory"),
    ("add.u32 %r0 %r1, %r2;", "expected an operand"),
    ("add.u32 %r0, (%r1, %r2;", "expected ')'"),
    ("add.u32 %r0, [[[%r1]]], %r2;", "expected an operand"),
    ("add.u32 %r0, %r1, %r2", "expected an operand"),
    ("\x01", "unexpected character"),
    ("?", "unexpected '?'"),
    ('.pragma "x;', "text without an end"),
    ("/* for ever", "comment without an end"),
    ("{ " * 300 + "} " * 300, "scopes within each other"),
    ("atom.global.and.f32 %f0, [%rd1], %f1;", "has no host form"),
    ("exit", "instruction 'exit' takes no operands"),
]
# Whole texts.
MODULES = [
    (".version 8.0\n", "expected '.target'"),
    (".version x\n", "expected a version"),
    (".version 8.0\n.target sm_90\n", "expected '.address_size'"),
    (".version 8.0\n.target sm_90\n.address_size 32\n", ".address_size other than 64"),
    (HEADER + "nonsense\n", "expected a directive, got 'nonsense'"),
    (HEADER + ".entry k(.param .u64 p) {", "expected '}', got the end"),
    (HEADER + ".entry k(.param .u64 p, .param .u64 p) { ret; }", "'p' is declared twice"),
    (HEADER + ".entry k() { ret; }\n.entry k() { ret; }", "function 'k' is defined twice"),
    (HEADER + ".func f(.reg .b32 x) { ret; }", "a function with parameters in registers"),
    (HEADER + ".func f();\n.entry k() { call f; ret; }", "function 'f', which has no body,"),
    (HEADER + ".extern .global .u32 x;", "which is extern,"),
    (HEADER + ".global .texref t;", ".texref has no host form"),
    (HEADER + ".global .u32 x;\n.global .u32 x;", "'x' is declared twice"),
    (HEADER + ".global .u32 x = y;", "an address of less than 64 bits"),
    (HEADER + ".global .u64 x = y;", "the address of 'y' as an initial value"),
    (HEADER + ".global .u32 x[];", "'x' has no size"),
    (HEADER + ".global .u32 x[2] = {{1}, {2}};", "an initial value in rows"),
    (HEADER + ".alias a, b;", ".alias has no host form"),
    (HEADER + ".section .debug { .b8 1", "expected '}', got the end"),
    (HEADER + ".entry k() .reqnctapercluster 2 { ret; }", ".reqnctapercluster has no host form"),
    (HEADER + ".global .b8 x[1073741825];", "expected a number of elements of at most 1073741824"),
]


def said(text):
    """The message; None if the text is a module."""
    try:
        ptx_host.Module(text, name=b"m.ptx")
        return None
    except arrpy.Error as error:
        return str(error)


def compiled(text):
    """The error of the first kernel that does not compile; None if all do."""
    names = re.findall(r"\.entry\s+([\w$]+)", re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S))
    try:
        for name in names:
            kernel = arrpy.c.arr_kernel()
            arrpy.call("arr_module_kernel", ptx_host.Module(text).handle, name.encode(), ctypes.byref(kernel))
            arrpy.lib.arr_kernel_release(kernel)
        return None
    except arrpy.Error as error:
        return str(error)


def check(text, words, line=None):
    message = said(text)
    if message is None or not re.search(rf"m\.ptx:{line or '[0-9]+'}: ", message) or (words and words not in message):
        print(f"{text[-200:]!r}: {message}; expected line {line}: {words}")
        return 1
    return 0


def cuts():
    """The sample up to each of many places: what is left is no module, but after a function's end."""
    failures = 0
    cuts = sorted({*range(0, 120, 7), *range(120, len(GOOD), 41)})
    for at in cuts:
        text = GOOD[:at]
        rest = re.sub(r"//[^\n]*", "", text)
        whole = (
            ".address_size 64" in rest
            and rest.count("{") == rest.count("}")
            and rest.rstrip().endswith(("}", ";", "64"))
        )
        if whole or not rest.strip().startswith(".version"):
            continue
        failures += check(text, None)
    print(f"{len(cuts)} cuts, {failures} failures")
    return failures


TOKEN = re.compile(r"\s+|[%$@.]?[\w.]+|.", re.S)
# Tokens of all good and wrong texts.
WORDS = sorted({token for text in (GOOD, *(statement for statement, _ in STATEMENTS)) for token in TOKEN.findall(text)})


def changed(rng):
    """The sample or a few statements, with characters, tokens or lines dropped, doubled, exchanged."""
    if rng.random() < 0.5:
        text = GOOD
    else:
        text = HEADER + BODY.format("\n".join(rng.choice(STATEMENTS)[0] for _ in range(rng.randint(1, 8))))
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(3)
        if kind == 0:
            parts = list(text)
        elif kind == 1:
            parts = TOKEN.findall(text)
        else:
            parts = text.splitlines(keepends=True)
        a, n = rng.randrange(len(parts)), rng.randint(1, 12 if kind == 0 else 3)
        b = rng.randrange(len(parts))
        other = [rng.choice(WORDS)] if kind == 1 and rng.random() < 0.5 else parts[b : b + n]
        text = "".join(parts[:a] + rng.choice(([], other)) + parts[a + rng.choice((0, n)) :])
        if not text:
            return ""
    return text


def main():
    failures = 0 if said(GOOD) is None else print(said(GOOD)) or 1
    for statement, words in STATEMENTS:
        text = HEADER + BODY.format(statement)
        failures += check(text, words, None if statement in ("/* for ever", "exit", "add.u32 %r0, %r1, %r2") else 11)
    for text, words in MODULES:
        failures += check(text, words)
    print(f"{len(STATEMENTS) + len(MODULES)} wrong texts, {failures} failures")
    return 1 if failures + cuts() else 0


if __name__ == "__main__":
    sys.exit(main())
