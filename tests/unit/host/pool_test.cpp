// SPDX-License-Identifier: MIT
// The host memory pool: sizes, alignment, reuse, statistics, limit, trimming, threads.
#include "host/device/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "base/memory_limit.h"

namespace arr::test {
namespace {

using host::Pool;

// Under AddressSanitizer nothing is kept.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif

TEST(HostPool, RoundsUpByAtMostAnEighth) {
  EXPECT_EQ(Pool::rounded(0), 512);
  EXPECT_EQ(Pool::rounded(1), 512);
  EXPECT_EQ(Pool::rounded(512), 512);
  EXPECT_EQ(Pool::rounded(513), 1024);
  EXPECT_EQ(Pool::rounded(8192), 8192);
  EXPECT_EQ(Pool::rounded(8193), 9216);
  for (int64_t n = 8193; n < int64_t{1} << 40; n += n / 7 + 1) {
    const int64_t size = Pool::rounded(n);
    ASSERT_GE(size, n);
    ASSERT_LE(size, n + n / 8);
    ASSERT_EQ(Pool::rounded(size), size);
  }
  EXPECT_THROW(Pool::rounded(-1), Error);
  EXPECT_THROW(Pool::rounded(int64_t{1} << 60), Error);
}

TEST(HostPool, AlignsReusesAndCounts) {
  Pool pool;
  std::vector<std::pair<void*, int64_t>> blocks;
  int64_t total = 0;
  for (int64_t n = 1; n < int64_t{40} << 20; n = n * 3 + 1) {
    void* p = pool.allocate(n);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % 256, 0U);
    std::memset(p, 1, static_cast<size_t>(n));
    blocks.emplace_back(p, n);
    total += Pool::rounded(n);
  }
  EXPECT_EQ(pool.stats().in_use, total);
  EXPECT_EQ(pool.stats().peak, total);
  for (auto [p, n] : blocks) pool.release(p, n);
  EXPECT_EQ(pool.stats().in_use, 0);
  // The rests of huge pages are kept besides.
  EXPECT_GE(pool.stats().cached, keeps ? total : 0);
  EXPECT_LE(pool.stats().cached, keeps ? total + (int64_t{2} << 20) * 6 : 0);
  if (keeps) {
    void* again = pool.allocate(blocks[10].second);
    EXPECT_EQ(again, blocks[10].first);
    pool.release(again, blocks[10].second);
  }
  pool.trim();
  EXPECT_EQ(pool.stats().cached, 0);
  EXPECT_EQ(pool.stats().peak, total);
  EXPECT_GT(pool.stats().total, 0);
}

// Blocks share huge pages, and give their part of them back.
TEST(HostPool, BlocksTakeAtMostAnEighthMore) {
  Pool pool;
  constexpr int64_t huge_page = int64_t{2} << 20;
  std::vector<std::pair<char*, int64_t>> held;
  int64_t asked = 0;
  std::mt19937 g(3);
  for (int i = 0; i < 200; ++i) {
    const int64_t n = (int64_t{100} << 10) + static_cast<int64_t>(g() % (5 << 20));
    auto* p = static_cast<char*>(pool.allocate(n));
    std::memset(p, i + 1, static_cast<size_t>(n));
    held.emplace_back(p, n);
    asked += n;
  }
  EXPECT_LE(pool.stats().in_use, asked + asked / 8);
  EXPECT_LE(pool.details().reserved, asked + asked / 8 + 64 * huge_page);
  for (size_t i = 0; i < held.size(); ++i) {
    const auto [p, n] = held[i];
    ASSERT_TRUE(p[0] == static_cast<char>(i + 1) && p[n / 2] == p[0] && p[n - 1] == p[0]) << i;
    if (i % 2 == 0) pool.release(p, n);
  }
  pool.trim();
  EXPECT_EQ(pool.stats().cached, 0);
  for (size_t i = 1; i < held.size(); i += 2) {
    const auto [p, n] = held[i];
    ASSERT_TRUE(p[0] == static_cast<char>(i + 1) && p[n - 1] == p[0]) << i;
    pool.release(p, n);
  }
  pool.trim();
  EXPECT_EQ(pool.details().reserved, 0);
}

TEST(HostPool, LimitNamesWhatWasAskedAndWhatIsThere) {
  Pool pool;
  pool.limit(1 << 20);
  void* p = pool.allocate(600 << 10);
  try {
    pool.allocate(500 << 10);
    FAIL() << "the limit was passed";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), ARR_E_MEMORY);
    EXPECT_NE(e.text().find("512000 bytes requested"), std::string::npos) << e.text();
    EXPECT_NE(e.text().find(" in use, "), std::string::npos) << e.text();
    EXPECT_NE(e.text().find(" kept, limit 1048576"), std::string::npos) << e.text();
  }
  EXPECT_EQ(pool.stats().in_use, Pool::rounded(600 << 10));
  pool.limit(0);
  void* q = pool.allocate(500 << 10);
  pool.release(p, 600 << 10);
  pool.release(q, 500 << 10);
  EXPECT_THROW(pool.limit(-1), Error);
}

// The limit is of what is in use: blocks that are kept, of sizes that nobody asks for, count for nothing and
// go back to the system.
TEST(HostPool, ALimitLeavesAllThatIsNotInUse) {
  for (const int64_t size : {int64_t{64} << 10, int64_t{1} << 20, int64_t{4} << 20}) {
    Pool pool;
    const int64_t count = 16, limit = count * size;
    pool.limit(limit);
    std::vector<void*> held;
    for (int64_t i = 0; i < count; ++i) held.push_back(pool.allocate(size));
    EXPECT_THROW(pool.allocate(1), Error);
    for (int64_t i = 0; i < count; i += 2) pool.release(held[static_cast<size_t>(i)], size);
    void* half = pool.allocate(limit / 2);
    std::memset(half, 1, static_cast<size_t>(limit / 2));
    EXPECT_EQ(pool.stats().in_use, limit);
    if (size >= int64_t{4} << 20) {
      EXPECT_EQ(pool.details().reserved, limit);
    }
    pool.release(half, limit / 2);
    EXPECT_THROW(pool.allocate(limit / 2 + 1), Error);
    for (int64_t i = 1; i < count; i += 2) pool.release(held[static_cast<size_t>(i)], size);
  }
}

TEST(HostPool, MoreThanTheSystemHasIsAnError) {
  Pool pool;
  EXPECT_THROW(pool.allocate(int64_t{1} << 50), Error);
  EXPECT_EQ(pool.stats().in_use, 0);
}

// Blocks pass between threads; nobody sees a block twice.
TEST(HostPool, Threads) {
  Pool pool;
  std::vector<std::thread> threads;
  std::atomic<int> faults{0};
  for (uint32_t id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      std::mt19937 g(id);
      std::vector<std::pair<char*, int64_t>> held;
      for (int i = 0; i < 20000; ++i) {
        if (held.size() < 20 && g() % 2 == 0) {
          const auto n = static_cast<int64_t>(g() % 20000 + 1);
          auto* p = static_cast<char*>(pool.allocate(n));
          std::memset(p, static_cast<int>(id), static_cast<size_t>(n));
          held.emplace_back(p, n);
        } else if (!held.empty()) {
          auto [p, n] = held[g() % held.size()];
          std::erase(held, std::pair{p, n});
          if (p[0] != static_cast<char>(id) || p[n - 1] != static_cast<char>(id)) ++faults;
          pool.release(p, n);
        }
      }
      for (auto [p, n] : held) pool.release(p, n);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(pool.stats().in_use, 0);
}

// The process's pool keeps small blocks by thread; the sums are exact all the same.
TEST(HostPool, ThreadsCachesAreCounted) {
  Pool& pool = host::pool();
  pool.trim();
  const PoolStats before = pool.details();
  void* p = pool.allocate(1000);
  EXPECT_EQ(pool.details().in_use, before.in_use + 1024);
  void* other = nullptr;
  std::thread([&] {
    other = pool.allocate(3000);
    EXPECT_EQ(pool.details().in_use, before.in_use + 1024 + 3072);
    pool.release(p, 1000);  // another thread's block
    void* mine = pool.allocate(900);
    if (keeps) {
      EXPECT_EQ(mine, p);
    }
    pool.release(mine, 900);
  }).join();
  EXPECT_EQ(pool.details().in_use, before.in_use + 3072);
  pool.release(other, 3000);
  const PoolStats after = pool.details();
  EXPECT_EQ(after.in_use, before.in_use);
  EXPECT_EQ(after.allocations - before.allocations, 3);
  EXPECT_EQ(after.releases - before.releases, 3);
  if (keeps) {
    EXPECT_EQ(after.hits - before.hits, 1);
  }
  EXPECT_EQ(after.hits + after.misses, after.allocations);
  pool.trim();
  EXPECT_EQ(pool.stats().cached, 0);
}

TEST(HostPool, PeakOfOneThreadIsExact) {
  Pool& pool = host::pool();
  for (int round = 0; round < 3; ++round) {
    pool.reset_peak();
    const int64_t base = pool.stats().in_use;
    EXPECT_EQ(pool.stats().peak, base);
    std::vector<void*> held;
    for (int i = 0; i < 2000; ++i) held.push_back(pool.allocate(1024));
    void* large = pool.allocate(10 << 20);
    pool.release(large, 10 << 20);
    for (void* p : held) pool.release(p, 1024);
    for (int i = 0; i < 100; ++i) pool.release(pool.allocate(2048), 2048);
    EXPECT_EQ(pool.stats().peak, base + 2000 * 1024 + (10 << 20));
    EXPECT_EQ(pool.stats().in_use, base);
  }
}

TEST(HostPool, ALimitHoldsForAllThreadsTogether) {
  Pool& pool = host::pool();
  void* warm = pool.allocate(512);  // this thread has charged bytes in advance
  pool.release(warm, 512);
  const int64_t base = pool.stats().in_use;
  pool.limit(base + 100 * 1024);
  std::vector<void*> held;
  for (int i = 0; i < 100; ++i) held.push_back(pool.allocate(1024));
  EXPECT_THROW(pool.allocate(1), Error);
  std::thread([&] { EXPECT_THROW(pool.allocate(1), Error); }).join();
  pool.release(held.back(), 1024);
  held.pop_back();
  std::thread([&] { pool.release(pool.allocate(1024), 1024); }).join();
  EXPECT_LE(pool.stats().peak, std::max(pool.stats().peak, base + 100 * 1024));
  pool.limit(0);
  for (void* p : held) pool.release(p, 1024);
  EXPECT_EQ(pool.stats().in_use, base);
}

TEST(HostPool, ClassesAddUp) {
  Pool pool;
  void* p = pool.allocate(1000);
  void* q = pool.allocate(600);
  void* r = pool.allocate(5 << 20);
  pool.release(q, 600);
  const std::vector<PoolClass> classes = pool.classes();
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].largest, 1024);
  EXPECT_EQ(classes[0].allocations, 2);
  EXPECT_EQ(classes[0].blocks, 1);
  EXPECT_EQ(classes[1].blocks, 1);
  int64_t used = 0;
  for (const PoolClass& c : classes) used += c.bytes;
  EXPECT_EQ(used, pool.stats().in_use);
  pool.release(p, 1000);
  pool.release(r, 5 << 20);
}

TEST(MemoryLimit, ReadsBytesUnitsAndPercentages) {
  const int64_t total = int64_t{64} << 30;
  EXPECT_EQ(parse_memory_limit("1000000", total), 1000000);
  EXPECT_EQ(parse_memory_limit("64K", total), 65536);
  EXPECT_EQ(parse_memory_limit("512m", total), 512 << 20);
  EXPECT_EQ(parse_memory_limit("2.5G", total), int64_t{2560} << 20);
  EXPECT_EQ(parse_memory_limit("1T", total), int64_t{1} << 40);
  EXPECT_EQ(parse_memory_limit("50%", total), total / 2);
  for (const char* bad :
       {"", "x", "5X", "5KB", "-1", "101%", "1e9", " 5", "5 ", "99999999999999999999T", "nan"}) {
    try {
      parse_memory_limit(bad, total);
      ADD_FAILURE() << bad << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), ARR_E_ARGUMENT);
      EXPECT_NE(e.text().find("ARR_MEMORY_LIMIT: \"" + std::string(bad) + "\""), std::string::npos)
          << e.text();
    }
  }
}

}  // namespace
}  // namespace arr::test
