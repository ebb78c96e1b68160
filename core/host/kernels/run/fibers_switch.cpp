// SPDX-License-Identifier: MIT
// The switch of stacks. x86-64 System V: callee-saved registers only, since it is called as a function, and
// `jmp` in the place of `ret`: with two barriers in a loop the return-stack prediction is wrong at each
// switch.
#include "host/kernels/run/fibers.h"

#if !defined(__x86_64__)
#error "core/host/kernels/run/fibers_switch.cpp: write the switch for this processor"
#endif

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
