// SPDX-License-Identifier: MIT
// What kernel.cpp and module.cpp share: the kinds of their handles.
#pragma once

#include "runtime/modules.h"
#include "seam.h"

template <>
struct arr::capi::KindOf<arr::Module> {
  static constexpr Kind kind = Kind::module;
};
template <>
struct arr::capi::KindOf<arr::Kernel> {
  static constexpr Kind kind = Kind::kernel;
};
