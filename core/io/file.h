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

// Bytes of a known number that are read in order.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  [[nodiscard]] virtual int64_t size() const noexcept = 0;
  // Its name in errors.
  [[nodiscard]] virtual const std::string& shown_path() const noexcept = 0;
  // Exactly `bytes` from where the last read ended.
  virtual void read(void* to, int64_t bytes) = 0;
  // Throws if what was read is not what was there when reading began.
  virtual void check_unchanged() = 0;
};

// Only regular files are opened: a FIFO would block, a device has no size.
class Reader final : public Source {
 public:
  explicit Reader(std::string_view path);
  [[nodiscard]] int64_t size() const noexcept override { return size_; }
  [[nodiscard]] const std::string& shown_path() const noexcept override { return shown_; }
  void read(void* to, int64_t bytes) override;
  // Goes on at another byte, which the file has.
  void seek(int64_t at);
  // All that follows where the last read ended.
  std::string read_rest();
  // Compares the length of the file with that when it was opened.
  void check_unchanged() override;

 private:
  std::string shown_;
  Descriptor file_;
  int64_t size_ = 0, at_ = 0;
};

// Writes beside the target under another name; commit() renames it to the target. A symbolic link
// there is replaced, not followed. Without commit() nothing is left behind.
class Writer {
 public:
  explicit Writer(std::string_view path);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();
  void write(const void* from, int64_t bytes);
  // Over bytes that have been written.
  void rewrite(const void* from, int64_t bytes, int64_t at);
  void commit();

 private:
  std::string shown_, name_, temporary_;
  bool pending_ = false;  // the temporary exists
  Descriptor folder_, file_;

  static Descriptor open_folder(std::string_view path, const std::string& shown);
  int create();
};

}  // namespace arr::io
