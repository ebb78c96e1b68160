// SPDX-License-Identifier: MIT
// The host memory pool.
#include "host/pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <mutex>

#include "base/checked.h"

namespace arr::host {

namespace {

constexpr int64_t alignment = 256, small_step = 512, small_limit = 8192;
constexpr int64_t huge_from = int64_t{1} << 20, huge_page = int64_t{1} << 21;
constexpr int64_t largest = int64_t{1} << 52;

// Under AddressSanitizer every block comes from the system with its exact size, so that overruns and uses
// after release are found.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keep_blocks = false;
#else
constexpr bool keep_blocks = true;
#endif

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

void to_system(void* data, int64_t size) noexcept {
  if (keep_blocks && size >= huge_from) {
    munmap(data, static_cast<size_t>(size));
  } else {
    std::free(data);
  }
}

// Address space that starts on a huge page: a little more is mapped and the ends given back.
void* map_huge(int64_t size) {
  auto extent = static_cast<size_t>(size + huge_page);
  void* raw = mmap(nullptr, extent, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  char* low = static_cast<char*>(raw);
  auto slack = static_cast<size_t>(-reinterpret_cast<intptr_t>(low) & (huge_page - 1));
  char* first = low + slack;
  if (slack != 0) munmap(low, slack);
  size_t tail = extent - slack - static_cast<size_t>(size);
  if (tail != 0) munmap(first + size, tail);
  madvise(first, static_cast<size_t>(size), MADV_HUGEPAGE);  // advice: without it the block works as well
  return first;
}

}  // namespace

int64_t Pool::rounded(int64_t bytes) {
  if (bytes < 0 || bytes > largest) fail(ARR_E_MEMORY, bytes, " bytes are more than any memory has");
  if (bytes <= small_limit) return bytes == 0 ? small_step : round_up(bytes, small_step);
  auto doubling = static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(bytes - 1)));  // <= 2^doubling
  int64_t size = round_up(bytes, int64_t{1} << (doubling - 4));
  return size >= huge_from ? round_up(size, huge_page) : size;
}

int32_t Pool::bin_of(int64_t size) noexcept {
  if (size <= small_limit) return static_cast<int32_t>(size / small_step) - 1;
  auto doubling = static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(size - 1)));
  auto eighth = static_cast<int32_t>((size - 1) >> (doubling - 4)) - 8;
  return 16 + (doubling - 14) * 8 + eighth;
}

// A bin holds blocks of one size.
int64_t Pool::size_of(int32_t bin) noexcept {
  return bin < 16 ? (bin + 1) * small_step : (bin % 8 + 9) * (int64_t{1} << ((bin - 16) / 8 + 10));
}

void* Pool::from_system(int64_t size) {
  if (keep_blocks && size >= huge_from) return map_huge(size);
  // AddressSanitizer's allocator ends the process where the system's would fail.
  if (!keep_blocks && size > sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)) return nullptr;
  void* data = nullptr;
  return posix_memalign(&data, alignment, static_cast<size_t>(size)) == 0 ? data : nullptr;
}

void Pool::charge(int64_t size, int64_t requested) {
  int64_t now = in_use_.fetch_add(size, std::memory_order_relaxed) + size;
  int64_t limit = limit_.load(std::memory_order_relaxed);
  if (limit != 0 && now > limit) {
    in_use_.fetch_sub(size, std::memory_order_relaxed);
    fail(ARR_E_MEMORY, requested, " bytes requested, ", now - size, " in use, limit ", limit);
  }
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void* Pool::allocate(int64_t bytes) {
  const int64_t size = rounded(bytes);
  charge(size, bytes);
  if (keep_blocks) {
    Bin& bin = bins_[bin_of(size)];
    bin.lock();
    Block* block = bin.first;
    if (block != nullptr) {
      bin.first = block->next;
      --bin.count;
    }
    bin.unlock();
    if (block != nullptr) return block;
  }
  const int64_t exact = keep_blocks ? size : bytes;
  void* data = from_system(exact);
  if (data == nullptr) {
    trim();
    data = from_system(exact);
  }
  if (data == nullptr) {
    int64_t others = in_use_.fetch_sub(size, std::memory_order_relaxed) - size;
    fail(ARR_E_MEMORY, bytes, " bytes requested, ", others, " in use, the system has no more");
  }
  return data;
}

void Pool::release(void* data, int64_t bytes) noexcept {
  if (data == nullptr) return;
  const int64_t size = rounded(bytes);
  in_use_.fetch_sub(size, std::memory_order_relaxed);
  if (!keep_blocks) return to_system(data, size);
  auto* block = static_cast<Block*>(data);
  Bin& bin = bins_[bin_of(size)];
  bin.lock();
  block->next = bin.first;
  bin.first = block;
  ++bin.count;
  bin.unlock();
}

MemoryStats Pool::stats() const {
  MemoryStats s;
  s.in_use = in_use_.load(std::memory_order_relaxed);
  for (int32_t i = 0; i < bins; ++i) {
    bins_[i].lock();
    s.cached += bins_[i].count * size_of(i);
    bins_[i].unlock();
  }
  s.peak = peak_.load(std::memory_order_relaxed);
  s.limit = limit_.load(std::memory_order_relaxed);
  const int64_t page = sysconf(_SC_PAGESIZE);
  s.total = sysconf(_SC_PHYS_PAGES) * page;
  s.free = sysconf(_SC_AVPHYS_PAGES) * page;
  return s;
}

void Pool::limit(int64_t bytes) {
  if (bytes < 0) fail(ARR_E_ARGUMENT, "argument bytes: a limit of ", bytes, " is negative; 0 is none");
  limit_.store(bytes, std::memory_order_relaxed);
}

void Pool::trim() noexcept {
  for (int32_t i = 0; i < bins; ++i) {
    Bin& bin = bins_[i];
    bin.lock();
    Block* block = std::exchange(bin.first, nullptr);
    bin.count = 0;
    bin.unlock();
    while (block != nullptr) {
      Block* next = block->next;
      to_system(block, size_of(i));
      block = next;
    }
  }
}

Pool& pool() {
  static auto* p = new Pool;
  return *p;
}

}  // namespace arr::host
