// SPDX-License-Identifier: MIT
// Writes ZIP archives. Local headers always have 64-bit sizes, like NumPy's; entries of the directory only if
// necessary.
#include <algorithm>

#include "base/checked.h"
#include "io/deflate.h"
#include "io/zip.h"
#include "io/zip_format.h"

namespace arr::io {

namespace {

using zip::append;

// The fields common to a local header and an entry of the directory, from the version on.
void append_common(const ZipMember& m, uint32_t packed, uint32_t size, uint16_t extra, std::string* out) {
  append(out, zip::version64);
  append(out, m.flags);
  append(out, m.method);
  append(out, uint16_t{0});  // the time
  append(out, zip::first_day);
  append(out, m.crc);
  append(out, packed);
  append(out, size);
  append(out, static_cast<uint16_t>(m.name.size()));
  append(out, extra);
}

std::string local_header(const ZipMember& m) {
  std::string out;
  append(&out, zip::local_signature);
  append_common(m, zip::in_extra, zip::in_extra, 20, &out);
  out += m.name;
  append(&out, zip::extra64);
  append(&out, uint16_t{16});
  append(&out, m.size);
  append(&out, m.packed);
  return out;
}

void append_entry(const ZipMember& m, std::string* out) {
  std::string extra;
  const auto short_or_extra = [&](int64_t n) {
    if (n < int64_t{zip::in_extra}) return static_cast<uint32_t>(n);
    append(&extra, n);
    return zip::in_extra;
  };
  const uint32_t size = short_or_extra(m.size), packed = short_or_extra(m.packed),
                 header = short_or_extra(m.header);
  const auto length = static_cast<uint16_t>(extra.size());
  append(out, zip::central_signature);
  append(out, static_cast<uint16_t>(3 << 8 | zip::version64));  // made by Unix
  append_common(m, packed, size, static_cast<uint16_t>(length == 0 ? 0 : length + 4), out);
  append(out, uint16_t{0});              // no comment
  append(out, uint16_t{0});              // the first disk
  append(out, uint16_t{0});              // not text
  append(out, uint32_t{0100600} << 16);  // a file that its owner reads and writes
  append(out, header);
  *out += m.name;
  if (length == 0) return;
  append(out, zip::extra64);
  append(out, length);
  *out += extra;
}

// The 64-bit end record and its locator.
void append_long_end(int64_t count, int64_t bytes, int64_t at, std::string* out) {
  append(out, zip::end64_signature);
  append(out, zip::end64_bytes - 12);
  append(out, zip::version64);
  append(out, zip::version64);
  append(out, uint32_t{0});
  append(out, uint32_t{0});
  append(out, count);
  append(out, count);
  append(out, bytes);
  append(out, at);
  append(out, zip::locator_signature);
  append(out, uint32_t{0});
  append(out, at + bytes);
  append(out, uint32_t{1});
}

}  // namespace

ZipWriter::ZipWriter(std::string_view path) : file_(path) {}

void ZipWriter::put(const char* from, int64_t bytes) {
  file_.write(from, bytes);
  at_ = checked::add(at_, bytes, "the size of the archive");
}
void ZipWriter::put(std::string_view bytes) { put(bytes.data(), static_cast<int64_t>(bytes.size())); }

void ZipWriter::put_deflated(std::string_view front, const char* rest, int64_t bytes) {
  Deflater deflater([this](const char* from, int64_t n) { put(from, n); });
  deflater.write(front.data(), static_cast<int64_t>(front.size()));
  deflater.write(rest, bytes);
  deflater.finish();
}

void ZipWriter::add(std::string_view name, std::string_view front, const char* rest, int64_t bytes,
                    bool deflated) {
  if (name.size() > 0xffff)
    fail(ARR_E_ARGUMENT, "argument names: a name of ", name.size(), " bytes, at most 65535");
  ZipMember m;
  m.name = name;
  m.header = at_;
  m.size = checked::add(static_cast<int64_t>(front.size()), bytes, "the size of a member");
  m.method = deflated ? zip::deflated : zip::stored;
  const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return (c & 0x80) == 0; });
  m.flags = ascii ? 0 : zip::utf8_name;
  m.crc = checksum(checksum(0, front.data(), static_cast<int64_t>(front.size())), rest, bytes);
  m.packed = m.size;
  put(local_header(m));
  const int64_t data = at_;
  if (deflated) {
    put_deflated(front, rest, bytes);
    m.packed = at_ - data;
    const std::string header = local_header(m);
    file_.rewrite(header.data(), static_cast<int64_t>(header.size()), m.header);
  } else {
    put(front);
    put(rest, bytes);
  }
  members_.push_back(std::move(m));
}

void ZipWriter::commit() {
  const int64_t at = at_;
  const auto count = static_cast<int64_t>(members_.size());
  std::string directory;
  for (const ZipMember& m : members_) append_entry(m, &directory);
  const auto bytes = static_cast<int64_t>(directory.size());
  const bool is_long =
      count >= zip::in_end64 || at >= int64_t{zip::in_extra} || bytes >= int64_t{zip::in_extra};
  if (is_long) append_long_end(count, bytes, at, &directory);
  append(&directory, zip::end_signature);
  append(&directory, uint32_t{0});  // the first disk
  for (int k = 0; k < 2; ++k)
    append(&directory, static_cast<uint16_t>(std::min<int64_t>(count, zip::in_end64)));
  append(&directory, static_cast<uint32_t>(std::min(bytes, int64_t{zip::in_extra})));
  append(&directory, static_cast<uint32_t>(std::min(at, int64_t{zip::in_extra})));
  append(&directory, uint16_t{0});  // no comment
  put(directory);
  file_.commit();
}

}  // namespace arr::io
