// SPDX-License-Identifier: MIT
// The handle table: nothing but the name of a live object of the right kind is ever found.
#include "base/handles.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using arr::Kind;

std::atomic<int> destroyed{0};

struct Thing : arr::Object {
  explicit Thing(int64_t v) : value(v) {}
  const int64_t value;

 protected:
  ~Thing() override { destroyed.fetch_add(1); }
};

arr::Ref<arr::Object> thing(int64_t v = 0) { return arr::make<Thing>(v); }

template <class Table>
bool found(Table& t, uint64_t name, Kind kind) {
  arr::Object* o = t.pin(name, kind);
  if (o != nullptr) t.unpin(name);
  return o != nullptr;
}

class HandlesTest : public testing::Test {
 protected:
  void SetUp() override { destroyed = 0; }
  std::unique_ptr<arr::Handles> table = std::make_unique<arr::Handles>();
};

TEST_F(HandlesTest, OnlyTheLiveNameOfTheKindIsFound) {
  uint64_t h = table->insert(Kind::array, thing());
  EXPECT_TRUE(found(*table, h, Kind::array));
  EXPECT_FALSE(found(*table, h, Kind::stream));
  EXPECT_FALSE(found(*table, 0, Kind::array));
  EXPECT_FALSE(found(*table, ~0ULL, Kind::array));
  EXPECT_FALSE(table->release(h, Kind::event));
  EXPECT_TRUE(table->release(h, Kind::array));
  EXPECT_EQ(destroyed, 1);
  EXPECT_FALSE(table->release(h, Kind::array));
  EXPECT_FALSE(found(*table, h, Kind::array));
  EXPECT_EQ(table->live(), 0);
}

TEST_F(HandlesTest, ReusedSlotHasAnotherName) {
  uint64_t first = table->insert(Kind::array, thing());
  table->release(first, Kind::array);
  uint64_t second = table->insert(Kind::array, thing());
  EXPECT_EQ(static_cast<uint32_t>(first), static_cast<uint32_t>(second));
  EXPECT_NE(first, second);
  EXPECT_FALSE(found(*table, first, Kind::array));
  EXPECT_TRUE(table->release(second, Kind::array));
}

TEST_F(HandlesTest, ReleaseDuringACallKeepsTheObjectUntilItEnds) {
  uint64_t h = table->insert(Kind::array, thing(7));
  auto* o = static_cast<Thing*>(table->pin(h, Kind::array));
  EXPECT_TRUE(table->release(h, Kind::array));
  EXPECT_FALSE(found(*table, h, Kind::array));
  EXPECT_FALSE(table->release(h, Kind::array));
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(o->value, 7);
  table->unpin(h);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(HandlesTest, TenMillionRandomNames) {
  std::vector<uint64_t> live;
  for (int i = 0; i < 1000; ++i) live.push_back(table->insert(Kind::array, thing()));
  std::mt19937_64 random(42);
  int64_t wrong = 0;
  for (int i = 0; i < 10'000'000; ++i) {
    uint64_t name = random();
    // Half of them near live slots, where a mistake would show.
    if ((i & 1) != 0) name = (name & ~0xffffffffULL) | (name & 1023);
    bool real = std::find(live.begin(), live.begin() + 8, name) != live.begin() + 8;
    if (found(*table, name, Kind::array) && !real) {
      wrong += std::find(live.begin(), live.end(), name) == live.end() ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0);
  for (uint64_t h : live) EXPECT_TRUE(table->release(h, Kind::array));
  EXPECT_EQ(destroyed, 1000);
}

TEST_F(HandlesTest, MillionRandomOperationsAgainstAModel) {
  std::unordered_map<uint64_t, int64_t> model;
  std::vector<uint64_t> names;
  std::mt19937_64 random(7);
  for (int64_t i = 0; i < 1'000'000; ++i) {
    uint64_t pick = names.empty() ? 0 : names[random() % names.size()];
    bool is_live = model.count(pick) != 0;
    switch (random() % 3) {
      case 0: {
        uint64_t h = table->insert(Kind::stream, thing(i));
        ASSERT_TRUE(model.emplace(h, i).second);
        names.push_back(h);
        break;
      }
      case 1:
        ASSERT_EQ(table->release(pick, Kind::stream), is_live);
        model.erase(pick);
        break;
      default: {
        auto* o = static_cast<Thing*>(table->pin(pick, Kind::stream));
        ASSERT_EQ(o != nullptr, is_live);
        if (o == nullptr) break;
        ASSERT_EQ(o->value, model[pick]);
        table->unpin(pick);
      }
    }
  }
  ASSERT_EQ(table->live(), static_cast<int64_t>(model.size()));
  for (const auto& entry : model) table->release(entry.first, Kind::stream);
}

TEST(HandlesWrap, SlotIsRetiredBeforeAGenerationComesAgain) {
  auto table = std::make_unique<arr::BasicHandles<3>>();
  std::vector<uint64_t> old;
  for (int i = 0; i < 100; ++i) {
    uint64_t h = table->insert(Kind::array, thing());
    for (uint64_t o : old) ASSERT_NE(o, h);
    old.push_back(h);
    ASSERT_TRUE(table->release(h, Kind::array));
  }
  for (uint64_t o : old) EXPECT_FALSE(found(*table, o, Kind::array));
}

TEST_F(HandlesTest, ThreadsRaceForReleaseAndOneWins) {
  constexpr int rounds = 2000, workers = 8;
  for (int r = 0; r < rounds; ++r) {
    uint64_t h = table->insert(Kind::array, thing());
    std::atomic<int> won{0}, ready{0};
    std::vector<std::thread> threads;
    threads.reserve(workers);
    for (int w = 0; w < (r < 50 ? workers : 2); ++w) {
      threads.emplace_back([&] {
        ready.fetch_add(1);
        for (int k = 0; k < 20; ++k) {
          if (arr::Object* o = table->pin(h, Kind::array)) {
            EXPECT_EQ(static_cast<Thing*>(o)->value, 0);
            table->unpin(h);
          }
        }
        if (table->release(h, Kind::array)) won.fetch_add(1);
      });
    }
    for (auto& t : threads) t.join();
    ASSERT_EQ(won, 1);
  }
  EXPECT_EQ(destroyed, rounds);
  EXPECT_EQ(table->live(), 0);
}

// Free slots change hands all the time, and no two live handles have the same slot.
TEST_F(HandlesTest, ThreadsTakeAndGiveBackSlots) {
  constexpr int workers = 4, rounds = 50'000, kept = 8;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (int w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      uint64_t names[kept] = {};
      for (int i = 0; i < rounds; ++i) {
        uint64_t& name = names[i % kept];
        const int64_t value = int64_t{w} << 32 | i;
        if (i >= kept) {
          auto* object = static_cast<Thing*>(table->pin(name, Kind::array));
          if (object == nullptr || object->value != value - kept) wrong.fetch_add(1);
          if (object != nullptr) table->unpin(name);
          if (!table->release(name, Kind::array)) wrong.fetch_add(1);
        }
        name = table->insert(Kind::array, thing(value));
      }
      for (const uint64_t name : names) table->release(name, Kind::array);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(destroyed, workers * rounds);
  EXPECT_EQ(table->live(), 0);
}

TEST_F(HandlesTest, MillionLiveHandles) {
  std::vector<uint64_t> names;
  for (int64_t i = 0; i < 1'000'000; ++i) names.push_back(table->insert(Kind::array, thing(i)));
  for (int64_t i = 0; i < 1'000'000; i += 9973) {
    auto* o = static_cast<Thing*>(table->pin(names[static_cast<size_t>(i)], Kind::array));
    ASSERT_NE(o, nullptr);
    ASSERT_EQ(o->value, i);
    table->unpin(names[static_cast<size_t>(i)]);
  }
  for (uint64_t h : names) ASSERT_TRUE(table->release(h, Kind::array));
  EXPECT_EQ(table->live(), 0);
}

}  // namespace
