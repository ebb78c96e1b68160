// SPDX-License-Identifier: MIT
// The table whose entries are never removed: look-ups, full tables, threads that add the same keys.
#include "base/insert_only_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

TEST(InsertOnlyTable, FindsWhatWasAddedFirst) {
  arr::InsertOnlyTable<int, 8> table;
  const int first = 1, second = 2;
  EXPECT_EQ(table.find(7), nullptr);
  EXPECT_EQ(table.add(7, &first), &first);
  EXPECT_EQ(table.add(7, &second), &first);
  EXPECT_EQ(table.find(7), &first);
  EXPECT_EQ(table.find(8), nullptr);
}

TEST(InsertOnlyTable, AFullTableKeepsItsEntries) {
  arr::InsertOnlyTable<int, 2> table;
  const int value = 1;
  for (uint64_t key = 1; key <= 4; ++key) EXPECT_EQ(table.add(key, &value), &value) << key;
  EXPECT_EQ(table.add(5, &value), nullptr);
  EXPECT_EQ(table.find(5), nullptr);
  for (uint64_t key = 1; key <= 4; ++key) EXPECT_EQ(table.find(key), &value) << key;
}

TEST(InsertOnlyTable, ThreadsAgreeOnEachEntry) {
  constexpr uint64_t keys = 500;
  constexpr size_t threads = 4;
  const auto table = std::make_unique<arr::InsertOnlyTable<size_t, 12>>();
  const std::vector<size_t> values = {0, 1, 2, 3};
  std::vector<std::vector<const size_t*>> seen(threads, std::vector<const size_t*>(keys));
  std::atomic<size_t> ready{0};
  std::vector<std::thread> all;
  for (size_t t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      ready.fetch_add(1);
      while (ready.load() < threads) std::this_thread::yield();
      for (uint64_t k = 0; k < keys; ++k) seen[t][k] = table->add(k + 1, &values[t]);
    });
  }
  for (std::thread& t : all) t.join();
  for (uint64_t k = 0; k < keys; ++k) {
    ASSERT_NE(seen[0][k], nullptr) << k;
    EXPECT_EQ(table->find(k + 1), seen[0][k]) << k;
    for (size_t t = 1; t < threads; ++t) EXPECT_EQ(seen[t][k], seen[0][k]) << k;
  }
}

}  // namespace
