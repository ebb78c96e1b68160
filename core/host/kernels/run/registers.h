// SPDX-License-Identifier: MIT
// The registers of a thread that a signal has interrupted, by processor.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace arr::host_kernels {

inline uint64_t mix_register(uint64_t sum, uint64_t value) { return (sum ^ value) * 1099511628211u; }
constexpr uint64_t no_registers = 14695981039346656037u;

#if defined(__x86_64__)

inline uintptr_t program_counter(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}

// A hash of the registers without the program counter and the stack pointer.
inline uint64_t mix_registers(const ucontext_t& context) {
  // With a type, as in musl each of the names has a type of its own.
  constexpr int general[] = {REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
                             REG_RDI, REG_RSI, REG_RBP, REG_RBX, REG_RDX, REG_RAX, REG_RCX};
  uint64_t sum = no_registers;
  for (const int r : general) sum = mix_register(sum, static_cast<uint64_t>(context.uc_mcontext.gregs[r]));
  return sum;
}

// The thread goes on in `function`, as if the interrupted code had called it. It must not return.
inline void lead_to(ucontext_t& context, void (*function)()) {
  constexpr greg_t red_zone = 128, direction_flag = 0x400;
  auto& registers = context.uc_mcontext.gregs;
  registers[REG_RSP] = ((registers[REG_RSP] - red_zone) & ~greg_t{15}) - 8;
  registers[REG_RIP] = reinterpret_cast<greg_t>(function);
  registers[REG_EFL] &= ~direction_flag;
}

#elif defined(__aarch64__)

inline uintptr_t program_counter(const ucontext_t& context) { return context.uc_mcontext.pc; }

inline uint64_t mix_registers(const ucontext_t& context) {
  uint64_t sum = no_registers;
  for (const auto value : context.uc_mcontext.regs) sum = mix_register(sum, value);
  return sum;
}

inline void lead_to(ucontext_t& context, void (*function)()) {
  context.uc_mcontext.sp &= ~uint64_t{15};
  context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(function);
}

#else
#error "core/host/kernels/run/registers.h: name the registers of this processor"
#endif

}  // namespace arr::host_kernels
