// SPDX-License-Identifier: MIT
// Calls zlib for data in pieces.
#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"

namespace arr::io {

namespace {

constexpr int raw_window = -MAX_WBITS;  // no header around the data
constexpr int memory_level = 8;         // zlib's default
constexpr int64_t input_piece = int64_t{1} << 16, max_at_once = int64_t{1} << 30;

void check_start(int code) {
  if (code == Z_MEM_ERROR) fail(ARR_E_MEMORY, "out of host memory for zlib");
  if (code != Z_OK) fail(ARR_E_INTERNAL, "zlib does not start: code ", code);
}

}  // namespace

struct Inflater::State {
  BytesIn input;
  std::vector<char> buffer = std::vector<char>(static_cast<size_t>(input_piece));
  z_stream stream{};
  bool ended = false;
};

Inflater::Inflater(BytesIn input) : state_(std::make_unique<State>()) {
  state_->input = std::move(input);
  check_start(inflateInit2(&state_->stream, raw_window));
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

int64_t Inflater::read(char* to, int64_t bytes) {
  State& s = *state_;
  int64_t done = 0;
  while (done < bytes && !s.ended) {
    if (s.stream.avail_in == 0) {
      s.stream.next_in = reinterpret_cast<Bytef*>(s.buffer.data());
      s.stream.avail_in = static_cast<uInt>(s.input(s.buffer.data(), input_piece));
      if (s.stream.avail_in == 0) return -1;
    }
    const auto room = static_cast<uInt>(std::min(bytes - done, max_at_once));
    s.stream.next_out = reinterpret_cast<Bytef*>(to + done);
    s.stream.avail_out = room;
    const int code = inflate(&s.stream, Z_NO_FLUSH);
    done += room - s.stream.avail_out;
    if (code == Z_MEM_ERROR) fail(ARR_E_MEMORY, "out of host memory for zlib");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return -1;
    s.ended = code == Z_STREAM_END;
  }
  return done;
}

struct Deflater::State {
  BytesOut output;
  std::vector<char> buffer = std::vector<char>(static_cast<size_t>(input_piece));
  z_stream stream{};
};

Deflater::Deflater(BytesOut output) : state_(std::make_unique<State>()) {
  state_->output = std::move(output);
  check_start(deflateInit2(&state_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                           Z_DEFAULT_STRATEGY));
}

Deflater::~Deflater() { deflateEnd(&state_->stream); }

void Deflater::run(const char* from, int64_t bytes, int flush) {
  State& s = *state_;
  s.stream.next_in = reinterpret_cast<const Bytef*>(from);
  s.stream.avail_in = static_cast<uInt>(bytes);
  int code = Z_OK;
  do {
    s.stream.next_out = reinterpret_cast<Bytef*>(s.buffer.data());
    s.stream.avail_out = static_cast<uInt>(input_piece);
    code = deflate(&s.stream, flush);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      fail(ARR_E_INTERNAL, "zlib does not deflate: code ", code);
    const int64_t made = input_piece - s.stream.avail_out;
    if (made > 0) s.output(s.buffer.data(), made);
  } while (s.stream.avail_out == 0 || (flush == Z_FINISH && code != Z_STREAM_END));
}

void Deflater::write(const char* from, int64_t bytes) {
  for (; bytes > 0; from += max_at_once, bytes -= max_at_once)
    run(from, std::min(bytes, max_at_once), Z_NO_FLUSH);
}

void Deflater::finish() { run(nullptr, 0, Z_FINISH); }

uint32_t checksum(uint32_t so_far, const void* bytes, int64_t n) noexcept {
  if (n == 0) return so_far;  // for a NULL pointer zlib returns the checksum of no data
  return static_cast<uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(bytes), static_cast<size_t>(n)));
}

}  // namespace arr::io
