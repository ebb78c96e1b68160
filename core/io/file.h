// SPDX-License-Identifier: MIT
// Regular files: one opened for reading that is not trusted, and one that appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace arr::io {

// The path as a message shows it: in quotes, without control characters, cut in the middle.
std::string shown(std::string_view path);

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) noexcept : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

// Only regular files are opened: a FIFO would block, a device has no size.
class Reader {
 public:
  explicit Reader(std::string_view path);
  [[nodiscard]] int64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::string& shown_path() const noexcept { return shown_; }
  // Exactly `bytes` from where the last read ended.
  void read(void* to, int64_t bytes);
  // Throws if the length of the file has changed since it was opened.
  void check_unchanged() const;

 private:
  std::string shown_;
  Descriptor file_;
  int64_t size_ = 0;
};

// Writes beside the target under another name; commit() puts it in the target's place. A symbolic link
// there is replaced, not followed. Without commit() nothing is left behind.
class Writer {
 public:
  explicit Writer(std::string_view path);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();
  void write(const void* from, int64_t bytes);
  void commit();

 private:
  std::string shown_, name_, temporary_;
  bool pending_ = false;  // the temporary exists
  Descriptor folder_, file_;

  static Descriptor open_folder(std::string_view path, const std::string& shown);
  int create();
};

}  // namespace arr::io
