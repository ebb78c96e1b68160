// SPDX-License-Identifier: MIT
// Reads an asm statement of a source, and has its PTX translated.
#pragma once

#include <string>
#include <string_view>

#include "base/source_outline.h"
#include "hostcuda/source/ptx.h"

namespace arr::host_kernels {

struct AsmStatement {
  size_t last = 0;      // its last token, the ")"; the first token where this is not a statement
  std::string refused;  // what has no host form
  PtxTranslation ptx;
};

// `at`: the token asm.
AsmStatement asm_statement(const SourceOutline& source, size_t at, std::string_view text);

}  // namespace arr::host_kernels
