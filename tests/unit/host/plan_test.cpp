// SPDX-License-Identifier: MIT
// Plans of programs on the host: loops for two ops, casts that take no step, copies.
#include "expr/op_numbers.h"
#include "host/elementwise/program_plan.h"

#include <gtest/gtest.h>

namespace arr::host {
namespace {

constexpr DType f32 = DType::float32_;

TEST(Plan, OpsWithOneReaderAreComputedInItsLoop) {
  ProgramBuilder b;  // a*b + c*a - sqrt(b)
  const int32_t x = b.input(f32), y = b.input(f32), z = b.input(f32);
  const int32_t sum = b.op(op::add, b.op(op::multiply, x, y), b.op(op::multiply, z, x));
  b.output(b.op(op::subtract, sum, b.op(op::sqrt, y)));
  EXPECT_EQ(plan_of(*b.finish().program).steps.size(), 3U);
}

TEST(Plan, AMultiplyAndAnAddAreOneLoop) {
  ProgramBuilder b;
  const int32_t product = b.op(op::multiply, b.input(f32), b.input(f32));
  b.output(b.op(op::add, product, b.input(f32)));
  const Plan& p = plan_of(*b.finish().program);
  EXPECT_TRUE(p.single);
  EXPECT_EQ(p.temporaries, 0);
}

TEST(Plan, WhatIsReadTwiceOrGivenOutHasAStep) {
  ProgramBuilder twice;
  const int32_t product = twice.op(op::multiply, twice.input(f32), twice.input(f32));
  twice.output(twice.op(op::add, product, twice.op(op::exp, product)));
  EXPECT_EQ(plan_of(*twice.finish().program).steps.size(), 3U);
  ProgramBuilder given;
  const int32_t first = given.op(op::multiply, given.input(f32), given.input(f32));
  given.output(first);
  given.output(given.op(op::add, first, given.input(f32)));
  EXPECT_EQ(plan_of(*given.finish().program).steps.size(), 2U);
}

TEST(Plan, IntegersChangeTheirSignWithoutAStep) {
  for (const auto& [from, to] : {std::pair(DType::int64_, DType::uint64_), {DType::uint8_, DType::int8_}}) {
    ProgramBuilder b;
    b.output(b.cast(b.input(from), to));
    const Plan& p = plan_of(*b.finish().program);
    EXPECT_TRUE(p.copy) << name(from) << " to " << name(to);
  }
  ProgramBuilder other;  // of another size, or of a bool, whose bytes may be any
  other.output(other.cast(other.input(DType::bool_), DType::uint8_));
  EXPECT_EQ(plan_of(*other.finish().program).steps.size(), 1U);
}

TEST(Plan, LongProgramsAndFunctionsWeighMore) {
  const auto weight = [](int additions, bool exp) {
    ProgramBuilder b;
    const int32_t x = b.input(f32);
    int32_t y = b.op(op::add, x, x);
    for (int i = 1; i < additions; ++i) y = b.op(op::add, y, x);
    b.output(exp ? b.op(op::exp, y) : y);
    return plan_of(*b.finish().program).weight;
  };
  EXPECT_EQ(weight(1, false), 1);
  EXPECT_EQ(weight(5, false), 1);
  EXPECT_EQ(weight(8, false), 2);
  EXPECT_EQ(weight(1, true), 2);
}

TEST(Plan, OnlyQuickLoopsRunInShortBlocks) {
  const auto short_blocks = [](int32_t last, DType d) {
    ProgramBuilder b;
    const int32_t x = b.input(d);
    b.output(b.op(last, b.op(op::add, x, x), x));
    return plan_of(*b.finish().program).short_blocks;
  };
  EXPECT_TRUE(short_blocks(op::multiply, f32));
  EXPECT_TRUE(short_blocks(op::subtract, DType::float64_));
  EXPECT_FALSE(short_blocks(op::power, f32));
  EXPECT_FALSE(short_blocks(op::multiply, DType::int32_));
}

}  // namespace
}  // namespace arr::host
