// SPDX-License-Identifier: MIT
// Scans over the fake: every class of shapes, against loops on the host.
#include "expr/reduction_numbers.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

struct Case {
  const char* name;
  std::vector<int64_t> shape;    // the scanned dimension last
  std::vector<int64_t> strides;  // of input and output in elements
  int64_t offset = 0;            // elements before the first, to break alignment
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"few", {7}, {1}},
      {"vector", {5000}, {1}},
      {"two_parts", {9000}, {1}},
      {"parts", {300001}, {1}},
      {"strided_parts", {70000}, {3}},
      {"short_rows", {1000, 3}, {3, 1}},
      {"rows", {70, 100}, {100, 1}},
      {"long_rows", {3, 20000}, {20000, 1}},
      {"unaligned", {20001}, {1}, 1},
      {"unaligned_rows", {9, 70}, {71, 1}, 3},
      {"one_warp", {5, 260}, {260, 1}},
      {"few_warps", {6, 1030}, {1032, 1}},
      {"whole_block", {40, 9000}, {9000, 1}},
      {"groups_of_groups", {4 * 1024 * 1024 + 40 * 4096 + 3}, {1}},
      {"columns", {100, 70}, {1, 100}},
      {"columns_parts", {33, 5000}, {1, 33}},
      {"middle", {20, 30, 10}, {300, 1, 30}},
      {"backwards", {4, 50}, {50, -1}},
  };
  return all;
}

// The placement of elements in memory of the least size.
struct Extent {
  Extent(const Case& c, int64_t item) : strides(c.strides) {
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < c.shape.size(); ++i) {
      const int64_t reach = (c.shape[i] - 1) * strides[i];
      (reach < 0 ? low : high) += reach;
    }
    first = (c.offset - low) * item;
    elements = high - low + 1 + c.offset;
    for (int64_t& s : strides) s *= item;
  }
  std::vector<int64_t> strides;
  int64_t first = 0, elements = 0;
};

// Sums of 0, 1 and 2 are exact in every type that is used.
int64_t value(int64_t i) { return i % 61 == 13 ? 2 : i % 7 == 0 ? 1 : 0; }

void check(const Case& c, const ReductionInfo& r, DType d) {
  SCOPED_TRACE(text(c.name, " ", r.name, " ", name(d)));
  const ReduceTypes types = resolve(r, d);
  const Extent in(c, item_size(d)), out(c, item_size(types.out));
  std::vector<char> host(static_cast<size_t>(in.elements * item_size(d)));
  for (int64_t i = 0; i < in.elements; ++i) set_element(d, value(i), host.data() + i * item_size(d));
  Memory from(host), to(static_cast<size_t>(out.elements * item_size(types.out)));
  ScanCall call;
  call.reduction = &r;
  call.map = &single_cast(d, types.acc);
  call.acc = types.acc;
  call.out = types.out;
  call.ndim = static_cast<int32_t>(c.shape.size());
  call.shape = c.shape.data();
  const Operand operand = {from.data() + in.first, in.strides.data(), {}};
  call.operands = &operand;
  call.output = {to.data() + out.first, out.strides.data(), {}};
  BackendError error;
  ASSERT_EQ(cuda().reduce->scan(0, &call, nullptr, &error), ARR_OK) << error.text;
  const std::vector<char> result = to.get();
  const int64_t length = c.shape.back();
  double sum = 0;
  int64_t at = 0;
  for (Index i(c.shape); !i.done(); i.next(), ++at) {
    const double x = get_element(d, host.data() + in.first + i.offset(in.strides));
    const double got = get_element(types.out, result.data() + out.first + i.offset(out.strides));
    sum = at % length == 0 ? x : r.number == reduction::max ? std::max(sum, x) : sum + x;
    ASSERT_EQ(got, sum) << "element " << at;
  }
}

class Scan : public CudaTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(Scan, EqualsALoop) {
  const Case& c = cases()[GetParam()];
  check(c, *reduction_info(reduction::sum), DType::float32_);
  // Each dtype is a kernel to compile: all of them only for the shapes that differ in kind.
  const std::string_view n = c.name;
  if (n != "parts" && n != "rows" && n != "columns_parts" && n != "unaligned" && n != "few_warps") return;
  for (DType d : {DType::uint8_, DType::complex128_, DType::int32_}) {
    check(c, *reduction_info(reduction::sum), d);
    check(c, *reduction_info(reduction::max), d);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Scan, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& i) { return cases()[i.param].name; });

}  // namespace
}  // namespace arr::cuda_test
