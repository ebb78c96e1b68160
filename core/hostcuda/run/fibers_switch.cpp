// SPDX-License-Identifier: MIT
// The switch of stacks, and the first frame of a new one. The switch saves callee-saved registers only, since
// it is called as a function. It jumps instead of returning: with two barriers in a loop the return-stack
// prediction is wrong at each switch.
#include "hostcuda/run/fibers.h"

namespace arr::host_kernels {
extern "C" void arr_host_start();

#if defined(__x86_64__)  // System V

void* Fibers::first_frame(void* top, Start start, void* argument) {
  auto* frame = static_cast<uintptr_t*>(top);  // tops are multiples of 64
  *--frame = 0;                                // keeps the stack aligned at the call in the start
  *--frame = 0;
  *--frame = reinterpret_cast<uintptr_t>(&arr_host_start);
  *--frame = 0;                                      // rbp
  *--frame = reinterpret_cast<uintptr_t>(argument);  // rbx
  *--frame = reinterpret_cast<uintptr_t>(start);     // r12
  for (int r = 13; r <= 15; r++) *--frame = 0;
  return frame;
}

asm(R"(
.text
.globl arr_host_switch
.hidden arr_host_switch
.type arr_host_switch,@function
arr_host_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size arr_host_switch,.-arr_host_switch

.globl arr_host_start
.hidden arr_host_start
.type arr_host_start,@function
arr_host_start:
  movq %rbx,%rdi
  call *%r12
  ud2
.size arr_host_start,.-arr_host_start
)");

#elif defined(__aarch64__)  // AAPCS64: x19 to x30 and the lower halves of v8 to v15

void* Fibers::first_frame(void* top, Start start, void* argument) {
  constexpr size_t words = 20, link = 11;  // as arr_host_switch stores them: x19 first, x30 is the link
  auto* frame = static_cast<uintptr_t*>(top) - words;
  for (size_t r = 0; r < words; r++) frame[r] = 0;
  frame[0] = reinterpret_cast<uintptr_t>(argument);
  frame[1] = reinterpret_cast<uintptr_t>(start);
  frame[link] = reinterpret_cast<uintptr_t>(&arr_host_start);
  return frame;
}

asm(R"(
.text
.globl arr_host_switch
.hidden arr_host_switch
.type arr_host_switch,%function
arr_host_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  br x30
.size arr_host_switch,.-arr_host_switch

.globl arr_host_start
.hidden arr_host_start
.type arr_host_start,%function
arr_host_start:
  mov x0, x19
  blr x20
  brk #1
.size arr_host_start,.-arr_host_start
)");

#else
#error "core/hostcuda/run/fibers_switch.cpp: write the switch for this processor"
#endif

}  // namespace arr::host_kernels
