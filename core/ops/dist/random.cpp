// SPDX-License-Identifier: MIT
// Random numbers that depend on the global index of an element, not on the number of ranks.
#include "expr/op_numbers.h"
#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// The row-major index in the global array of each element of this rank's part: a ramp, or an array.
class GlobalIndices {
 public:
  GlobalIndices(const Decomposition& by, Stream* stream) {
    const int32_t rank = by.grid->rank();
    ramp_.ndim = by.ndim();
    int64_t stride = 1, first = 0;
    bool box = true;
    for (int32_t i = by.ndim(); i-- > 0;) {
      const IndexRanges& s = by.segments(i, rank);
      ramp_.shape[i] = count_of(s);
      ramp_.strides[i] = stride;
      box = box && s.size() <= 1;
      if (!s.empty()) first += s[0].from * stride;
      stride *= by.shape[static_cast<size_t>(i)];
    }
    input_ = ramp_input(ramp_, first);
    if (box) return;
    array_ = full(DType::int64_, ramp_.dims(), Order::C, scalar_of(int64_t{0}), by.device(), stream);
    for (int32_t i = 0; i < by.ndim(); ++i) {
      const Ref<Array> along =
          broadcastable_vector(*index_array(by.segments(i, rank), by.device(), stream), by.ndim(), i);
      const int64_t step = ramp_.strides[i];
      const Ref<Array> sum =
          compute({array_.get(), along.get()}, stream, [&](ProgramBuilder& b, const int32_t* x) {
            return b.op(op::add, x[0], b.op(op::multiply, x[1], integer(b, step)));
          });
      array_ = sum;
    }
    input_ = {array_.get(), {}, false};
  }
  GlobalIndices(const GlobalIndices&) = delete;
  GlobalIndices& operator=(const GlobalIndices&) = delete;
  [[nodiscard]] const Input& input() const { return input_; }

 private:
  Layout ramp_;
  Ref<Array> array_;
  Input input_;
};

}  // namespace

Ref<Dist> dist_random(Decomposition& by, DType d, Generator& g, int32_t distribution, Parameters parameters,
                      Stream* stream) {
  for (const Input& p : parameters) {
    if (p.array != nullptr) fail(ARR_E_ARGUMENT, "argument parameters: an array, expected numbers");
  }
  if (!g.keyed()) fail(ARR_E_UNSUPPORTED, "argument generator: expected one of Philox");
  Layout whole;
  whole.ndim = by.ndim();
  std::copy(by.shape.begin(), by.shape.end(), whole.shape);
  const GlobalIndices at(by, stream);
  const std::vector<int64_t> shape = by.part_shape();
  Ref<Array> part = random(g, distribution, parameters, {d, by.ndim(), shape.data(), by.device()}, stream,
                           {&at.input(), whole.size()});
  return make<Dist>(Ref<Decomposition>::share(&by), std::move(part), std::vector<int64_t>());
}

}  // namespace arr
