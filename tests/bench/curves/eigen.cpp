// SPDX-License-Identifier: MIT
// Eigen's side of the curves, as its users write it: expressions of arrays and matrices in row-major order,
// assigned to results that keep their memory. Products use OpenMP's threads where the compiler has them.
#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "cases.h"

namespace curves {
namespace {

using Eigen::Dynamic;
using Index = Eigen::Index;
template <class T>
using List = Eigen::Array<T, Dynamic, 1>;
template <class T>
using Vector = Eigen::Matrix<T, Dynamic, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;
template <class T>
using Grid = Eigen::Array<T, Dynamic, Dynamic, Eigen::RowMajor>;

template <class T>
Eigen::Map<const List<T>> list(const Operands& x, size_t i) {
  return {x.at<T>(i), x.list[i].shape[0]};
}
template <class T>
Eigen::Map<const Vector<T>> vector(const Operands& x, size_t i) {
  return {x.at<T>(i), x.list[i].shape[0]};
}
template <class T>
Eigen::Map<const Matrix<T>> matrix(const Operands& x, size_t i) {
  return {x.at<T>(i), x.list[i].shape[0], x.list[i].shape[1]};
}
Eigen::Map<const Grid<float>> grid(const Operands& x) { return {x.at<float>(0), x.rows(), x.columns()}; }

template <class T>
void add(const Operands& x, List<T>& out) {
  out = list<T>(x, 0) + list<T>(x, 1);
}
template <class T>
void chain(const Operands& x, List<T>& out) {
  const auto a = list<T>(x, 0), b = list<T>(x, 1), c = list<T>(x, 2);
  out = (a + b) * c - a / b + T(1.5);
}
template <class T>
void exp(const Operands& x, List<T>& out) {
  out = list<T>(x, 0).exp();
}
template <class T>
void sin(const Operands& x, List<T>& out) {
  out = list<T>(x, 0).sin();
}
template <class T>
void tanh(const Operands& x, List<T>& out) {
  out = list<T>(x, 0).tanh();
}
void where(const Operands& x, List<float>& out) {
  out = list<bool>(x, 0).select(list<float>(x, 1), list<float>(x, 2));
}
void cast(const Operands& x, List<float>& out) { out = list<int8_t>(x, 0).cast<float>(); }
void gelu(const Operands& x, List<float>& out) {
  const auto a = list<float>(x, 0);
  out = 0.5f * a * (1 + (0.7978845608f * (a + 0.044715f * a * a * a)).tanh());
}
void concatenate(const Operands& x, List<float>& out) {
  const auto a = list<float>(x, 0), b = list<float>(x, 1);
  out.resize(a.size() + b.size());
  out << a, b;
}
void take(const Operands& x, List<float>& out) { out = list<float>(x, 0)(list<int64_t>(x, 1)); }
void transposed(const Operands& x, Matrix<float>& out) { out = matrix<float>(x, 0).transpose(); }
void row_relu(const Operands& x, Grid<float>& out) {
  out = (grid(x).rowwise() + list<float>(x, 1).transpose()).max(0);
}

void sum(const Operands& x, List<float>& out) { out.setConstant(1, list<float>(x, 0).sum()); }
void mean(const Operands& x, List<float>& out) { out.setConstant(1, list<float>(x, 0).mean()); }
void max(const Operands& x, List<float>& out) { out.setConstant(1, list<float>(x, 0).maxCoeff()); }
void var(const Operands& x, List<float>& out) {
  const auto a = list<float>(x, 0);
  out.setConstant(1, (a - a.mean()).square().mean());
}
void argmax(const Operands& x, List<int64_t>& out) {
  Index found = 0;
  list<float>(x, 0).maxCoeff(&found);
  out.setConstant(1, found);
}
void argmax_rows(const Operands& x, List<int64_t>& out) {
  out.resize(x.rows());
  for (Index i = 0; i < x.rows(); ++i) grid(x).row(i).maxCoeff(&out[i]);
}
void sum_rows(const Operands& x, List<float>& out) { out = grid(x).rowwise().sum(); }
void sum_columns(const Operands& x, List<float>& out) { out = grid(x).colwise().sum(); }
void softmax(const Operands& x, Grid<float>& out) {
  out = (grid(x).colwise() - grid(x).rowwise().maxCoeff().eval()).exp();
  out.colwise() /= out.rowwise().sum().eval();
}

void dot(const Operands& x, List<float>& out) {
  out.setConstant(1, vector<float>(x, 0).dot(vector<float>(x, 1)));
}
void matrix_vector(const Operands& x, Vector<float>& out) {
  out.noalias() = matrix<float>(x, 0) * vector<float>(x, 1);
}
void vector_matrix(const Operands& x, Vector<float>& out) {
  out.noalias() = matrix<float>(x, 0).transpose() * vector<float>(x, 1);
}
template <class T>
void matmul(const Operands& x, Matrix<T>& out) {
  out.noalias() = matrix<T>(x, 0) * matrix<T>(x, 1);
}
void small_matmul(const Operands& x, std::vector<float>& out) {
  using Small = Eigen::Matrix<float, 4, 4, Eigen::RowMajor>;
  const int64_t size = 16 * x.rows();
  out.resize(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; i += 16) {
    const Eigen::Map<const Small> a(x.at<float>(0) + i), b(x.at<float>(1) + i);
    Eigen::Map<Small>(out.data() + i).noalias() = a * b;
  }
}
void distances(const Operands& x, Matrix<double>& out) {
  const auto a = matrix<double>(x, 0);
  out.resize(a.rows(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) out.row(i) = (a.rowwise() - a.row(i)).rowwise().squaredNorm();
}
void solve(const Operands& x, Vector<double>& out) {
  out = matrix<double>(x, 0).partialPivLu().solve(vector<double>(x, 1));
}
void fft(const Operands& x, std::vector<std::complex<float>>& out) {
  static Eigen::FFT<float> transform;
  out.resize(static_cast<size_t>(x.n));
  transform.fwd(out.data(), x.at<std::complex<float>>(0), x.n);
}

}  // namespace

Table eigen_rows() {
  return {
      row("add float32", add<float>),
      row("chain float32", chain<float>),
      row("exp float32", exp<float>),
      row("exp float64", exp<double>),
      row("sin float32", sin<float>),
      row("sin float64", sin<double>),
      row("tanh float32", tanh<float>),
      row("tanh float64", tanh<double>),
      row("where", where),
      row("cast of int8", cast),
      row("gelu", gelu),
      row("concatenate", concatenate),
      row("take", take),
      row("transposed copy", transposed),
      row("row, relu", row_relu),
      row("sum", sum),
      row("sum of rows", sum_rows),
      row("sum of columns", sum_columns),
      row("mean", mean),
      row("var", var),
      row("max", max),
      row("argmax", argmax),
      row("argmax of rows", argmax_rows),
      row("softmax of rows", softmax),
      row("dot", dot),
      row("matrix times vector", matrix_vector),
      row("vector times matrix", vector_matrix),
      row("matmul float32", matmul<float>),
      row("matmul float64", matmul<double>),
      row("matmul of 4 x 4", small_matmul),
      row("distances", distances),
      row("solve", solve),
      row("fft", fft),
  };
}

}  // namespace curves
