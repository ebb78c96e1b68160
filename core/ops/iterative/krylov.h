// SPDX-License-Identifier: MIT
// The parts of iterative methods: programs over vectors and over numbers that stay on the device.
#pragma once

#include <bit>
#include <functional>

#include "ops/comm/together.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/iterative/linop.h"
#include "ops/reduce/reduce.h"

namespace arr {

// float32, float64, complex64 or complex128: that type; float64 for others.
DType solver_type(DType d);
// The distance of 1 to the next number.
double epsilon(DType real);
// A constant in a program.
inline int32_t constant(ProgramBuilder& b, double x, DType d) {
  return b.scalar(convert(scalar_of(x), d), false);
}

int32_t times(ProgramBuilder& b, int32_t x, int32_t y);
int32_t plus(ProgramBuilder& b, int32_t x, int32_t y);

// True: stop.
using SolveCallback = std::function<bool(int64_t, double)>;

// Vectors of one type on one device. Numbers are arrays without dimensions. Where the vectors are divided
// among the ranks of a communicator, numbers are those of the whole vectors, the same bits on each rank, so
// that all ranks decide alike; what reads elements of a vector otherwise must not decide anything.
class Vectors {
 public:
  using In = std::initializer_list<const Array*>;
  Vectors(DType d, Device where, Stream* s, Comm* among = nullptr)
      : dtype(d), real(real_type(d)), device(where), stream(s), comm(among) {}
  const DType dtype, real;
  const Device device;
  Stream* const stream;
  Comm* const comm;  // null: vectors are whole

  // The array of build(builder, nodes) -> node.
  template <class Build>
  Ref<Array> map(In in, Build&& build) const {
    return run(one(in, build), {in.begin(), in.size()}, stream);
  }
  // The arrays of build(builder, nodes) -> array of nodes.
  template <class Build>
  auto maps(In in, Build&& build) const {
    constexpr size_t count = std::tuple_size_v<decltype(build(std::declval<ProgramBuilder&>(), nullptr))>;
    const BoundProgram& p = several(in, build);
    std::vector<Ref<Array>> made =
        run_many(*p.program, Inputs(p, Inputs::Arrays(in.begin(), in.size())).all(), Order::C, stream);
    std::array<Ref<Array>, count> out;
    for (size_t i = 0; i < count; ++i) out.at(i) = std::move(made[i]);
    return out;
  }
  // Writes them into arrays, none of which is an operand of another one's node.
  template <class Build>
  void update(In out, In in, Build&& build) const {
    const BoundProgram& p = several(in, build);
    run_all_into({out.begin(), out.size()}, *p.program,
                 Inputs(p, Inputs::Arrays(in.begin(), in.size())).all(), stream);
  }
  // The sum of a program over vectors, in the type of its node.
  template <class Build>
  Ref<Array> sum(In in, Build&& build) const {
    return over_ranks(part_sum(in, build));
  }
  // The sum over this rank's parts, for over_ranks().
  template <class Build>
  Ref<Array> part_sum(In in, Build&& build) const {
    return reduced(one(in, build), in);
  }
  // Parts of sums, of all ranks: a vector or a matrix.
  Ref<Array> over_ranks(Ref<Array> parts) const;
  // conj(a) b and the sum of |c|^2, in one message.
  struct DotAndSquares {
    Ref<Array> dot, squares;
  };
  [[nodiscard]] DotAndSquares dot_and_squares(const Array& a, const Array& b, const Array& c) const;
  // The sum of conj(a) b.
  [[nodiscard]] Ref<Array> dot(const Array& a, const Array& b) const;
  // The sum of |a|^2, real.
  [[nodiscard]] Ref<Array> squares(const Array& a) const;
  // The 2-norm, without overflow.
  [[nodiscard]] Ref<Array> norm(const Array& a) const;

  [[nodiscard]] Ref<Array> zeros(int64_t n) const;
  [[nodiscard]] Ref<Array> empty(int64_t n) const;
  [[nodiscard]] Ref<Array> copy(const Array& a) const;
  // A number on the device.
  [[nodiscard]] Ref<Array> number(double x, DType d) const;
  [[nodiscard]] Ref<Array> number(double x) const { return number(x, real); }
  // A number of the device; waits.
  [[nodiscard]] static double read(const Array& a);
  // True if the callback of any rank stops the method.
  [[nodiscard]] bool stopped(const SolveCallback& callback, int64_t i, double residual) const;

 protected:
  // Checks the arguments of a method on all ranks, by a body that throws. All call it first; numbers: what
  // must be equal on them.
  void agree(std::initializer_list<CommonNumber> numbers, const SolveCallback& callback,
             const std::function<void()>& check);
  bool asks_ = false;  // a rank has a callback

 private:
  // Each `build` in the source has its own type, hence its own cache.
  template <class Emit>
  static const BoundProgram& program(In in, Emit&& emit) {
    static auto* const known = new ProgramCache;
    uint64_t key = 1;
    for (const Array* a : in) key = key << 4 | static_cast<uint64_t>(a->dtype);
    return known->get(key, [&] {
      ProgramBuilder b;
      std::array<int32_t, Program::max_inputs> nodes{};
      size_t n = 0;
      for (const Array* a : in) nodes.at(n++) = b.input(a->dtype);
      emit(b, nodes.data());
      return b.finish();
    });
  }
  template <class Build>
  static const BoundProgram& one(In in, Build&& build) {
    return program(in, [&](ProgramBuilder& b, const int32_t* x) { b.output(build(b, x)); });
  }
  template <class Build>
  static const BoundProgram& several(In in, Build&& build) {
    return program(in, [&](ProgramBuilder& b, const int32_t* x) {
      for (const int32_t node : build(b, x)) b.output(node);
    });
  }
  [[nodiscard]] Ref<Array> reduced(const BoundProgram& p, In in) const;
  [[nodiscard]] Ref<Array> part_dot(const Array& a, const Array& b) const;
};
// A number as one that must be equal on all ranks.
inline CommonNumber common(const char* name, double x) { return {name, std::bit_cast<int64_t>(x)}; }

// Throws unless it is a vector of n elements, or a matrix with one column, on that device. argument: the
// beginning of the error's text.
void check_vector(const Array& v, int64_t n, Device device, const char* argument);

struct SolveOptions {
  double rtol = 1e-5, atol = 0;
  int64_t maxiter = -1;  // negative: the method's default
  const Array* x0 = nullptr;
  const LinearOperator* m = nullptr;
  int64_t check_every = 0;           // 0: by the device
  int64_t restart = 0, augment = 3;  // restart 0: the method's default
  double shift = 0;
  SolveCallback callback;
};
struct Solved {
  Ref<Array> x;
  int64_t info = 0, iterations = 0;
  double residual = 0;
};

// The equations a x = b: operands in the type of the computation.
class System : public Vectors {
 public:
  System(const LinearOperator& a, const Array& right, const SolveOptions& o, Stream* s);
  // b = 0 has the solution 0.
  [[nodiscard]] bool trivial() const { return b_norm == 0; }
  [[nodiscard]] Solved zero() const { return {zeros(n), 0, 0, 0}; }
  [[nodiscard]] Ref<Array> times(const Array& x) const {
    return as_type(*a_->times(plain_mode, x, stream), dtype, stream);
  }
  [[nodiscard]] bool preconditioned() const { return static_cast<bool>(m_); }
  // M r; r itself without a preconditioner.
  [[nodiscard]] Ref<Array> precondition(const Array& r) const;
  // The start of x, in new memory, and b - a x.
  [[nodiscard]] Ref<Array> start() const;
  [[nodiscard]] Ref<Array> residual(const Array& x) const;

  const SolveOptions& options;
  const int64_t n, whole;  // elements of this rank, and of all
  int64_t check_every = 1;
  Ref<Array> b;
  double b_norm = 0, tolerance = 0;
  Ref<Array> tol;  // the same on the device

 private:
  static DType type_of(const LinearOperator& a, const Array& b);
  void check(const LinearOperator& a, const Array& right) const;
  Ref<LinearOperator> a_, m_;
};

// The end of an iteration, known to the device. code: 0 while the method runs, 1 when the tolerance is
// reached, otherwise an info code of a breakdown. count: iterations until then. residual: its norm.
struct Progress {
  Ref<Array> code, count, residual;
};
Progress begin(const System& s, Ref<Array> residual);
// The nodes of the code and the count after an iteration with that residual.
struct Ended {
  int32_t code, count;
};
Ended after_iteration(ProgramBuilder& b, int32_t code, int32_t count, int32_t residual, int32_t tolerance);
// `value` while code is 0, otherwise 0.
int32_t while_running(ProgramBuilder& b, int32_t code, int32_t value);

// Runs step() until the device says that it is the end, or at most maxiter times. Returns the report.
template <class Step>
Solved iterate(const System& s, Progress* p, int64_t maxiter, Step&& step);
Solved look(const System& s, const Progress& p, bool* stop);

template <class Step>
Solved iterate(const System& s, Progress* p, int64_t maxiter, Step&& step) {
  bool stop = false;
  Solved now;
  const auto at_end = [&] {
    now = look(s, *p, &stop);
    return stop;
  };
  if (Vectors::read(*p->code) != 0) return look(s, *p, &stop);
  for (int64_t i = 1; i <= maxiter; ++i) {
    step();
    if ((i % s.check_every == 0 || i == maxiter) && at_end()) return now;
  }
  if (maxiter == 0) now = look(s, *p, &stop);
  return now;
}

}  // namespace arr
