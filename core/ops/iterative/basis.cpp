// SPDX-License-Identifier: MIT
// Orthonormal bases by matrix products.
#include "ops/iterative/basis.h"

#include "expr/op_numbers.h"
#include "ops/linalg/decompositions.h"
#include "ops/linalg/matmul.h"

namespace arr {

Ref<Array> empty_basis(const Vectors& s, int64_t count, int64_t n) {
  const int64_t shape[2] = {count, n};
  return arr::empty(s.dtype, shape, Order::C, s.device, s.stream);
}

Ref<Array> projections(const Vectors& s, const Array& basis, const Array& w) {
  return conjugate(*s.over_ranks(matmul(basis, *conjugate(w, s.stream), s.stream)), s.stream);
}

Ref<Array> combination(const Vectors& s, const Array& h, const Array& basis) {
  return matmul(h, basis, s.stream);
}

Ref<Array> without(const Vectors& s, const Array& w, const Array& h, const Array& basis) {
  return s.map({&w, combination(s, h, basis).get()},
               [](ProgramBuilder& b, const int32_t* in) { return b.op(op::subtract, in[0], in[1]); });
}

Orthogonal orthogonalize(const Vectors& s, const Array& basis, const Array& w) {
  const Ref<Array> h = projections(s, basis, w), once = without(s, w, *h, basis);
  const Ref<Array> rest = projections(s, basis, *once);
  return {without(s, *once, *rest, basis),
          s.map({h.get(), rest.get()},
                [](ProgramBuilder& b, const int32_t* in) { return b.op(op::add, in[0], in[1]); })};
}

void write_unit(const Vectors& s, const Array& row, const Array& w, const Array& size, const Array& before) {
  const Ref<Array> scale = s.map({&size, &before}, [](ProgramBuilder& b, const int32_t* in) {
    const DType d = b.dtype(in[0]);
    const int32_t least = b.op(op::multiply, constant(b, epsilon(d), d), in[1]);
    const int32_t small = b.op(op::less_equal, in[0], least);
    return b.op(op::where, small, constant(b, 0, d), b.op(op::divide, constant(b, 1, d), in[0]));
  });
  s.update({&row}, {&w, scale.get()},
           [](ProgramBuilder& b, const int32_t* in) { return std::array{b.op(op::multiply, in[0], in[1])}; });
}

std::array<Ref<Array>, 2> tall_qr(const Vectors& s, const Array& a) {
  const std::vector<Ref<Array>> own = qr(a, QrMode::reduced, s.stream);
  if (s.comm == nullptr) return {own[0], own[1]};
  // The triangles of all ranks, below each other, are factored by each.
  const int64_t k = a.layout.shape[1], ranks = s.comm->place().size, rows = own[1]->layout.shape[0];
  const int64_t part_shape[2] = {k, k}, all_shape[2] = {ranks * k, k};
  const Ref<Array> part =
      full(a.dtype, part_shape, Order::C, convert(scalar_of(0.0), a.dtype), s.device, s.stream);
  assign(*slice_axis(*part, 0, 0, rows), *own[1], s.stream);
  const Ref<Array> all = arr::empty(a.dtype, all_shape, Order::C, s.device, s.stream);
  s.comm->run_alone(all_gather_call(s.comm->place(), *all, *part, {}, s.stream));
  const std::vector<Ref<Array>> top = qr(*all, QrMode::reduced, s.stream);
  const int64_t from = s.comm->place().rank * k;
  return {matmul(*own[0], *slice_axis(*top[0], 0, from, from + rows), s.stream), top[1]};
}

std::vector<Complex> read_all(const Array& a, Stream* stream) {
  return download<Complex>(a, DType::complex128_, stream);
}

Ref<Array> write_all(const Vectors& s, const std::vector<Complex>& elements, int64_t columns) {
  Ref<Array> all;
  if (is_complex(s.dtype)) {
    all = upload(elements, DType::complex128_, s.device, s.stream);
  } else {
    std::vector<double> parts;
    parts.reserve(elements.size());
    for (const Complex& z : elements) parts.push_back(z.real());
    all = upload(parts, DType::float64_, s.device, s.stream);
  }
  all = as_type(*all, s.dtype, s.stream);
  if (columns == 0) return all;
  const int64_t shape[2] = {static_cast<int64_t>(elements.size()) / columns, columns};
  return reshape(*all, shape, Order::C, s.stream);
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.columns);
  for (size_t i = 0; i < a.rows; ++i) {
    for (size_t k = 0; k < a.columns; ++k) {
      for (size_t j = 0; j < b.columns; ++j) out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

Matrix adjoint(const Matrix& a) {
  Matrix out(a.columns, a.rows);
  for (size_t i = 0; i < a.rows; ++i) {
    for (size_t j = 0; j < a.columns; ++j) out(j, i) = std::conj(a(i, j));
  }
  return out;
}

SmallEigen eigen(const Matrix& a, bool real) {
  const Vectors host(real ? DType::float64_ : DType::complex128_, Device{}, nullptr);
  const Ref<Array> given = write_all(host, a.elements, static_cast<int64_t>(a.columns));
  const Eigen e = eigh(*given, true, true, OnFailure::error, nullptr);
  SmallEigen out{{}, Matrix(a.rows, a.columns)};
  for (const Complex& z : read_all(*e.values, nullptr)) out.values.push_back(z.real());
  out.vectors.elements = read_all(*e.vectors, nullptr);
  return out;
}

}  // namespace arr
