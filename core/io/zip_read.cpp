// SPDX-License-Identifier: MIT
// Reads ZIP archives: the directory at the end, then members.
#include <algorithm>

#include "base/checked.h"
#include "io/deflate.h"
#include "io/zip.h"
#include "io/zip_format.h"

namespace arr::io {

namespace {

using zip::field;

constexpr int64_t max_comment = 0xffff;

// Reads and unpacks one member, and computes its checksum.
class MemberSource final : public Source {
 public:
  MemberSource(Reader& file, const ZipMember& m, int64_t at)
      : file_(file), member_(m), shown_(file.shown_path() + ", member " + shown(m.name)), at_(at) {
    if (m.method == zip::deflated)
      inflater_ =
          std::make_unique<Inflater>([this](char* to, int64_t max_bytes) { return packed(to, max_bytes); });
  }
  [[nodiscard]] int64_t size() const noexcept override { return member_.size; }
  [[nodiscard]] const std::string& shown_path() const noexcept override { return shown_; }
  void read(void* to, int64_t bytes) override {
    auto* out = static_cast<char*>(to);
    const int64_t n = inflater_ ? inflater_->read(out, bytes) : packed(out, bytes);
    if (n < 0) fail(ARR_E_FORMAT, shown_, ": its deflated data are not valid");
    if (n != bytes) fail(ARR_E_FORMAT, shown_, ": ends ", bytes - n, " bytes early");
    crc_ = checksum(crc_, to, bytes);
    read_ += bytes;
  }
  void check_unchanged() override {
    if (read_ == member_.size && crc_ != member_.crc) fail(ARR_E_FORMAT, shown_, ": its checksum is wrong");
    file_.check_unchanged();
  }

 private:
  Reader& file_;
  const ZipMember& member_;
  std::string shown_;
  int64_t at_, taken_ = 0, read_ = 0;
  uint32_t crc_ = 0;
  std::unique_ptr<Inflater> inflater_;

  int64_t packed(char* to, int64_t max_bytes) {
    const int64_t n = std::min(max_bytes, member_.packed - taken_);
    if (n == 0) return 0;
    file_.seek(at_ + taken_);
    file_.read(to, n);
    taken_ += n;
    return n;
  }
};

struct Directory {
  int64_t at = 0, bytes = 0, count = 0;
};

// Sizes and offset of a member that are in an extra field because they need 64 bits.
void take_extra(std::string_view extra, bool size, bool packed, bool header, ZipMember* m) {
  while (extra.size() >= 4) {
    const auto kind = field<uint16_t>(extra.data());
    const size_t length = field<uint16_t>(extra.data() + 2);
    std::string_view body = extra.substr(4, length);
    if (kind == zip::extra64) {
      const auto next = [&](bool there, int64_t* to) {
        if (!there || body.size() < 8) return;
        *to = field<int64_t>(body.data());
        body.remove_prefix(8);
      };
      next(size, &m->size);
      next(packed, &m->packed);
      next(header, &m->header);
      return;
    }
    extra.remove_prefix(std::min(extra.size(), length + 4));
  }
}

}  // namespace

void ZipReader::read_at(int64_t at, void* to, int64_t bytes) {
  if (at < 0 || bytes > file_.size() || at > file_.size() - bytes)
    fail(ARR_E_FORMAT, shown_path(), ": its directory names bytes after its end");
  file_.seek(at);
  file_.read(to, bytes);
}

ZipReader::ZipReader(std::string_view path) : file_(path) {
  const int64_t tail = std::min(file_.size(), zip::end_bytes + max_comment);
  std::string end(static_cast<size_t>(tail), '\0');
  read_at(file_.size() - tail, end.data(), tail);
  int64_t k = tail - zip::end_bytes;
  while (k >= 0 && field<uint32_t>(end.data() + k) != zip::end_signature) --k;
  if (k < 0) fail(ARR_E_FORMAT, shown_path(), ": no directory at its end, expected a ZIP archive");
  const char* e = end.data() + k;
  Directory d{field<uint32_t>(e + 16), field<uint32_t>(e + 12), field<uint16_t>(e + 10)};
  if (d.count == zip::in_end64 || d.at == zip::in_extra || d.bytes == zip::in_extra) {
    char locator[zip::locator_bytes], long_end[zip::end64_bytes];
    read_at(file_.size() - tail + k - zip::locator_bytes, locator, zip::locator_bytes);
    if (field<uint32_t>(locator) != zip::locator_signature)
      fail(ARR_E_FORMAT, shown_path(), ": no ZIP64 end record, although its sizes need one");
    read_at(field<int64_t>(locator + 8), long_end, zip::end64_bytes);
    if (field<uint32_t>(long_end) != zip::end64_signature)
      fail(ARR_E_FORMAT, shown_path(), ": no ZIP64 end record at the offset that the file names");
    d = {field<int64_t>(long_end + 48), field<int64_t>(long_end + 40), field<int64_t>(long_end + 32)};
  }
  read_directory(d.at, d.bytes, d.count);
}

void ZipReader::read_directory(int64_t at, int64_t bytes, int64_t count) {
  const auto wrong = [&] { fail(ARR_E_FORMAT, shown_path(), ": its directory is damaged"); };
  if (bytes < 0 || count < 0 || bytes > file_.size() || count > bytes / zip::central_bytes) wrong();
  std::string all(static_cast<size_t>(bytes), '\0');
  read_at(at, all.data(), bytes);
  std::string_view rest = all;
  for (int64_t i = 0; i < count; ++i) {
    if (rest.size() < static_cast<size_t>(zip::central_bytes)) wrong();
    const char* c = rest.data();
    if (field<uint32_t>(c) != zip::central_signature) wrong();
    const size_t name = field<uint16_t>(c + 28), extra = field<uint16_t>(c + 30),
                 comment = field<uint16_t>(c + 32);
    const size_t entry = static_cast<size_t>(zip::central_bytes) + name + extra + comment;
    if (rest.size() < entry) wrong();
    ZipMember m;
    m.name = rest.substr(static_cast<size_t>(zip::central_bytes), name);
    m.flags = field<uint16_t>(c + 8);
    m.method = field<uint16_t>(c + 10);
    m.crc = field<uint32_t>(c + 16);
    m.packed = field<uint32_t>(c + 20);
    m.size = field<uint32_t>(c + 24);
    m.header = field<uint32_t>(c + 42);
    take_extra(rest.substr(static_cast<size_t>(zip::central_bytes) + name, extra), m.size == zip::in_extra,
               m.packed == zip::in_extra, m.header == zip::in_extra, &m);
    if (m.size < 0 || m.packed < 0 || m.header < 0) wrong();
    members_.push_back(std::move(m));
    rest.remove_prefix(entry);
  }
}

std::unique_ptr<Source> ZipReader::open(const ZipMember& m) {
  const auto wrong = [&](arr_status status, const char* what) {
    fail(status, shown_path(), ", member ", shown(m.name), ": ", what);
  };
  if ((m.flags & zip::encrypted) != 0) wrong(ARR_E_UNSUPPORTED, "is encrypted");
  if (m.method != zip::stored && m.method != zip::deflated)
    wrong(ARR_E_UNSUPPORTED, "is packed in another way than by deflate");
  char local[zip::local_bytes];
  read_at(m.header, local, zip::local_bytes);
  if (field<uint32_t>(local) != zip::local_signature) wrong(ARR_E_FORMAT, "is not where the directory says");
  const int64_t at = m.header + zip::local_bytes + field<uint16_t>(local + 26) + field<uint16_t>(local + 28);
  if (at > file_.size() || m.packed > file_.size() - at)
    wrong(ARR_E_FORMAT, "ends after the end of the file");
  // Deflate's max compression ratio: a member with a higher one is damaged.
  constexpr int64_t max_ratio = 1100;
  const bool possible = m.method == zip::stored ? m.size == m.packed : m.size / max_ratio <= m.packed;
  if (!possible) wrong(ARR_E_FORMAT, "has another size than the directory says");
  return std::make_unique<MemberSource>(file_, m, at);
}

}  // namespace arr::io
