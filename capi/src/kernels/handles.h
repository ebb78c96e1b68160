// SPDX-License-Identifier: MIT
// Kinds of handles that kernel.cpp, module.cpp, texture.cpp and user_kernel.cpp share.
#pragma once

#include "capi/src/entry.h"
#include "runtime/modules.h"

template <>
struct arr::capi::KindOf<arr::Module> {
  static constexpr Kind kind = Kind::module;
};
template <>
struct arr::capi::KindOf<arr::Kernel> {
  static constexpr Kind kind = Kind::kernel;
};
template <>
struct arr::capi::KindOf<arr::Texels> {
  static constexpr Kind kind = Kind::texels;
};
template <>
struct arr::capi::KindOf<arr::Texture> {
  static constexpr Kind kind = Kind::texture;
};
