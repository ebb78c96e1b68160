// SPDX-License-Identifier: MIT
#include "hostcuda/run/checks.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <exception>

#include "hostcuda/compile/line_info.h"
#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {
namespace {

bool lies_in(uintptr_t at, uint64_t bytes, uintptr_t low, uint64_t size) {
  return at >= low && bytes <= size && at - low <= size - bytes;
}

Extent extent_of(const void* low, uint64_t bytes) { return {static_cast<const char*>(low), bytes, true, ""}; }

// The image that holds an address: its segments, and its thread-local storage in the calling thread.
struct Segments {
  uintptr_t address = 0, base = 0, low = 0, high = 0, thread_low = 0, thread_bytes = 0;
};
int find_segments(dl_phdr_info* info, size_t, void* argument) {
  auto& out = *static_cast<Segments*>(argument);
  uintptr_t low = UINTPTR_MAX, high = 0, thread_bytes = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_TLS) thread_bytes = segment.p_memsz;
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    low = std::min(low, begin);
    high = std::max(high, begin + segment.p_memsz);
  }
  if (out.address < low || out.address >= high) return 0;
  out.base = info->dlpi_addr;
  out.low = low;
  out.high = high;
  out.thread_low = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
  out.thread_bytes = thread_bytes;
  return 1;
}

// Numbers hold no pointer, and pointers to numbers lead no further than to these.
bool may_lead_anywhere(uint32_t type, uint32_t bytes, const Extent& memory) {
  const bool is_plain = (type & 0xffu) != 0 || memory.numbers;
  if ((type & arr_host::arg_pointer) != 0) return memory.low == nullptr || !is_plain;
  return !is_plain && bytes >= sizeof(void*);
}

std::string index_text(unsigned t, arr_host::Dim size) {
  return text("(", t % size.x, ",", t / size.x % size.y, ",", t / (size.x * size.y), ")");
}

const char* verb(bool atomic, bool wrote) { return atomic ? "atomic access" : wrote ? "write" : "read"; }

}  // namespace

CheckedLaunch checked_launch(const Kernel& kernel, uint64_t shared_bytes, void* const* args,
                             const Extent* extents) {
  CheckedLaunch launch;
  launch.object = kernel.checked.get();
  launch.shared_bytes = shared_bytes;
  launch.unknown = kernel.may_hold_pointers;
  launch.services = {extent_of(&runtime_table, sizeof runtime_table),
                     extent_of(args, kernel.arg_bytes.size() * sizeof *args)};
  for (size_t i = 0; i < kernel.arg_bytes.size(); i++) {
    launch.services.push_back(extent_of(args[i], kernel.arg_bytes[i]));
    const Extent memory = extents != nullptr ? extents[i] : Extent{};
    if (memory.low != nullptr) {
      const std::string name = memory.name.empty() ? text("args[", i, "]") : memory.name;
      launch.arrays.push_back({reinterpret_cast<uintptr_t>(memory.low), memory.bytes, name});
    }
    launch.unknown = launch.unknown || may_lead_anywhere(kernel.arg_types[i], kernel.arg_bytes[i], memory);
  }
  const arr_host::Image& table = launch.object->table();
  for (unsigned i = 0; i < table.n_variables; i++)
    launch.unknown = launch.unknown || table.variables[i].plain == 0;
  return launch;
}

void Checks::begin_range(const CheckedLaunch& launch, const void* dynamic) {
  launch_ = &launch;
  dynamic_ = reinterpret_cast<uintptr_t>(dynamic);
  regions_.clear();
  found_ = {};
  inside_ = false;
}

void Checks::add_region(uintptr_t low, uint64_t bytes, const ThreadVariable* variable, bool shared) {
  size_t first = 0;
  for (const Region& r : regions_) first = std::max(first, r.first + (r.shared ? r.bytes : 0));
  regions_.push_back({low, bytes, variable, shared, first});
  if (shared) bytes_.resize(std::max(bytes_.size(), first + bytes));
}

// Only when the image has begun to run is its thread-local storage there.
void Checks::locate() {
  Segments found;
  found.address = reinterpret_cast<uintptr_t>(&launch_->object->table());
  dl_iterate_phdr(&find_segments, &found);
  image_low_ = found.low;
  image_high_ = found.high;
  thread_low_ = found.thread_low;
  thread_high_ = thread_low_ + (thread_low_ != 0 ? found.thread_bytes : 0);
  if (launch_->shared_bytes != 0) add_region(dynamic_, launch_->shared_bytes, nullptr, true);
  if (thread_low_ == 0) return;
  for (const bool shared : {true, false})
    for (const ThreadVariable& v : launch_->object->thread_variables()) {
      const bool storage = v.name == "arr_dynamic_storage";  // see shim/entry.h
      if (v.bytes == 0 || (v.shared || storage) != shared) continue;
      if (!storage)
        add_region(thread_low_ + v.offset, v.bytes, &v, shared);
      else if (launch_->shared_bytes != 0)
        add_region(thread_low_ + v.offset, launch_->shared_bytes, nullptr, true);
    }
}

void Checks::taken(const Piece& piece, bool given_back) {
  if (!given_back) return pieces_.push_back(piece);
  const auto is_it = [&](const Piece& p) { return p.low == piece.low; };
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(), is_it), pieces_.end());
}

void Checks::begin_block(unsigned threads) {
  if (regions_.empty()) locate();
  pieces_.clear();
  epoch_++;
  step_.assign(threads, 0);
  seen_.assign(size_t{threads} * 32, 0);
  inside_ = true;
}

void Checks::join(int base, uint32_t group) {
  if (!inside_) return;
  uint32_t merged[32] = {};
  for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const size_t t = static_cast<size_t>(base) + static_cast<size_t>(lane);
    for (size_t l = 0; l < 32; l++) merged[l] = std::max(merged[l], seen_[t * 32 + l]);
    merged[lane] = std::max(merged[lane], ++step_[t]);
  }
  for (uint32_t rest = group; rest != 0; rest &= rest - 1)
    std::copy(merged, merged + 32,
              seen_.begin() + static_cast<std::ptrdiff_t>(base + std::countr_zero(rest)) * 32);
}

bool Checks::ordered(const Past& before, int t) const {
  if (before.epoch != epoch_ || before.thread == t) return true;
  if (before.thread / 32 != t / 32) return false;
  return seen_[static_cast<size_t>(t) * 32 + before.thread % 32] > before.step;
}

// Keeps the access, unless it conflicts with one that is kept. Of reads two are kept, of different warps
// where there are such: one of them is not ordered before any later write that some read is not ordered
// before, except writers of the same warp.
bool Checks::remember(Byte& byte, const Past& now) {
  if (conflicts(byte.write, now)) {
    found_.before = byte.write;
    return false;
  }
  if (now.wrote) {
    for (const Past& read : byte.read)
      if (conflicts(read, now)) {
        found_.before = read;
        return false;
      }
    // A thread's plain write counts for more than its atomic one, with which others may mix.
    const bool weaker = now.atomic && !byte.write.atomic && byte.write.epoch == now.epoch &&
                        byte.write.thread == now.thread && byte.write.step == now.step;
    if (!weaker) byte.write = now;
    return true;
  }
  Past &a = byte.read[0], &b = byte.read[1];
  if (ordered(a, now.thread))
    a = now;
  else if (ordered(b, now.thread) || (a.thread / 32 == b.thread / 32 && now.thread / 32 != a.thread / 32))
    b = now;
  return true;
}

bool Checks::in_region(const Region& region, uintptr_t at, uint64_t bytes, const Past& now) {
  const uint64_t offset = at - region.low;
  if (bytes > region.bytes - offset) {
    found_.what = What::outside;
    return false;
  }
  for (uint64_t i = 0; i < bytes; i++)
    if (!remember(bytes_[region.first + offset + i], now)) {
      found_.what = What::race;
      found_.region = &region;
      found_.offset = offset;
      return false;
    }
  return true;
}

bool Checks::allowed(uintptr_t at, uint64_t bytes) const {
  constexpr uintptr_t first_page_end = 4096;  // nothing lies in the first page
  if (at < first_page_end) return false;
  if (at >= thread_low_ && at < thread_high_) return false;
  if (at >= image_low_ && at < image_high_) return true;
  for (const Extent& e : launch_->services)
    if (lies_in(at, bytes, reinterpret_cast<uintptr_t>(e.low), e.bytes)) return true;
  if (at >= dynamic_ && at - dynamic_ < launch_->shared_bytes + red_zone) return false;
  for (const Piece& p : pieces_)
    if (lies_in(at, 1, p.low - arr_host::access_margin, p.bytes + 2 * uint64_t{arr_host::access_margin}))
      return lies_in(at, bytes, p.low, p.bytes);
  if (!launch_->unknown) return false;
  // Unknown memory is allowed, except after the end of an array in which the access begins.
  return std::none_of(launch_->arrays.begin(), launch_->arrays.end(),
                      [&](const auto& a) { return at >= a.low && at - a.low < a.bytes; });
}

bool Checks::access(int t, const void* address, uint64_t bytes, int kind, const void* code, bool on_stack) {
  if (kind == arr_host::access_phase) {
    barrier();
    return true;
  }
  if (kind == arr_host::access_taken || kind == arr_host::access_given_back) {
    taken({reinterpret_cast<uintptr_t>(address), bytes}, kind == arr_host::access_given_back);
    return true;
  }
  if (!inside_ || on_stack || bytes == 0) return true;
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const CheckedLaunch::Array& a : launch_->arrays)
    if (lies_in(at, bytes, a.low, a.bytes)) return true;
  Past now;
  now.epoch = epoch_;
  now.step = step_[static_cast<size_t>(t)];
  now.thread = static_cast<uint16_t>(t);
  now.atomic = kind == arr_host::access_atomic;
  now.wrote = kind != arr_host::access_read;
  now.code = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(code) - image_low_);
  bool good = false, ours = false;
  for (const Region& r : regions_)
    if (at >= r.low && at - r.low < r.bytes) {
      good = !r.shared || in_region(r, at, bytes, now);
      ours = true;
      break;
    }
  if (!ours) good = allowed(at, bytes);
  if (good) return true;
  if (found_.what == What::nothing) found_.what = What::outside;
  found_.address = at;
  found_.bytes = bytes;
  found_.now = now;
  return false;
}

std::string Checks::line(const Past& access) const {
  // The address is the one after the call; images are linked at 0.
  try {
    return line_text(launch_->object->bytes(), access.code - 1);
  } catch (const std::exception&) {
    return "";  // the error is reported even if its line is unknown
  }
}

namespace {

std::string region_name(const ThreadVariable* variable) {
  if (variable == nullptr) return "dynamic shared memory";
  // All variables of PTX are one; see ptx/translation.cpp.
  return variable->name == "ptx_shared" ? "shared memory" : "shared memory " + variable->name;
}

// The distance of an address from a range.
uint64_t distance(uintptr_t at, uintptr_t low, uint64_t bytes) {
  if (at < low) return low - at;
  return at - low < bytes ? 0 : at - low - bytes;
}

}  // namespace

// "offset 256 of argument args[1], an array of 256 bytes": what the address is closest to.
std::string Checks::nearest() const {
  const uintptr_t at = found_.address;
  if (at < 4096) return text("address ", at, ", a null pointer");
  uint64_t min_distance = UINT64_MAX;
  std::string best = "an address outside of all arrays";
  const auto offset = [&](uintptr_t low) { return static_cast<int64_t>(at - low); };
  for (const Region& r : regions_) {
    if (!r.shared || distance(at, r.low, r.bytes) >= min_distance) continue;
    min_distance = distance(at, r.low, r.bytes);
    best = text("offset ", offset(r.low), " of ", region_name(r.variable), ", which has ", r.bytes, " bytes");
  }
  for (const Piece& p : pieces_) {
    if (distance(at, p.low, p.bytes) >= min_distance) continue;
    min_distance = distance(at, p.low, p.bytes);
    best = text("offset ", offset(p.low), " of memory of alloca, which has ", p.bytes, " bytes");
  }
  for (const CheckedLaunch::Array& a : launch_->arrays) {
    if (distance(at, a.low, a.bytes) >= min_distance) continue;
    min_distance = distance(at, a.low, a.bytes);
    best = text("offset ", offset(a.low), " of argument ", a.name, ", an array of ", a.bytes, " bytes");
  }
  return best;
}

std::string Checks::race_text(const std::string& block_text, arr_host::Dim block) const {
  const Past &first = found_.before, &second = found_.now;
  return text("race in ", region_name(found_.region->variable), " at offset ", found_.offset, " of ",
              found_.region->bytes, " bytes: ", verb(first.atomic, first.wrote), " by thread ",
              index_text(first.thread, block), line(first), " and ", verb(second.atomic, second.wrote),
              " by thread ", index_text(second.thread, block), line(second),
              " without a barrier between them", block_text);
}

std::string Checks::describe(const char* kernel, arr_host::Dim index, arr_host::Dim block) const {
  const std::string block_text = text(", block (", index.x, ",", index.y, ",", index.z, ")"),
                    front = text("kernel '", kernel, "': ");
  if (found_.what == What::race) return front + race_text(block_text, block);
  const std::string where = line(found_.now);
  return text(front, verb(found_.now.atomic, found_.now.wrote), " of ", found_.bytes, " bytes at ", nearest(),
              where.empty() ? "" : ",", where, block_text, ", thread ", index_text(found_.now.thread, block));
}

}  // namespace arr::host_kernels
