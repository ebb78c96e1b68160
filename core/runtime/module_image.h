// SPDX-License-Identifier: MIT
// The kind of a module's image, from its bytes, and the source line to which a compiler's message refers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backend/kernels.h"

namespace arr {

// The kind of an image, from its bytes. Throws if it is not an image, for example code for a processor, or if
// the caller `said` another kind than automatic. `name` is its name in the error text.
ImageKind image_kind(std::string_view bytes, ImageKind said, const std::string& name);

// True if the text `s` is PTX.
bool is_ptx(std::string_view s);

// For a message "kernel.cu:3: ..." or "kernel.cu(3): ..." about one of the sources: the trimmed text of that
// line, cut to a length that fits into a message; empty if the message names no line.
std::string line_of(std::span<const ModuleUnit> units, std::string_view message);

}  // namespace arr
