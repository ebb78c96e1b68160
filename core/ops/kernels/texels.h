// SPDX-License-Identifier: MIT
// Copies between texels and arrays.
#pragma once

#include "ops/elementwise/create.h"
#include "runtime/textures.h"

namespace arr {

void copy_texels_from(const Texels& t, const Array& a, Stream* stream);
void copy_texels_to(const Texels& t, const Array& a, Stream* stream);

}  // namespace arr
