// SPDX-License-Identifier: MIT
// ZIP archives with 64-bit sizes, stored and deflated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.h"

namespace arr::io {

struct ZipMember {
  std::string name;
  int64_t header = 0;  // offset of its local header
  int64_t packed = 0, size = 0;
  uint32_t crc = 0;
  uint16_t method = 0, flags = 0;
};

// An untrusted archive: every offset and size is compared with the file's length.
class ZipReader {
 public:
  explicit ZipReader(std::string_view path);
  [[nodiscard]] const std::vector<ZipMember>& members() const noexcept { return members_; }
  [[nodiscard]] const std::string& shown_path() const noexcept { return file_.shown_path(); }
  // The bytes of a member, valid as long as this archive. ARR_E_UNSUPPORTED if the member is encrypted or
  // compressed in another way. check_unchanged() compares the checksum.
  std::unique_ptr<Source> open(const ZipMember& member);

 private:
  Reader file_;
  std::vector<ZipMember> members_;

  void read_at(int64_t at, void* to, int64_t bytes);
  void read_directory(int64_t at, int64_t bytes, int64_t count);
};

// A new archive, which appears complete or not at all.
class ZipWriter {
 public:
  explicit ZipWriter(std::string_view path);
  // Adds a member that consists of `front` and the rest.
  void add(std::string_view name, std::string_view front, const char* rest, int64_t bytes, bool deflated);
  void commit();

 private:
  Writer file_;
  std::vector<ZipMember> members_;
  int64_t at_ = 0;

  void put(std::string_view bytes);
  void put(const char* from, int64_t bytes);
  void put_deflated(std::string_view front, const char* rest, int64_t bytes);
};

}  // namespace arr::io
