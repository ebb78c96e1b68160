// SPDX-License-Identifier: MIT
// Elementwise calls over the fake: every class of layouts, against loops on the host.
#include <bit>
#include <map>
#include <random>

#include "cuda/codegen/emit_elementwise.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

struct Case {
  const char* name;
  std::vector<int64_t> shape;
  std::vector<int64_t> a, b, out;                    // strides in elements
  int64_t offset = 0, offset_b = 0, offset_out = 0;  // elements before each, to break alignment
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"scalar", {}, {}, {}, {}},
      {"one", {1}, {1}, {1}, {1}},
      {"vector", {1000}, {1}, {1}, {1}},
      {"vector_tail", {1027}, {1}, {1}, {1}},
      {"unaligned", {1027}, {1}, {1}, {1}, 1},
      {"unaligned_output", {1027}, {1}, {1}, {1}, 0, 0, 1},
      {"unaligned_inputs", {1027}, {1}, {1}, {1}, 1, 3},
      {"unaligned_rows", {5, 70}, {77, 1}, {72, 1}, {80, 1}},
      {"unaligned_beside_one", {70}, {1}, {0}, {1}, 1},
      {"uniform", {513}, {1}, {0}, {1}},
      {"negative", {300}, {-1}, {1}, {1}},
      {"every_second", {300}, {2}, {1}, {1}},
      {"rows", {7, 100}, {128, 1}, {0, 1}, {100, 1}},
      {"rows_wide_gap", {5, 64}, {256, 1}, {64, 1}, {64, 1}},
      {"column_operand", {40, 70}, {70, 1}, {1, 0}, {70, 1}},
      {"outer", {40, 70}, {0, 1}, {1, 0}, {70, 1}},
      {"three_rows", {3, 4, 50}, {1000, 60, 1}, {0, 50, 1}, {200, 50, 1}},
      {"short_rows", {333, 3}, {3, 1}, {0, 1}, {3, 1}},
      {"transposed", {30, 20}, {1, 30}, {20, 1}, {20, 1}},
      {"both_transposed", {65, 33}, {1, 65}, {1, 70}, {33, 1}},
      {"transposed_and_column", {31, 96}, {1, 31}, {1, 0}, {100, 1}},
      {"transposed_backwards", {33, 64}, {-1, 33}, {64, 1}, {64, 1}},
      {"too_narrow_for_tiles", {15, 40}, {1, 15}, {40, 1}, {40, 1}},
      {"large_tiles", {130, 67}, {1, 130}, {67, 1}, {67, 1}},
      {"rotated", {3, 33, 31}, {1023, 1, 33}, {1, 93, 3}, {1023, 31, 1}},
      {"reversed_order", {20, 4, 17}, {1, 20, 80}, {68, 17, 1}, {68, 17, 1}},
      {"five_dimensions", {2, 3, 4, 5, 6}, {1, 2, 6, 24, 120}, {360, 120, 30, 6, 1}, {360, 120, 30, 6, 1}},
  };
  return all;
}

// The memory an operand needs: its lowest offset, and how many elements it reaches over.
struct Extent {
  int64_t low = 0, elements = 1;
};
Extent extent_of(const Case& c, const std::vector<int64_t>& strides) {
  Extent e;
  for (size_t d = 0; d < strides.size(); ++d) {
    int64_t reach = (c.shape[d] - 1) * strides[d];
    e.low -= reach < 0 ? reach : 0;
    e.elements += reach < 0 ? -reach : reach;
  }
  return e;
}

struct Array {
  Array(const Case& c, DType d, const std::vector<int64_t>& element_strides, int64_t skip, bool fill)
      : dtype(d), strides(element_strides) {
    Extent e = extent_of(c, strides);
    first = (e.low + skip) * item_size(d);
    for (int64_t& s : strides) s *= item_size(d);
    host.resize(static_cast<size_t>((e.elements + skip + 8) * item_size(d)), '\x5a');
    for (size_t i = 0; fill && i < host.size() / static_cast<size_t>(item_size(d)); ++i) {
      set_element(d, static_cast<int64_t>(i * 7 % 23) - (kind(d) == DKind::UINT ? 0 : 9),
                  host.data() + static_cast<int64_t>(i) * item_size(d));
    }
    device = std::make_unique<Memory>(host);
  }
  [[nodiscard]] Operand operand() const { return {device->data() + first, strides.data(), {}}; }
  DType dtype;
  std::vector<int64_t> strides;
  int64_t first = 0;
  std::vector<char> host;
  std::unique_ptr<Memory> device;
};

double expected_add(DType d, double a, double b) {
  if (d == DType::bool_) return a != 0 || b != 0 ? 1 : 0;
  if (d == DType::uint8_) return static_cast<double>(static_cast<uint8_t>(a + b));
  return a + b;
}

void check_add(const Case& c, DType d) {
  SCOPED_TRACE(text(c.name, " ", name(d)));
  Array a(c, d, c.a, c.offset, true), b(c, d, c.b, c.offset_b, true), out(c, d, c.out, c.offset_out, false);
  const DType types[] = {d, d};
  ElementwiseCall call;
  call.program = &single_op(*op_find("add"), types, d);
  call.ndim = static_cast<int32_t>(c.shape.size());
  call.shape = c.shape.data();
  const Operand operands[] = {a.operand(), b.operand(), out.operand()};
  call.operands = operands;
  ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
  std::vector<char> result = out.device->get();
  for (Index i(c.shape); !i.done(); i.next()) {
    double x = get_element(d, a.host.data() + a.first + i.offset(a.strides));
    double y = get_element(d, b.host.data() + b.first + i.offset(b.strides));
    char* at = result.data() + out.first + i.offset(out.strides);
    ASSERT_EQ(get_element(d, at), expected_add(d, x, y));
    std::memset(at, 0x5a, static_cast<size_t>(item_size(d)));
  }
  // Nothing beside the output was written.
  ASSERT_EQ(result, out.host);
}

// The kernel that would add them.
std::string text_of_add(const Case& c, DType d) {
  Array a(c, d, c.a, c.offset, true), b(c, d, c.b, c.offset_b, true), out(c, d, c.out, c.offset_out, false);
  const DType types[] = {d, d};
  const Operand operands[] = {a.operand(), b.operand(), out.operand()};
  ElementwiseCall call{&single_op(*op_find("add"), types, d), static_cast<int32_t>(c.shape.size()),
                       c.shape.data(), operands};
  std::string text;
  BackendError error;
  EXPECT_EQ(cuda().elementwise->text(&call, &text, &error), ARR_OK) << error.text;
  return text;
}

class Elementwise : public CudaTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(Elementwise, AddsEveryElementOnce) {
  const Case& c = cases()[GetParam()];
  for (DType d : {DType::float32_, DType::bool_, DType::uint8_, DType::complex128_, DType::float16_})
    check_add(c, d);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Elementwise, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& i) { return cases()[i.param].name; });

// An operand whose address does not allow wide accesses is read element by element, and the others as wide as
// usual; if most addresses do not, all operands are.
TEST_F(CudaTest, MisalignedOperandsLeaveTheOthersWide) {
  const std::map<std::string, std::vector<bool>> wide = {
      {"vector", {true, true, true}},
      {"unaligned", {false, true, true}},
      {"unaligned_output", {true, true, false}},
      {"unaligned_inputs", {false, false, false}},
      {"unaligned_rows", {false, true, true}},
  };
  size_t found = 0;
  for (const Case& c : cases()) {
    auto want = wide.find(c.name);
    if (want == wide.end()) continue;
    ++found;
    const std::string source = text_of_add(c, DType::float32_);
    const bool any = want->second[1] || want->second[2];
    for (size_t k = 0; k < 3; ++k) {
      const std::string pack = text("(", k < 2 ? "const " : "", "arr_pack<float, 4>*)((",
                                    k < 2 ? "const " : "", "float*)q", k, " + i)"),
                        one = text("float*)q", k, ")[i + k]");
      EXPECT_EQ(source.find(pack) != std::string::npos, want->second[k]) << c.name << " " << k << source;
      EXPECT_EQ(source.find(one) != std::string::npos, any && !want->second[k])
          << c.name << " " << k << source;
    }
  }
  EXPECT_EQ(found, wide.size());
}

// The operands that are read through tiles, and the tiles' edge: lines before the kernel.
TEST_F(CudaTest, TransposedOperandsGoThroughTiles) {
  const std::map<std::string, std::vector<int>> expected = {
      {"transposed", {0}},
      {"both_transposed", {0, 1}},
      {"transposed_and_column", {0}},
      {"transposed_backwards", {0}},
      {"too_narrow_for_tiles", {}},
      {"large_tiles", {0}},
      {"rotated", {0}},
      {"rows", {}},
      {"column_operand", {}},
      {"every_second", {}},
  };
  const std::string transposed = "static constexpr arr_access access = arr_access::transposed;";
  const auto has = [](const std::string& text, const std::string& line) {
    return text.find(line) != std::string::npos;
  };
  int found = 0;
  for (const Case& c : cases()) {
    auto want = expected.find(c.name);
    if (want == expected.end()) continue;
    ++found;
    const std::string source = text_of_add(c, DType::float32_);
    size_t tiles = 0;
    for (size_t at = source.find(transposed); at != std::string::npos; at = source.find(transposed, at + 1)) {
      ++tiles;
    }
    EXPECT_EQ(tiles, want->second.size()) << c.name;
    for (const int k : want->second) {
      EXPECT_TRUE(has(source, text("arr_operand<", k, "> {\n  typedef float type;\n  ", transposed)))
          << c.name << k;
    }
    EXPECT_EQ(has(source, "constexpr int edge = 32;"), !want->second.empty()) << c.name;
    if (c.name == std::string("large_tiles")) {
      EXPECT_TRUE(has(text_of_add(c, DType::uint8_), "constexpr int edge = 64;"));
    }
  }
  EXPECT_EQ(found, expected.size());
}

// A transposed operand whose elements are more than 2^31 bytes apart; the memory between them is never
// touched.
TEST_F(CudaTest, TilesWith64BitOffsets) {
  constexpr int64_t high = 17, wide = 33, step = int64_t{72} << 20;
  const auto bytes = static_cast<size_t>((wide - 1) * step + high * 4);
  std::vector<float> column(high);
  {
    const Memory far(bytes), out(static_cast<size_t>(high * wide * 4));
    for (int64_t j = 0; j < wide; ++j) {
      std::iota(column.begin(), column.end(), static_cast<float>(100 * j));
      ARR_WORKS(
          cuda().memory->copy_from_host(0, far.data() + j * step, column.data(), high * 4, nullptr, &error));
    }
    const int64_t shape[] = {high, wide}, from[] = {4, step}, to[] = {wide * 4, 4};
    const Operand operands[] = {{far.data(), from, {}}, {out.data(), to, {}}};
    const DType types[] = {DType::float32_};
    ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 2, shape, operands};
    ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
    const std::vector<float> result = values_of<float>(out.get());
    for (int64_t i = 0; i < high; ++i) {
      for (int64_t j = 0; j < wide; ++j) {
        ASSERT_EQ(result[static_cast<size_t>(i * wide + j)], static_cast<float>(-100 * j - i));
      }
    }
  }
  ARR_WORKS(cuda().memory->trim(0, &error));
}

// Three dimensions that do not collapse, over more than 2^31 bytes: indices are split with 64 bits.
TEST_F(CudaTest, SplitsWith64BitOffsets) {
  constexpr int64_t planes = 3, rows = 5, each = 7, step = int64_t{1200} << 20, row = 100;
  const auto bytes = static_cast<size_t>((planes - 1) * step + rows * row);
  {
    const Memory far(bytes), out(static_cast<size_t>(planes * rows * each * 4));
    std::vector<float> plane(rows * row / 4);
    for (int64_t i = 0; i < planes; ++i) {
      std::iota(plane.begin(), plane.end(), static_cast<float>(1000 * i));
      ARR_WORKS(
          cuda().memory->copy_from_host(0, far.data() + i * step, plane.data(), rows * row, nullptr, &error));
    }
    const int64_t shape[] = {planes, rows, each}, from[] = {step, row, 8},
                  to[] = {rows * each * 4, each * 4, 4};
    const Operand operands[] = {{far.data(), from, {}}, {out.data(), to, {}}};
    const DType types[] = {DType::float32_};
    ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 3, shape, operands};
    std::string source;
    ASSERT_EQ(cuda().elementwise->text(&call, &source, nullptr), ARR_OK);
    EXPECT_NE(source.find(" = arr_divide_wide("), std::string::npos);
    ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
    const std::vector<float> result = values_of<float>(out.get());
    for (int64_t n = 0; n < planes * rows * each; ++n) {
      const int64_t i = n / (rows * each), j = n / each % rows, k = n % each;
      ASSERT_EQ(result[static_cast<size_t>(n)], static_cast<float>(-(1000 * i + j * row / 4 + 2 * k)));
    }
  }
  ARR_WORKS(cuda().memory->trim(0, &error));
}

// The division of arr_divide_wide, at the edges of quotients.
TEST(Reciprocals, DivideBelowTwoTo63) {
  __extension__ using uint128 = unsigned __int128;
  std::mt19937_64 random(3);
  constexpr uint64_t max = ~uint64_t{0} >> 1;
  for (int i = 0; i < 20000; ++i) {
    uint64_t d = i < 2000 ? static_cast<uint64_t>(i) + 1 : (random() >> (1 + random() % 62)) + 1;
    if (i >= 19990) d = max - static_cast<uint64_t>(i - 19990);
    const uint64_t magic = cuda::wide_reciprocal(static_cast<int64_t>(d));
    const int shift = d == 1 ? 0 : 64 - std::countl_zero(d - 1);
    const uint64_t multiple = random() % (max / d) * d + (d <= max / 2 ? d : 0);
    for (uint64_t n : {uint64_t{0}, d - 1, d, multiple, multiple - 1, max, max - 1, random() >> 1}) {
      if (n > max) continue;
      const auto high = static_cast<uint64_t>(uint128{magic} * n >> 64);
      ASSERT_EQ((high + n) >> shift, n / d) << n << " / " << d;
    }
  }
}

TEST_F(CudaTest, ImmediatesAndFusedPrograms) {
  // sqrt(x * x + 2.5) * y, y a scalar among the parameters.
  ProgramBuilder b;
  int32_t x = b.input(DType::float64_);
  int32_t c = b.scalar(scalar_of(2.5), true), y = b.scalar(scalar_of(-3.0), true);
  auto op = [&](const char* name, std::initializer_list<int32_t> args) {
    return b.op(op_find(name)->number, std::vector<int32_t>(args));
  };
  b.output(op("multiply", {op("sqrt", {op("add", {op("multiply", {x, x}), c})}), y}));
  BoundProgram bound = b.finish();
  std::vector<double> in(1001);
  std::iota(in.begin(), in.end(), -500.0);
  Memory from(bytes_of(in)), to(in.size() * sizeof(double));
  const int64_t shape = 1001, stride = 8;
  std::vector<Operand> operands = {{from.data(), &stride, {}}};
  for (const Scalar& s : bound.immediates) operands.push_back({nullptr, nullptr, s});
  operands.push_back({to.data(), &stride, {}});
  ElementwiseCall call{bound.program, 1, &shape, operands.data()};
  ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
  std::vector<double> out = values_of<double>(to.get());
  for (size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], std::sqrt(in[i] * in[i] + 2.5) * -3.0);
}

TEST_F(CudaTest, InPlace) {
  std::vector<float> in(100);
  std::iota(in.begin(), in.end(), 0.0F);
  Memory m(bytes_of(in));
  const int64_t shape = 100, stride = 4;
  const Operand operands[] = {{m.data(), &stride, {}}, {m.data(), &stride, {}}, {m.data(), &stride, {}}};
  const DType types[] = {DType::float32_, DType::float32_};
  ElementwiseCall call{&single_op(*op_find("multiply"), types, DType::float32_), 1, &shape, operands};
  ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
  std::vector<float> out = values_of<float>(m.get());
  for (size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], in[i] * in[i]);
}

TEST_F(CudaTest, EqualCallsCompileOnce) {
  std::vector<int32_t> in(64, 3);
  Memory m(bytes_of(in));
  const int64_t shape = 64, stride = 4;
  const Operand operands[] = {{m.data(), &stride, {}}, {m.data(), &stride, {}}};
  const DType types[] = {DType::int32_};
  ElementwiseCall call{&single_op(*op_find("negative"), types, DType::int32_), 1, &shape, operands};
  for (int i = 0; i < 5; ++i) ARR_WORKS(cuda().elementwise->elementwise(0, &call, nullptr, &error));
  EXPECT_EQ(arr_fake_cuda_calls("nvrtcCompileProgram"), 1);
  EXPECT_EQ(arr_fake_cuda_calls("cuLaunchKernel"), 5);
  EXPECT_EQ(values_of<int32_t>(m.get())[63], -3);
}

}  // namespace
}  // namespace arr::cuda_test
