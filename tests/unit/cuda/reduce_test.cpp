// SPDX-License-Identifier: MIT
// Reductions over the fake: every class of shapes, against loops on the host.
#include <cmath>

#include "support.h"

namespace arr::cuda_test {
namespace {

struct Case {
  const char* name;
  std::vector<int64_t> kept, reduced;  // extents
  std::vector<int64_t> strides;        // of the input in elements, over both
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"one", {}, {1}, {1}},
      {"few", {}, {7}, {1}},
      {"vector", {}, {5000}, {1}},
      {"vector_split", {}, {300001}, {1}},
      {"strided_vector", {}, {700}, {3}},
      {"nothing_left", {}, {0}, {1}},
      {"rows_of_nothing", {5}, {0}, {1, 1}},
      {"short_rows", {1000}, {3}, {3, 1}},
      {"rows", {70}, {100}, {100, 1}},
      {"long_rows", {3}, {20000}, {20000, 1}},
      {"padded_rows", {9}, {70}, {71, 1}},
      {"pairs", {1000}, {2}, {2, 1}},
      {"many_long_rows", {40}, {2000}, {2000, 1}},
      {"columns", {100}, {70}, {1, 100}},
      {"columns_split", {33}, {5000}, {1, 33}},
      {"few_columns_of_few", {50}, {4}, {1, 50}},
      {"middle", {20, 30}, {10}, {300, 1, 30}},
      {"outer_and_inner", {12}, {9, 11}, {11, 132, 1}},
      {"all_of_a_view", {}, {30, 20}, {50, 2}},
      {"backwards", {4}, {50}, {50, -1}},
  };
  return all;
}

int64_t product(const std::vector<int64_t>& v) {
  return std::accumulate(v.begin(), v.end(), int64_t{1}, std::multiplies<>());
}

struct Input {
  Input(const Case& c, DType d) : strides(c.strides) {
    int64_t low = 0, high = 0;
    std::vector<int64_t> extents = c.kept;
    extents.insert(extents.end(), c.reduced.begin(), c.reduced.end());
    for (size_t i = 0; i < extents.size(); ++i) {
      int64_t reach = std::max<int64_t>(extents[i] - 1, 0) * strides[i];
      (reach < 0 ? low : high) += reach;
    }
    host.resize(static_cast<size_t>((high - low + 1) * item_size(d)));
    for (int64_t i = 0; i <= high - low; ++i) {
      // Ones and twos mostly: products stay small, sums exact; equal values to test "the first".
      int64_t value = kind(d) == DKind::BOOL ? i % 3 != 1 : i % 1009 == 500 ? 3 : i % 97 == 13 ? 2 : 1;
      set_element(d, value, host.data() + i * item_size(d));
    }
    first = -low * item_size(d);
    for (int64_t& s : strides) s *= item_size(d);
    device = std::make_unique<Memory>(host);
  }
  std::vector<int64_t> strides;
  std::vector<char> host;
  int64_t first = 0;
  std::unique_ptr<Memory> device;
};

// NumPy's result, by a loop in the order of positions.
double expected(const ReductionInfo& r, const std::vector<double>& values) {
  std::string_view n = r.name;
  double n_values = static_cast<double>(values.size());
  if (n == "sum") return std::accumulate(values.begin(), values.end(), 0.0);
  if (n == "mean") return std::accumulate(values.begin(), values.end(), 0.0) / n_values;
  if (n == "any") return std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
  if (n == "all") return std::all_of(values.begin(), values.end(), [](double v) { return v != 0; });
  if (n == "prod") return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
  if (values.empty()) return r.kind == ReduceKind::INDEX ? 0 : n == "min" ? HUGE_VAL : -HUGE_VAL;
  auto low = std::min_element(values.begin(), values.end());
  auto high = std::max_element(values.begin(), values.end());
  if (n == "min") return *low;
  if (n == "max") return *high;
  return static_cast<double>((n == "argmin" ? low : high) - values.begin());
}

void check(const Case& c, const ReductionInfo& r, DType d) {
  SCOPED_TRACE(text(c.name, " ", r.name, " ", name(d)));
  ReduceTypes types = resolve(r, d);
  Input in(c, d);
  std::vector<int64_t> shape = c.kept;
  shape.insert(shape.end(), c.reduced.begin(), c.reduced.end());
  std::vector<int64_t> out_strides(c.kept.size());
  int64_t step = item_size(types.out);
  for (size_t i = c.kept.size(); i-- > 0; step *= c.kept[i]) out_strides[i] = step;
  std::vector<int64_t> steps(c.reduced.size());
  step = 1;
  for (size_t i = c.reduced.size(); i-- > 0; step *= c.reduced[i]) steps[i] = step;
  Memory out(static_cast<size_t>(product(c.kept) * item_size(types.out)));
  ReduceCall call;
  call.reduction = &r;
  call.map = &single_cast(d, types.acc);
  call.acc = types.acc;
  call.out = types.out;
  call.ndim = static_cast<int32_t>(shape.size());
  call.nkept = static_cast<int32_t>(c.kept.size());
  call.shape = shape.data();
  const Operand operand = {in.device->data() + in.first, in.strides.data(), {}};
  call.operands = &operand;
  call.output = {out.data(), out_strides.data(), {}};
  call.index_strides = r.kind == ReduceKind::INDEX ? steps.data() : nullptr;
  ARR_WORKS(cuda().reduce->reduce(0, &call, nullptr, &error));
  std::vector<char> result = out.get();
  std::vector<int64_t> kept_strides(in.strides.begin(), in.strides.begin() + call.nkept),
      reduced_strides(in.strides.begin() + call.nkept, in.strides.end());
  int64_t at = 0;
  for (Index o(c.kept); !o.done(); o.next(), ++at) {
    std::vector<double> values;
    for (Index j(c.reduced); !j.done(); j.next()) {
      const char* e = in.host.data() + in.first + o.offset(kept_strides) + j.offset(reduced_strides);
      values.push_back(get_element(d, e));
    }
    double got = get_element(types.out, result.data() + at * item_size(types.out));
    double want = expected(r, values);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got));
    } else {
      double error = types.acc == DType::float32_ || types.acc == DType::complex64_ ? 1e-6 : 1e-14;
      if (is_half(types.out)) error = 0.01;
      ASSERT_NEAR(got, want, std::isinf(want) ? 0 : error * std::abs(want)) << "output " << at;
    }
  }
}

class Reduce : public CudaTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(Reduce, EqualsALoop) {
  const Case& c = cases()[GetParam()];
  bool empty = product(c.reduced) == 0;
  for (const ReductionInfo& r : all_reductions()) {
    if (r.number >= 10) continue;  // tests/conformance compares these with NumPy
    if (empty && !r.empty_ok) continue;
    bool product_overflows = std::string_view(r.name) == "prod" && product(c.reduced) > 100;
    if (product_overflows) continue;
    check(c, r, DType::float32_);
    // Each dtype is a kernel to compile: all of them only for the shapes that differ in kind.
    std::string_view n = c.name;
    if (n != "vector_split" && n != "short_rows" && n != "columns_split") continue;
    for (DType d : {DType::float64_, DType::int16_, DType::complex128_, DType::bool_}) {
      if (in_domain(r.domain, d)) check(c, r, d);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Reduce, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& i) { return cases()[i.param].name; });

TEST_F(CudaTest, HalfAccumulatesInFloat) {
  check({"half", {3}, {4000}, {4000, 1}}, *reduction_info(1), DType::float16_);
  check({"bfloat", {3}, {4000}, {4000, 1}}, *reduction_info(5), DType::bfloat16_);
}

TEST_F(CudaTest, NanWinsAndTheFirstOfEquals) {
  constexpr int64_t n = 100000;
  std::vector<float> values(n, 1.0F);
  auto arg = [&](int32_t number) {
    Memory in(bytes_of(values)), out(8);
    const int64_t stride = 4, step = 1;
    const Operand operand = {in.data(), &stride, {}};
    ReduceCall call;
    call.reduction = reduction_info(number);
    call.map = &single_cast(DType::float32_, DType::float32_);
    call.acc = DType::float32_;
    call.out = DType::int64_;
    call.ndim = 1;
    call.shape = &n;
    call.operands = &operand;
    call.output = {out.data(), nullptr, {}};
    call.index_strides = &step;
    BackendError error;
    EXPECT_EQ(cuda().reduce->reduce(0, &call, nullptr, &error), ARR_OK) << error.text;
    return values_of<int64_t>(out.get())[0];
  };
  EXPECT_EQ(arg(8), 0);
  EXPECT_EQ(arg(9), 0);
  values[77777] = values[99999] = 2.0F;
  EXPECT_EQ(arg(9), 77777);
  values[88888] = values[90000] = std::nanf("");
  EXPECT_EQ(arg(8), 88888);
  EXPECT_EQ(arg(9), 88888);
}

TEST_F(CudaTest, EqualReductionsGiveEqualBits) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> values(200000);
  for (float& v : values) v = normal(random);
  Memory in(bytes_of(values)), out(4);
  const int64_t n = 200000, stride = 4;
  const Operand operand = {in.data(), &stride, {}};
  ReduceCall call;
  call.reduction = reduction_info(1);
  call.map = &single_cast(DType::float32_, DType::float32_);
  call.acc = call.out = DType::float32_;
  call.ndim = 1;
  call.shape = &n;
  call.operands = &operand;
  call.output = {out.data(), nullptr, {}};
  std::vector<char> first;
  for (int i = 0; i < 8; ++i) {
    ARR_WORKS(cuda().reduce->reduce(0, &call, nullptr, &error));
    if (i == 0) first = out.get();
    ASSERT_EQ(out.get(), first);
  }
  // Also with an address that does not allow wide accesses.
  std::vector<float> moved(1, 0.0F);
  moved.insert(moved.end(), values.begin(), values.end());
  Memory elsewhere(bytes_of(moved));
  const Operand unaligned = {elsewhere.data() + 4, &stride, {}};
  call.operands = &unaligned;
  ARR_WORKS(cuda().reduce->reduce(0, &call, nullptr, &error));
  EXPECT_EQ(out.get(), first);
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(values_of<float>(first)[0], sum, 1e-3 * std::sqrt(200000.0));
}

}  // namespace
}  // namespace arr::cuda_test
