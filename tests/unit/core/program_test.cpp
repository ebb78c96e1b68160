// SPDX-License-Identifier: MIT
// Programs: types, casts, sharing, scalars. Also that the table's rows resolve as they say.
#include "expr/program.h"

#include "expr/op_numbers.h"

#include <gtest/gtest.h>

namespace {

using arr::DType;
using arr::ProgramBuilder;

TEST(Table, EveryRowResolvesForItsDomainAndRefusesOrLiftsTheRest) {
  for (const arr::OpInfo& op : arr::all_ops()) {
    for (const auto& i : arr::dtype_table) {
      if (i.bytes == 0) continue;
      std::vector<arr::OperandType> types(static_cast<size_t>(op.nin), {i.dtype, false});
      for (size_t k = 0; k < types.size(); ++k) {
        if (arr::own_type(op, k) != DType::none) types[k].dtype = arr::own_type(op, k);
      }
      bool inside = arr::in_domain(op.domain, i.dtype);
      if (!inside && op.lift == arr::OpLift::NONE) {
        EXPECT_THROW((void)arr::resolve(op, types), arr::Error) << op.name << " " << i.name;
        continue;
      }
      if (!inside && i.kind == arr::DKind::COMPLEX) {
        EXPECT_THROW((void)arr::resolve(op, types), arr::Error) << op.name << " " << i.name;
        continue;
      }
      if (!inside && i.kind == arr::DKind::FLOAT) continue;  // a float outside of an integer op: below
      arr::Signature s = arr::resolve(op, types);
      EXPECT_TRUE(arr::in_domain(op.domain, s.operand)) << op.name << " " << i.name;
      EXPECT_TRUE(op.in == arr::OpIn::OWN || !arr::is_half(s.compute));
      EXPECT_TRUE(!inside || s.operand == i.dtype || op.lift == arr::OpLift::WIDE);
      EXPECT_TRUE(op.out != arr::OpOut::BOOL || s.result == DType::bool_);
      EXPECT_TRUE(op.ulp32 >= 0 && op.ulp64 >= 0 && op.nin >= 1 && op.nin <= 3);
      EXPECT_GT(std::string_view(op.doc).size(), 3U);
    }
  }
}

TEST(Table, IntegersLiftAsInNumpy) {
  auto result = [](const char* op, DType d) {
    const arr::OpInfo& info = *arr::op_find(op);
    std::vector<arr::OperandType> types(static_cast<size_t>(info.nin), {d, false});
    return arr::resolve(info, types).result;
  };
  EXPECT_EQ(result("sqrt", DType::int8_), DType::float16_);
  EXPECT_EQ(result("sqrt", DType::uint16_), DType::float32_);
  EXPECT_EQ(result("sqrt", DType::int32_), DType::float64_);
  EXPECT_EQ(result("divide", DType::int8_), DType::float64_);
  EXPECT_EQ(result("divide", DType::float16_), DType::float16_);
  EXPECT_EQ(result("power", DType::bool_), DType::int8_);
  EXPECT_EQ(result("absolute", DType::complex64_), DType::float32_);
  EXPECT_EQ(result("floor", DType::int32_), DType::int32_);
  EXPECT_EQ(result("float_power", DType::float32_), DType::float64_);
  EXPECT_EQ(result("float_power", DType::int8_), DType::float64_);
  EXPECT_EQ(result("float_power", DType::complex64_), DType::complex128_);
  EXPECT_EQ(result("angle", DType::bool_), DType::float64_);
  EXPECT_EQ(result("angle", DType::int8_), DType::float16_);
  const arr::OperandType mixed[] = {{DType::int8_, false}, {DType::float32_, false}};
  EXPECT_EQ(arr::resolve(*arr::op_find("beta"), mixed).result, DType::float64_);
  EXPECT_EQ(arr::resolve(*arr::op_find("divide"), mixed).result, DType::float32_);
  EXPECT_THROW(result("gcd", DType::bool_), arr::Error);
  EXPECT_EQ(result("bitwise_count", DType::int64_), DType::uint8_);
  EXPECT_THROW(result("bitwise_and", DType::float32_), arr::Error);
  EXPECT_THROW(result("left_shift", DType::float32_), arr::Error);
  EXPECT_THROW(result("negative", DType::bool_), arr::Error);
  EXPECT_THROW(result("floor", DType::complex64_), arr::Error);
}

TEST(Programs, HalfIsComputedInFloatAndRoundedOncePerOp) {
  ProgramBuilder b;
  int32_t x = b.input(DType::float16_), y = b.input(DType::float16_);
  int32_t args[] = {x, y};
  b.output(b.op(arr::op::add, args));
  const arr::Program& p = *b.finish().program;
  EXPECT_EQ(arr::describe(p), "float16(add(float32(in0), float32(in1)))");
}

TEST(Programs, SameStructureIsOneObject) {
  auto build = [](DType d, bool swap) {
    ProgramBuilder b;
    int32_t in[] = {b.input(d), b.input(d)};
    if (swap) std::swap(in[0], in[1]);
    int32_t product = b.op(arr::op::multiply, in);
    int32_t args[] = {product, in[0]};
    b.output(b.op(arr::op::subtract, args));
    return b.finish().program;
  };
  EXPECT_EQ(build(DType::float32_, false), build(DType::float32_, false));
  EXPECT_NE(build(DType::float32_, false), build(DType::float64_, false));
  EXPECT_NE(build(DType::float32_, false), build(DType::float32_, true));
}

TEST(Programs, EqualNodesAreComputedOnce) {
  ProgramBuilder b;
  int32_t x = b.input(DType::float64_);
  int32_t once[] = {x}, twice[2];
  twice[0] = b.op(arr::op::exp, once);
  twice[1] = b.op(arr::op::exp, once);
  EXPECT_EQ(twice[0], twice[1]);
  b.output(b.op(arr::op::multiply, twice));
  EXPECT_EQ(b.finish().program->nodes.size(), 3U);
}

TEST(Programs, PlainNumbersTakeTheTypeTheyMeetAndMustFit) {
  auto with = [](DType d, int64_t number) {
    ProgramBuilder b;
    int32_t args[] = {b.input(d), b.scalar(arr::scalar_of(number), true)};
    b.output(b.op(arr::op::add, args));
    return b.finish();
  };
  arr::BoundProgram bound = with(DType::int8_, -5);
  ASSERT_EQ(bound.immediates.size(), 1U);
  EXPECT_EQ(bound.immediates[0].dtype, DType::int8_);
  EXPECT_EQ(bound.immediates[0].lo, 0xfbU);
  EXPECT_EQ(bound.program, with(DType::int8_, 100).program);  // another number needs no other program
  EXPECT_THROW(with(DType::int8_, 128), arr::Error);
  EXPECT_THROW(with(DType::uint64_, -1), arr::Error);
}

TEST(Programs, LimitsAndBadArgumentsAreErrors) {
  ProgramBuilder b;
  int32_t x = b.input(DType::float32_);
  int32_t bad[] = {x, 99};
  EXPECT_THROW(b.op(arr::op::add, bad), arr::Error);
  EXPECT_THROW(b.op(arr::op::add, {bad, 1}), arr::Error);
  EXPECT_THROW(b.op(511, {bad, 1}), arr::Error);
  int32_t node = x;
  auto deepen = [&] {
    for (int i = 0; i < arr::Program::max_nodes; ++i) {
      int32_t one[] = {node};
      node = b.op(arr::op::exp, one);
    }
  };
  EXPECT_THROW(deepen(), arr::Error);
}

// The simplified form of op(x, constant) for an input of dtype d.
std::string after(int32_t number, DType d, double constant, bool swapped = false) {
  ProgramBuilder b;
  int32_t args[2] = {b.input(d), b.scalar(arr::convert(arr::scalar_of(constant), d), false)};
  if (swapped) std::swap(args[0], args[1]);
  b.output(b.op(number, args));
  return arr::describe(*b.finish().program);
}

TEST(Simplification, OnlyWhatIsExactForEveryValue) {
  EXPECT_EQ(after(arr::op::multiply, DType::float32_, 1), "in0");
  EXPECT_EQ(after(arr::op::multiply, DType::int16_, 1, true), "in0");
  EXPECT_EQ(after(arr::op::multiply, DType::float16_, 1), "in0");
  EXPECT_NE(after(arr::op::multiply, DType::complex64_, 1), "in0");  // inf * (1 + 0j) is not inf
  EXPECT_NE(after(arr::op::multiply, DType::float32_, -1), "in0");
  EXPECT_EQ(after(arr::op::add, DType::int32_, 0), "in0");
  EXPECT_NE(after(arr::op::add, DType::float32_, 0), "in0");  // -0.0 + 0.0 is 0.0
  EXPECT_EQ(after(arr::op::subtract, DType::float64_, 0), "in0");
  EXPECT_NE(after(arr::op::subtract, DType::float64_, -0.0), "in0");
  EXPECT_NE(after(arr::op::subtract, DType::float64_, 0, true), "in0");
  EXPECT_EQ(after(arr::op::divide, DType::float32_, 1), "in0");
  EXPECT_EQ(after(arr::op::bitwise_xor, DType::uint8_, 0), "in0");
}

TEST(Simplification, CastsThereAndBack) {
  auto there_and_back = [](DType d, DType over) {
    ProgramBuilder b;
    b.output(b.cast(b.cast(b.input(d), over), d));
    return b.finish().program->nodes.size() == 1;
  };
  EXPECT_TRUE(there_and_back(DType::float16_, DType::float32_));
  EXPECT_TRUE(there_and_back(DType::int32_, DType::float64_));
  EXPECT_TRUE(there_and_back(DType::uint8_, DType::complex64_));
  EXPECT_FALSE(there_and_back(DType::int64_, DType::float64_));  // NumPy calls it safe, but it rounds
  EXPECT_FALSE(there_and_back(DType::float64_, DType::float32_));
  EXPECT_FALSE(there_and_back(DType::int8_, DType::bool_));
}

TEST(Simplification, WhatIsDoneTwiceIsUndone) {
  for (int32_t number : {arr::op::negative, arr::op::invert, arr::op::logical_not, arr::op::conjugate}) {
    for (DType d : {DType::bool_, DType::int8_, DType::complex128_}) {
      ProgramBuilder b;
      int32_t x = b.input(d), y = -1;
      try {
        y = b.op(number, {&x, 1});
        y = b.op(number, {&y, 1});
      } catch (const arr::Error&) {
        continue;  // not defined for this dtype
      }
      if (b.dtype(y) != d && number != arr::op::logical_not) continue;  // computed in another type
      bool bool_of_number = number == arr::op::logical_not && d != DType::bool_;
      EXPECT_EQ(y == x, !bool_of_number) << arr::op_info(number)->name << " " << arr::name(d);
    }
  }
}

TEST(Descriptions, GrowWithTheProgramOnly) {
  ProgramBuilder b;
  int32_t node = b.input(DType::float64_);
  for (int i = 0; i < 200; ++i) {
    int32_t both[] = {node, node};
    node = b.op(arr::op::multiply, both);
  }
  b.output(node);
  EXPECT_LT(arr::describe(*b.finish().program).size(), 8000U);
}

TEST(Programs, EagerCallsFindTheProgramThatTheRulesOfTypesGive) {
  using arr::Casting;
  const arr::OpInfo& add = *arr::op_info(arr::op::add);
  const DType mixed[] = {DType::int8_, DType::float32_};
  const arr::Program& found = arr::eager_op(add, mixed, DType::none, Casting::same_kind, "dtype");
  EXPECT_EQ(&found, &arr::single_op(add, mixed, DType::float32_));
  EXPECT_EQ(&found, &arr::eager_op(add, mixed, DType::none, Casting::same_kind, "dtype"));
  EXPECT_EQ(&arr::eager_op(add, mixed, DType::int32_, Casting::unsafe, "dtype"),
            &arr::single_op(add, mixed, DType::int32_));
  // A type that is asked for is computed in, and apart from the destination's.
  const arr::Program& asked =
      arr::eager_op(add, mixed, DType::int32_, Casting::unsafe, "dst", DType::float64_);
  EXPECT_EQ(&asked, &arr::single_op(add, mixed, DType::int32_, DType::float64_));
  EXPECT_NE(&asked, &arr::single_op(add, mixed, DType::int32_));
  EXPECT_THROW(arr::eager_op(add, mixed, DType::none, Casting::same_kind, "dst", DType::int64_), arr::Error);
  // An error is an error each time, also after the same types have been accepted.
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(arr::eager_op(add, mixed, DType::int32_, Casting::same_kind, "dst"), arr::Error);
  }
}

TEST(Scalars, ConvertAsKernelsDo) {
  EXPECT_EQ(arr::convert(arr::scalar_of(1.5), DType::int32_).lo, 1U);
  EXPECT_EQ(arr::convert(arr::scalar_of(1.0), DType::float16_).lo, 0x3c00U);
  EXPECT_EQ(arr::convert(arr::scalar_of(65520.0), DType::float16_).lo, 0x7c00U);
  EXPECT_EQ(arr::convert(arr::scalar_of(int64_t{-1}), DType::bool_).lo, 1U);
  EXPECT_EQ(arr::convert(arr::scalar_of(1.0), DType::bfloat16_).lo, 0x3f80U);
  // 1 + 2^-11 + 2^-40 rounds up in one step; through float32 it would be a tie and round down.
  EXPECT_EQ(arr::convert(arr::scalar_of(1.0 + 0x1p-11 + 0x1p-40), DType::float16_).lo, 0x3c01U);
}

}  // namespace
