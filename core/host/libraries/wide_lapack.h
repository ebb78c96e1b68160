// SPDX-License-Identifier: MIT
// Calls a LAPACK with 64-bit integers by the signatures with 32-bit integers that lapack.h declares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace arr::host {

// The integers to which an argument points: their number, and whether LAPACK reads and writes them.
struct Integers {
  int64_t length = 1;
  bool read = true, written = true;
};

// The integers of argument i of a function. numbers[i] is the value of argument i if that is a `const int*`,
// otherwise 0. A result such as info is one integer that is only written.
using IntegersOf = Integers (*)(size_t i, const int64_t* numbers);

template <class A>
struct Argument {
  A argument;
  Integers integers;
};

template <class A>
class Passed {
 public:
  using Wide = A;
  explicit Passed(const Argument<A>& g) : argument_(g.argument) {}
  A get() { return argument_; }
  void put_back() {}

 private:
  A argument_;
};

// A copy of integers; `Int` is int or const int.
template <class Int>
class PassedIntegers {
 public:
  explicit PassedIntegers(const Argument<Int*>& g) : from_(g.argument), integers_(g.integers) {
    if (integers_.length != 1) many_.resize(static_cast<size_t>(integers_.length));
    if (from_ != nullptr && integers_.read) std::copy_n(from_, integers_.length, get());
  }
  int64_t* get() { return integers_.length == 1 ? &one_ : many_.data(); }

 protected:
  Int* from_;
  Integers integers_;

 private:
  int64_t one_ = 0;
  std::vector<int64_t> many_;
};

template <>
class Passed<const int*> : public PassedIntegers<const int> {
 public:
  using Wide = const int64_t*;
  using PassedIntegers::PassedIntegers;
  void put_back() {}
};

template <>
class Passed<int*> : public PassedIntegers<int> {
 public:
  using Wide = int64_t*;
  using PassedIntegers::PassedIntegers;
  void put_back() {
    if (from_ == nullptr || !integers_.written) return;
    std::transform(get(), get() + integers_.length, from_, [](int64_t x) { return static_cast<int>(x); });
  }
};

template <class A>
int64_t number_of(A) {
  return 0;
}
inline int64_t number_of(const int* a) { return a == nullptr ? 0 : *a; }

// A function of LAPACK; a type per function and element type, because the address is static.
template <auto Member, IntegersOf integers, class F>
struct WideLapack;
template <auto Member, IntegersOf integers, class... A>
struct WideLapack<Member, integers, void (*)(A...)> {
  static inline void (*wide)(typename Passed<A>::Wide...) = nullptr;
  static void call(A... arguments) { run(std::index_sequence_for<A...>(), arguments...); }

 private:
  template <size_t... I>
  static void run(std::index_sequence<I...>, A... arguments) {
    const int64_t numbers[] = {number_of(arguments)...};
    std::tuple<Passed<A>...> passed(Argument<A>{arguments, integers(I, numbers)}...);
    wide(std::get<I>(passed).get()...);
    (std::get<I>(passed).put_back(), ...);
  }
};

// The integer arrays of LAPACK's functions, according to its documentation: pivots, permutations, and
// workspaces, of which a size query (-1) writes the first element.
namespace integers_of {

inline Integers work(int64_t length) {
  return length < 0 ? Integers{1, false, true} : Integers{length, false, false};
}
inline Integers result(int64_t length) { return {length, false, true}; }

// A result, of which a size query writes nothing.
inline Integers work_or_result(int64_t length, int64_t lwork) {
  return lwork < 0 ? Integers{1, false, false} : result(length);
}

inline Integers numbers(size_t, const int64_t*) { return {}; }
inline Integers getrf(size_t i, const int64_t* n) {
  return i == 4 ? result(std::min(n[0], n[1])) : Integers{};
}
inline Integers getrs(size_t i, const int64_t* n) {
  return i == 5 ? Integers{n[1], true, false} : Integers{};
}
inline Integers gbsv(size_t i, const int64_t* n) { return i == 6 ? result(n[0]) : Integers{}; }
inline Integers getri(size_t i, const int64_t* n) {
  return i == 3 ? Integers{n[0], true, false} : Integers{};
}
inline Integers sytrf(size_t i, const int64_t* n) { return i == 4 ? work_or_result(n[1], n[6]) : Integers{}; }
inline Integers stedc(size_t i, const int64_t* n) { return i == 8 ? work(n[9]) : Integers{}; }
inline Integers gesdd_real(size_t i, const int64_t* n) {
  return i == 12 ? work(8 * std::min(n[1], n[2])) : Integers{};
}
inline Integers gesdd_complex(size_t i, const int64_t* n) {
  return i == 13 ? work(8 * std::min(n[1], n[2])) : Integers{};
}
inline Integers syevd_real(size_t i, const int64_t* n) { return i == 8 ? work(n[9]) : Integers{}; }
inline Integers syevd_complex(size_t i, const int64_t* n) { return i == 10 ? work(n[11]) : Integers{}; }

}  // namespace integers_of

}  // namespace arr::host
