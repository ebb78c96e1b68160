// SPDX-License-Identifier: MIT
// Threads that use the library while a test does something to the process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "arr/arr.h"

namespace arr_test {

// Threads that repeat their body until they are told to stop.
class Others {
 public:
  void start(const std::function<void()>& body) {
    std::atomic<int64_t>& rounds = rounds_.emplace_back(0);
    threads_.emplace_back([this, body, &rounds] {
      while (!stop_) {
        body();
        arr_device_sync(nullptr);  // a host with late streams would fall behind
        ++rounds;
      }
    });
  }
  // Returns whether each of them finishes another round within that time.
  [[nodiscard]] bool all_go_on(unsigned seconds) const {
    const std::vector<int64_t> before(rounds_.begin(), rounds_.end());
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (size_t k = 0; k < before.size(); ++k) {
      while (rounds_[k] == before[k]) {
        if (std::chrono::steady_clock::now() >= until) return false;
        std::this_thread::yield();
      }
    }
    return true;
  }
  void stop() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::deque<std::atomic<int64_t>> rounds_;
  std::vector<std::thread> threads_;
};

}  // namespace arr_test
