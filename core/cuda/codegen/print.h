// SPDX-License-Identifier: MIT
// Programs and reductions as CUDA C++ text, and where a kernel's parameters lie.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "array/layout.h"
#include "backend/indexing.h"
#include "backend/reduce.h"
#include "backend/row_pipeline.h"

namespace arr::cuda {

// How an operand is read or written by a kernel.
enum class Access : uint8_t {
  contiguous = 0,  // elements follow each other along the fastest dimension
  uniform = 1,     // one element for all of the fastest dimension
  immediate = 2,   // a scalar among the parameters
  strided = 3,     // any strides
  transposed = 4,  // through a tile of shared memory
  ramp = 5,        // no memory: the address is the element
  loose = 6,  // contiguous, but where wide accesses may not begin: element by element in a kernel of these
  given = 7,  // no memory: an argument of the function
};

// The access of each operand; no allocation, for it is made anew for every call.
class AccessList {
 public:
  AccessList() = default;
  AccessList(std::initializer_list<Access> list) {
    for (Access a : list) push_back(a);
  }
  void assign(size_t n, Access a) {
    if (n > at_.size()) fail(ARR_E_INTERNAL, "a kernel of ", n, " operands");
    size_ = n;
    for (size_t i = 0; i < n; ++i) at_[i] = a;
  }
  void push_back(Access a) { at_.at(size_++) = a; }
  [[nodiscard]] size_t size() const { return size_; }
  Access& operator[](size_t i) { return at_[i]; }
  Access operator[](size_t i) const { return at_[i]; }
  [[nodiscard]] Access& back() { return at_[size_ - 1]; }
  [[nodiscard]] const Access* begin() const { return at_.data(); }
  [[nodiscard]] const Access* end() const { return at_.data() + size_; }

 private:
  std::array<Access, Program::max_inputs + Program::max_outputs> at_{};
  size_t size_ = 0;
};

// A kernel has one parameter: an array of 8-byte words. Both the printer and the launcher take the places
// from here.
struct Words {
  int32_t count = 0;
  std::vector<int32_t> pointer;  // of each operand; of an immediate its first of two words
  std::vector<int32_t> stride;   // of each operand its first stride
  int32_t extent = 0;            // of the first dimension, then its reciprocal, then the next dimension's ...
  int32_t output = 0, steps = 0;  // reductions: the output's first stride, what a step adds to a position
  // An address and so many strides for each operand, two words for an immediate.
  void add_operands(const AccessList& access, int32_t strides);
};

// What an elementwise kernel is specialised for, beside the program.
struct ElementwiseShape {
  enum Kind : uint8_t { linear = 0, rows = 1, general = 2, tiled = 3 } kind = linear;
  int32_t dims = 1;    // rows: how many dimensions are outside the row; general, tiled: all
  int32_t vector = 1;  // linear, rows: elements per access
  int32_t edge = 0;    // tiled: of the square tiles, 32 or 64 elements
  bool wide = false;   // all but linear: 64-bit indices and offsets
  AccessList access;
};
Words elementwise_words(const ElementwiseShape& s);
std::string print_elementwise(const Program& p, const ElementwiseShape& s);
// The general kernel as a function arr_element(p, i, g...) of an element: the operands that are given are its
// arguments. An index behind the last element reads and writes nothing.
std::string print_element(const Program& p, const ElementwiseShape& s);

// A callback of cuFFT (decision 0022) as a whole text: the program's last operand is what it gives, or its
// first one what it gets, of a complex or real type. Its function stands outside of all namespaces with
// cuFFT's signature; *name, which follows from the text, is what cuFFT is told. ARR_JOINS is to be defined.
enum class CallbackKind : uint8_t { load, store };
std::string print_callback(const Program& p, const ElementwiseShape& s, CallbackKind kind, std::string* name);
// A kernel of one block that writes up to so many words to the device: they are its parameter, so that no
// memory of the host has to stay. Its words: to, how many, these.
inline constexpr int32_t written_words = 62;
std::string print_write_words();

// Tiled kernels: threads of a row of the tile share the output's fastest dimension when they compute, and the
// transposed inputs' when they load; the dimensions behind the others are these two, in the order input's,
// output's. A tile's rows are padded by one word, so that neither way meets a bank of shared memory twice.
std::string print_tiled(const Program& p, const ElementwiseShape& s, const Words& w);
inline constexpr int32_t tiled_outside_word = 2;
inline constexpr int64_t least_tiled = 16, tile_bytes = 48 << 10;
constexpr int64_t tile_pad(int64_t item) { return item < 4 ? 4 / item : 1; }
constexpr int64_t tile_of(int64_t edge, int64_t item) { return edge * (edge + tile_pad(item)) * item; }

// What a reduction kernel is specialised for, beside reduction, map program and types.
struct ReduceShape {
  enum Kind : uint8_t { rows = 0, columns = 1 } kind = rows;
  int32_t kept = 0, reduced = 0;  // dimensions
  int32_t lanes = 1;     // rows: threads per output, a power of 2 up to 256; columns: rows of threads
  bool split = false;    // several blocks per output
  bool wide = false;     // 64-bit indices and offsets
  AccessList access;     // of the map's inputs: strided, immediate, or contiguous: by wide accesses
  bool initial = false;  // combined with a number among the parameters
  int32_t vector = 1;    // rows of one dimension: elements side by side that a thread takes
};
// Words of every reduction: outputs, reduced, output's address, partial results, tickets, part's length,
// correction (float64), initial value (two words).
inline constexpr int32_t reduce_output_word = 2, reduce_partial_word = 3, reduce_ticket_word = 4,
                         reduce_part_word = 5, reduce_correction_word = 6, reduce_initial_word = 7;
Words reduce_words(const ReduceShape& s);
std::string print_reduce(const ReductionInfo& r, const Program& map, DType acc, DType out,
                         const ReduceShape& s);

// The table's formulas of a reduction to a value: the types A, O and the state S, arr_identity, arr_join,
// arr_end.
std::string print_joins(const ReductionInfo& r, DType acc, DType out);

// What a kernel of a sequence of steps is specialised for, beside the steps: threads share a row, and each
// keeps its elements in registers from the first step to the last.
struct BlocksShape {
  int32_t kept = 0, reduced = 0;  // dimensions
  int32_t lanes = 1;              // threads per row, a power of 2 up to 32, or all of the block
  int32_t each = 1;               // elements of a thread, a multiple of vector
  int32_t vector = 1;             // rows of one dimension: elements side by side, by one access
  bool full = false;              // a row has exactly lanes * each elements
  bool wide = false;              // 64-bit offsets
};
// Words of every such kernel: rows, their length; then extents. Locals have no words.
Words blocks_words(const BlocksCall& c, const BlocksShape& s);
std::string print_blocks(const BlocksCall& c, const BlocksShape& s);
// What array k of a call is. The result is array 1.
enum class BlocksArray : uint8_t { memory, immediate, elements, row };
BlocksArray kind_of(const BlocksCall& c, int32_t k);
DType dtype_of(const BlocksCall& c, int32_t k);

// What a scan kernel is specialised for, beside reduction, map program and types. kept: dimensions that
// count through sequences; the one behind them is scanned.
struct ScanShape {
  enum Kind : uint8_t { rows = 0, columns = 1 } kind = rows;
  int32_t kept = 0;
  int32_t lanes = 1;    // rows: threads per sequence, a power of 2 up to 256; columns: 1
  bool split = false;   // several blocks per sequence; of rows they look back
  bool wide = false;    // 64-bit indices and offsets
  int32_t vector = 1;   // rows: elements side by side that a thread takes
  bool packed = false;  // the output by wide accesses
  int32_t each = 8;     // rows: elements of a thread at a time, a multiple of vector
  AccessList access;    // of the map's inputs: strided, immediate, or contiguous: by wide accesses
};
// Words of every scan: sequences, their length, output's address, what is in front of parts or the room to
// look back in, a part's length or the tiles of a sequence.
inline constexpr int32_t scan_output_word = 2, scan_carry_word = 3, scan_part_word = 4;
inline constexpr int32_t most_scan_each = 16;
Words scan_words(const ScanShape& s);
// The room of a scan whose blocks look back, for that many tiles of all sequences: the next tile's number,
// which of the results are there, and those. The first `zeroed` bytes have to be 0.
struct ScanRoom {
  int64_t bytes = 0, zeroed = 0;
};
ScanRoom scan_room(DType acc, int64_t sequences, int64_t tiles);
std::string print_scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s);

// What a kernel of segments is specialised for, beside reduction and types. `dims` dimensions count through
// the results, of which the first or the last counts segments.
struct SegmentShape {
  int32_t dims = 1;
  bool first =
      false;  // segments are counted by the first dimension: neighbouring threads have neighbouring sequences
  int32_t lanes = 1;  // threads per result, a power of 2 up to 256
  bool wide = false;  // 64-bit indices and offsets, of results and sequences
};
// Words of every kernel of segments: results, input, output, bounds, bytes from an element to the next.
inline constexpr int32_t segment_input_word = 1, segment_output_word = 2, segment_bounds_word = 3,
                         segment_step_word = 4;
Words segment_words(const SegmentShape& s);
std::string print_segments(const ReductionInfo& r, DType acc, DType out, const SegmentShape& s);

// What a kernel that combines into chosen places is specialised for, beside its two programs.
struct ScatterShape {
  int32_t dims = 0;
  bool wide = false;  // 64-bit indices and offsets
  AccessList access;  // of the map's inputs: strided or immediate
};
// Words of every scatter: elements, the target's address.
inline constexpr int32_t scatter_target_word = 1;
Words scatter_words(const ScatterShape& s);
std::string print_scatter(const Program& map, const Program& combine, const ScatterShape& s);

// c = a @ b for any strides; 16-bit floats accumulate in float32. Words: m, n, k, batches, a, b, c, their
// row and column strides, batch dimensions, and of each extent and strides.
std::string print_matmul(DType dtype);
inline constexpr int32_t matmul_tile = 64, matmul_words = 14 + 4 * max_ndim;

// What a kernel of quantiles is specialised for, beside the dtype. lanes: threads per row, 32 or 256; slots:
// most quantiles at a time, at most as many; split: several blocks per row, each launch one step.
struct QuantileShape {
  int32_t lanes = 256, slots = 32;
  bool split = false;
};
// Words: elements, results, rows, their length, how many quantiles, method, 1 skips nan + 2 gives elements,
// steps, the rows' room between launches, a part's length, the launch's step; then each q (float64) and its
// row of results.
inline constexpr int32_t quantile_data_word = 0, quantile_out_word = 1, quantile_rows_word = 2,
                         quantile_n_word = 3, quantile_wanted_word = 4, quantile_method_word = 5,
                         quantile_flags_word = 6, quantile_steps_word = 7, quantile_scratch_word = 8,
                         quantile_part_word = 9, quantile_pass_word = 10, quantile_q_word = 11;
constexpr int32_t quantile_words(int32_t slots) { return quantile_q_word + 2 * slots; }
int64_t quantile_row_bytes(int32_t slots);
std::string print_quantiles(DType d, const QuantileShape& s);
// Quantiles of elements with weights, a block to a row at a time. Words beside those of the same names:
// weights, from a row's to the next, the first row of results; then each q.
inline constexpr int32_t weighted_weights_word = 5, weighted_row_word = 7, weighted_first_word = 9,
                         weighted_q_word = 10, weighted_slots = 32;
inline constexpr int32_t weighted_words = weighted_q_word + weighted_slots;
std::string print_weighted(DType d);

// The program as a function arr_body(i0, i1, ..., o0&, ...), with the functions of its ops before it.
std::string print_body(const Program& p);
inline constexpr int32_t block_threads = 256;

// Statements that split an index into the indices prefix0, prefix1, ... of `dims` dimensions whose extents
// and reciprocals begin at word `at`; and the sum of these times the strides that begin at word `at`.
std::string print_split(const char* indent, const char* index, const char* prefix, int32_t dims, int32_t at,
                        bool wide);
std::string print_offset(const char* prefix, int32_t dims, int32_t at, bool wide);

// The parameter of arr_divide for extents below 2^31.
uint64_t reciprocal(int64_t extent) noexcept;
// That of arr_divide_wide, for extents below 2^63.
uint64_t wide_reciprocal(int64_t extent) noexcept;

}  // namespace arr::cuda
