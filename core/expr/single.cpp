// SPDX-License-Identifier: MIT
// Programs of one op, found again by two integers: the eager way of every call.
#include <array>
#include <atomic>

#include "expr/program.h"

namespace arr {

namespace {

// An open-addressing table that is only ever added to: readers take no lock.
struct Entry {
  std::atomic<uint64_t> key{0};
  std::atomic<const Program*> program{nullptr};
};
constexpr size_t capacity = 1U << 16;  // far more than ops x dtypes x result dtypes that occur

std::array<Entry, capacity>& table() {
  static auto* t = new std::array<Entry, capacity>;
  return *t;
}

template <class Build>
const Program& find_or_build(uint64_t key, Build&& build) {
  auto& t = table();
  size_t at = (key * 0x9e3779b97f4a7c15ULL) >> 48;
  for (size_t probe = 0; probe < capacity; ++probe, at = (at + 1) % capacity) {
    uint64_t seen = t[at].key.load(std::memory_order_acquire);
    if (seen == 0 && t[at].key.compare_exchange_strong(seen, key, std::memory_order_acq_rel)) seen = key;
    if (seen != key) continue;
    if (const Program* p = t[at].program.load(std::memory_order_acquire)) return *p;
    // Two threads may build it at once; interning gives both the same program.
    const Program* fresh = build();
    t[at].program.store(fresh, std::memory_order_release);
    return *fresh;
  }
  return *build();
}

}  // namespace

const Program& single_op(const OpInfo& op, std::span<const DType> operands, DType out) {
  uint64_t key =
      uint64_t{1} << 63 | static_cast<uint64_t>(op.number) << 32 | static_cast<uint64_t>(out) << 24;
  for (size_t i = 0; i < operands.size(); ++i) key |= static_cast<uint64_t>(operands[i]) << (8 * i);
  return find_or_build(key, [&] {
    ProgramBuilder b;
    int32_t args[3];
    for (size_t i = 0; i < operands.size(); ++i) args[i] = b.input(operands[i]);
    b.output(b.cast(b.op(op.number, {args, operands.size()}), out));
    return b.finish().program;
  });
}

const Program& single_cast(DType from, DType to) {
  uint64_t key = uint64_t{1} << 62 | static_cast<uint64_t>(from) << 8 | static_cast<uint64_t>(to);
  return find_or_build(key, [&] {
    ProgramBuilder b;
    b.output(b.cast(b.input(from), to));
    return b.finish().program;
  });
}

}  // namespace arr
