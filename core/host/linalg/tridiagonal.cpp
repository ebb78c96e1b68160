// SPDX-License-Identifier: MIT
// Divides tridiagonal systems among threads, each of which solves as many at once as a vector has lanes.
// Systems that are neighbours in memory, such as those along the first axis of a row-major array, are read
// and written where they are; others are copied. If all have the same matrix, it is factored once.
#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "array/layout.h"
#include "backend/linalg.h"
#include "base/checked.h"
#include "host/elementwise/parallel.h"
#include "host/linalg/calls.h"
#include "host/linalg/linalg.h"
#include "host/loops/linalg/small_matrices.h"

namespace arr::host {

namespace {

constexpr int64_t max_lanes = 16, max_width = max_lanes * tridiagonal_vectors;
// The most bytes of one operand's vectors in a group. Longer systems are solved one by one.
constexpr int64_t max_group_bytes = int64_t{1} << 24;

// The addresses of the first elements of one call's vectors, from a system to the next.
class Place {
 public:
  static constexpr size_t vectors = 6;
  Place(const TridiagonalCall& c, int64_t index) : c_(c) {
    const TridiagonalCall::Vectors* all[vectors] = {&c.lower, &c.diagonal, &c.upper, &c.b, &c.x, &c.info};
    for (size_t v = 0; v < vectors; ++v) {
      at[v] = all[v]->data;
      batch_[v] = all[v]->batch;
    }
    for (int32_t d = c.nbatch; d-- > 0;) {
      at_[d] = index % c.batch_shape[d];
      index /= c.batch_shape[d];
      move(d, at_[d]);
    }
  }
  void advance() {
    for (int32_t d = c_.nbatch; d-- > 0;) {
      move(d, 1);
      if (++at_[d] < c_.batch_shape[d]) return;
      move(d, -at_[d]);
      at_[d] = 0;
    }
  }
  std::array<char*, vectors> at;

 private:
  void move(int32_t d, int64_t steps) {
    for (size_t v = 0; v < vectors; ++v) at[v] += steps * batch_[v][d];
  }
  const TridiagonalCall& c_;
  std::array<const int64_t*, vectors> batch_;
  int64_t at_[max_ndim];
};

// T: the type of a number's parts; PARTS: 1 or 2.
template <class T, int64_t PARTS>
class Tridiagonal {
  static constexpr int64_t size = sizeof(T), item = PARTS * size;
  using Lanes = std::array<char*, static_cast<size_t>(max_width)>;

  // The factors of one matrix.
  struct Factors {
    explicit Factors(int64_t n) : numbers(4 * n * PARTS), swapped(n) {}
    void put_into(TridiagonalSystems<T>* s) const {
      s->pivots = numbers.get();
      s->first = s->pivots + s->n * PARTS;
      s->second = s->first + s->n * PARTS;
      s->factors = s->second + s->n * PARTS;
      s->swapped = swapped.get();
    }
    Space<T> numbers;
    Space<bool> swapped;
  };

 public:
  explicit Tridiagonal(const TridiagonalCall& call)
      : c_(call), loops_(PARTS == 2 ? small_loops<T>().tridiagonal_complex : small_loops<T>().tridiagonal) {}

  void run() {
    const int64_t count = c_.count(), lanes = small_loops<T>().lanes;
    if (4 * count < lanes || checked::mul(c_.n, lanes * item, "a system") > max_group_bytes) {
      return run_groups(count, 1, 1);
    }
    if (one_matrix() && count > 1) {
      factors_.emplace(c_.n);
      if (!factor(count)) return;
    }
    run_groups(count, lanes, vectors(count, lanes));
  }

 private:
  // True if every system has the same matrix.
  [[nodiscard]] bool one_matrix() const {
    for (const auto* v : {&c_.lower, &c_.diagonal, &c_.upper}) {
      for (int32_t d = 0; d < c_.nbatch; ++d) {
        if (v->batch[d] != 0) return false;
      }
    }
    return true;
  }

  // The number of vectors in a group: all if parts of rows are read from memory, fewer if copies of long
  // systems would leave the caches, or threads would have no work.
  [[nodiscard]] int64_t vectors(int64_t count, int64_t lanes) const {
    constexpr int64_t cached = int64_t{1} << 17;
    const int64_t bytes = c_.n * lanes * item, most = neighbours() ? max_group_bytes : cached;
    const int64_t each = count / (2 * lanes * concurrency());
    return std::clamp<int64_t>(std::min(most / bytes, each), 1, tridiagonal_vectors);
  }
  // True if a system's elements lie beside those of the next.
  [[nodiscard]] bool neighbours() const {
    return PARTS == 1 && c_.nbatch > 0 && c_.x.batch[c_.nbatch - 1] == item && c_.n > 1;
  }

  // Returns false if the matrix is singular; then no system is solved.
  bool factor(int64_t count) {
    Group g(*this, 1, 1);
    Place place(c_, 0);
    TridiagonalSystems<T> s;
    s.n = c_.n;
    factors_->put_into(&s);
    const int32_t info = loops_.factor(g.with_matrix(s, place)) ? first_zero(s.pivots, 1, PARTS) : 0;
    for (int64_t i = 0; i < count && info != 0; ++i, place.advance()) put_info(place.at[5], info);
    return info == 0;
  }

  void run_groups(int64_t count, int64_t lanes, int64_t vectors) {
    const int64_t width = lanes * vectors;
    const int64_t grain =
        serial_elements / 4 / std::max<int64_t>(1, std::min(c_.n * width, serial_elements)) + 1;
    parallel_ranges(checked::ceil_div(count, width), grain, [&](int64_t first, int64_t last) {
      Group g(*this, lanes, vectors);
      for (int64_t i = first; i < last; ++i) g.solve(i * width, std::min(width, count - i * width));
    });
  }

  // Systems that are solved at once, with their memory.
  class Group {
   public:
    Group(const Tridiagonal& all, int64_t lanes, int64_t vectors)
        : all_(all),
          c_(all.c_),
          lanes_(lanes),
          room_(c_.n * lanes * vectors * PARTS),
          work_(all.factors_ ? 0 : 3 * room_) {
      set_width(vectors);
    }

    // The systems' matrices, of one system, in the memory of the call or copied.
    TridiagonalSystems<T> with_matrix(TridiagonalSystems<T> s, const Place& place) {
      for (size_t v = 0; v < 5; ++v) at_[v].fill(place.at[v]);
      read_matrix(&s);
      return s;
    }

    void solve(int64_t first, int64_t count) {
      set_width(checked::ceil_div(count, lanes_));
      Place place(c_, first);
      Lanes infos;
      for (int64_t l = 0; l < width_; ++l) {
        const auto lane = static_cast<size_t>(l);
        for (size_t v = 0; v < 5; ++v) at_[v][lane] = place.at[v];
        infos[lane] = place.at[5];
        if (l + 1 < count) place.advance();  // the other lanes repeat the last system
      }
      TridiagonalSystems<T> s;
      s.n = c_.n;
      s.vectors = width_ / lanes_;
      const bool in_place = direct(c_.x, at_[4]) && count == width_;
      s.x = in_place ? TridiagonalRows<T>{reinterpret_cast<T*>(at_[4][0]), c_.x.step / size}
                     : TridiagonalRows<T>{buffer(4), row_};
      s.b = rows(c_.b, 3);
      const bool singular = run(&s);
      if (!in_place) scatter(s.x.at, count);
      for (int64_t l = 0; l < count; ++l) {
        put_info(infos[static_cast<size_t>(l)],
                 singular ? all_.first_zero(s.pivots + number(l), lanes_, row_) : 0);
      }
    }

   private:
    void set_width(int64_t vectors) {
      width_ = lanes_ * vectors;
      row_ = width_ * PARTS;
    }
    // The index of a system's number in a row.
    [[nodiscard]] int64_t number(int64_t system) const {
      return system / lanes_ * lanes_ * PARTS + system % lanes_;
    }

    bool run(TridiagonalSystems<T>* s) {
      if (all_.factors_) {
        all_.factors_->put_into(s);
        all_.loops_.substitute_lanes(*s);
        return false;
      }
      s->pivots = work_.get();
      s->first = s->pivots + c_.n * row_;
      s->second = s->first + c_.n * row_;
      read_matrix(s);
      return (lanes_ == 1 ? all_.loops_.solve : all_.loops_.solve_lanes)(*s);
    }

    void read_matrix(TridiagonalSystems<T>* s) {
      s->lower = rows(c_.lower, 0);
      s->diagonal = rows(c_.diagonal, 1);
      s->upper = rows(c_.upper, 2);
    }

    // True if the loops can work on the call's memory.
    bool direct(const TridiagonalCall::Vectors& v, const Lanes& at) const {
      if (v.step % size != 0 || static_cast<int64_t>(reinterpret_cast<uintptr_t>(at[0])) % size != 0)
        return false;
      if (width_ == 1) return true;
      for (int64_t l = 1; l < width_; ++l) {
        if (at[static_cast<size_t>(l)] != at[0] + l * item) return false;
      }
      return PARTS == 1;
    }

    TridiagonalRows<const T> rows(const TridiagonalCall::Vectors& v, size_t which) {
      const Lanes& at = at_[which];
      if (direct(v, at)) return {reinterpret_cast<const T*>(at[0]), v.step / size};
      const int64_t n = which == 0 || which == 2 ? c_.n - 1 : c_.n;
      T* to = buffer(which);
      for (int64_t i = 0; i < n; i += block) {
        for (int64_t l = 0; l < width_; ++l) {
          const char* from = at[static_cast<size_t>(l)] + i * v.step;
          T* lane = to + i * row_ + number(l);
          for (int64_t j = std::min(block, n - i); j-- > 0; from += v.step, lane += row_) {
            for (int64_t p = 0; p < PARTS; ++p) std::memcpy(lane + p * lanes_, from + p * size, sizeof(T));
          }
        }
      }
      return {to, row_};
    }

    void scatter(const T* from, int64_t count) const {
      for (int64_t i = 0; i < c_.n; i += block) {
        for (int64_t l = 0; l < count; ++l) {
          char* to = at_[4][static_cast<size_t>(l)] + i * c_.x.step;
          const T* lane = from + i * row_ + number(l);
          for (int64_t j = std::min(block, c_.n - i); j-- > 0; to += c_.x.step, lane += row_) {
            for (int64_t p = 0; p < PARTS; ++p) std::memcpy(to + p * size, lane + p * lanes_, sizeof(T));
          }
        }
      }
    }

    T* buffer(size_t which) {
      if (!buffers_[which]) buffers_[which].emplace(room_);
      return buffers_[which]->get();
    }

    static constexpr int64_t block = 32;  // rows that are copied for each lane in turn
    const Tridiagonal& all_;
    const TridiagonalCall& c_;
    const int64_t lanes_, room_;
    int64_t width_ = 0, row_ = 0;  // systems, and numbers in a row
    std::array<Lanes, 5> at_{};
    Space<T> work_;
    std::array<std::optional<Space<T>>, 5> buffers_;
  };

  // The number of a system's first pivot that is 0, counted from 1; or 0. Its imaginary parts are `lanes`
  // numbers after the real ones.
  int32_t first_zero(const T* pivots, int64_t lanes, int64_t row) const {
    for (int64_t i = 0; i < c_.n; ++i, pivots += row) {
      if (pivots[0] == 0 && pivots[(PARTS - 1) * lanes] == 0) {
        return static_cast<int32_t>(std::min<int64_t>(i + 1, INT32_MAX));
      }
    }
    return 0;
  }
  static void put_info(char* at, int32_t info) { std::memcpy(at, &info, sizeof info); }

  const TridiagonalCall& c_;
  const TridiagonalLoops<T>& loops_;
  std::optional<Factors> factors_;
};

}  // namespace

void tridiagonal(const TridiagonalCall& call) {
  switch (call.dtype) {
    case DType::float32_:
      return Tridiagonal<float, 1>(call).run();
    case DType::float64_:
      return Tridiagonal<double, 1>(call).run();
    case DType::complex64_:
      return Tridiagonal<float, 2>(call).run();
    case DType::complex128_:
      return Tridiagonal<double, 2>(call).run();
    default:
      fail(ARR_E_DTYPE, "tridiagonal solve of ", name(call.dtype));
  }
}

}  // namespace arr::host
