/* SPDX-License-Identifier: MIT */
/* The common part of the curves' sides: operands, a case that can be timed and read, tables of cases. */
#ifndef ARR_BENCH_CASES_H
#define ARR_BENCH_CASES_H
#include <chrono>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace curves {

/** An operand in row-major memory that the caller keeps; the type is a character of NumPy: b int8, ? bool,
 * ... */
struct Operand {
  const void* data;
  int64_t type;
  int64_t ndim;
  int64_t shape[3];
};

struct Operands {
  std::vector<Operand> list;
  int64_t n;  ///< the size that the caller chose

  template <class T>
  const T* at(size_t i) const {
    return static_cast<const T*>(list[i].data);
  }
  int64_t rows() const { return list[0].shape[0]; }
  int64_t columns() const { return list[0].shape[1]; }
};

class Case {
 public:
  virtual ~Case() = default;
  /** Returns the nanoseconds of one of `repeats` calls. */
  virtual double run(int64_t repeats) = 0;
  /** Returns the result of a call, complex numbers as pairs. */
  virtual std::vector<double> result() = 0;
};

struct Row {
  std::string workload;
  std::function<std::unique_ptr<Case>(const Operands&)> open;
};
using Table = std::vector<Row>;

Table arr_rows();
Table loop_rows();
Table loop_matrix_rows();
Table eigen_rows();

/** Times a call; the compiler must take it for one that others see. */
template <class Call>
double timed(int64_t repeats, const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < repeats; ++i) {
    call();
    asm volatile("" ::: "memory");
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(repeats);
}

/** A function that writes its result to an object of its own: a std::vector or an array of Eigen. */
template <class Out>
class Direct : public Case {
 public:
  using Function = void (*)(const Operands&, Out&);
  Direct(const Operands& x, Function f) : x_(x), f_(f) {}
  double run(int64_t repeats) override {
    return timed(repeats, [&] { f_(x_, out_); });
  }
  std::vector<double> result() override {
    f_(x_, out_);
    std::vector<double> list;
    for (int64_t i = 0; i < static_cast<int64_t>(out_.size()); ++i) append(list, out_.data()[i]);
    return list;
  }

 private:
  template <class T>
  static void append(std::vector<double>& list, const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      list.push_back(static_cast<double>(value));
    } else {
      list.push_back(static_cast<double>(value.real()));
      list.push_back(static_cast<double>(value.imag()));
    }
  }
  Operands x_;
  Function f_;
  Out out_;
};

/** Makes a row of a function; its name ends with the type where the table has several. */
template <class Out>
Row row(const char* workload, void (*f)(const Operands&, Out&)) {
  return {workload, [f](const Operands& x) { return std::make_unique<Direct<Out>>(x, f); }};
}

}  // namespace curves
#endif
