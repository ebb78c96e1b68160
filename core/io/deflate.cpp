// SPDX-License-Identifier: MIT
// Opens zlib, and calls it for pieces of data.
#include "io/deflate.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/dynamic_library.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/log.h"

namespace arr::io {

namespace {

// zlib's z_stream. Its functions compare the size.
struct ZStream {
  const char* in;
  unsigned in_left;
  unsigned long in_total;
  char* out;
  unsigned out_left;
  unsigned long out_total;
  const char* message;
  void* state;
  void* (*allocate)(void*, unsigned, unsigned);
  void (*release)(void*, void*);
  void* context;
  int data_type;
  unsigned long checksum, reserved;
};

constexpr const char* version = "1.2.11";  // of the interface
constexpr int raw_window = -15;            // no header around the data
constexpr int default_level = -1, method_deflate = 8, memory_level = 8, default_strategy = 0;
constexpr int no_flush = 0, flush_all = 4;
constexpr int good = 0, stream_end = 1, memory_error = -4, buffer_error = -5;
constexpr int64_t input_piece = int64_t{1} << 16, most_at_once = int64_t{1} << 30;

struct Zlib {
  int (*inflate_init)(ZStream*, int, const char*, int) = nullptr;
  int (*inflate)(ZStream*, int) = nullptr;
  int (*inflate_end)(ZStream*) = nullptr;
  int (*deflate_init)(ZStream*, int, int, int, int, int, const char*, int) = nullptr;
  int (*deflate)(ZStream*, int) = nullptr;
  int (*deflate_end)(ZStream*) = nullptr;
  std::string report;
  bool found = false;
};

Zlib open_library() {
  Zlib z;
  const std::string path = library_path("ARR_ZLIB", "libz.so.1", &z.report);
  std::string why;
  void* library = open_dynamic_library(path, &why);
  if (library == nullptr) {
    z.report += why + "\n";
    return z;
  }
  SymbolTable symbols(library);
  symbols.require(&z.inflate_init, "inflateInit2_");
  symbols.require(&z.inflate, "inflate");
  symbols.require(&z.inflate_end, "inflateEnd");
  symbols.require(&z.deflate_init, "deflateInit2_");
  symbols.require(&z.deflate, "deflate");
  symbols.require(&z.deflate_end, "deflateEnd");
  z.found = symbols.missing().empty();
  z.report += z.found ? text(path, ": loaded\n") : text(path, ": no function ", symbols.missing(), "\n");
  return z;
}

// Opened by the first call for which there is memory and a file descriptor.
const Zlib& zlib() {
  static std::atomic<const Zlib*> known;
  const Zlib* z = known.load(std::memory_order_acquire);
  if (z == nullptr) {
    static auto& mutex = *new ProcessMutex;
    const std::lock_guard lock(mutex);
    z = known.load(std::memory_order_relaxed);
    if (z == nullptr) {
      auto fresh = std::make_unique<Zlib>(open_library());
      log_lines(log_level::info, fresh->report);
      z = fresh.release();  // used until the process ends
      known.store(z, std::memory_order_release);
    }
  }
  if (!z->found) fail(ARR_E_UNAVAILABLE, "zlib does not work here: ", one_line(z->report));
  return *z;
}

void check_start(int code) {
  if (code == memory_error) fail(ARR_E_MEMORY, "out of host memory for zlib");
  if (code != good) fail(ARR_E_UNAVAILABLE, "zlib does not start: code ", code);
}

}  // namespace

struct Inflater::State {
  const Zlib& library = zlib();
  BytesIn input;
  std::vector<char> buffer = std::vector<char>(static_cast<size_t>(input_piece));
  ZStream stream{};
  bool ended = false;
};

Inflater::Inflater(BytesIn input) {
  auto state = std::make_unique<State>();
  state->input = std::move(input);
  check_start(state->library.inflate_init(&state->stream, raw_window, version, sizeof(ZStream)));
  state_ = state.release();
}

Inflater::~Inflater() {
  state_->library.inflate_end(&state_->stream);
  delete state_;
}

int64_t Inflater::read(char* to, int64_t bytes) {
  State& s = *state_;
  int64_t done = 0;
  while (done < bytes && !s.ended) {
    if (s.stream.in_left == 0) {
      s.stream.in = s.buffer.data();
      s.stream.in_left = static_cast<unsigned>(s.input(s.buffer.data(), input_piece));
      if (s.stream.in_left == 0) return -1;
    }
    const auto room = static_cast<unsigned>(std::min(bytes - done, most_at_once));
    s.stream.out = to + done;
    s.stream.out_left = room;
    const int code = s.library.inflate(&s.stream, no_flush);
    done += room - s.stream.out_left;
    if (code == memory_error) fail(ARR_E_MEMORY, "out of host memory for zlib");
    if (code != good && code != stream_end && code != buffer_error) return -1;
    s.ended = code == stream_end;
  }
  return done;
}

struct Deflater::State {
  const Zlib& library = zlib();
  BytesOut output;
  std::vector<char> buffer = std::vector<char>(static_cast<size_t>(input_piece));
  ZStream stream{};
};

Deflater::Deflater(BytesOut output) {
  auto state = std::make_unique<State>();
  state->output = std::move(output);
  check_start(state->library.deflate_init(&state->stream, default_level, method_deflate, raw_window,
                                          memory_level, default_strategy, version, sizeof(ZStream)));
  state_ = state.release();
}

Deflater::~Deflater() {
  state_->library.deflate_end(&state_->stream);
  delete state_;
}

void Deflater::run(const char* from, int64_t bytes, int how) {
  State& s = *state_;
  s.stream.in = from;
  s.stream.in_left = static_cast<unsigned>(bytes);
  int code = good;
  do {
    s.stream.out = s.buffer.data();
    s.stream.out_left = static_cast<unsigned>(input_piece);
    code = s.library.deflate(&s.stream, how);
    if (code != good && code != stream_end && code != buffer_error)
      fail(ARR_E_INTERNAL, "zlib does not deflate: code ", code);
    const int64_t made = input_piece - s.stream.out_left;
    if (made > 0) s.output(s.buffer.data(), made);
  } while (s.stream.out_left == 0 || (how == flush_all && code != stream_end));
}

void Deflater::write(const char* from, int64_t bytes) {
  for (; bytes > 0; from += most_at_once, bytes -= most_at_once)
    run(from, std::min(bytes, most_at_once), no_flush);
}

void Deflater::finish() { run(nullptr, 0, flush_all); }

}  // namespace arr::io
