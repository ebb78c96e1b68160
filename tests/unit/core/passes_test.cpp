// SPDX-License-Identifier: MIT
// Long programs: how they are divided into passes.
#include "expr/passes.h"

#include "expr/op_numbers.h"

#include <gtest/gtest.h>

namespace {

using arr::DType;
using arr::Passes;
using arr::ProgramBuilder;
using arr::WholeProgram;

// Returns the node of the sum of all inputs, added in order.
int32_t sum(ProgramBuilder& b, int32_t inputs) {
  int32_t total = b.input(DType::float64_);
  for (int32_t k = 1; k < inputs; ++k) total = b.op(arr::op::add, total, b.input(DType::float64_));
  return total;
}

void expect_runnable(const Passes& p, const WholeProgram& whole) {
  for (const auto* list : {&p.inner, &p.outer}) {
    for (const arr::Pass& pass : *list) {
      EXPECT_TRUE(arr::is_one_pass(*pass.program));
      EXPECT_EQ(pass.operands.size(), pass.program->inputs.size());
    }
  }
  // A value is computed before it is read.
  const auto inputs = static_cast<int32_t>(whole.program->inputs.size());
  for (size_t k = 0; k < p.inner.size(); ++k) {
    EXPECT_EQ(p.inner[k].program->outputs.size(), 1U);
    for (const int32_t o : p.inner[k].operands) EXPECT_LT(o, inputs + static_cast<int32_t>(k));
  }
}

TEST(Passes, TakeAsManyInputsAsALoopHas) {
  for (const auto& [inputs, inner] : {std::pair{17, 1}, {29, 1}, {30, 2}, {43, 2}, {100, 7}}) {
    ProgramBuilder b(100000);
    b.output(sum(b, inputs));
    const WholeProgram whole = b.finish_whole();
    ASSERT_FALSE(arr::is_one_pass(*whole.program));
    const Passes p = arr::divide(*whole.program);
    EXPECT_EQ(std::ssize(p.inner), inner) << inputs;
    EXPECT_EQ(p.outer.size(), 1U);
    expect_runnable(p, whole);
  }
}

TEST(Passes, ComputeResultsFourAtATime) {
  ProgramBuilder b;
  const int32_t x = b.input(DType::int64_), y = b.input(DType::int64_);
  for (const int32_t op :
       {arr::op::add, arr::op::subtract, arr::op::multiply, arr::op::maximum, arr::op::minimum})
    b.output(b.op(op, x, y));
  const WholeProgram whole = b.finish_whole();
  const Passes p = arr::divide(*whole.program);
  EXPECT_TRUE(p.inner.empty());
  ASSERT_EQ(p.outer.size(), 2U);
  EXPECT_EQ(p.outer[0].program->outputs.size(), 4U);
  EXPECT_EQ(p.outer[0].operands.front(), arr::shape_operand);
  expect_runnable(p, whole);
}

// Each value is read twice: without arrays between, the tree below a node would double at each level.
TEST(Passes, GrowWithTheNodesNotWithTheirUses) {
  ProgramBuilder b(100000);
  int32_t x = b.input(DType::int64_), y = b.input(DType::int64_);
  for (int k = 0; k < 1000; ++k) {
    const int32_t next = b.op(arr::op::bitwise_xor, b.op(arr::op::multiply, x, x), y);
    y = b.op(arr::op::add, x, y);
    x = next;
  }
  b.output(b.op(arr::op::subtract, x, y));
  const WholeProgram whole = b.finish_whole();
  const Passes p = arr::divide(*whole.program);
  EXPECT_LE(p.inner.size(), 60U);  // of 3,001 nodes, about 250 in each, two values at each cut
  expect_runnable(p, whole);
}

}  // namespace
