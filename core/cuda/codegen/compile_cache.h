// SPDX-License-Identifier: MIT
// A cache of NVRTC's results on disk.
#pragma once

#include <optional>

#include "base/disk_cache.h"
#include "cuda/codegen/compile.h"

namespace arr::cuda {

// Returns whether NVRTC's result depends on the text alone: it includes only headers of the toolkit.
bool is_cacheable(const std::string& source, std::span<const std::string> options);

// The cache entry of one compilation: found, or added afterwards. Text that includes the user's files is not
// cached, because NVRTC does not report which files it read.
class CompileCacheEntry {
 public:
  CompileCacheEntry(const Nvrtc& n, const std::string& source, const char* file,
                    std::span<const std::string> options, std::span<const std::string> names, ImageKind kind);
  [[nodiscard]] std::optional<Compiled> find() const;
  // A line for the log if the result could be cached, but the directory is missing or not trusted.
  [[nodiscard]] std::string warning() const;
  // Stores the result; returns a line for the log if the disk refuses it.
  [[nodiscard]] std::string store(const Compiled& c) const;

 private:
  bool possible_;
  ImageKind kind_;
  CacheKey key_;
};

// Tests that count compilations switch the disk off.
void use_disk(bool use) noexcept;

}  // namespace arr::cuda
