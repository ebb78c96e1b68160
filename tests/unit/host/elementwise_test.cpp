// SPDX-License-Identifier: MIT
// Element-wise calls against evaluation of one element at a time: every op and dtype, every class of layout,
// fused programs, in place, threads.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/elementwise/calls.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

// Returns whether C++ leaves the conversion of this value to an integer open (out of its range).
bool undefined_cast(const Program& p, const std::vector<Scalar>& in) {
  if (p.nodes.size() != 2 || p.nodes[1].kind != Node::Kind::cast) return false;
  const DType from = p.nodes[1].compute, to = p.nodes[1].dtype;
  if ((!is_floating(from) && !is_complex(from)) || is_floating(to) || is_complex(to) || to == DType::bool_) {
    return false;
  }
  const long double x = __builtin_truncl(real_part(in[0]));
  const int bits = static_cast<int>(item_size(to)) * 8 - (kind(to) == DKind::INT ? 1 : 0);
  const long double low = kind(to) == DKind::INT ? -__builtin_ldexpl(1, bits) : 0;
  return !(x >= low && x < __builtin_ldexpl(1, bits));
}

struct Case {
  const Program* program;
  std::vector<int64_t> shape;
  std::vector<Form> inputs;
  Form output = Form::c;
  int alias = -1;  // the input whose memory output 0 takes
};

void run_case(const Case& t) {
  const Program& p = *t.program;
  const size_t nin = p.inputs.size(), nout = p.outputs.size();
  std::vector<Block> blocks;
  std::vector<Operand> operands(nin + nout);
  for (size_t k = 0; k < nin; ++k) {
    blocks.push_back(make_block(t.shape, p.inputs[k], t.inputs[k], static_cast<uint32_t>(k * 5 + 1)));
  }
  for (int32_t o : p.outputs) {
    blocks.push_back(make_block(t.shape, p.nodes[static_cast<size_t>(o)].dtype, t.output, 99));
  }
  for (size_t k = 0; k < nin + nout; ++k) {
    Block& b = blocks[k];
    operands[k].data = b.first();
    operands[k].strides = b.strides.data();
    if (k < nin && t.inputs[k] == Form::scalar) {
      operands[k] = {};
      operands[k].value = load(b.memory.data(), p.inputs[k]);
    }
  }
  if (t.alias >= 0) operands[nin] = operands[static_cast<size_t>(t.alias)];
  const std::vector<Block> before = blocks;
  ElementwiseCall call{&p, static_cast<int32_t>(t.shape.size()), t.shape.data(), operands.data()};
  host::elementwise(call);

  std::vector<int64_t> index(t.shape.size(), 0);
  const int ulp = allowed_ulp(p);
  int64_t total = 1, at = 0;
  for (int64_t e : t.shape) total *= e;
  const int64_t every = total > 100000 ? 61 : 1;  // of large ones a sample
  do {
    if (at++ % every != 0) continue;
    std::vector<Scalar> in;
    for (size_t k = 0; k < nin; ++k) in.push_back(load(before[k].at(index), p.inputs[k]));
    if (undefined_cast(p, in)) continue;
    std::vector<Scalar> want = evaluate(p, in);
    for (size_t j = 0; j < nout; ++j) {
      Block& b = j == 0 && t.alias >= 0 ? blocks[static_cast<size_t>(t.alias)] : blocks[nin + j];
      Scalar got = load(b.at(index), want[j].dtype);
      if (!same(got, want[j], ulp, cancelled(p, in))) {
        std::string operands_text;
        for (const Scalar& s : in) operands_text += show(s) + "; ";
        FAIL() << describe(p) << ": " << operands_text << "got " << show(got) << ", want " << show(want[j]);
      }
    }
  } while (next(&index, t.shape));
}

// An op on operands that all have this dtype; nullptr where it is not defined for it.
const Program* op_program(const OpInfo& op, DType d) {
  DType operands[3] = {d, d, d};
  for (size_t k = 0; k < 3; ++k) operands[k] = own_type(op, k) != DType::none ? own_type(op, k) : d;
  std::span<const DType> used(operands, static_cast<size_t>(op.nin));
  OperandType types[3];
  for (int i = 0; i < op.nin; ++i) types[i] = {operands[i], false};
  try {
    Signature s = resolve(op, {types, used.size()});
    return &single_op(op, used, s.result);
  } catch (const Error&) {
    return nullptr;
  }
}

TEST(HostElementwise, EveryOpOfEveryDtype) {
  int run = 0;
  for (const OpInfo& op : all_ops()) {
    for (DType d : all_dtypes) {
      const Program* p = op_program(op, d);
      if (p == nullptr) continue;
      const std::vector<Form> c(p->inputs.size(), Form::c);
      ASSERT_NO_FATAL_FAILURE(run_case({p, {1013}, c}));
      ASSERT_NO_FATAL_FAILURE(run_case({p, {}, c}));
      ASSERT_NO_FATAL_FAILURE(run_case({p, {13, 41}, std::vector<Form>(p->inputs.size(), Form::f)}));
      std::vector<Form> mixed = {Form::stepped, Form::row, Form::scalar};
      mixed.resize(p->inputs.size());
      ASSERT_NO_FATAL_FAILURE(run_case({p, {29, 17}, mixed, Form::reversed}));
      ++run;
    }
  }
  EXPECT_GT(run, 400);
}

TEST(HostElementwise, EveryCast) {
  for (DType from : all_dtypes) {
    for (DType to : all_dtypes) {
      const Program& p = single_cast(from, to);
      ASSERT_NO_FATAL_FAILURE(run_case({&p, {2049}, {Form::c}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&p, {21, 33}, {Form::f}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&p, {21, 33}, {Form::stepped}, Form::f}));
    }
  }
}

TEST(HostElementwise, EveryLayoutOfEveryItemSize) {
  const std::vector<std::vector<int64_t>> shapes = {
      {}, {1}, {5}, {3, 4}, {70, 90}, {2, 300}, {300, 2}, {7, 3, 5}, {130, 2, 3}, {2, 3, 2, 3, 2}};
  for (DType d : {DType::int8_, DType::int16_, DType::float32_, DType::float64_, DType::complex128_}) {
    const Program& add = *op_program(*op_find("add"), d);
    const Program& copy = single_cast(d, d);
    for (const auto& shape : shapes) {
      for (Form out : output_forms) {
        for (Form a : input_forms) {
          ASSERT_NO_FATAL_FAILURE(run_case({&copy, shape, {a}, out}));
          for (Form b : input_forms) ASSERT_NO_FATAL_FAILURE(run_case({&add, shape, {a, b}, out}));
        }
      }
    }
  }
}

TEST(HostElementwise, LargeOnSeveralThreads) {
  for (DType d : {DType::int8_, DType::float32_, DType::complex128_}) {
    const Program& add = *op_program(*op_find("add"), d);
    const Program& copy = single_cast(d, d);
    const int64_t past_caches = (int64_t{9} << 20) / item_size(d) + 3;
    for (const auto& shape :
         std::vector<std::vector<int64_t>>{{200003}, {517, 403}, {9, 64, 700}, {past_caches}}) {
      ASSERT_NO_FATAL_FAILURE(run_case({&add, shape, {Form::c, Form::c}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&add, shape, {Form::c, Form::scalar}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&add, shape, {Form::scalar, Form::c}, Form::c, 1}));
      if (shape.size() == 1) continue;
      ASSERT_NO_FATAL_FAILURE(run_case({&add, shape, {Form::f, Form::row}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&copy, shape, {Form::f}}));
      ASSERT_NO_FATAL_FAILURE(run_case({&copy, shape, {Form::c}, Form::f}));
    }
  }
  const Program& copy = single_cast(DType::float32_, DType::float32_);
  ASSERT_NO_FATAL_FAILURE(run_case({&copy, {1501, 1503}, {Form::f}}));
  ASSERT_NO_FATAL_FAILURE(run_case({&copy, {1501, 1503}, {Form::c}, Form::f}));
}

TEST(HostElementwise, InPlace) {
  for (DType d : {DType::uint8_, DType::int32_, DType::float64_, DType::float16_}) {
    const Program& p = *op_program(*op_find("multiply"), d);
    for (Form f : {Form::c, Form::f, Form::apart, Form::stepped, Form::reversed}) {
      for (int alias : {0, 1}) {
        ASSERT_NO_FATAL_FAILURE(run_case({&p, {123}, {f, f}, Form::c, alias}));
        ASSERT_NO_FATAL_FAILURE(run_case({&p, {70, 40}, {f, f}, Form::c, alias}));
        ASSERT_NO_FATAL_FAILURE(run_case({&p, {300, 400}, {f, f}, Form::c, alias}));
      }
    }
  }
}

// (sqrt(a*b + c) , a - b, a): outputs that are also operands, inputs and each other's memory.
TEST(HostElementwise, FusedWithSeveralOutputs) {
  ProgramBuilder b;
  auto op = [&](const char* name, std::vector<int32_t> args) { return b.op(op_find(name)->number, args); };
  const int32_t x = b.input(DType::float32_), y = b.input(DType::float64_), z = b.input(DType::int16_);
  const int32_t product = op("multiply", {x, y});
  const int32_t root = op("sqrt", {op("absolute", {op("add", {product, z})})});
  b.output(op("subtract", {x, b.scalar(scalar_of(2.5), true)}));
  b.output(root);
  b.output(x);
  b.output(op("less", {root, product}));
  BoundProgram bound = b.finish();
  ASSERT_EQ(bound.immediates.size(), 1U);
  const Program& p = *bound.program;
  for (Form f : {Form::c, Form::f, Form::apart, Form::stepped, Form::reversed}) {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{}, {9}, {5000}, {77, 91}, {300, 301}}) {
      for (int alias : {-1, 0}) {
        ASSERT_NO_FATAL_FAILURE(run_case({&p, shape, {f, f, Form::c, Form::scalar}, f, alias}));
        ASSERT_NO_FATAL_FAILURE(run_case({&p, shape, {f, Form::row, Form::column, Form::scalar}, f, alias}));
      }
    }
  }
}

// Rows of a few elements, which are copied by loops of a constant size, beside a dimension of another length.
TEST(HostElementwise, ShortRowsOfBroadcastOperands) {
  const Program& subtract = *op_program(*op_find("subtract"), DType::float64_);
  for (const int64_t cols : {1, 2, 3, 4, 5, 6, 7, 8, 9, 70}) {
    for (const int64_t middle : {2, 8, 100}) {
      for (const Form out : output_forms) {
        ASSERT_NO_FATAL_FAILURE(run_case({&subtract, {130, middle, cols}, {Form::c, Form::row}, out}));
        ASSERT_NO_FATAL_FAILURE(run_case({&subtract, {130, middle, cols}, {Form::column, Form::apart}, out}));
      }
    }
  }
}

TEST(HostElementwise, LongChainReusesBlocks) {
  ProgramBuilder b;
  const int32_t x = b.input(DType::int32_);
  int32_t sum = x;
  for (int i = 0; i < 60; ++i) {
    const int32_t args[] = {sum, i % 3 == 0 ? x : sum};
    sum = b.op(op_find(i % 2 == 0 ? "add" : "bitwise_xor")->number, args);
    const int32_t more[] = {sum, x};
    sum = b.op(op_find("subtract")->number, more);
  }
  b.output(sum);
  const Program& p = *b.finish().program;
  ASSERT_NO_FATAL_FAILURE(run_case({&p, {100000}, {Form::c}}));
  ASSERT_NO_FATAL_FAILURE(run_case({&p, {100, 130}, {Form::f}, Form::stepped}));
}

}  // namespace
}  // namespace arr::test
