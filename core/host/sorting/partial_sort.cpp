// SPDX-License-Identifier: MIT
// Partial sorts: of the first elements, or of those at the indices kth. Each requested element is found by
// selection; then one pass moves the others before or after it, in their order. A long row is split into
// parts for several threads.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "backend/sorting.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/sorting/calls.h"
#include "host/sorting/select_keys.h"
#include "host/sorting/sort.h"

namespace arr::host {

namespace {

// An element, ordered by key and then by index as in a stable sort.
template <class K>
struct Pivot {
  K key = 0;
  int64_t index = 0;
};

// Counts and keys of part of a row relative to a range of keys.
template <class K>
struct Part {
  int64_t below = 0, inside = 0;
  std::vector<K> keys;  // keys in the range; empty if the range is one key
};

// Counts for a block of a part: keys below the range, and in it; and on which side of the pivot all elements
// are.
struct Block {
  int16_t below = 0, inside = 0;
  enum class Side : uint8_t { both, before, behind } side = Side::both;
};

template <class K>
class Selected {
 public:
  explicit Selected(const SortCall& c) : c_(c) {}

  void run() const {
    if (c_.n >= threaded_row) {
      for (int64_t r = 0; r < c_.rows; ++r) row(r, true);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, serial_elements / 8 / c_.n);
    parallel_ranges(c_.rows, grain, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) row(r, false);
    });
  }

 private:
  static constexpr int64_t part_size = serial_elements;

  [[nodiscard]] int64_t parts() const { return checked::ceil_div(c_.n, part_size); }
  // body(part, first, last) for each part of a row.
  template <class Body>
  void each_part(bool threads, const Body& body) const {
    const auto some = [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) body(p, p * part_size, std::min((p + 1) * part_size, c_.n));
    };
    threads ? parallel_ranges(parts(), 1, some) : some(0, parts());
  }
  // body(first, n, keys) for each block of a row's keys.
  template <class Body>
  static void each_block(const RowKeys<K>& keys, int64_t first, int64_t last, const Body& body) {
    K block[key_block];
    for (int64_t i = first; i < last; i += key_block) {
      const int64_t m = std::min(key_block, last - i);
      keys.read(i, m, block);
      body(i, m, static_cast<const K*>(block));
    }
  }

  // The same, but keys of blocks that are entirely on one side of the pivot are not read: whole(first, n,
  // side).
  template <class Whole, class Body>
  static void each_block_of(const RowKeys<K>& keys, int64_t first, int64_t last,
                            const std::vector<Block>& blocks, const Whole& whole, const Body& body) {
    for (int64_t i = first; i < last; i += key_block) {
      const int64_t m = std::min(key_block, last - i);
      const Block::Side side = blocks[static_cast<size_t>(i / key_block)].side;
      side == Block::Side::both ? each_block(keys, i, i + m, body) : whole(i, m, side);
    }
  }

  void row(int64_t r, bool threads) const {
    RowKeys<K> keys(c_);
    keys.elements = static_cast<const char*>(c_.keys) + r * c_.n * item_size(c_.dtype);
    std::vector<int64_t> before;  // for each part the number of elements before the pivot
    std::vector<Block> blocks(static_cast<size_t>(checked::ceil_div(c_.n, key_block)));
    if (c_.extent == SortExtent::first) {
      const Pivot<K> last = find(keys, c_.count - 1, threads, &before, &blocks);
      return first(r, keys, last, before, blocks, threads);
    }
    std::vector<Pivot<K>> pivots;
    for (int64_t i = 0; i < c_.nkth; ++i) pivots.push_back(find(keys, c_.kth[i], threads, &before, &blocks));
    pivots.size() == 1 ? divide(r, keys, pivots[0], before, blocks, threads) : deal(r, keys, pivots, threads);
  }

  // Finds the element of rank k.
  Pivot<K> find(const RowKeys<K>& keys, int64_t k, bool threads, std::vector<int64_t>* before,
                std::vector<Block>* blocks) const {
    std::vector<Part<K>> found(static_cast<size_t>(parts()));
    KeyRange<K> range = range_of<K>(c_.n, k, [&](int64_t i) {
      K key;
      keys.read(i, 1, &key);
      return key;
    });
    int64_t below = 0, inside = 0;
    for (;;) {
      collect(keys, range, threads, &found, blocks);
      below = inside = 0;
      for (const Part<K>& p : found) {
        below += p.below;
        inside += p.inside;
      }
      if (k >= below && k < below + inside) break;
      range = {};  // the sample missed the key
    }
    Pivot<K> pivot;
    pivot.key = range.low;
    if (!range.one()) {
      const PoolBlock room(checked::mul(2 * inside, static_cast<int64_t>(sizeof(K)), "the keys"));
      K *all = reinterpret_cast<K*>(room.data()), *end = all;
      for (const Part<K>& p : found) end = std::copy(p.keys.begin(), p.keys.end(), end);
      pivot.key = select_key(all, all + inside, inside, k - below);
    }
    find_pivot(keys, found, range, k, &pivot, before, blocks);
    return pivot;
  }
  void collect(const RowKeys<K>& keys, const KeyRange<K>& range, bool threads, std::vector<Part<K>>* found,
               std::vector<Block>* blocks) const {
    each_part(threads, [&](int64_t p, int64_t first, int64_t last) {
      Part<K>& part = (*found)[static_cast<size_t>(p)];
      part = {};
      each_block(keys, first, last, [&](int64_t i, int64_t m, const K* block) {
        K inside[key_block];
        const int64_t below = part.below;
        const int64_t count = keys_within(m, block, range.low, range.span, inside, &part.below);
        Block& b = (*blocks)[static_cast<size_t>(i / key_block)];
        b.below = static_cast<int16_t>(part.below - below);
        b.inside = static_cast<int16_t>(count);
        part.inside += count;
        if (!range.one()) part.keys.insert(part.keys.end(), inside, inside + count);
      });
    });
  }
  // Counts the keys of a part that are less than the pivot's or equal to it. Sets the sides of its blocks; a
  // block with the pivot's key is on both.
  std::array<int64_t, 2> compare(const Part<K>& part, const KeyRange<K>& range, K pivot, int64_t p,
                                 std::vector<Block>* blocks) const {
    std::array<int64_t, 2> all{};
    const K* key = part.keys.data();
    const int64_t first = p * part_size, last = std::min(first + part_size, c_.n);
    for (int64_t i = first; i < last; i += key_block) {
      Block& b = (*blocks)[static_cast<size_t>(i / key_block)];
      int64_t less = b.below, equal = range.one() ? b.inside : 0;
      for (const K* end = range.one() ? key : key + b.inside; key < end; ++key) {
        less += *key < pivot ? 1 : 0;
        equal += *key == pivot ? 1 : 0;
      }
      const bool before = less == std::min(key_block, last - i), behind = less == 0 && equal == 0;
      b.side = before ? Block::Side::before : behind ? Block::Side::behind : Block::Side::both;
      all[0] += less;
      all[1] += equal;
    }
    return all;
  }
  // Sets the pivot's index: among elements with its key, the first ones come before it.
  void find_pivot(const RowKeys<K>& keys, const std::vector<Part<K>>& found, const KeyRange<K>& range,
                  int64_t k, Pivot<K>* pivot, std::vector<int64_t>* before,
                  std::vector<Block>* blocks) const {
    std::vector<int64_t> less, equal;
    int64_t ties = k;
    for (const Part<K>& p : found) {
      const auto here = compare(p, range, pivot->key, static_cast<int64_t>(less.size()), blocks);
      less.push_back(here[0]);
      equal.push_back(here[1]);
      ties -= here[0];
    }
    before->clear();
    for (size_t p = 0; p < found.size(); ++p) {
      before->push_back(less[p] + std::clamp<int64_t>(ties, 0, equal[p]));
      if (ties >= 0 && ties < equal[p]) {
        const int64_t first = static_cast<int64_t>(p) * part_size;
        int64_t left = ties;
        each_block(keys, first, std::min(first + part_size, c_.n), [&](int64_t i, int64_t m, const K* block) {
          for (int64_t j = 0; j < m; ++j) {
            if (block[j] == pivot->key && left-- == 0) pivot->index = i + j;
          }
        });
      }
      ties -= equal[p];
    }
  }

  // Flags m elements from i on: 1 if the element comes before the pivot, otherwise 0.
  static void before_pivot(const Pivot<K>& pivot, int64_t i, int64_t m, const K* keys, uint8_t* out) {
    const int64_t ties = std::clamp<int64_t>(pivot.index - i, 0, m);
    for (int64_t j = 0; j < ties; ++j) out[j] = keys[j] <= pivot.key ? 1 : 0;
    for (int64_t j = ties; j < m; ++j) out[j] = keys[j] < pivot.key ? 1 : 0;
  }

  // Memory of the call's results.
  [[nodiscard]] char* values(int64_t r, int64_t n) const {
    return c_.sorted == nullptr ? nullptr : static_cast<char*>(c_.sorted) + r * n * item_size(c_.dtype);
  }
  [[nodiscard]] int64_t* indices(int64_t r, int64_t n) const {
    return c_.order == nullptr ? nullptr : c_.order + r * n;
  }

  // Partitions a row into elements before one pivot, the pivot, and those after it.
  void divide(int64_t r, const RowKeys<K>& keys, const Pivot<K>& pivot, const std::vector<int64_t>& before,
              const std::vector<Block>& blocks, bool threads) const {
    std::vector<int64_t> start(before.size() + 1);
    for (size_t p = 0; p < before.size(); ++p) start[p + 1] = start[p] + before[p];
    const int64_t rank = start.back();
    with_item([&](auto element) {
      using T = decltype(element);
      const T* x = reinterpret_cast<const T*>(keys.elements);
      T* y = reinterpret_cast<T*>(values(r, c_.n));
      int64_t* order = indices(r, c_.n);
      each_part(threads, [&](int64_t p, int64_t first, int64_t last) {
        int64_t low = start[static_cast<size_t>(p)];
        int64_t high = first - low + rank + (pivot.index < first ? 0 : 1);
        const auto whole = [&](int64_t i, int64_t m, Block::Side side) {
          int64_t& to = side == Block::Side::before ? low : high;
          if (y != nullptr) std::copy(x + i, x + i + m, y + to);
          if (order != nullptr) std::iota(order + to, order + to + m, i);
          to += m;
        };
        each_block_of(keys, first, last, blocks, whole, [&](int64_t i, int64_t m, const K* block) {
          uint8_t flags[key_block];
          before_pivot(pivot, i, m, block, flags);
          // The pivot itself is in neither group.
          if (pivot.index >= i && pivot.index < i + m) flags[pivot.index - i] = 2;
          int64_t count = 0;
          if (y != nullptr) count = part_by(flags, m, low, high, y, [&](int64_t j) { return x[i + j]; });
          if (order != nullptr) count = part_by(flags, m, low, high, order, [&](int64_t j) { return i + j; });
          low += count;
          high += m - count - (pivot.index >= i && pivot.index < i + m ? 1 : 0);
        });
      });
      if (y != nullptr) y[rank] = x[pivot.index];
      if (order != nullptr) order[rank] = pivot.index;
    });
  }
  // Distributes m values by their flags: 1 to to[low], 0 to to[high]. Returns the number of those with 1.
  template <class T, class Value>
  static int64_t part_by(const uint8_t* flags, int64_t m, int64_t low, int64_t high, T* to,
                         const Value& value) {
    T lows[key_block], highs[key_block];
    int64_t nlow = 0, nhigh = 0;
    for (int64_t j = 0; j < m; ++j) {
      const T v = value(j);
      lows[nlow] = v;
      highs[nhigh] = v;
      nlow += flags[j] & 1;
      nhigh += flags[j] == 0 ? 1 : 0;
    }
    std::copy(lows, lows + nlow, to + low);
    std::copy(highs, highs + nhigh, to + high);
    return nlow;
  }

  // Partitions by several pivots. Group 2 i + 1 is pivot i, group 2 i has the elements before it, the last
  // group those after the last pivot.
  void deal(int64_t r, const RowKeys<K>& keys, const std::vector<Pivot<K>>& pivots, bool threads) const {
    using Counts = std::array<int64_t, 2 * max_select_kth + 1>;
    std::vector<Counts> next(static_cast<size_t>(parts()));
    std::vector<uint8_t> groups(static_cast<size_t>(c_.n));
    each_part(threads, [&](int64_t p, int64_t first, int64_t last) {
      Counts& counts = next[static_cast<size_t>(p)];
      counts.fill(0);
      each_block(keys, first, last, [&](int64_t i, int64_t m, const K* block) {
        uint8_t* group = groups.data() + i;
        std::fill(group, group + m, static_cast<uint8_t>(2 * pivots.size()));
        for (const Pivot<K>& pivot : pivots) {
          uint8_t flags[key_block];
          before_pivot(pivot, i, m, block, flags);
          for (int64_t j = 0; j < m; ++j) group[j] = static_cast<uint8_t>(group[j] - 2 * flags[j]);
          if (pivot.index >= i && pivot.index < i + m) --group[pivot.index - i];
        }
        for (int64_t j = 0; j < m; ++j) ++counts[group[j]];
      });
    });
    int64_t sum = 0;
    for (size_t g = 0; g <= 2 * pivots.size(); ++g) {
      for (Counts& counts : next) {
        const int64_t here = counts[g];
        counts[g] = sum;
        sum += here;
      }
    }
    with_item([&](auto element) {
      using T = decltype(element);
      const T* x = reinterpret_cast<const T*>(keys.elements);
      T* y = reinterpret_cast<T*>(values(r, c_.n));
      int64_t* order = indices(r, c_.n);
      each_part(threads, [&](int64_t p, int64_t first, int64_t last) {
        Counts& at = next[static_cast<size_t>(p)];
        for (int64_t i = first; i < last; ++i) {
          const int64_t to = at[groups[static_cast<size_t>(i)]]++;
          if (y != nullptr) y[to] = x[i];
          if (order != nullptr) order[to] = i;
        }
      });
    });
  }

  // Writes the elements up to the pivot, sorted.
  void first(int64_t r, const RowKeys<K>& keys, const Pivot<K>& pivot, const std::vector<int64_t>& before,
             const std::vector<Block>& blocks, bool threads) const {
    const int64_t item = item_size(c_.dtype), count = c_.count;
    const PoolBlock room(checked::mul(count, 16 + item, "the first elements"));
    int64_t *at = reinterpret_cast<int64_t*>(room.data()), *order = at + count;
    char* elements = room.data() + 16 * count;
    std::vector<int64_t> start(before.size() + 1);
    for (size_t p = 0; p < before.size(); ++p) {
      const auto begin = static_cast<int64_t>(p) * part_size;
      const bool here = pivot.index >= begin && pivot.index < begin + part_size;
      start[p + 1] = start[p] + before[p] + (here ? 1 : 0);
    }
    with_item([&](auto element) {
      using T = decltype(element);
      const T* x = reinterpret_cast<const T*>(keys.elements);
      T* some = reinterpret_cast<T*>(elements);
      each_part(threads, [&](int64_t p, int64_t begin, int64_t end) {
        int64_t to = start[static_cast<size_t>(p)];
        if (start[static_cast<size_t>(p) + 1] == to) return;
        const auto whole = [&](int64_t i, int64_t m, Block::Side side) {
          if (side == Block::Side::behind) return;
          std::copy(x + i, x + i + m, some + to);
          std::iota(at + to, at + to + m, i);
          to += m;
        };
        each_block_of(keys, begin, end, blocks, whole, [&](int64_t i, int64_t m, const K* block) {
          uint8_t flags[key_block];
          before_pivot(pivot, i, m, block, flags);
          if (pivot.index >= i && pivot.index < i + m) flags[pivot.index - i] = 1;
          for (int64_t j = 0; j < m; ++j) {
            if (flags[j] != 0) {
              some[to] = x[i + j];
              at[to++] = i + j;
            }
          }
        });
      });
    });
    SortCall all;
    all.dtype = c_.dtype;
    all.rows = 1;
    all.n = count;
    all.descending = c_.descending;
    all.keys = elements;
    all.sorted = values(r, count);
    all.order = order;
    argsort(all);
    int64_t* out = indices(r, count);
    for (int64_t i = 0; out != nullptr && i < count; ++i) out[i] = at[order[i]];
  }

  template <class Body>
  void with_item(const Body& body) const {
    if constexpr (sizeof(K) == 4) {
      if (item_size(c_.dtype) == 1) return body(uint8_t{});
      if (item_size(c_.dtype) == 2) return body(uint16_t{});
      return body(uint32_t{});
    } else {
      body(K{});
    }
  }

  const SortCall& c_;
};

}  // namespace

void sort_selected(const SortCall& c) {
  const int64_t item = item_size(c.dtype);
  if (c.nkth == 0 && c.extent == SortExtent::kth) fail(ARR_E_INTERNAL, "a partition without kth");
  if (item == 16) return Selected<Wide>(c).run();
  item == 8 ? Selected<uint64_t>(c).run() : Selected<uint32_t>(c).run();
}

}  // namespace arr::host
