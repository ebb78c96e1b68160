// SPDX-License-Identifier: MIT
// Files for tests: a folder that goes with its test, whole-file reads and writes, hand-made .npy bytes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/handle.h"

namespace arr_test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "arr-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      out.insert(entry.path().filename().string());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A regular file in memory that has a name: fast enough to be changed a million times.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("npy", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_)) {
    EXPECT_GE(fd_, 0);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(fd_); }
  void fill(const std::string& bytes) {
    EXPECT_EQ(ftruncate(fd_, 0), 0);
    EXPECT_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  void put(size_t at, char byte) { EXPECT_EQ(pwrite(fd_, &byte, 1, static_cast<off_t>(at)), 1); }
  void cut(size_t length) { EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(length)), 0); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int fd_;
  std::string path_;
};

// A file of the given version with the dict as it is, newline included, and the data behind it.
inline std::string npy_bytes(const std::string& dict, const std::string& data, int major = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  size_t length = dict.size();
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
  return out + dict + data;
}

inline arr_status load(const std::string& path, Handle* out) {
  return arr_load_npy(path.c_str(), -1, nullptr, nullptr, out->out());
}
inline arr_status save(arr_array a, const std::string& path) {
  return arr_save_npy(a, path.c_str(), -1, nullptr);
}

}  // namespace arr_test
