// SPDX-License-Identifier: MIT
// Reads fatbins. A header of 16 bytes (magic number, version, its own size, bytes that follow) comes before
// the entries, each of which has a header with its kind, sizes, architecture and compression.
#include "hostcuda/fatbin.h"

#include <cstdint>
#include <cstring>

#include "base/dynamic_library.h"
#include "base/error.h"

namespace arr::host_kernels {

namespace {

constexpr size_t header_bytes = 16, entry_bytes = 64;
constexpr uint16_t kind_ptx = 1, kind_cubin = 2;
constexpr uint64_t by_lz4 = 0x2000, by_zstd = 0x8000;
constexpr uint64_t max_bytes = uint64_t{1} << 28;  // of a text; far more than any compiler takes

struct Zstd {
  size_t (*decompress)(void* to, size_t capacity, const void* from, size_t bytes) = nullptr;
  std::string report;
};

Zstd open_zstd() {
  Zstd z;
  std::string why;
  const std::string path = library_path("ARR_ZSTD", "libzstd.so.1", &z.report);
  void* library = open_dynamic_library(path, &why);
  if (library == nullptr) {
    z.report += why;
  } else {
    SymbolTable(library).require(&z.decompress, "ZSTD_decompress");
    if (z.decompress == nullptr) z.report += path + ": no function ZSTD_decompress";
  }
  z.report = one_line(z.report);
  return z;
}

class Reader {
 public:
  Reader(std::string_view image, const std::string& name) : image_(image), name_(name) {}

  std::string ptx() {
    const uint64_t all = number<uint64_t>(8);
    const auto begin = number<uint16_t>(6);
    if (number<uint16_t>(4) != 1 || begin < header_bytes || begin > image_.size() ||
        all > image_.size() - begin)
      damaged();
    size_t at = begin;
    while (at - begin < all) at = entry(at);
    if (best_ == 0)
      fail(ARR_E_UNSUPPORTED, "argument image: ", name_, " is a fatbin with ",
           cubins_ != 0 ? "machine code" : "LTO-IR",
           " and no PTX, which runs on GPUs only; the host takes CUDA C++ source and PTX");
    return text(best_);
  }

 private:
  [[noreturn]] void damaged() const {
    fail(ARR_E_ARGUMENT, "argument image: ", name_, " is a fatbin that is cut off or damaged");
  }
  template <class T>
  [[nodiscard]] T number(size_t at) const {
    if (at > image_.size() || sizeof(T) > image_.size() - at) damaged();
    T out{};
    std::memcpy(&out, image_.data() + at, sizeof out);
    return out;
  }

  // Notes the entry and returns the offset of the next one.
  size_t entry(size_t at) {
    const auto kind = number<uint16_t>(at);
    const auto begin = number<uint32_t>(at + 4), architecture = number<uint32_t>(at + 28);
    const auto bytes = number<uint64_t>(at + 8);
    if (begin < entry_bytes || begin > image_.size() - at || bytes > image_.size() - at - begin) damaged();
    cubins_ += kind == kind_cubin ? 1 : 0;
    if (kind == kind_ptx && (best_ == 0 || architecture > newest_)) {
      best_ = at;
      newest_ = architecture;
    }
    return at + begin + bytes;
  }

  [[nodiscard]] std::string text(size_t at) const {
    const auto begin = number<uint32_t>(at + 4), packed = number<uint32_t>(at + 16);
    const auto flags = number<uint64_t>(at + 40), bytes = number<uint64_t>(at + 56);
    std::string_view payload = image_.substr(at + begin, number<uint64_t>(at + 8));
    std::string out;
    if ((flags & (by_lz4 | by_zstd)) == 0) {
      out = payload;
    } else {
      if (packed > payload.size() || bytes > max_bytes) damaged();
      payload = payload.substr(0, packed);
      out.resize(bytes);
      (flags & by_lz4) != 0 ? from_lz4(payload, out) : from_zstd(payload, out);
    }
    return out.substr(0, out.find('\0'));  // padded by zeros
  }

  // A block of LZ4: literals, then a copy of earlier output, over and over; the last has literals alone.
  void from_lz4(std::string_view in, std::string& out) const {
    size_t from = 0, to = 0;
    const auto length = [&](size_t n) {
      for (unsigned char more = 255; n >= 15 && more == 255; n += more) {
        if (from == in.size()) damaged();
        more = static_cast<unsigned char>(in[from++]);
      }
      return n;
    };
    while (from < in.size()) {
      const auto token = static_cast<unsigned char>(in[from++]);
      const size_t literals = length(token >> 4);
      if (literals > in.size() - from || literals > out.size() - to) damaged();
      std::memcpy(out.data() + to, in.data() + from, literals);
      from += literals;
      to += literals;
      if (from == in.size()) break;
      if (in.size() - from < 2) damaged();
      const size_t back = static_cast<unsigned char>(in[from]) |
                          static_cast<size_t>(static_cast<unsigned char>(in[from + 1])) << 8;
      from += 2;
      const size_t copied = length(token & 15) + 4;
      if (back == 0 || back > to || copied > out.size() - to) damaged();
      for (size_t i = 0; i < copied; ++i, ++to) out[to] = out[to - back];  // it may overlap itself
    }
    if (to != out.size()) damaged();
  }

  void from_zstd(std::string_view in, std::string& out) const {
    static const auto& library = *new Zstd(open_zstd());  // there until the very end
    if (library.decompress == nullptr)
      fail(ARR_E_UNAVAILABLE, "argument image: ", name_,
           " has PTX that is compressed by Zstandard: ", library.report,
           "; nvcc --compress-mode=speed needs no library");
    if (library.decompress(out.data(), out.size(), in.data(), in.size()) != out.size()) damaged();
  }

  std::string_view image_;
  const std::string& name_;
  size_t best_ = 0;  // the entry of the PTX to take; none begins at 0
  uint32_t newest_ = 0;
  int cubins_ = 0;
};

}  // namespace

std::string ptx_of_fatbin(std::string_view image, const std::string& name) {
  return Reader(image, name).ptx();
}

}  // namespace arr::host_kernels
