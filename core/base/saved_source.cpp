// SPDX-License-Identifier: MIT
#include "base/saved_source.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/environment.h"
#include "base/error.h"
#include "base/sha256.h"

namespace arr {

namespace {

constexpr const char* variable = "ARR_SAVE_SOURCE";

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

bool write_new(const std::string& path, std::initializer_list<std::string_view> parts) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbxe"));
  if (file == nullptr) return false;
  for (std::string_view part : parts) {
    if (std::fwrite(part.data(), 1, part.size(), file.get()) != part.size()) return false;
  }
  return std::fflush(file.get()) == 0;
}

}  // namespace

std::string save_source(std::string_view command, std::string_view source, const char* suffix) {
  const std::string folder = environment(variable);
  if (folder.empty()) return {};
  if (folder[0] != '/') return text("warning: ", variable, ": ", folder, ": not an absolute path\n");
  Sha256 hash;
  hash.add_field(command);
  hash.add_field(source);
  const std::string path = text(folder, "/", hex(hash.finish()).substr(0, 16), suffix);
  // Other threads may write the same file: each uses another temporary name, and the contents are equal.
  static std::atomic<uint64_t> count{0};
  const std::string temporary = text(path, ".", getpid(), ".", count++);
  const std::string first = text("// ", command, "\n");
  if (!write_new(temporary, {first, source}) || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int code = errno;
    std::remove(temporary.c_str());
    return text("warning: ", variable, ": ", path, ": ", std::strerror(code), "\n");
  }
  return text("source: ", path, "\n");
}

}  // namespace arr
