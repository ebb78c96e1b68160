// SPDX-License-Identifier: MIT
// The system memory of the host pool: from the C library for small blocks, and huge pages, which blocks
// share, for others.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/atomic_max.h"
#include "base/checked.h"
#include "host/device/pool.h"

namespace arr::host {

namespace {

constexpr int64_t alignment = 256, huge_page = int64_t{1} << 21;

// Address space aligned to huge pages: maps more than requested and unmaps the ends.
char* map_huge(int64_t size) {
  auto extent = static_cast<size_t>(size + huge_page);
  void* raw = mmap(nullptr, extent, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  char* low = static_cast<char*>(raw);
  auto slack = static_cast<size_t>(-reinterpret_cast<intptr_t>(low) & (huge_page - 1));
  char* first = low + slack;
  if (slack != 0) munmap(low, slack);
  size_t tail = extent - slack - static_cast<size_t>(size);
  if (tail != 0) munmap(first + size, tail);
  madvise(first, static_cast<size_t>(size),
          MADV_HUGEPAGE);  // advice only: the block works without huge pages
  return first;
}

}  // namespace

bool Pool::is_mapped(int64_t size) noexcept { return keep_blocks && size >= mapped_from; }

int64_t Pool::exact(int64_t size, int64_t requested) noexcept { return keep_blocks ? size : requested; }

void Pool::count_reserved(int64_t bytes) noexcept {
  atomic_fetch_max(&peak_reserved_, reserved_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

// A part of a mapping may be unmapped alone.
void Pool::unmap(void* data, int64_t size) noexcept {
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  munmap(data, static_cast<size_t>(size));
}

void Pool::to_system(void* data, int64_t size) noexcept {
  if (is_mapped(size)) return unmap(data, size);
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  std::free(data);
}

void* Pool::from_system(int64_t size) {
  if (is_mapped(size)) return from_pages(size);
  // AddressSanitizer's allocator ends the process if memory is short; the system's returns nullptr.
  if (!keep_blocks && size > sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)) return nullptr;
  void* data = nullptr;
  if (posix_memalign(&data, alignment, static_cast<size_t>(size)) != 0) return nullptr;
  count_reserved(size);
  return data;
}

// Best fit: takes the block from the smallest remainder that is large enough.
void* Pool::take_remainder(int64_t size) noexcept {
  const std::lock_guard lock(remainders_);
  RemainderBlock* const end = remainders_.rest + remainders_.count;
  RemainderBlock* best = end;
  for (RemainderBlock* r = remainders_.rest; r != end; ++r) {
    if (r->bytes >= size && (best == end || r->bytes < best->bytes)) best = r;
  }
  if (best == end) return nullptr;
  char* data = best->at;
  *best = {data + size, best->bytes - size};
  if (best->bytes == 0) *best = remainders_.rest[--remainders_.count];
  return data;
}

void* Pool::from_pages(int64_t size) noexcept {
  if (void* data = take_remainder(size)) return data;
  const int64_t whole = checked::round_up(size, huge_page);
  char* data = map_huge(whole);
  if (data == nullptr) return nullptr;
  count_reserved(whole);
  if (whole != size) keep_remainder({data + size, whole - size});
  return data;
}

// If there are too many remainders, the smallest are dropped, because they are of least use.
void Pool::keep_remainder(RemainderBlock fresh) noexcept {
  const std::lock_guard lock(remainders_);
  if (remainders_.count == RemainderBlocks::max_blocks) {
    RemainderBlock* smallest =
        std::min_element(remainders_.rest, remainders_.rest + remainders_.count,
                         [](const RemainderBlock& a, const RemainderBlock& b) { return a.bytes < b.bytes; });
    if (smallest->bytes < fresh.bytes) std::swap(*smallest, fresh);
    return unmap(fresh.at, fresh.bytes);
  }
  remainders_.rest[remainders_.count++] = fresh;
}

void Pool::drop_remainders() noexcept {
  const std::lock_guard lock(remainders_);
  while (remainders_.count > 0) {
    const RemainderBlock r = remainders_.rest[--remainders_.count];
    unmap(r.at, r.bytes);
  }
}

}  // namespace arr::host
