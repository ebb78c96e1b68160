// SPDX-License-Identifier: MIT
// Regular files: untrusted ones for reading, and new ones that appear complete or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace arr::io {

// The path for a message: in quotes, without control characters, shortened in the middle.
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

// A known number of bytes that are read in order.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  [[nodiscard]] virtual int64_t size() const noexcept = 0;
  // The name for errors.
  [[nodiscard]] virtual const std::string& shown_path() const noexcept = 0;
  // Reads exactly `bytes` from the current position.
  virtual void read(void* to, int64_t bytes) = 0;
  // Throws if the file has changed since reading began.
  virtual void check_unchanged() = 0;
};

// Opens only regular files: a FIFO would block, a device has no size.
class Reader final : public Source {
 public:
  explicit Reader(std::string_view path);
  [[nodiscard]] int64_t size() const noexcept override { return size_; }
  [[nodiscard]] const std::string& shown_path() const noexcept override { return shown_; }
  void read(void* to, int64_t bytes) override;
  // Moves to another byte, which must be in the file.
  void seek(int64_t at);
  // Reads everything from the current position on.
  std::string read_rest();
  // Compares the file's size with that at opening.
  void check_unchanged() override;

 private:
  std::string shown_;
  Descriptor file_;
  int64_t size_ = 0, at_ = 0;
};

// Writes under another name in the same folder; commit() renames the file to the target. A symbolic link
// there is replaced, not followed. Without commit() the file is removed.
class Writer {
 public:
  explicit Writer(std::string_view path);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();
  void write(const void* from, int64_t bytes);
  // Overwrites bytes that were written before.
  void rewrite(const void* from, int64_t bytes, int64_t at);
  void commit();

 private:
  std::string shown_, name_, temporary_;
  bool pending_ = false;  // true if the temporary file exists
  Descriptor folder_, file_;

  static Descriptor open_folder(std::string_view path, const std::string& shown);
  int create();
};

}  // namespace arr::io
