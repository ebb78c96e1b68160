// SPDX-License-Identifier: MIT
// ARR_CHECK=1: every access of a kernel must lie in an array it was given or in other memory it may use, and
// two threads of a block that access the same byte of shared memory, one of them writing, must have a barrier
// (or, within a warp, a warp function) between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hostcuda/compile/object.h"
#include "hostcuda/host_kernels.h"
#include "hostcuda/shim/abi.h"

namespace arr::host_kernels {

// Data common to all blocks of a launch.
struct CheckedLaunch {
  struct Array {
    uintptr_t low;
    uint64_t bytes;
    std::string name;
  };
  const Object* object = nullptr;
  std::vector<Array> arrays;
  std::vector<Extent> services;  // the library's memory that the image reads
  bool unknown = false;          // it may have pointers to memory that nothing is known about
  uint64_t shared_bytes = 0;
};
CheckedLaunch checked_launch(const Kernel& kernel, uint64_t shared_bytes, void* const* args,
                             const Extent* extents);

// Data of one OS thread, which runs one block at a time. Threads are numbered as in Worker.
class Checks {
 public:
  static constexpr uint64_t red_zone = 4096;  // unused bytes after dynamic shared memory

  // `dynamic`: launch.shared_bytes bytes, and the red zone.
  void begin_range(const CheckedLaunch& launch, const void* dynamic);
  void begin_block(unsigned threads);
  void end_block() { inside_ = false; }

  void barrier() { epoch_++; }
  // The threads base + l, for the bits l of `group`, have met in a warp function.
  void join(int base, uint32_t group);

  // False when thread t may not; then `describe` says why. `on_stack`: the address is in a fiber's stack.
  bool access(int t, const void* address, uint64_t bytes, int kind, const void* code, bool on_stack);
  [[nodiscard]] bool found() const { return found_.what != What::nothing; }
  [[nodiscard]] std::string describe(const char* kernel, arr_host::Dim index, arr_host::Dim block) const;

 private:
  // One access that a byte remembers; of an older epoch it no longer counts.
  struct Past {
    uint64_t epoch = 0;
    uint32_t step = 0, code = 0;
    uint16_t thread = 0;
    bool atomic = false, wrote = false;
  };
  struct Byte {
    Past write, read[2];
  };
  // A variable of the image that each OS thread has its own of, or dynamic shared memory.
  struct Region {
    uintptr_t low;
    uint64_t bytes;
    const ThreadVariable* variable;  // null: dynamic
    bool shared;
    size_t first;  // of its bytes in `bytes_`
  };
  // Memory of PTX's alloca.
  struct Piece {
    uintptr_t low;
    uint64_t bytes;
  };
  enum class What { nothing, outside, race };
  struct Found {
    What what = What::nothing;
    uintptr_t address = 0;
    uint64_t bytes = 0, offset = 0;
    const Region* region = nullptr;
    Past now, before;
  };

  void locate();
  void taken(const Piece& piece, bool given_back);
  void add_region(uintptr_t low, uint64_t bytes, const ThreadVariable* variable, bool shared);
  [[nodiscard]] bool ordered(const Past& before, int t) const;
  [[nodiscard]] bool conflicts(const Past& before, const Past& now) const {
    return (before.wrote || now.wrote) && !(before.atomic && now.atomic) && !ordered(before, now.thread);
  }
  bool remember(Byte& byte, const Past& now);
  bool in_region(const Region& region, uintptr_t at, uint64_t bytes, const Past& now);
  [[nodiscard]] bool allowed(uintptr_t at, uint64_t bytes) const;
  [[nodiscard]] std::string nearest() const;
  [[nodiscard]] std::string race_text(const std::string& block_text, arr_host::Dim block) const;
  [[nodiscard]] std::string line(const Past& access) const;

  const CheckedLaunch* launch_ = nullptr;
  uintptr_t dynamic_ = 0, image_low_ = 0, image_high_ = 0, thread_low_ = 0, thread_high_ = 0;
  std::vector<Region> regions_;
  std::vector<Piece> pieces_;  // of the block that runs
  std::vector<Byte> bytes_;
  uint64_t epoch_ = 1;
  std::vector<uint32_t> step_;  // of each thread: warp functions it has been through
  std::vector<uint32_t> seen_;  // [t * 32 + l]: the steps of lane l of its warp that t comes after
  bool inside_ = false;
  Found found_;
};

}  // namespace arr::host_kernels
