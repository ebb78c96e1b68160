// SPDX-License-Identifier: MIT
// A cache of compiled code on disk. Because the code will run, a directory or file that another user can
// write is not used; a directory shared by all users must belong to root.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace arr {

// The folders of the caches: kernels for the host, kernels for CUDA, and properties of compilers.
inline constexpr const char* host_cache_folder = "host-kernels";
inline constexpr const char* cuda_cache_folder = "cuda";
inline constexpr const char* compiler_cache_folder = "compilers";

inline constexpr int64_t max_entry_bytes = 64 << 20;

// The complete key of an entry, made of fields. An entry contains the whole key.
class CacheKey {
 public:
  explicit CacheKey(std::string_view kind) { add(kind); }
  void add(std::string_view field);
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Digest digest() const { return Sha256(hash_).finish(); }

 private:
  std::string text_;
  Sha256 hash_;
};

// The caller's store, where entries are kept in addition. The core owns it, and modules have its address;
// nullptr if the caller has set none.
struct CacheStore {
  bool (*get)(const std::string& name, std::string* entry);  // false: there is no such entry
  void (*put)(const std::string& name, std::string_view entry);
};
inline std::atomic<const CacheStore*> cache_store{nullptr};

// Counts for the caches of this process.
struct CacheCounts {
  int64_t hits = 0, misses = 0, stored = 0;
  int64_t refused = 0;  // entries that were damaged or of another owner, and were removed
};
CacheCounts cache_counts() noexcept;

class DiskCache {
 public:
  // $ARR_CACHE_DIR, or $XDG_CACHE_HOME/arr, or $HOME/.cache/arr, and in it a folder of that name. If none is
  // usable the cache stays empty and reason() says why; it also stays empty if ARR_CACHE_BYTES is 0. A
  // missing entry is looked up in the same folder of $ARR_CACHE_SHARED, which must belong to root and be
  // writable only by root, and then in the caller's store.
  explicit DiskCache(const char* folder);
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  [[nodiscard]] std::optional<std::string> get(const CacheKey& key) const;
  // Returns "", or the reason why the entry is not on the disk, so that the next process compiles again.
  std::string put(const CacheKey& key, std::string_view value) const;
  [[nodiscard]] const std::string& reason() const { return reason_; }
  // The file of an entry.
  static std::string entry_name(const CacheKey& key);

 private:
  [[nodiscard]] std::optional<std::string> get_stored(const CacheKey& key) const;
  std::string write(const std::string& name, std::string_view entry) const;

  const char* folder_;
  int own_ = -1, shared_ = -1;  // descriptors: no path is resolved twice
  int64_t limit_ = 0;
  std::string reason_;
};

// The directory of the caches; "" if there is none.
std::string cache_directory();
struct CacheSize {
  int64_t entries = 0, bytes = 0, limit = 0;
};
CacheSize cache_size(const char* folder);
// Removes the entries of a folder.
void cache_clear(const char* folder);

}  // namespace arr
