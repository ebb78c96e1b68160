// SPDX-License-Identifier: MIT
// The lines before the reduction kernel of reduce.cuh.
#include "cuda/reduce/emit_reduce.h"

#include "index_state.h"
#include "reduce_kernel.h"
#include "squares_text.h"
#include "states_text.h"

namespace arr::cuda {

namespace {

// The state of a reduction to a position, and the table's formulas for it.
std::string emit_index_reduction(const ReductionInfo& r, DType acc, DType out) {
  return Prologue()
      .type("A", acc)
      .type("O", out)
      .text(text("ARR_FN A arr_worst() { return ", r.identity, "; }\n"))
      .text(text("ARR_FN bool arr_better(A b, A a) { return ", r.combine, "; }\n"))
      .text(text("ARR_FN long long arr_position(A a, long long at) { return ", r.finish, "; }\n"))
      .with({{index_state, index_state_size}});
}

const char* kind_of(const ReductionInfo& r) {
  return r.kind == ReduceKind::INDEX ? "index" : r.kind == ReduceKind::STATE ? "state" : "value";
}

}  // namespace

std::string emit_reduction(const ReductionInfo& r, DType acc, DType out) {
  return text("typedef ", cpp_type(acc), " A;\ntypedef ", cpp_type(out), " O;\ntypedef ", r.state,
              " S;\nARR_FN S arr_identity() { return S(", r.identity,
              "); }\nARR_FN S arr_join(S a, S b) { return ", r.combine,
              "; }\nARR_FN O arr_end(S a, typename arr_real_of<A>::type n, typename "
              "arr_real_of<A>::type p) { return arr_cast<O>(",
              r.finish, "); }\n");
}

Words reduce_words(const ReduceShape& s) {
  Words w;
  w.extent = reduce_initial_word + 2;
  w.output = w.extent + 2 * (s.kept + s.reduced);
  w.steps = w.output + s.kept;
  w.count = w.steps + s.reduced;
  w.add_operands(s.access, s.kept + s.reduced);
  return w;
}

std::string emit_reduce(const ReductionInfo& r, const Program& map, DType acc, DType out,
                        const ReduceShape& s) {
  const Words w = reduce_words(s);
  const bool index = r.kind == ReduceKind::INDEX, rounds = !index && (is_floating(acc) || is_complex(acc));
  Prologue lines;
  lines.text(emit_program(map)).parameters(w.count, s.wide).operands(map, s.access, w);
  if (r.kind == ReduceKind::STATE) {
    lines.text({squares_text, squares_text_size}).text({states_text, states_text_size});
  }
  return lines.text(index ? emit_index_reduction(r, acc, out) : emit_reduction(r, acc, out))
      .text(text("enum class arr_kind { value, state, index };\nconstexpr arr_kind kind = arr_kind::",
                 kind_of(r), ";\n"))
      .flag("by_columns", s.kind == ReduceShape::columns)
      .flag("split", s.split)
      .flag("initial", s.initial)
      .flag("rounds", rounds)
      .constant("kept", s.kept)
      .constant("reduced", s.reduced)
      .constant("lanes", s.lanes)
      .constant("vector", s.vector)
      .constant("extent_word", w.extent)
      .constant("reduced_extent_word", w.extent + 2 * s.kept)
      .constant("output_word", reduce_output_word)
      .constant("output_stride_word", w.output)
      .constant("steps_word", w.steps)
      .constant("partial_word", reduce_partial_word)
      .constant("ticket_word", reduce_ticket_word)
      .constant("part_word", reduce_part_word)
      .constant("correction_word", reduce_correction_word)
      .constant("initial_word", reduce_initial_word)
      .with({{reduce_kernel, reduce_kernel_size}});
}

}  // namespace arr::cuda
