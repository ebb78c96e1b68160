// SPDX-License-Identifier: MIT
// Ranks that are threads, for tests of what they do together.
#pragma once

#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <exception>
#include <thread>
#include <vector>

// A thread for each rank; rethrows what one of them throws.
template <class Work>
void on_ranks(int32_t n, Work&& work) {
  const std::vector<arr::comm> comms = arr::comm::local(n);
  std::vector<std::exception_ptr> failures(comms.size());
  std::vector<std::thread> threads;
  for (size_t r = 0; r < comms.size(); ++r) {
    threads.emplace_back([&, r] {
      try {
        work(comms[r]);
      } catch (...) {
        failures[r] = std::current_exception();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& f : failures) {
    if (f) std::rethrow_exception(f);
  }
}
