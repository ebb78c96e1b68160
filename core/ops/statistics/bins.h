// SPDX-License-Identifier: MIT
// Bins of histograms: their edges, and the program that finds the bin of a number. Results are NumPy's to the
// last bit: evenly spaced bins are found by a division and put right by a comparison with both edges.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

struct BinRange {
  bool given = false;
  double low = 0, high = 0;
};

void check_range(const BinRange& range);  // two numbers in order, where it is given

// The bins of one dimension.
struct Bins {
  int64_t count = 0;
  Ref<Array> edges;         // a vector of one more, increasing
  Ref<Array> table;         // the edges to look up in, of type `compare`; nullptr: they are evenly spaced
  bool all_inside = false;  // the edges are those of the data: nothing lies outside
  DType compare = DType::none, quotient = DType::none, spaced = DType::none;  // types of the steps
  double first = 0, last = 0, width = 0;                                      // width: of all bins
  double step = 0;  // of an edge to the next; 0: too small for its type
};

// Evenly spaced bins over a range or over that of x, whose elements count as of type `seen`. As by
// numpy.histogram, or as by histogramdd, which differ in their types. Reading the range waits.
struct EvenBins {
  DType seen = DType::none;
  bool several = false;  // of several dimensions
  const char* argument = "x";
};
Bins even_bins(const Array& x, int64_t count, const BinRange& range, const EvenBins& how, Stream* stream);
// The number of bins: `asked`, or, where that is one of the C API's ARR_BINS_..., the estimate of NumPy's
// estimator of that name, for which it waits for the device.
int64_t bin_count(const Array& x, int64_t asked, const BinRange& range, DType seen, Stream* stream);
// Bins between given edges, which are checked. Waits for them.
Bins edged_bins(const Array& edges, DType seen, const char* argument, Stream* stream);

// The table's node of a program, after its arrays; -1: none.
int32_t table_of(ProgramBuilder& b, const Bins& bins);
// A number's bin in int64; `outside` where it lies in none.
int32_t bin_of(ProgramBuilder& b, const Bins& bins, int32_t x, int32_t table, int64_t outside);

}  // namespace arr
