// SPDX-License-Identifier: MIT
// The toolkit's NVRTC in the place of the fake one, when ARR_FAKE_NVRTC is "real": its PTX is what the fake
// driver executes.
#pragma once

#include <map>
#include <string>

#include "state.h"

namespace arr::fake {

bool uses_real_nvrtc();

// Compiles the program's only unit with its options to PTX, which takes the place of the unit's source. The
// architecture stays; nothing is assembled. `lowered_names`: of the program's name expressions.
nvrtcResult compile_to_ptx(Program* program, std::string* log,
                           std::map<std::string, std::string>* lowered_names);

}  // namespace arr::fake
