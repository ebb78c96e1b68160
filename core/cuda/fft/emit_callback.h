// SPDX-License-Identifier: MIT
// Programs as callbacks of cuFFT.
#pragma once

#include <string>

#include "cuda/codegen/emit_elementwise.h"

namespace arr::cuda {

// The whole text of a callback of cuFFT (decision 0022). A load callback returns the program's last operand;
// a store callback receives its first one, of a complex or real type. The function is outside of all
// namespaces and has cuFFT's signature; *name, which is derived from the text, is its name. ARR_JOINS must be
// defined.
enum class CallbackKind : uint8_t { load, store };
std::string emit_callback(const Program& p, const ElementwiseShape& s, CallbackKind kind, std::string* name);
// A kernel of one block that writes up to `written_words` words to the device. They are its parameter, so
// that no host memory has to outlive the call. Its words: address, count, values.
inline constexpr int32_t written_words = 62;
std::string emit_write_words();

}  // namespace arr::cuda
