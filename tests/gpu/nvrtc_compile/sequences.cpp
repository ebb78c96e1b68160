// SPDX-License-Identifier: MIT
// Kernels of sequences of steps over rows.
#include "array/layout.h"
#include "cuda/reduce/emit_row_pipeline.h"
#include "expr/op_numbers.h"
#include "items.h"

namespace arr::cuda {

namespace {

enum Array : int8_t { input, output, largest, part, sum, factor, one };

// A step of one output of dtype d: build(builder, nodes of the inputs).
template <class Build>
const Program& program(std::initializer_list<DType> inputs, DType d, Build&& build) {
  ProgramBuilder b;
  std::vector<int32_t> nodes;
  for (const DType in : inputs) nodes.push_back(b.input(in));
  b.output(b.cast(build(b, nodes.data()), d));
  return *b.finish().program;
}

// The shapes that row_pipeline.cpp chooses from; `vector`: of wide accesses.
std::vector<BlocksShape> shapes(int32_t vector) {
  return {{1, 1, 32, 2 * vector, vector, true, false},
          {1, 1, block_threads, 12, 1, false, false},
          {1, 1, 4, vector, vector, false, true},
          {2, 2, 8, 3, 1, false, true},
          {0, 1, 1, 4, 1, false, false}};
}

}  // namespace

// As a softmax: reductions of one input and of two, a step of rows, one of elements, an immediate.
void add_sequences(std::vector<Item>* items) {
  for (const DType d : {DType::float16_, DType::bfloat16_, DType::float32_, DType::float64_, DType::int32_}) {
    const DType acc = d == DType::float64_ || d == DType::int32_ ? DType::float64_ : DType::float32_;
    const DType out = d == DType::int32_ ? acc : d;
    auto itself = [](ProgramBuilder&, const int32_t* in) { return in[0]; };
    BlocksCall c;
    int64_t strides[max_ndim] = {};
    char memory[16];
    Operand arrays[7];
    arrays[input] = arrays[output] = {memory, strides, {}};
    arrays[one] = {nullptr, nullptr, convert(scalar_of(1.0), acc)};
    c.arrays = arrays;
    c.narrays = 7;
    c.locals.at(largest) = c.locals.at(sum) = c.locals.at(factor) = {acc, true};
    c.locals.at(part) = {acc, false};
    c.steps.at(0) = {&program({d}, acc, itself), reduction_find("max"), {input}, largest};
    c.steps.at(1) = {&program({d, acc}, acc,
                              [&](ProgramBuilder& b, const int32_t* in) {
                                return b.op(op::exp, b.op(op::subtract, b.cast(in[0], acc), in[1]));
                              }),
                     nullptr,
                     {input, largest},
                     part};
    c.steps.at(2) = {&program({acc}, acc, itself), reduction_find("sum"), {part}, sum};
    c.steps.at(3) = {
        &program({acc, acc}, acc,
                 [](ProgramBuilder& b, const int32_t* in) { return b.op(op::divide, in[0], in[1]); }),
        nullptr,
        {one, sum},
        factor};
    c.steps.at(4) = {
        &program({acc, acc}, out,
                 [](ProgramBuilder& b, const int32_t* in) { return b.op(op::multiply, in[0], in[1]); }),
        nullptr,
        {part, factor},
        output};
    c.nsteps = 5;
    int32_t n = 0;
    const int64_t small = std::min(item_size(d), item_size(out)),
                  large = std::max(item_size(d), item_size(out));
    for (const BlocksShape& s : shapes(static_cast<int32_t>(std::min(16 / small, 64 / large))))
      items->push_back({text("sequence ", name(d), " class ", n++), emit_blocks(c, s)});
  }
}

}  // namespace arr::cuda
