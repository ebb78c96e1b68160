// SPDX-License-Identifier: MIT
// Combining into chosen slots against the plainest loop: one op in the target's type, several steps, rows
// that share a slot, many dimensions, and the same bits on any threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstring>

#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "host/indexing/calls.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

// (index, bytes of a slot, value): the offset is the product of the first two.
const Program& plain_map(DType value) {
  ProgramBuilder b;
  const int32_t args[] = {b.input(DType::int64_), b.input(DType::int64_)};
  const int32_t v = b.input(value);
  b.output(b.op(op::multiply, args));
  b.output(v);
  return *b.finish().program;
}

struct Case {
  std::vector<int64_t> shape;  // the last `rest` dimensions are the target's own
  int32_t rest = 0;
  int64_t slots = 50;
  bool dense = true;
};

// Inputs in row-major order, the target likewise: (slots, rest...).
template <class T>
struct Data {
  explicit Data(const Case& t) {
    size_t n = 1;
    for (size_t d = 0; d < t.shape.size(); ++d) {
      n *= static_cast<size_t>(t.shape[d]);
      (d + static_cast<size_t>(t.rest) < t.shape.size() ? indices : row) *= t.shape[d];
    }
    for (int64_t i = 0; i < indices; ++i) index.push_back(i * 7919 % t.slots);
    for (size_t i = 0; i < n; ++i) values.push_back(static_cast<T>(0.1 * static_cast<double>(i % 97) + 1));
    target.assign(static_cast<size_t>(t.slots * row), T(3));
  }
  int64_t indices = 1, row = 1;
  std::vector<int64_t> index;
  std::vector<T> values, target;
};

std::vector<int64_t> row_major(const std::vector<int64_t>& shape, size_t from, size_t to, int64_t step) {
  std::vector<int64_t> s(shape.size(), 0);
  for (size_t d = to; d-- > from;) {
    s[d] = step;
    step *= shape[d];
  }
  return s;
}

template <class T>
void scatter_into(const Case& t, Data<T>* data, const Program& combine, DType d) {
  const size_t n = t.shape.size(), own = n - static_cast<size_t>(t.rest);
  const std::vector<int64_t> index = row_major(t.shape, 0, own, 8),
                             values = row_major(t.shape, 0, n, sizeof(T)),
                             target = row_major(t.shape, own, n, sizeof(T));
  Operand item;
  item.value = scalar_of(static_cast<int64_t>(sizeof(T)) * data->row);
  const Operand operands[] = {
      {data->index.data(), index.data(), {}}, item, {data->values.data(), values.data(), {}}};
  ScatterCall c;
  c.map = &plain_map(d);
  c.combine = &combine;
  c.ndim = static_cast<int32_t>(n);
  c.shape = t.shape.data();
  c.operands = operands;
  c.target = {data->target.data(), target.data(), {}};
  c.dense = t.dense ? static_cast<int64_t>(data->target.size()) : 0;
  host::scatter(c);
}

template <class T, class F>
void check(const Case& t, const Program& combine, DType d, F&& f) {
  Data<T> got(t), want(t);
  for (int64_t i = 0; i < want.indices; ++i) {
    for (int64_t j = 0; j < want.row; ++j) {
      T& at = want.target[static_cast<size_t>(want.index[static_cast<size_t>(i)] * want.row + j)];
      at = f(at, want.values[static_cast<size_t>(i * want.row + j)]);
    }
  }
  scatter_into(t, &got, combine, d);
  ASSERT_EQ(std::memcmp(got.target.data(), want.target.data(), want.target.size() * sizeof(T)), 0)
      << t.shape.size() << " dimensions, " << want.indices << " slots of " << want.row;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{1}},
      {{7}},
      {{5000}},
      {{300000}, 0, 50, true},
      {{300000}, 0, 50, false},
      {{90000}, 0, 1, true},
      {{30, 5}},
      {{30, 5}, 1},
      {{30, 40}, 1},
      {{3, 5000}, 1, 2},
      {{600, 9}, 1},
      {{4, 5, 6}, 2},
      {{4, 5, 60}, 1},
      {{2, 3, 4, 5}, 2},
      {{70, 30, 3}, 1, 20},
  };
  return all;
}

const Program& binary(int32_t number, DType d) {
  const DType both[] = {d, d};
  return single_op(*op_info(number), both, d);
}

TEST(Scatter, OneOp) {
  for (const Case& t : cases()) {
    check<double>(t, binary(op::add, DType::float64_), DType::float64_,
                  [](double a, double b) { return a + b; });
    check<int32_t>(t, binary(op::add, DType::int32_), DType::int32_,
                   [](int32_t a, int32_t b) { return a + b; });
    check<int64_t>(t, binary(op::subtract, DType::int64_), DType::int64_,
                   [](int64_t a, int64_t b) { return a - b; });
    check<uint8_t>(t, binary(op::maximum, DType::uint8_), DType::uint8_,
                   [](uint8_t a, uint8_t b) { return a > b ? a : b; });
  }
}

// Casts around the op, and an op that no typed loop has.
TEST(Scatter, Programs) {
  ProgramBuilder b;
  const int32_t args[] = {b.input(DType::float32_), b.input(DType::float32_)};
  const int32_t swapped[] = {args[1], args[0]};
  b.output(b.op(op::subtract, swapped));
  const Program& reverse = *b.finish().program;
  for (const Case& t : cases()) {
    if (t.shape[0] > 10000) continue;
    check<float>(t, binary(op::divide, DType::float32_), DType::float32_,
                 [](float x, float y) { return x / y; });
    check<float>(t, reverse, DType::float32_, [](float x, float y) { return y - x; });
    check<int16_t>(
        t, single_op(*op_info(op::floor_divide), std::array{DType::int16_, DType::int16_}, DType::int16_),
        DType::int16_, [](int16_t x, int16_t y) { return static_cast<int16_t>(x / y); });
  }
}

TEST(Scatter, SameBitsOnAnyThreads) {
  const Case t = {{400000}, 0, 1000, true};
  for (size_t threads : {1U, 2U, 5U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    check<double>(t, binary(op::add, DType::float64_), DType::float64_,
                  [](double a, double b) { return a + b; });
    check<int32_t>(t, binary(op::multiply, DType::int32_), DType::int32_, [](int32_t a, int32_t b) {
      return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
    });
    check<int32_t>(t, binary(op::add, DType::int32_), DType::int32_,
                   [](int32_t a, int32_t b) { return a + b; });
  }
}

}  // namespace
}  // namespace arr::test
