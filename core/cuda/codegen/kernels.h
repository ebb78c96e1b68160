// SPDX-License-Identifier: MIT
// A cache of generated kernels by the properties they are specialised for: lookups take no lock, and each
// kernel is compiled once.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <string>

#include "backend/operand.h"
#include "cuda/codegen/compile.h"
#include "cuda/codegen/emit.h"
#include "expr/program.h"

namespace arr::cuda {

// The properties that a kernel is specialised for, packed by its family into integers.
struct KernelKey {
  uint64_t shape = 0, access = 0;
  int32_t device = 0;
  const Program* second = nullptr;  // for kernels of two programs
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

struct Kernel {
  KernelKey key;
  Loaded loaded;
  std::string name;  // for errors: "add(in0, in1)"
  Words words;       // the layout of its parameters
  const Kernel* next = nullptr;
};

// The kernels of one program (or of none: matmul's). Entries are only ever added.
class Kernels : public Program::Attachment {
 public:
  Kernels() = default;
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  ~Kernels() override;

  // emit() returns the source, name() the kernel's name in errors, words() the layout of its parameters.
  template <class Emit, class Name, class Layout>
  const Kernel& get(Device& d, const KernelKey& key, Emit&& emit, Name&& name, Layout&& words) {
    if (const Kernel* k = find(key)) return *k;
    const std::lock_guard lock(mutex_);
    if (const Kernel* k = find(key)) return *k;
    auto fresh = std::make_unique<Kernel>();
    fresh->key = key;
    fresh->name = name();
    fresh->words = words();
    fresh->loaded = load_generated(d, emit(), fresh->name.c_str());
    count_made();
    fresh->next = head_.load(std::memory_order_relaxed);
    head_.store(fresh.get(), std::memory_order_release);
    return *fresh.release();
  }

 private:
  const Kernel* find(const KernelKey& key) const {
    const Kernel* k = head_.load(std::memory_order_acquire);
    while (k != nullptr && !(k->key == key)) k = k->next;
    return k;
  }
  static void count_made() noexcept;
  std::atomic<Kernel*> head_{nullptr};
  std::mutex mutex_;  // one compilation per program at a time
};

Kernels& kernels_of(const Program& p);

// The number of kernels created in this process, compiled or from the compiler's cache.
int64_t kernels_made() noexcept;

// The words of a kernel's parameters, filled at the positions of Words.
class Arguments {
 public:
  explicit Arguments(int32_t count) : count_(count) {
    if (count > capacity) fail(ARR_E_UNSUPPORTED, "a kernel of ", count * 8, " bytes of parameters");
  }
  uint64_t& operator[](int32_t at) { return words_[static_cast<size_t>(at)]; }
  void set(int32_t at, int64_t value) { (*this)[at] = static_cast<uint64_t>(value); }
  void set(int32_t at, const void* p) { (*this)[at] = reinterpret_cast<uintptr_t>(p); }
  void set(int32_t at, const Scalar& s) {
    (*this)[at] = s.lo;
    (*this)[at + 1] = s.hi;
  }
  uint64_t* data() { return words_.data(); }
  [[nodiscard]] int32_t count() const { return count_; }

 private:
  static constexpr int32_t capacity = 1024;
  int32_t count_;
  std::array<uint64_t, capacity> words_;  // only the first count_ are set
};

// The words that kernels of every kind have: extents with their reciprocals; operands with their strides.
void set_extents(const int64_t* shape, int32_t dims, bool wide, const Words& w, Arguments* args);
void set_operands(const Operand* operands, const AccessList& access, const Words& w, int32_t dims,
                  Arguments* args);
// The access to the operands of a map: one by one, or `vector` elements at a time where they are aligned.
// Sets *wide if an operand needs 64-bit offsets.
AccessList mapped_access(const Program& map, const Operand* operands, int32_t ndim, const int64_t* shape,
                         int32_t vector, bool* wide);
// The number of consecutive elements that a thread takes along the last dimension: 16 bytes of the smallest
// type among the operands that are contiguous there, at most 64 bytes of the largest; 1 if none is.
class Width {
 public:
  void add(const Operand& o, int64_t item, int32_t ndim) {
    if (o.data == nullptr || o.ramp || ndim == 0 || o.strides[ndim - 1] != item) return;
    min_ = std::min(min_, item);
    max_ = std::max(max_, item);
  }
  // Sizes are powers of two, so no division is needed.
  [[nodiscard]] int32_t elements() const {
    return static_cast<int32_t>(std::min(16 >> std::countr_zero(static_cast<uint64_t>(min_)),
                                         64 >> std::countr_zero(static_cast<uint64_t>(max_))));
  }

 private:
  int64_t min_ = 16, max_ = 1;
};
// Returns true if all groups of `vector` elements along the last dimension can be accessed at once.
bool aligned(const Operand& o, int64_t item, int32_t vector, int32_t ndim, const int64_t* shape);
// Three bits per operand, for keys.
uint64_t access_bits(const AccessList& access);

struct Grid {
  int64_t x = 1, y = 1;
  int32_t block_x = 1, block_y = 1;
};
void launch(Device& d, const Kernel& k, const Grid& g, Arguments& args, Stream& s);

}  // namespace arr::cuda
