// SPDX-License-Identifier: MIT
// What compilers made, on disk. What is found there is code that will be run, so a directory or file that
// anyone but this user can write is not used; of a directory for all users, root may be the owner.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace arr {

// The folders of the caches: of kernels for the host, for CUDA, and what is known of compilers.
inline constexpr const char* host_cache_folder = "host-kernels";
inline constexpr const char* cuda_cache_folder = "cuda";
inline constexpr const char* compiler_cache_folder = "compilers";

inline constexpr int64_t most_entry_bytes = 64 << 20;

// All that makes an entry what it is, field by field; entries keep it whole.
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

// A place of the caller's where whole entries are kept besides. Of the core, of which the modules have the
// address; of this library or module, nullptr: there is none.
struct CacheStore {
  bool (*get)(const std::string& name, std::string* entry);  // false: it is not there
  void (*put)(const std::string& name, std::string_view entry);
};
inline std::atomic<const CacheStore*> cache_store{nullptr};

// What the caches of this process did; what lies in their directory now.
struct CacheCounts {
  int64_t hits = 0, misses = 0, stored = 0;
  int64_t refused = 0;  // entries that were damaged or not ours: removed
};
CacheCounts cache_counts() noexcept;

class DiskCache {
 public:
  // $ARR_CACHE_DIR, else $XDG_CACHE_HOME/arr, else $HOME/.cache/arr; in it a folder of that name. Without a
  // usable one the cache stays empty and reason() says why; so it does where ARR_CACHE_BYTES is 0. Behind it
  // the same folder of $ARR_CACHE_SHARED is read, which must be root's and writable by nobody else, and
  // behind that the caller's store.
  explicit DiskCache(const char* folder);
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  [[nodiscard]] std::optional<std::string> get(const CacheKey& key) const;
  // Why the entry is not on the disk, which only means that the next process compiles again; or "".
  std::string put(const CacheKey& key, std::string_view value) const;
  [[nodiscard]] const std::string& reason() const { return reason_; }
  // The file of an entry.
  static std::string entry_name(const CacheKey& key);

 private:
  [[nodiscard]] std::optional<std::string> get_stored(const CacheKey& key) const;
  std::string write(const std::string& name, std::string_view entry) const;

  const char* folder_;
  int own_ = -1, shared_ = -1;  // descriptors: no path is followed a second time
  int64_t limit_ = 0;
  std::string reason_;
};

// Where the caches are, or "" where they cannot be.
std::string cache_directory();
struct CacheSize {
  int64_t entries = 0, bytes = 0, limit = 0;
};
CacheSize cache_size(const char* folder);
// Removes the entries of a folder.
void cache_clear(const char* folder);

}  // namespace arr
