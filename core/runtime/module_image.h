// SPDX-License-Identifier: MIT
// The kind of a module's image, by its bytes, and the source line that a compiler's message is about.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backend/kernels.h"

namespace arr {

// The kind of an image, by its bytes. Throws where they are not an image, such as code for a processor, or
// where `said` (not automatic) is another kind. `name` is its name in the message.
ImageKind image_kind(std::string_view bytes, ImageKind said, const std::string& name);

// True if the text `s` is PTX.
bool is_ptx(std::string_view s);

// For a message "kernel.cu:3: ..." or "kernel.cu(3): ..." about one of the sources: the text of its line,
// without blanks around it and cut to a length that fits into a message; empty where the message names no
// line.
std::string line_of(std::span<const ModuleUnit> units, std::string_view message);

}  // namespace arr
