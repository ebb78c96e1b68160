// SPDX-License-Identifier: MIT
// Reductions against the plainest loop over the elements: every reduction and dtype, every split of the
// dimensions, nan, ties, nothing, large ones on several threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "backend/reduce.h"
#include "host/reduce/calls.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

struct Case {
  const ReductionInfo* reduction;
  DType dtype;
  std::vector<int64_t> shape;  // kept dimensions first
  int32_t nkept;
  Form input = Form::c, output = Form::c;
  std::vector<int32_t> order;  // of the axes in memory, slowest first; empty: as they are
  bool tame = false;           // values without nan and infinities, so that sums are comparable
};

bool is_nan(const Scalar& s) { return std::isnan(real_part(s)) || std::isnan(imaginary_part(s)); }

// Returns whether b goes before a, by NumPy's rule: nan before all, then the smaller (larger).
bool in_front(const Scalar& b, const Scalar& a, bool smallest) {
  const long double x[2] = {real_part(b), imaginary_part(b)}, y[2] = {real_part(a), imaginary_part(a)};
  const bool b_nan = is_nan(b), a_nan = is_nan(a);
  if (a_nan || b_nan) return b_nan && !a_nan;
  for (int i = 0; i < 2; ++i) {
    if (x[i] != y[i]) return (x[i] < y[i]) == smallest;
  }
  return false;
}

struct Expected {
  Scalar value;             // min, max, any, all, arg..: exactly
  long double sum[2] = {};  // sum, mean, prod: within `error`
  long double error = 0;
  bool exact = true;
};

uint64_t bits_of(const Scalar& s) { return convert(s, DType::int64_).lo; }

Expected expect_sum(const std::string& what, const std::vector<Scalar>& x, ReduceTypes types) {
  Expected e;
  if (!is_floating(types.acc) && !is_complex(types.acc)) {
    uint64_t total = what == "prod" ? 1 : 0;
    for (const Scalar& s : x) {
      const uint64_t v = kind(s.dtype) == DKind::UINT ? convert(s, DType::uint64_).lo : bits_of(s);
      total = what == "prod" ? total * v : total + v;
    }
    e.value = {types.acc, total, 0};
    e.value = convert(e.value, types.out);
    return e;
  }
  e.exact = false;
  long double size = 0, re = what == "prod" ? 1 : 0, im = 0;
  for (const Scalar& s : x) {
    const long double a = real_part(s), b = imaginary_part(s);
    if (what == "prod") {
      const long double r = re * a - im * b;
      im = re * b + im * a;
      re = r;
    } else {
      re += a;
      im += b;
      size += std::fabs(a) + std::fabs(b);
    }
  }
  const auto n = static_cast<long double>(x.size());
  if (what == "prod") size = (std::fabs(re) + std::fabs(im)) * n;
  const DType part = real_type(types.acc);
  const long double eps = part == DType::float64_ ? 0x1p-52L : 0x1p-23L;
  e.error = size * eps * 4 + (part == DType::float64_ ? 0x1p-1060L : 0x1p-140L);
  const long double divisor = what == "mean" ? n : 1;
  e.sum[0] = re / divisor;
  e.sum[1] = im / divisor;
  e.error /= divisor;
  if (types.out == DType::float16_) e.error += std::fabs(e.sum[0]) * 0x1p-10L + 0x1p-24L;
  if (types.out == DType::bfloat16_) e.error += std::fabs(e.sum[0]) * 0x1p-7L + 0x1p-133L;
  return e;
}

// x in the order of positions.
Expected expect(const ReductionInfo& r, const std::vector<Scalar>& x, ReduceTypes types) {
  const std::string what = r.name;
  if (what == "sum" || what == "prod" || what == "mean") return expect_sum(what, x, types);
  Expected e;
  if (what == "any" || what == "all") {
    bool result = what == "all";
    for (const Scalar& s : x) {
      const bool t = convert(s, DType::bool_).lo != 0;
      result = what == "all" ? result && t : result || t;
    }
    e.value = {DType::bool_, result, 0};
    return e;
  }
  size_t best = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (in_front(x[i], x[best], what == "min" || what == "argmin")) best = i;
  }
  e.value = r.kind == ReduceKind::INDEX ? Scalar{DType::int64_, best, 0} : x[best];
  return e;
}

// The input cast to what is accumulated.
const Program& map_of(DType dtype, DType acc) { return single_cast(dtype, acc); }

void permute_memory(const Case& t, Block* b) {
  if (t.order.empty()) return;
  int64_t step = item_size(t.dtype);
  for (size_t i = t.order.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(t.order[i]);
    b->strides[d] = step;
    step *= t.shape[d];
  }
}

Block make_input(const Case& t) {
  Block b = make_block(t.shape, t.dtype, t.input, 3);
  permute_memory(t, &b);
  if (!t.tame) return b;
  const auto item = static_cast<size_t>(item_size(t.dtype));
  for (size_t i = 0; i < b.memory.size() / item; ++i) {
    const auto v = static_cast<int64_t>(i * 2654435761U % 1000);
    const double x = static_cast<double>(v) / 500 - 1;
    const bool real = is_floating(t.dtype) || is_complex(t.dtype);
    store(convert(real ? scalar_of(x) : scalar_of(v % 100), t.dtype), b.memory.data() + i * item);
  }
  return b;
}

void check(const Case& t, const Expected& want, const Scalar& got) {
  if (want.exact) {
    // The choice between two zeros and between two nans is open.
    const bool equal =
        real_part(got) == real_part(want.value) && imaginary_part(got) == imaginary_part(want.value);
    ASSERT_TRUE(equal || (is_nan(got) && is_nan(want.value)) || same(got, want.value, 0))
        << t.reduction->name << " of " << name(t.dtype)
        << shape_text(static_cast<int64_t>(t.shape.size()), t.shape.data()) << " kept " << t.nkept << ": got "
        << show(got) << ", want " << show(want.value);
    return;
  }
  const long double parts[2] = {real_part(got), imaginary_part(got)};
  for (int i = 0; i < 2; ++i) {
    if (std::isnan(want.sum[i])) {
      ASSERT_TRUE(std::isnan(parts[i])) << t.reduction->name << " of " << name(t.dtype);
    } else {
      ASSERT_LE(std::fabs(parts[i] - want.sum[i]), want.error)
          << t.reduction->name << " of " << name(t.dtype) << ": got " << show(got);
    }
  }
}

void run_case(const Case& t) {
  const ReduceTypes types = resolve(*t.reduction, t.dtype);
  const Block in = make_input(t);
  const std::vector<int64_t> kept(t.shape.begin(), t.shape.begin() + t.nkept);
  const std::vector<int64_t> reduced(t.shape.begin() + t.nkept, t.shape.end());
  Block out = make_block(kept, types.out, t.output, 7);
  Operand operand, output;
  operand.data = const_cast<char*>(in.memory.data()) + in.offset;
  operand.strides = in.strides.data();
  output.data = out.first();
  output.strides = out.strides.data();
  std::vector<int64_t> positions(reduced.size(), 1);
  for (size_t d = reduced.size(); d-- > 1;) positions[d - 1] = positions[d] * reduced[d];
  ReduceCall call{t.reduction,
                  &map_of(t.dtype, types.acc),
                  types.acc,
                  types.out,
                  static_cast<int32_t>(t.shape.size()),
                  t.nkept,
                  t.shape.data(),
                  &operand,
                  output,
                  t.reduction->kind == ReduceKind::INDEX ? positions.data() : nullptr,
                  0,
                  {}};
  host::reduce(call);
  std::vector<int64_t> at(kept.size(), 0);
  do {
    std::vector<Scalar> x;
    std::vector<int64_t> full = at, inner(reduced.size(), 0);
    full.resize(t.shape.size());
    do {
      std::copy(inner.begin(), inner.end(), full.begin() + t.nkept);
      x.push_back(load(in.at(full), t.dtype));
    } while (next(&inner, reduced));
    ASSERT_NO_FATAL_FAILURE(check(t, expect(*t.reduction, x, types), load(out.at(at), types.out)));
  } while (next(&at, kept));
}

// The rows that expect() knows; tests/conformance compares the others with NumPy.
bool defined(const ReductionInfo& r, DType d) { return r.number < 10 && in_domain(r.domain, d); }
bool sums(const ReductionInfo& r) { return r.acc == ReduceAcc::SUM || r.acc == ReduceAcc::MEAN; }

TEST(HostReduce, EveryReductionOfEveryDtype) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : all_dtypes) {
      if (!defined(r, d)) continue;
      for (bool tame : {true, false}) {
        if (!tame && sums(r)) continue;
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {1}, 0, Form::c, Form::c, {}, tame}));
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {}, 0, Form::c, Form::c, {}, tame}));
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {1013}, 0, Form::c, Form::c, {}, tame}));
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {37, 45}, 1, Form::c, Form::stepped, {}, tame}));
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {37, 45}, 1, Form::f, Form::c, {}, tame}));
        ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {301, 3}, 1, Form::c, Form::c, {}, tame}));
      }
    }
  }
}

// Every choice of kept axes, in any memory order, and sizes of every relation.
TEST(HostReduce, EveryShape) {
  const std::vector<std::vector<int64_t>> shapes = {
      {4, 5, 6}, {100, 3, 2}, {2, 3, 300}, {2, 700, 3}, {17, 2, 40}};
  for (const char* reduction : {"sum", "argmin", "max"}) {
    const ReductionInfo* r = nullptr;
    for (const ReductionInfo& each : all_reductions()) r = std::string(each.name) == reduction ? &each : r;
    for (const auto& shape : shapes) {
      for (int32_t nkept = 0; nkept <= 3; ++nkept) {
        std::vector<int32_t> order = {0, 1, 2};
        do {
          for (DType d : {DType::int16_, DType::float32_}) {
            ASSERT_NO_FATAL_FAILURE(run_case({r, d, shape, nkept, Form::c, Form::f, order, true}));
          }
        } while (std::next_permutation(order.begin(), order.end()));
        for (Form f : {Form::stepped, Form::reversed, Form::row, Form::column, Form::point}) {
          ASSERT_NO_FATAL_FAILURE(run_case({r, DType::int64_, shape, nkept, f, Form::c, {}, true}));
        }
      }
    }
  }
}

TEST(HostReduce, LargeOnSeveralThreads) {
  for (const ReductionInfo& r : all_reductions()) {
    for (DType d : {DType::int8_, DType::float32_, DType::complex128_}) {
      if (!defined(r, d) || (std::string(r.name) == "prod" && d != DType::int8_)) continue;
      ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {1000003}, 0, Form::c, Form::c, {}, true}));
      ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {700, 501}, 1, Form::c, Form::c, {}, true}));
      ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {700, 501}, 1, Form::f, Form::c, {}, true}));
      ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {100003, 2}, 1, Form::c, Form::c, {}, true}));
      ASSERT_NO_FATAL_FAILURE(run_case({&r, d, {3, 100003}, 1, Form::f, Form::c, {}, true}));
    }
  }
}

TEST(HostReduce, NothingGivesTheIdentity) {
  for (const ReductionInfo& r : all_reductions()) {
    if (!r.empty_ok) continue;
    for (DType d : all_dtypes) {
      if (!defined(r, d)) continue;
      const ReduceTypes types = resolve(r, d);
      const int64_t shape[] = {3, 0}, strides[] = {0, 0}, step[] = {item_size(types.out)};
      std::vector<char> out(static_cast<size_t>(3 * item_size(types.out)), 77);
      Operand in, to;
      in.data = out.data();
      in.strides = strides;
      to.data = out.data();
      to.strides = step;
      host::reduce({&r, &map_of(d, types.acc), types.acc, types.out, 2, 1, shape, &in, to, nullptr, 0, {}});
      const std::string what = r.name;
      for (int i = 0; i < 3; ++i) {
        const long double got = real_part(load(out.data() + i * step[0], types.out));
        if (what == "mean") {
          EXPECT_TRUE(std::isnan(got));
        } else {
          EXPECT_EQ(got, what == "prod" || what == "all" ? 1 : 0) << what << " of " << name(d);
        }
      }
    }
  }
}

// The cut depends on the shape only: the same bits on every run.
TEST(HostReduce, SameBitsOnEveryRun) {
  const ReductionInfo& sum = *reduction_info(1);
  std::vector<float> x(3000017);
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  const int64_t shape[] = {static_cast<int64_t>(x.size())}, strides[] = {4};
  Operand in, to;
  in.data = x.data();
  in.strides = strides;
  float first = 0;
  for (int run = 0; run < 20; ++run) {
    float result = 0;
    to.data = &result;
    to.strides = strides;
    host::reduce({&sum,
                  &single_cast(DType::float32_, DType::float32_),
                  DType::float32_,
                  DType::float32_,
                  1,
                  0,
                  shape,
                  &in,
                  to,
                  nullptr,
                  0,
                  {}});
    if (run == 0) first = result;
    ASSERT_EQ(std::memcmp(&first, &result, 4), 0);
  }
}

// A map with work in it: sum of squares of a column-major array, without a temporary.
TEST(HostReduce, MapAndReduce) {
  ProgramBuilder b;
  const int32_t x = b.input(DType::int16_);
  const int32_t wide = b.cast(x, DType::float64_);
  const int32_t args[] = {wide, wide};
  b.output(b.op(op_find("multiply")->number, args));
  const Program& square = *b.finish().program;
  std::vector<int16_t> data(300 * 200);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int16_t>(i % 97);
  for (bool transposed : {false, true}) {
    const int64_t shape[] = {300, 200}, strides[] = {transposed ? 2 : 400, transposed ? 600 : 2},
                  step[] = {8};
    std::vector<double> out(300);
    Operand in, to;
    in.data = data.data();
    in.strides = strides;
    to.data = out.data();
    to.strides = step;
    host::reduce(
        {reduction_info(1), &square, DType::float64_, DType::float64_, 2, 1, shape, &in, to, nullptr, 0, {}});
    for (int64_t i = 0; i < 300; ++i) {
      double want = 0;
      for (int64_t j = 0; j < 200; ++j) {
        const double v = data[static_cast<size_t>((i * strides[0] + j * strides[1]) / 2)];
        want += v * v;
      }
      ASSERT_EQ(out[static_cast<size_t>(i)], want);
    }
  }
}

}  // namespace
}  // namespace arr::test
