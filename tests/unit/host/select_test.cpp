// SPDX-License-Identifier: MIT
// Mask bits and what reads and writes by them against the plainest loops: the loops of every item size, the
// calls for several shapes, results of a limited extent, and memory around the results.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstring>
#include <random>

#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "host/indexing/calls.h"
#include "host/loops/indexing/mask_bits.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

constexpr int64_t sizes[] = {1, 7, 8, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096};
constexpr double shares[] = {0, 0.02, 0.2, 0.5, 0.9, 1};

std::vector<unsigned char> flags_of(int64_t n, double share) {
  std::mt19937 random(static_cast<uint32_t>(n + 1));
  std::vector<unsigned char> flags;
  for (int64_t i = 0; i < n; ++i) {
    // Any byte but 0 is true.
    const bool is = std::uniform_real_distribution<>(0, 1)(random) < share;
    flags.push_back(static_cast<unsigned char>(is ? 1 + i % 255 : 0));
  }
  return flags;
}

struct Packed {
  explicit Packed(const std::vector<unsigned char>& flags)
      : bits(flags.size() / 64 + 1, 0xa5a5a5a5a5a5a5a5U),
        count(host::mask_loops().pack(static_cast<int64_t>(flags.size()), flags.data(), bits.data())) {}
  std::vector<uint64_t> bits;
  int64_t count;
};

template <class F>
void each_case(F&& f) {
  for (int64_t n : sizes) {
    for (double share : shares) {
      SCOPED_TRACE(testing::Message() << n << " elements, share " << share);
      const std::vector<unsigned char> flags = flags_of(n, share);
      f(n, flags, Packed(flags));
    }
  }
}

TEST(MaskLoops, Pack) {
  each_case([](int64_t n, const std::vector<unsigned char>& flags, const Packed& p) {
    int64_t count = 0;
    for (int64_t i = 0; i < (n + 63) / 64 * 64; ++i) {
      const bool want = i < n && flags[static_cast<size_t>(i)] != 0;
      count += want ? 1 : 0;
      ASSERT_EQ(p.bits[static_cast<size_t>(i / 64)] >> (i % 64) & 1U, want ? 1U : 0U) << "bit " << i;
    }
    ASSERT_EQ(p.count, count);
  });
}

// Bytes that tell elements apart.
std::vector<char> pattern(int64_t bytes) {
  std::vector<char> x;
  for (int64_t i = 0; i < bytes; ++i) x.push_back(static_cast<char>(i * 7 + i / 251));
  return x;
}

TEST(MaskLoops, CompressAndExpand) {
  for (int32_t log2 = 0; log2 < 5; ++log2) {
    const int64_t item = int64_t{1} << log2;
    each_case([&](int64_t n, const std::vector<unsigned char>& flags, const Packed& p) {
      SCOPED_TRACE(testing::Message() << item << " bytes");
      const std::vector<char> x = pattern(n * item);
      std::vector<char> want;
      for (int64_t i = 0; i < n; ++i) {
        if (flags[static_cast<size_t>(i)] != 0)
          want.insert(want.end(), &x[static_cast<size_t>(i * item)],
                      &x[static_cast<size_t>(i * item)] + item);
      }
      // Exactly the memory that a loop may touch.
      std::vector<char> got(want.size() + compact_slack);
      const int64_t count = host::mask_loops().compress[log2](n, p.bits.data(), x.data(), got.data());
      ASSERT_EQ(count, p.count);
      ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin()));

      std::vector<char> values(want.size() + compact_slack), target = pattern(n * item + 3),
                                                             expected = target;
      for (size_t i = 0; i < want.size(); ++i) values[i] = static_cast<char>(want[i] ^ 0x55);
      for (int64_t i = 0, k = 0; i < n; ++i) {
        if (flags[static_cast<size_t>(i)] == 0) continue;
        std::copy_n(&values[static_cast<size_t>(k++ * item)], item, &expected[static_cast<size_t>(i * item)]);
      }
      host::mask_loops().expand[log2](n, p.bits.data(), values.data(), target.data());
      ASSERT_EQ(target, expected);
    });
  }
}

TEST(MaskLoops, Indices) {
  constexpr int64_t first = int64_t{1} << 40;
  each_case([&](int64_t n, const std::vector<unsigned char>& flags, const Packed& p) {
    std::vector<int64_t> want;
    for (int64_t i = 0; i < n; ++i) {
      if (flags[static_cast<size_t>(i)] != 0) want.push_back(i);
    }
    std::vector<int64_t> got(want.size() + 8);
    std::vector<uint32_t> low(want.size() + 16);
    ASSERT_EQ(host::mask_loops().indices(n, p.bits.data(), first, got.data()), p.count);
    ASSERT_EQ(host::mask_loops().short_indices(n, p.bits.data(), low.data()), p.count);
    for (size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(got[i], first + want[i]);
      ASSERT_EQ(low[i], static_cast<uint32_t>(want[i]));
    }
  });
}

TEST(MaskLoops, Coordinates) {
  for (int64_t extent : {int64_t{1}, int64_t{2}, int64_t{3}, int64_t{7}, int64_t{1000}, int64_t{4096},
                         int64_t{32767}, int64_t{32768}, int64_t{100003}, int64_t{1} << 50}) {
    for (int64_t base : {int64_t{0}, extent / 2, extent - 1}) {
      std::vector<uint32_t> indices;
      for (uint32_t i = 0; i < 4096; i += i % 5 + 1) indices.push_back(i);
      const std::vector<uint32_t> before = indices;
      std::vector<int64_t> got(indices.size() * 3, -1);
      host::mask_loops().coordinate(static_cast<int64_t>(indices.size()), indices.data(), base, extent, 3,
                                    got.data());
      for (size_t i = 0; i < indices.size(); ++i) {
        const int64_t x = base + before[i];
        ASSERT_EQ(got[3 * i], x % extent) << x << " by " << extent;
        ASSERT_EQ(indices[i], x / extent) << x << " by " << extent;
        ASSERT_EQ(got[3 * i + 1], -1);
      }
    }
  }
}

struct Case {
  std::vector<int64_t> shape;
  Form flags = Form::c, values = Form::c;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{}},
      {{1}},
      {{64}},
      {{4097}},
      {{40000}},
      {{300000}},
      {{70, 83}, Form::f, Form::c},
      {{70, 83}, Form::reversed, Form::stepped},
      {{3000, 3}, Form::c, Form::f},
      {{5, 6, 7}, Form::stepped, Form::reversed},
      {{90, 3, 200}, Form::f, Form::f},
      {{3, 5000}, Form::row, Form::column},
      {{4, 3, 2, 5, 6}, Form::reversed, Form::f},
  };
  return all;
}

// Flags, mask bits and an array of a case.
struct Data {
  Data(const Case& t, DType d, double share)
      : shape(t.shape),
        flags(make_block(t.shape, DType::bool_, t.flags, 5)),
        x(make_block(t.shape, d, t.values, 6)) {
    std::mt19937 random(3);
    for (char& c : flags.memory) c = std::uniform_real_distribution<>(0, 1)(random) < share ? 1 : 0;
    for (int64_t e : shape) size *= e;
    bits.resize(static_cast<size_t>(MaskBits::words(size)));
    before.resize(static_cast<size_t>(MaskBits::tiles(size)) + 1);
    std::vector<int64_t> index(shape.size(), 0);
    int64_t i = 0;
    do {
      if (*flags.at(index) != 0) {
        chosen.push_back(index);
        positions.push_back(i);
      }
      ++i;
    } while (next(&index, shape));
    const Operand operand = {flags.first(), flags.strides.data(), {}};
    PackMaskCall c;
    c.map = &single_cast(DType::bool_, DType::bool_);
    c.ndim = static_cast<int32_t>(shape.size());
    c.shape = shape.data();
    c.operands = &operand;
    c.mask = mask();
    host::pack_mask(c);
  }
  MaskBits mask() { return {bits.data(), before.data()}; }
  std::vector<int64_t> shape;
  int64_t size = 1;
  Block flags, x;
  std::vector<uint64_t> bits;
  std::vector<int64_t> before;
  std::vector<std::vector<int64_t>> chosen;
  std::vector<int64_t> positions;
};

template <class F>
void each_data(DType d, F&& f) {
  for (const Case& t : cases()) {
    for (double share : {0.0, 0.03, 0.6, 1.0}) {
      SCOPED_TRACE(testing::Message() << t.shape.size() << " dimensions, share " << share);
      Data data(t, d, share);
      f(&data);
    }
  }
}

TEST(Selection, MaskBits) {
  each_data(DType::float32_, [](Data* d) {
    ASSERT_EQ(d->before.back(), std::ssize(d->positions));
    for (size_t t = 0; t < d->before.size(); ++t) {
      const int64_t end = static_cast<int64_t>(t) * compact_tile;
      ASSERT_EQ(d->before[t],
                std::lower_bound(d->positions.begin(), d->positions.end(), end) - d->positions.begin());
    }
    int64_t bits = 0;
    for (uint64_t word : d->bits) bits += __builtin_popcountll(word);
    ASSERT_EQ(bits, d->before.back());
    for (int64_t p : d->positions) ASSERT_TRUE((d->bits[static_cast<size_t>(p / 64)] >> (p % 64) & 1U) != 0);
  });
}

// A call for values x and 2 x, and for coordinates, with this capacity; nothing behind it is written.
void check_values(Data* d, int64_t capacity) {
  ProgramBuilder b;
  const int32_t in = b.input(DType::float32_);
  b.output(in);
  b.output(b.op(op::add, in, in));
  const Program& map = *b.finish().program;
  const int64_t n = std::min(capacity, std::ssize(d->positions));
  const auto room = static_cast<size_t>(capacity) + 4;
  std::vector<float> one(room, -5), two(room, -5);
  std::vector<std::vector<int64_t>> indices(d->shape.size(), std::vector<int64_t>(room, -5));
  std::vector<int64_t*> to;
  for (std::vector<int64_t>& p : indices) to.push_back(p.data());
  const Operand operand = {d->x.first(), d->x.strides.data(), {}};
  CompactCall c;
  c.map = &map;
  c.ndim = static_cast<int32_t>(d->shape.size());
  c.shape = d->shape.data();
  c.operands = &operand;
  c.mask = d->mask();
  c.capacity = capacity;
  c.values[0] = one.data();
  c.values[1] = two.data();
  c.nspace = c.ndim;
  c.space = c.shape;
  c.indices = to.data();
  host::compact(c);
  for (size_t k = 0; k < room; ++k) {
    const bool is = static_cast<int64_t>(k) < n;
    float want = -5;
    if (is) std::memcpy(&want, d->x.at(d->chosen[k]), 4);
    const float twice = is ? want + want : -5;
    ASSERT_EQ(std::memcmp(&one[k], &want, 4), 0) << k;
    ASSERT_TRUE(std::memcmp(&two[k], &twice, 4) == 0 || twice != twice) << k;
    for (size_t i = 0; i < indices.size(); ++i) ASSERT_EQ(indices[i][k], is ? d->chosen[k][i] : -5) << k;
  }
}

TEST(Selection, ValuesAndIndices) {
  each_data(DType::float32_, [](Data* d) {
    const int64_t all = std::ssize(d->positions);
    for (int64_t capacity : {all + 3, all, all - 1, all / 2, int64_t{1}, int64_t{0}}) {
      if (capacity >= 0) check_values(d, capacity);
    }
  });
}

TEST(Selection, SameOnAnyThreads) {
  for (size_t threads : {1U, 2U, 5U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Data d({{300000}}, DType::float32_, 0.4);
    check_values(&d, 200000);
  }
}

TEST(Selection, MatrixOfIndices) {
  each_data(DType::float32_, [](Data* d) {
    const auto columns = static_cast<int64_t>(d->shape.size());
    if (columns == 0) return;
    std::vector<int64_t> matrix(d->positions.size() * d->shape.size() + 2, -5);
    std::vector<int64_t*> to;
    for (int64_t k = 0; k < columns; ++k) to.push_back(matrix.data() + k);
    CompactCall c;
    c.map = ProgramBuilder().finish().program;
    c.ndim = 1;
    c.shape = &d->size;
    c.mask = d->mask();
    c.capacity = std::ssize(d->positions);
    c.nspace = static_cast<int32_t>(columns);
    c.space = d->shape.data();
    c.indices = to.data();
    c.index_step = columns;
    host::compact(c);
    size_t at = 0;
    for (const std::vector<int64_t>& index : d->chosen) {
      for (int64_t i : index) ASSERT_EQ(matrix[at++], i);
    }
    ASSERT_EQ(matrix[at], -5);
  });
}

TEST(Selection, Rows) {
  each_data(DType::complex128_, [](Data* d) {
    // Each element as a row of 16 bytes.
    std::vector<char> got((d->positions.size() + 1) * 16, 'x');
    CompactCall c;
    c.map = ProgramBuilder().finish().program;
    c.ndim = static_cast<int32_t>(d->shape.size());
    c.shape = d->shape.data();
    c.mask = d->mask();
    c.capacity = std::ssize(d->positions) + 1;
    c.row_bytes = 16;
    c.rows = {d->x.first(), d->x.strides.data(), {}};
    c.row_to = got.data();
    host::compact(c);
    for (size_t k = 0; k < d->chosen.size(); ++k) {
      ASSERT_EQ(std::memcmp(&got[k * 16], d->x.at(d->chosen[k]), 16), 0) << k;
    }
    ASSERT_EQ(got.back(), 'x');
  });
}

TEST(Selection, Expand) {
  for (DType type : {DType::uint8_, DType::int16_, DType::float32_, DType::float64_, DType::complex128_}) {
    const int64_t item = item_size(type);
    for (const Case& t : cases()) {
      if (t.values == Form::column) continue;  // several elements in one place
      for (double share : {0.03, 0.6, 1.0}) {
        Data d(t, type, share);
        for (int64_t n : {std::ssize(d.positions), std::ssize(d.positions) + 100, int64_t{3}}) {
          const int64_t given = std::max<int64_t>(n, 1);
          const std::vector<char> values = pattern(given * item);
          std::vector<char> want = d.x.memory;
          for (size_t k = 0; k < d.chosen.size(); ++k) {
            const int64_t at = d.x.at(d.chosen[k]) - d.x.memory.data();
            const auto from = static_cast<int64_t>(k) % given * item;
            std::copy_n(&values[static_cast<size_t>(from)], item, &want[static_cast<size_t>(at)]);
          }
          MaskedScatterCall c;
          c.ndim = static_cast<int32_t>(d.shape.size());
          c.shape = d.shape.data();
          c.mask = d.mask();
          c.target = {d.x.first(), d.x.strides.data(), {}};
          c.item = item;
          c.values = values.data();
          c.nvalues = given;
          host::masked_scatter(c);
          ASSERT_EQ(d.x.memory, want) << item << " bytes, " << n << " values, share " << share;
        }
      }
    }
  }
}

}  // namespace
}  // namespace arr::test
