// SPDX-License-Identifier: MIT
// Combining into chosen slots over the fake: every kind of atomic update and type, against loops on the
// host.
#include "expr/op_numbers.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

constexpr int64_t slots = 13;

// offset = index << log2, and the value as it is.
BoundProgram map_of(DType d, int64_t log2) {
  ProgramBuilder b;
  const int32_t index = b.input(DType::int64_), value = b.input(d);
  const int32_t args[] = {index, b.scalar(scalar_of(log2), false)};
  b.output(b.op(op::left_shift, args));
  b.output(value);
  return b.finish();
}

int64_t plain(int32_t number, int64_t a, int64_t b) {
  switch (number) {
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return a * b;
    case op::minimum:
      return std::min(a, b);
    case op::maximum:
      return std::max(a, b);
    case op::bitwise_or:
      return a | b;
    case op::logical_xor:
      return static_cast<int64_t>((a != 0) != (b != 0));
    default:
      return a ^ b;
  }
}

// The results for these numbers do not depend on the order of elements.
void check(int32_t number, DType d, int64_t n) {
  SCOPED_TRACE(text(op_info(number)->name, " ", name(d)));
  const int64_t item = item_size(d), log2 = __builtin_ctzll(static_cast<uint64_t>(item));
  std::vector<int64_t> index, want(slots, d == DType::bool_ ? 1 : 100);
  std::vector<char> values(static_cast<size_t>(n * item)), target(static_cast<size_t>(slots * item));
  for (int64_t k = 0; k < slots; ++k) set_element(d, want[static_cast<size_t>(k)], target.data() + k * item);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t slot = i * 5 % 7, value = d == DType::bool_ ? i % 2 : i % 3;
    index.push_back(slot);
    set_element(d, value, values.data() + i * item);
    int64_t& at = want[static_cast<size_t>(slot)];
    at = plain(number, at, value);
  }
  const Memory to(target), at(bytes_of(index)), from(values);
  const int64_t eight = 8, none = 0;
  const BoundProgram map = map_of(d, log2);
  std::vector<Operand> operands = {{at.data(), &eight, {}}, {from.data(), &item, {}}};
  for (const Scalar& immediate : map.immediates) operands.push_back({nullptr, nullptr, immediate});
  const DType both[] = {d, d};
  ScatterCall c;
  c.map = map.program;
  c.combine = &single_op(*op_info(number), both, d);
  c.ndim = 1;
  c.shape = &n;
  c.operands = operands.data();
  c.target = {to.data(), &none, {}};
  ARR_WORKS(cuda().indexing->scatter(0, &c, nullptr, &error));
  const std::vector<char> got = to.get();
  for (int64_t k = 0; k < slots; ++k) {
    EXPECT_EQ(get_element(d, got.data() + k * item), static_cast<double>(want[static_cast<size_t>(k)]))
        << "slot " << k;
  }
}

class Scatter : public CudaTest {};

TEST_F(Scatter, Sums) {
  for (DType d : {DType::int8_, DType::int16_, DType::int32_, DType::uint64_, DType::float16_,
                  DType::float32_, DType::float64_, DType::complex64_, DType::complex128_}) {
    check(op::add, d, d == DType::int8_ ? 60 : 700);
  }
  for (DType d : {DType::int32_, DType::float32_, DType::complex128_}) check(op::subtract, d, 300);
}

TEST_F(Scatter, Others) {
  for (DType d : {DType::int32_, DType::int64_, DType::float64_, DType::bfloat16_, DType::uint8_}) {
    check(op::minimum, d, 300);
  }
  check(op::maximum, DType::uint32_, 300);
  check(op::bitwise_xor, DType::int64_, 300);
  check(op::bitwise_or, DType::uint16_, 300);
  check(op::logical_xor, DType::bool_, 300);
}

// No word holds these: they are updated under locks.
TEST_F(Scatter, WideElements) {
  for (const int32_t number : {op::multiply, op::minimum, op::maximum})
    check(number, DType::complex128_, 700);
}

}  // namespace
}  // namespace arr::cuda_test
