// SPDX-License-Identifier: MIT
// Random numbers that depend on the global index of an element, not on the number of ranks.
#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/mesh.h"

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
    std::vector<Ref<Array>> own;
    std::vector<const Array*> vectors, coordinates;
    for (int32_t i = 0; i < by.ndim(); ++i) {
      own.push_back(index_array(by.segments(i, rank), by.device(), stream));
      vectors.push_back(own.back().get());
    }
    const std::vector<Ref<Array>> mesh = open_mesh(vectors, stream);
    for (const Ref<Array>& axis : mesh) coordinates.push_back(axis.get());
    const std::vector<Bounds> bounds(mesh.size(), Bounds::unchecked);
    array_ = ravel_multi_index(coordinates, by.shape, bounds, Order::C, stream);
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
