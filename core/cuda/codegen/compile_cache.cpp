// SPDX-License-Identifier: MIT
#include "cuda/codegen/compile_cache.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "arr/base.h"
#include "base/disk_cache.h"

namespace arr::cuda {

namespace {

std::atomic<bool>& disk_used() {
  static std::atomic<bool> used{true};
  return used;
}

bool begins_with_any(const std::string& option, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* p) { return option.rfind(p, 0) == 0; });
}

void append(std::string* to, std::string_view field) {
  const uint64_t bytes = field.size();
  to->append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  *to += field;
}

bool take(std::string_view* from, std::string_view* field) {
  uint64_t bytes = 0;
  if (from->size() < sizeof bytes) return false;
  std::memcpy(&bytes, from->data(), sizeof bytes);
  from->remove_prefix(sizeof bytes);
  if (from->size() < bytes) return false;
  *field = from->substr(0, bytes);
  from->remove_prefix(bytes);
  return true;
}

CacheKey key_of(const Nvrtc& n, const std::string& source, const char* file,
                std::span<const std::string> options, std::span<const std::string> names, ImageKind kind) {
  CacheKey key("NVRTC");
  key.add(text(ARR_VERSION_MAJOR, ".", ARR_VERSION_MINOR, ".", ARR_VERSION_PATCH));
  key.add(text(n.major, ".", n.minor, " ", n.path));
  key.add(file);
  key.add(std::to_string(static_cast<int>(kind)));
  for (const std::string& o : options) key.add(o);
  key.add("names");
  for (const std::string& name : names) key.add(name);
  key.add(source);
  return key;
}

}  // namespace

bool is_cacheable(const std::string& source, std::span<const std::string> options) {
  bool paths = false;
  for (const std::string& o : options) {
    if (begins_with_any(o, {"-include", "--pre-include"})) return false;
    paths = paths || begins_with_any(o, {"-I", "--include-path"});
  }
  constexpr std::string_view word = "include";
  for (size_t at = source.find(word); at != std::string::npos; at = source.find(word, at + 1)) {
    const size_t line = source.rfind('\n', at) + 1;  // 0 where it is the first
    if (source[source.find_first_not_of(" \t", line)] != '#') continue;
    const size_t what = source.find_first_not_of(" \t", at + word.size());
    if (paths || what == std::string::npos || source[what] != '<') return false;
  }
  return true;
}

CompileCacheEntry::CompileCacheEntry(const Nvrtc& n, const std::string& source, const char* file,
                                     std::span<const std::string> options, std::span<const std::string> names,
                                     ImageKind kind)
    : possible_(disk_used() && is_cacheable(source, options)),
      kind_(kind),
      key_(key_of(n, source, file, options, names, kind)) {}

std::optional<Compiled> CompileCacheEntry::find() const {
  if (!possible_) return std::nullopt;
  const std::optional<std::string> entry = DiskCache(cuda_cache_folder).get(key_);
  if (!entry) return std::nullopt;
  std::string_view rest = *entry, field;
  Compiled c;
  c.kind = kind_;
  if (!take(&rest, &field)) return std::nullopt;
  c.log = field;
  if (!take(&rest, &field)) return std::nullopt;
  c.image.assign(field.begin(), field.end());
  while (take(&rest, &field)) c.lowered.emplace_back(field);
  return c;
}

std::string CompileCacheEntry::warning() const {
  if (!possible_) return {};
  const std::string reason = DiskCache(cuda_cache_folder).reason();
  return reason.empty() ? reason : "warning: kernels are not kept: " + reason + "\n";
}

std::string CompileCacheEntry::store(const Compiled& c) const {
  if (!possible_) return {};
  std::string entry;
  append(&entry, c.log);
  append(&entry, {c.image.data(), c.image.size()});
  for (const std::string& name : c.lowered) append(&entry, name);
  const std::string why = DiskCache(cuda_cache_folder).put(key_, entry);
  return why.empty() ? why : "warning: this kernel is not kept: " + why + "\n";
}

void use_disk(bool use) noexcept { disk_used() = use; }

}  // namespace arr::cuda
