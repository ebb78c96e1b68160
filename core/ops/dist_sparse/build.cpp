// SPDX-License-Identifier: MIT
// Makes sparse matrices over ranks: divides the columns, and asks other ranks for the elements of a vector.
#include <numeric>

#include "expr/op_numbers.h"
#include "ops/comm/together.h"
#include "ops/dist_sparse/dist_sparse.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/search.h"
#include "ops/sorting/unique.h"

namespace arr {

namespace {

// A number that differs for different counts.
int64_t digest(Counts counts) {
  uint64_t h = 14695981039346656037U;
  for (const int64_t n : counts) h = (h ^ static_cast<uint64_t>(n)) * 1099511628211U;
  return static_cast<int64_t>(h);
}

void check_given(const Comm& comm, const Sparse& rows, Counts columns) {
  if (rows.device() != comm.place().device) {
    fail(ARR_E_ARGUMENT, "argument rows: on ", device_text(rows.device()),
         ", expected the device of the communicator, ", device_text(comm.place().device));
  }
  if (columns.empty()) return;
  if (columns.size() != static_cast<size_t>(comm.place().size)) {
    fail(ARR_E_ARGUMENT, "argument ncounts: ", columns.size(), ", expected 0 or the number of ranks, ",
         comm.place().size);
  }
  int64_t sum = 0;
  for (size_t r = 0; r < columns.size(); ++r) {
    if (columns[r] < 0) fail(ARR_E_ARGUMENT, "argument counts[", r, "]: ", columns[r], " is negative");
    sum = checked::add(sum, columns[r], "argument counts");
  }
  if (sum == rows.extents.columns) return;
  fail(ARR_E_SHAPE, "argument counts: their sum is ", sum, ", expected the number of columns, ",
       rows.extents.columns);
}

std::vector<int64_t> sums_before(const std::vector<int64_t>& counts) {
  std::vector<int64_t> out(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), out.begin() + 1);
  return out;
}

std::vector<Segment> segments(const std::vector<int64_t>& counts) {
  std::vector<Segment> out;
  int64_t from = 0;
  for (size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] > 0) out.push_back({static_cast<int32_t>(r), from, from + counts[r]});
    from += counts[r];
  }
  return out;
}

// The matrix while it is made.
class Builder {
 public:
  Builder(Comm& comm, Stream* s) : comm_(comm), rank_(static_cast<size_t>(comm.place().rank)), stream_(s) {}

  // The extents of all ranks.
  void meet(const Sparse& rows, Counts columns) {
    const CommonNumber numbers[] = {{"argument rows: the dtype", static_cast<int64_t>(rows.dtype())},
                                    {"argument rows: the number of columns", rows.extents.columns},
                                    {"argument ncounts", static_cast<int64_t>(columns.size())},
                                    {"argument counts", digest(columns)}};
    together(comm_, {numbers[0], numbers[1], numbers[2], numbers[3]}, false, stream_,
             [&] { check_given(comm_, rows, columns); });
    auto ranks = std::make_shared<Ranks>();
    ranks->comm = Ref<Comm>::share(&comm_);
    const std::vector<int64_t> all = gathered(comm_, {rows.extents.rows, rows.nnz()}, stream_);
    for (size_t r = 0; 2 * r < all.size(); ++r) {
      ranks->rows.push_back(all[2 * r]);
      whole_nnz_ += all[2 * r + 1];
    }
    ranks->columns = columns.empty() ? ranks->rows : std::vector<int64_t>(columns.begin(), columns.end());
    const int64_t sum = sums_before(ranks->rows).back();
    if (columns.empty() && sum != rows.extents.columns) {
      fail(ARR_E_SHAPE, "argument rows: ", rows.extents.columns, " columns, but all ranks have ", sum,
           " rows, expected as many, or counts");
    }
    before_ = sums_before(ranks->columns);
    ranks_ = std::move(ranks);
  }

  // This rank's columns apart from the others'; which elements are needed, and their ranks.
  void divide(const Sparse& rows) {
    const Ref<Sparse> a = rows.rows(stream_);
    const Ref<Array> column = as_type(*a->inner, DType::int64_, stream_);
    const int64_t first = before_[rank_], last = before_[rank_ + 1], m = a->extents.rows;
    const auto mask_of = [&](int32_t both) {
      return compute({column.get()}, stream_, [&](ProgramBuilder& b, const int32_t* in) {
        const int32_t low = b.op(op::greater_equal, in[0], integer(b, first));
        const int32_t inside = b.op(op::logical_and, low, b.op(op::less, in[0], integer(b, last)));
        return b.op(op::equal, inside, b.cast(integer(b, both), DType::bool_));
      });
    };
    Sparse::Parts own = parts_at(*a, *mask_of(1)), rest = parts_at(*a, *mask_of(0));
    own.inner = compute({own.inner.get()}, stream_, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, b.cast(in[0], DType::int64_), integer(b, first));
    });
    rest.inner = as_type(*rest.inner, DType::int64_, stream_);
    needed_ = unique(*rest.inner, 0, {}, stream_).values;
    rest.inner = searchsorted(*needed_, *rest.inner, false, nullptr, stream_);
    rest.outer = lines_with_elements(*as_type(*rest.outer, DType::int64_, stream_));
    own_ = block(std::move(own), {m, last - first}, *a);
    rest_ = block(std::move(rest), {rest_rows_->layout.shape[0], needed_->layout.shape[0]}, *a);
    const Ref<Array> ends = upload(before_, DType::int64_, a->device(), stream_);
    const std::vector<int64_t> at =
        download<int64_t>(*searchsorted(*needed_, *ends, false, nullptr, stream_), DType::int64_, stream_);
    for (size_t r = 0; r + 1 < at.size(); ++r) recv_counts_.push_back(at[r + 1] - at[r]);
    sizes_out_ = upload(recv_counts_, DType::int64_, a->device(), stream_);
    sizes_in_ = empty_like(*sizes_out_, DType::int64_, Order::C, stream_);
  }

  // Sizes first, then indices: every rank knows what comes.
  void exchange_sizes() {
    const std::vector<int64_t> one(before_.size() - 1, 1);
    comm_.run_alone(all_to_all_call(comm_.place(), *sizes_in_, *sizes_out_, 0, one, one, stream_));
  }
  void make_room() {
    send_counts_ = download<int64_t>(*sizes_in_, DType::int64_, stream_);
    const int64_t n = sums_before(send_counts_).back();
    sent_at_ = empty(DType::int64_, {&n, 1}, Order::C, needed_->device(), stream_);
  }
  void exchange_indices() {
    exchange_segments(comm_, *needed_, segments(recv_counts_), *sent_at_, segments(send_counts_), stream_,
                      [] {});
  }
  Ref<DistSparse> finish() {
    auto plan = std::make_shared<DistSparse::Plan>();
    plan->sent = segments(send_counts_);
    plan->received = segments(recv_counts_);
    plan->sent_at = compute({sent_at_.get()}, stream_, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, in[0], integer(b, before_[rank_]));
    });
    return make<DistSparse>(ranks_, std::move(plan), rest_rows_, whole_nnz_,
                            DistSparse::Blocks(std::move(own_), std::move(rest_)));
  }

 private:
  // The elements where the mask is true, in memory that nobody else has.
  [[nodiscard]] Sparse::Parts parts_at(const Sparse& a, const Array& mask) const {
    const Ref<Sparse> kept = keep(a, mask, stream_);
    const bool shares = kept->data.get() == a.data.get();
    return {shares ? copy(*kept->data, Order::C, stream_) : kept->data, kept->outer, kept->inner};
  }
  [[nodiscard]] Ref<Sparse> block(Sparse::Parts parts, const Extents& extents, const Sparse& from) const {
    return make_sparse(SparseFormat::csr, extents, std::move(parts), from.known_canonical(), false, stream_);
  }
  // Finds the rows that have elements. Returns where these begin, and where the last one ends.
  Ref<Array> lines_with_elements(const Array& outer) {
    const int64_t m = outer.layout.shape[0] - 1;
    const Ref<Array> from = slice_axis(outer, 0, 0, m), to = slice_axis(outer, 0, 1, m + 1);
    rest_rows_ = flatnonzero(*apply(op::not_equal, {from.get(), to.get()}, stream_), stream_);
    const int64_t n = rest_rows_->layout.shape[0], ends = n + 1;
    const Ref<Array> at = empty(DType::int64_, {&ends, 1}, Order::C, outer.device(), stream_);
    assign(*slice_axis(*at, 0, 0, n), *rest_rows_, stream_);
    fill(*slice_axis(*at, 0, n, ends), scalar_of(m), stream_);
    return take_known(outer, *at, 0, stream_);
  }

  Comm& comm_;
  size_t rank_;
  Stream* stream_;
  std::shared_ptr<const Ranks> ranks_;
  std::vector<int64_t> before_, send_counts_, recv_counts_;
  int64_t whole_nnz_ = 0;
  Ref<Sparse> own_, rest_;
  Ref<Array> rest_rows_, needed_, sizes_out_, sizes_in_, sent_at_;
};

}  // namespace

Ref<DistSparse> dist_sparse(Comm& comm, const Sparse& rows, Counts columns, Stream* stream) {
  Ref<DistSparse> out;
  lead(&comm, [&] {
    Builder b(comm, stream);
    b.meet(rows, columns);
    together(comm, stream, [&] { b.divide(rows); });
    b.exchange_sizes();
    together(comm, stream, [&] { b.make_room(); });
    b.exchange_indices();
    together(comm, stream, [&] { out = b.finish(); });
  });
  return out;
}

}  // namespace arr
