// SPDX-License-Identifier: MIT
// The entry of a table that returns the source of a call's kernel.
#pragma once

#include <string>

#include "backend/error.h"
#include "cuda/codegen/compile.h"

namespace arr::cuda {

template <auto Emit, class CallStruct>
int32_t text_entry(const CallStruct* c, std::string* text, BackendError* error) {
  return translate_exceptions(error, [&] { *text = translation_unit(Emit(*c)); });
}

}  // namespace arr::cuda
