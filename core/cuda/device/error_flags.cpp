// SPDX-License-Identifier: MIT
// Error flags of calls: takes them, and reads them when the host waits anyway.
#include "cuda/device/error_flags.h"

#include <algorithm>
#include <optional>

#include "cuda/device/device.h"

namespace arr::cuda {

namespace {

constexpr size_t page_words = 512;
constexpr int64_t max_used =
    512;  // beyond this a call waits, which is rare, because most programs wait earlier

// A word of a graph, which belongs to its resources.
struct CapturedWord {
  Device& device;
  void* word;
  CapturedWord(Device& d, void* w) : device(d), word(w) {}
  CapturedWord(const CapturedWord&) = delete;
  CapturedWord& operator=(const CapturedWord&) = delete;
  ~CapturedWord() { device.error_flags.drop(word, true); }
};

}  // namespace

ErrorFlags::Addresses ErrorFlags::unused(Device& d) {
  if (unused_.empty()) {
    void* page = nullptr;
    d.check(driver().cuMemHostAlloc(&page, page_words * 8, host_alloc_portable | host_alloc_mapped),
            "cuMemHostAlloc");
    CUdeviceptr there = 0;
    const CUresult r = driver().cuMemHostGetDevicePointer_v2(&there, page, 0);
    if (r != CUDA_SUCCESS) d.note(driver().cuMemFreeHost(page), "cuMemFreeHost");
    d.check(r, "cuMemHostGetDevicePointer");
    const size_t all = words_.size() + page_words;  // dropping and freeing a word allocates nothing
    unused_.reserve(all);
    words_.reserve(all);
    for (size_t i = 0; i < page_words; ++i) {
      unused_.push_back({static_cast<uint64_t*>(page) + i, reinterpret_cast<uint64_t*>(there) + i});
    }
  }
  const Addresses p = unused_.back();
  unused_.pop_back();
  return p;
}

void ErrorFlags::wait_for_some(Device& d, Stream& s) {
  if (used_.load(std::memory_order_acquire) < max_used) return;
  if (s.capturing.load(std::memory_order_acquire)) return;
  const bool all = d.captures.load() == 0;
  d.check(all ? driver().cuCtxSynchronize() : driver().cuStreamSynchronize(s.handle),
          all ? "cuCtxSynchronize" : "cuStreamSynchronize", &s);
  report(&s, all);
}

void* ErrorFlags::take(Device& d, const FaultCall& fault, Stream& s) {
  wait_for_some(d, s);
  Word w;
  w.fault = fault;
  w.stream = &s;
  {
    const std::lock_guard lock(mutex_);
    w.at = unused(d);
    __atomic_store_n(w.at.host, uint64_t{0}, __ATOMIC_RELEASE);
    words_.push_back(w);
    used_.fetch_add(1, std::memory_order_acq_rel);
  }
  const bool captured =
      with_capture(s, [&](Capture& c) { c.kept.push_back(std::make_shared<CapturedWord>(d, w.at.device)); });
  if (captured) {
    const std::lock_guard lock(mutex_);
    for (Word& mine : words_) {
      if (mine.at.device == w.at.device) {
        mine.captured = true;
        mine.stream = nullptr;
      }
    }
  }
  return w.at.device;
}

void ErrorFlags::drop(const void* word, bool may_run) noexcept {
  const std::lock_guard lock(mutex_);
  const auto at =
      std::find_if(words_.begin(), words_.end(), [&](const Word& w) { return w.at.device == word; });
  if (at == words_.end()) return;
  if (may_run) {
    at->captured = false;
    at->reported = true;
    return;
  }
  if (at->captured) return;  // its graph drops it
  unused_.push_back(at->at);
  words_.erase(at);
  used_.fetch_sub(1, std::memory_order_acq_rel);
}

void ErrorFlags::look(const Stream* done, bool all) {
  std::optional<Error> first;
  {
    const std::lock_guard lock(mutex_);
    for (Word& w : words_) {
      const uint64_t seen = __atomic_load_n(w.at.host, __ATOMIC_ACQUIRE);
      if (seen == 0 || w.reported) continue;
      if (!first) first.emplace(ARR_E_ARGUMENT, late_fault_text(w.fault, seen));
      w.reported = !w.captured;
      if (w.captured) __atomic_store_n(w.at.host, uint64_t{0}, __ATOMIC_RELEASE);
    }
    const auto free = [&](const Word& w) {
      return !w.captured && (all || (done != nullptr && w.stream == done));
    };
    for (const Word& w : words_) {
      if (free(w)) unused_.push_back(w.at);
    }
    used_.fetch_sub(static_cast<int64_t>(std::erase_if(words_, free)), std::memory_order_acq_rel);
  }
  if (first) throw Error(*first);
}

void ErrorFlags::forget(const Stream& s) noexcept {
  const std::lock_guard lock(mutex_);
  for (Word& w : words_) {
    if (w.stream == &s) w.stream = nullptr;
  }
}

int32_t fault_begin(int32_t device, const FaultCall* fault, void* stream, void** word, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    *word = call.device.error_flags.take(call.device, *fault, call.stream);
  });
}

int32_t fault_end(int32_t device, void* word, int32_t enqueued, void* /*stream*/, BackendError* e) {
  return translate_exceptions(e, [&] {
    Device* d = Device::find(device);
    if (enqueued == 0 && d != nullptr) d->error_flags.drop(word, false);
  });
}

}  // namespace arr::cuda
