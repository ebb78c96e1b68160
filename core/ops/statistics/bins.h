// SPDX-License-Identifier: MIT
// Bins of histograms: their edges, and the program that finds the bin of a number. Results equal NumPy's in
// every bit: in evenly spaced bins the index comes from a division and is corrected by comparison with both
// edges.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

struct BinRange {
  bool given = false;
  double low = 0, high = 0;
};

void check_range(const BinRange& range);  // lower and upper end, if given

// The bins of one dimension.
struct Bins {
  int64_t count = 0;
  Ref<Array> edges;  // a vector of n + 1 increasing edges
  Ref<Array> table;  // edges as a look-up vector of dtype `compare`; nullptr: the edges are evenly spaced
  bool all_inside = false;  // the range is that of the data: no element is outside
  DType compare = DType::none, quotient = DType::none,
        spaced = DType::none;             // dtypes of the intermediate results
  double first = 0, last = 0, width = 0;  // width: of the whole range
  double step = 0;                        // distance between edges; 0: too small for its dtype
};

// Evenly spaced bins over a range or over that of x, whose elements are treated as dtype `seen`. Dtypes are
// those of numpy.histogram or of histogramdd, which differ. Waits if it reads the range.
struct EvenBins {
  DType seen = DType::none;
  bool several = false;  // the histogram has several dimensions
  const char* argument = "x";
};
Bins even_bins(const Array& x, int64_t count, const BinRange& range, const EvenBins& how, Stream* stream);
// The number of bins: `asked`, or if that is an ARR_BINS_... constant, the estimate of NumPy's estimator of
// that name, for which it waits.
int64_t bin_count(const Array& x, int64_t asked, const BinRange& range, DType seen, Stream* stream);
// Bins between given edges, which are checked; that waits.
Bins edged_bins(const Array& edges, DType seen, const char* argument, Stream* stream);

// The table's node of a program, after its arrays; -1: none.
int32_t table_of(ProgramBuilder& b, const Bins& bins);
// The int64 bin of a number; `outside` if it is in none.
int32_t bin_of(ProgramBuilder& b, const Bins& bins, int32_t x, int32_t table, int64_t outside);

}  // namespace arr
