// SPDX-License-Identifier: MIT
// A plugin that kills the compiler that loads it, as a fault of our pass or of LLVM would.
extern "C" __attribute__((visibility("default"))) void llvmGetPassPluginInfo() { __builtin_trap(); }
