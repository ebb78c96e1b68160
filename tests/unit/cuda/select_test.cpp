// SPDX-License-Identifier: MIT
// Mask bits and what reads and writes by them over the fake, against loops on the host: tiles that look back
// through groups, 64-bit indices, rows of every alignment.
#include "expr/op_numbers.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

class Select : public CudaTest {};

struct Marked {
  Marked(const std::vector<char>& flags, std::vector<int64_t> extents, std::vector<int64_t> strides)
      : shape(std::move(extents)),
        size(std::ssize(flags)),
        bits(static_cast<size_t>(MaskBits::words(size)) * 8),
        before((static_cast<size_t>(MaskBits::tiles(size)) + 1) * 8) {
    const Memory on(flags);
    const Operand operand = {on.data(), strides.data(), {}};
    PackMaskCall c;
    c.map = &single_cast(DType::bool_, DType::bool_);
    c.ndim = static_cast<int32_t>(shape.size());
    c.shape = shape.data();
    c.operands = &operand;
    c.mask = mask();
    BackendError error;
    EXPECT_EQ(cuda().indexing->pack_mask(0, &c, nullptr, &error), ARR_OK) << error.text;
  }
  [[nodiscard]] MaskBits mask() const {
    return {reinterpret_cast<uint64_t*>(bits.data()), reinterpret_cast<int64_t*>(before.data())};
  }
  std::vector<int64_t> shape;
  int64_t size;
  Memory bits, before;
};

std::vector<char> flags_of(int64_t n, int64_t step) {
  std::vector<char> flags;
  for (int64_t i = 0; i < n; ++i) flags.push_back(i * i % step < 3 ? 1 : 0);
  return flags;
}

std::vector<int64_t> positions_of(const std::vector<char>& flags) {
  std::vector<int64_t> at;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) at.push_back(static_cast<int64_t>(i));
  }
  return at;
}

// Tiles in several groups of 32, read 16 at a time and one by one.
TEST_F(Select, MaskBits) {
  for (int64_t n : {int64_t{1}, int64_t{100}, compact_tile, 70 * compact_tile + 5}) {
    const std::vector<char> flags = flags_of(n, 7);
    const std::vector<int64_t> want = positions_of(flags);
    for (const Marked& m : {Marked(flags, {n}, {1}), Marked(flags, {1, n}, {n, 1})}) {
      const auto before = values_of<int64_t>(m.before.get());
      const auto bits = values_of<uint64_t>(m.bits.get());
      ASSERT_EQ(before.back(), std::ssize(want));
      for (size_t t = 0; t < before.size(); ++t) {
        const int64_t end = static_cast<int64_t>(t) * compact_tile;
        ASSERT_EQ(before[t], std::lower_bound(want.begin(), want.end(), end) - want.begin()) << "tile " << t;
      }
      std::vector<int64_t> got;
      for (int64_t i = 0; i < std::ssize(bits) * 64; ++i) {
        if ((bits[static_cast<size_t>(i / 64)] >> (i % 64) & 1U) != 0) got.push_back(i);
      }
      ASSERT_EQ(got, want);
    }
  }
}

// Two outputs, and indices in three dimensions as a matrix; elements without room are left out.
TEST_F(Select, ValuesAndIndices) {
  const std::vector<int64_t> space = {3, 50, 41};
  const int64_t n = 3 * 50 * 41, eight = 8;
  const std::vector<char> flags = flags_of(n, 11);
  const std::vector<int64_t> at = positions_of(flags);
  std::vector<int64_t> x;
  for (int64_t i = 0; i < n; ++i) x.push_back(i * 3);
  const Memory on(bytes_of(x));
  const Marked m(flags, {n}, {1});
  ProgramBuilder b;
  const int32_t in = b.input(DType::int64_);
  b.output(in);
  b.output(b.cast(b.op(op::add, in, in), DType::float32_));
  const Program& map = *b.finish().program;
  for (int64_t capacity : {std::ssize(at) + 2, std::ssize(at) / 2}) {
    const auto room = static_cast<size_t>(capacity);
    const Memory one(bytes_of(std::vector<int64_t>(room, -1))), two(bytes_of(std::vector<float>(room, -1))),
        indices(bytes_of(std::vector<int64_t>(room * 3, -1)));
    auto* first = reinterpret_cast<int64_t*>(indices.data());
    int64_t* const to[] = {first, first + 1, first + 2};
    const Operand operand = {on.data(), &eight, {}};
    CompactCall c;
    c.map = &map;
    c.ndim = 1;
    c.shape = &n;
    c.operands = &operand;
    c.mask = m.mask();
    c.capacity = capacity;
    c.values[0] = one.data();
    c.values[1] = two.data();
    c.nspace = 3;
    c.space = space.data();
    c.indices = to;
    c.index_step = 3;
    ARR_WORKS(cuda().indexing->compact(0, &c, nullptr, &error));
    const auto got = values_of<int64_t>(one.get()), index = values_of<int64_t>(indices.get());
    const auto twice = values_of<float>(two.get());
    for (size_t k = 0; k < room; ++k) {
      const bool is = k < at.size();
      const int64_t i = is ? at[k] : 0;
      ASSERT_EQ(got[k], is ? 3 * i : -1);
      ASSERT_EQ(twice[k], is ? static_cast<float>(6 * i) : -1.0F);
      ASSERT_EQ(index[3 * k], is ? i / (50 * 41) : -1);
      ASSERT_EQ(index[3 * k + 1], is ? i / 41 % 50 : -1);
      ASSERT_EQ(index[3 * k + 2], is ? i % 41 : -1);
    }
  }
}

TEST_F(Select, Rows) {
  const int64_t n = compact_tile + 100;
  const std::vector<char> flags = flags_of(n, 13);
  const std::vector<int64_t> at = positions_of(flags);
  const Marked m(flags, {n}, {1});
  for (int64_t bytes : {1, 2, 3, 12, 24, 48, 100}) {
    std::vector<char> x;
    for (int64_t i = 0; i < n * bytes; ++i) x.push_back(static_cast<char>(i * 7 + i / 253));
    const Memory on(x), to(static_cast<size_t>(std::ssize(at) * bytes));
    CompactCall c;
    c.map = ProgramBuilder().finish().program;
    c.ndim = 1;
    c.shape = &n;
    c.mask = m.mask();
    c.capacity = std::ssize(at);
    c.row_bytes = bytes;
    c.rows = {on.data(), &bytes, {}};
    c.row_to = to.data();
    ARR_WORKS(cuda().indexing->compact(0, &c, nullptr, &error));
    const std::vector<char> got = to.get();
    for (size_t k = 0; k < at.size(); ++k) {
      ASSERT_TRUE(std::equal(&x[static_cast<size_t>(at[k] * bytes)],
                             &x[static_cast<size_t>(at[k] * bytes)] + bytes,
                             &got[k * static_cast<size_t>(bytes)]))
          << bytes << " bytes, row " << k;
    }
  }
}

TEST_F(Select, Expand) {
  const int64_t n = 2 * compact_tile + 9;
  const std::vector<char> flags = flags_of(n, 5);
  const std::vector<int64_t> at = positions_of(flags);
  const Marked m(flags, {n}, {1});
  for (int64_t item : {1, 2, 4, 8, 16}) {
    for (int64_t nvalues : {std::ssize(at), int64_t{7}}) {
      std::vector<char> values, want(static_cast<size_t>(n * item * 2), 'x');
      for (int64_t i = 0; i < nvalues * item; ++i) values.push_back(static_cast<char>(i % 101));
      const int64_t step = 2 * item;
      const Memory from(values), target(want);
      for (size_t k = 0; k < at.size(); ++k) {
        const auto source = static_cast<int64_t>(k) % nvalues * item;
        std::copy_n(&values[static_cast<size_t>(source)], item, &want[static_cast<size_t>(at[k] * step)]);
      }
      MaskedScatterCall c;
      c.ndim = 1;
      c.shape = &n;
      c.mask = m.mask();
      c.target = {target.data(), &step, {}};
      c.item = item;
      c.values = from.data();
      c.nvalues = nvalues;
      ARR_WORKS(cuda().indexing->masked_scatter(0, &c, nullptr, &error));
      ASSERT_EQ(target.get(), want) << item << " bytes, " << nvalues << " values";
    }
  }
}

}  // namespace
}  // namespace arr::cuda_test
