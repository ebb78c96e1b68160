// SPDX-License-Identifier: MIT
// Matrix products over the fake: every dtype, orders and strides, batches, against loops on the host.
#include "support.h"

namespace arr::cuda_test {
namespace {

struct Case {
  const char* name;
  int64_t m, n, k;
  std::vector<int64_t> batch;
  // Strides in elements: row, column, then the batches.
  std::vector<int64_t> a, b, c;
  bool blas;  // whether cuBLAS can take it
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"row_major", 5, 7, 3, {}, {3, 1}, {7, 1}, {7, 1}, true},
      {"column_major", 5, 7, 3, {}, {1, 5}, {1, 3}, {1, 5}, true},
      {"a_transposed", 5, 7, 3, {}, {1, 5}, {7, 1}, {7, 1}, true},
      {"b_transposed", 5, 7, 3, {}, {3, 1}, {1, 3}, {7, 1}, true},
      {"to_column_major", 5, 7, 3, {}, {3, 1}, {7, 1}, {1, 5}, true},
      {"padded", 5, 7, 3, {}, {10, 1}, {16, 1}, {9, 1}, true},
      {"dot", 1, 1, 9, {}, {9, 1}, {1, 1}, {1, 1}, true},
      {"outer", 6, 4, 1, {}, {1, 1}, {4, 1}, {4, 1}, true},
      {"vector", 6, 1, 5, {}, {5, 1}, {1, 1}, {1, 1}, true},
      {"batches", 4, 5, 3, {6}, {3, 1, 12}, {5, 1, 15}, {5, 1, 20}, true},
      {"broadcast_batch", 4, 5, 3, {6}, {3, 1, 0}, {5, 1, 15}, {5, 1, 20}, true},
      {"two_batch_dimensions", 4, 5, 3, {2, 3}, {3, 1, 36, 12}, {5, 1, 0, 15}, {5, 1, 60, 20}, true},
      {"every_second", 5, 7, 3, {}, {6, 2}, {7, 1}, {7, 1}, false},
      {"nothing_to_add", 5, 7, 0, {}, {1, 1}, {7, 1}, {7, 1}, false},
      {"large", 130, 70, 100, {}, {100, 1}, {70, 1}, {70, 1}, true},
  };
  return all;
}

struct Matrix {
  Matrix(DType d, int64_t rows, int64_t columns, const std::vector<int64_t>& batch,
         const std::vector<int64_t>& strides, int64_t seed)
      : row(strides[0] * item_size(d)), column(strides[1] * item_size(d)) {
    int64_t elements =
        1 + std::max<int64_t>(rows - 1, 0) * strides[0] + std::max<int64_t>(columns - 1, 0) * strides[1];
    for (size_t i = 0; i < batch.size(); ++i) {
      elements += (batch[i] - 1) * strides[2 + i];
      steps.push_back(strides[2 + i] * item_size(d));
    }
    host.resize(static_cast<size_t>(elements * item_size(d)), '\x5a');
    for (int64_t i = 0; seed != 0 && i < elements; ++i) {
      set_element(d, kind(d) == DKind::BOOL ? (i * seed) % 4 == 1 : (i * seed + 1) % 4,
                  host.data() + i * item_size(d));
    }
    device = std::make_unique<Memory>(host);
  }
  [[nodiscard]] MatmulCall::Matrix operand() const { return {device->data(), row, column, steps.data()}; }
  int64_t row, column;
  std::vector<int64_t> steps;
  std::vector<char> host;
  std::unique_ptr<Memory> device;
};

void check(const Case& c, DType d, MatmulCompute compute = MatmulCompute::standard) {
  SCOPED_TRACE(text(c.name, " ", name(d)));
  Matrix a(d, c.m, c.k, c.batch, c.a, 3), b(d, c.k, c.n, c.batch, c.b, 7), out(d, c.m, c.n, c.batch, c.c, 0);
  MatmulCall call;
  call.dtype = d;
  call.compute = compute;
  call.m = c.m;
  call.n = c.n;
  call.k = c.k;
  call.nbatch = static_cast<int32_t>(c.batch.size());
  call.batch_shape = c.batch.data();
  call.a = a.operand();
  call.b = b.operand();
  call.c = out.operand();
  int64_t before = arr_fake_cuda_calls("cublasGemmStridedBatchedEx");
  ARR_WORKS(cuda().linalg->matmul(0, &call, nullptr, &error));
  bool by_blas = arr_fake_cuda_calls("cublasGemmStridedBatchedEx") > before;
  ASSERT_EQ(by_blas, c.blas && (is_floating(d) || is_complex(d)));
  std::vector<char> result = out.device->get();
  for (Index batch(c.batch); !batch.done(); batch.next()) {
    for (int64_t i = 0; i < c.m; ++i) {
      for (int64_t j = 0; j < c.n; ++j) {
        double sum = 0;
        for (int64_t e = 0; e < c.k; ++e) {
          sum += get_element(d, a.host.data() + batch.offset(a.steps) + i * a.row + e * a.column) *
                 get_element(d, b.host.data() + batch.offset(b.steps) + e * b.row + j * b.column);
        }
        if (d == DType::bool_) sum = sum != 0;
        if (d == DType::uint8_) sum = static_cast<uint8_t>(sum);
        if (d == DType::int8_) sum = static_cast<int8_t>(static_cast<int64_t>(sum));
        char* at = result.data() + batch.offset(out.steps) + i * out.row + j * out.column;
        ASSERT_EQ(get_element(d, at), sum) << i << ", " << j;
        std::memset(at, 0x5a, static_cast<size_t>(item_size(d)));
      }
    }
  }
  ASSERT_EQ(result, out.host);  // nothing beside the product was written
}

class Matmul : public CudaTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(Matmul, EqualsALoop) {
  for (int32_t i = 1; i < dtype_limit; ++i) {
    auto d = static_cast<DType>(i);
    // Sums of the large case leave the exact range of the 16-bit floats.
    if (is_dtype(i) && !(is_half(d) && cases()[GetParam()].k > 50)) check(cases()[GetParam()], d);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Matmul, ::testing::Range(size_t{0}, cases().size()),
                         [](const auto& i) { return cases()[i.param].name; });

struct ComputeType {
  DType dtype;
  MatmulCompute compute;
  int64_t cublas;  // its number for that
};

// The settings for each dtype, as numbers of cublas_api.h.
TEST_F(CudaTest, CublasComputesAsWasAsked) {
  constexpr auto standard = MatmulCompute::standard, pedantic = MatmulCompute::pedantic,
                 float16 = MatmulCompute::float16, bfloat16 = MatmulCompute::bfloat16,
                 tf32 = MatmulCompute::tf32;
  const ComputeType types[] = {{DType::float16_, standard, 68},   {DType::float16_, pedantic, 69},
                               {DType::float16_, float16, 64},    {DType::bfloat16_, standard, 68},
                               {DType::bfloat16_, pedantic, 69},  {DType::float32_, standard, 68},
                               {DType::float32_, pedantic, 69},   {DType::float32_, float16, 74},
                               {DType::float32_, bfloat16, 75},   {DType::float32_, tf32, 77},
                               {DType::complex64_, standard, 68}, {DType::complex64_, pedantic, 69},
                               {DType::complex64_, float16, 74},  {DType::complex64_, bfloat16, 75},
                               {DType::complex64_, tf32, 77},     {DType::float64_, standard, 70},
                               {DType::float64_, pedantic, 71},   {DType::complex128_, standard, 70},
                               {DType::complex128_, pedantic, 71}};
  for (const ComputeType& t : types) {
    SCOPED_TRACE(t.cublas);
    arr_fake_cuda_set("compute", t.cublas);
    check(cases()[0], t.dtype, t.compute);
    // The fake takes no other.
    arr_fake_cuda_set("compute", t.cublas == 68 ? 69 : 68);
    Matrix a(t.dtype, 4, 4, {}, {4, 1}, 3), out(t.dtype, 4, 4, {}, {4, 1}, 0);
    MatmulCall call;
    call.dtype = t.dtype;
    call.compute = t.compute;
    call.m = call.n = call.k = 4;
    call.a = call.b = a.operand();
    call.c = out.operand();
    BackendError error;
    EXPECT_EQ(cuda().linalg->matmul(0, &call, nullptr, &error), ARR_E_DEVICE);
  }
}

}  // namespace
}  // namespace arr::cuda_test
