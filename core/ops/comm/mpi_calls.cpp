// SPDX-License-Identifier: MIT
#include "ops/comm/mpi_calls.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "ops/comm/combine.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

constexpr int64_t most = std::numeric_limits<int>::max();  // elements in one call of MPI
constexpr size_t status_bytes = 64;                        // more than any MPI_Status has
constexpr int tag = 0;

bool on_host(const Array& a) { return a.device().type == ARR_HOST; }

// True if the library reads and writes the memory of GPUs.
bool cuda_support(const Mpi& m) {
  static const bool answer = m.MPIX_Query_cuda_support != nullptr && m.MPIX_Query_cuda_support() == 1;
  return answer;
}

int64_t bytes_of(const Array& a) { return a.layout.size() * a.item(); }

// Contiguous memory with the array's values; *kept holds it if it is not the array's.
void* readable(const Array& a, bool direct, Stream* stream, Ref<Array>* kept) {
  if (!on_host(a) && !direct) {
    *kept = empty_pinned(a.dtype, a.layout.dims(), Order::C, 0);
    get(a, Order::C, (*kept)->data, bytes_of(a), stream);
    return (*kept)->data;
  }
  if (!a.contiguous) *kept = copy(a, Order::C, stream);
  const Array& used = a.contiguous ? a : **kept;
  read_here(*used.buffer);
  return used.data;
}

// The same for values that will be written.
void* writable(const Array& a, bool direct, Stream* stream, Ref<Array>* kept) {
  const bool direct_or_host = direct || on_host(a);
  if (!a.contiguous || !direct_or_host) {
    *kept = direct_or_host ? empty(a.dtype, a.layout.dims(), Order::C, a.device(), stream)
                           : empty_pinned(a.dtype, a.layout.dims(), Order::C, 0);
  }
  const Array& used = *kept ? **kept : a;
  materialize_for_write(*used.buffer);
  finish_uses(*used.buffer);
  return used.data;
}

template <class Body>
void in_pieces(int64_t n, Body&& body) {
  int64_t at = 0;
  do {
    const int64_t k = std::min(n - at, most);
    body(at, static_cast<int>(k));
    at += k;
  } while (at < n);
}

}  // namespace

bool MpiRequest::test(const Mpi& m) {
  if (done) return true;
  int flag = 0;
  alignas(8) char status[status_bytes];
  code = m.MPI_Test(&handle, &flag, status);
  done = code != 0 || flag != 0;
  if (done && code == 0 && source >= 0) code = m.MPI_Get_count(status, type, &got);
  return done;
}

void MpiRequest::wait(const Mpi& m) {
  if (done) return;
  alignas(8) char status[status_bytes];
  code = m.MPI_Wait(&handle, status);
  if (code == 0 && source >= 0) code = m.MPI_Get_count(status, type, &got);
  done = true;
}

void MpiRequest::check(const Mpi& m, int32_t rank) const {
  mpi_check(m, code);
  if (source < 0 || got == expected) return;
  fail(ARR_E_SHAPE, "rank ", source, " sends fewer elements than rank ", rank, " receives: ", got,
       ", expected ", expected);
}

void MpiCall::prepare(const MpiRank& to) {
  if (call_.kind == CommKind::barrier) return;
  const Array& a = call_.any();
  type_ = mpi_type(to.m, a.dtype);
  if (call_.by.op != nullptr) op_ = mpi_operation(to.m, call_.by, a.dtype);
  // libarr's own operations run on the host.
  const bool direct = !on_host(a) && op_ == 0 && cuda_support(to.m);
  Stream* stream = call_.stream.get();
  // Empty arrays may have the same address; MPI_IN_PLACE is for all ranks or none.
  const bool elements = call_.any().layout.size() > 0;
  if (elements && call_.src && call_.dst && same_window(*call_.src, *call_.dst)) {
    out_ = readable(*call_.dst, direct, stream, &out_copy_);
    if (!out_copy_) materialize_for_write(*call_.dst->buffer);
    in_ = to.m.in_place;
    return;
  }
  if (call_.src) in_ = readable(*call_.src, direct, stream, &in_copy_);
  if (call_.dst) out_ = writable(*call_.dst, direct, stream, &out_copy_);
}

void MpiCall::issue(const MpiRank& to, bool waits) {
  waits_ = waits;
  switch (call_.kind) {
    case CommKind::barrier:
      return pass(to, to.m.MPI_Barrier, to.m.MPI_Ibarrier);
    case CommKind::broadcast:
    case CommKind::reduce:
    case CommKind::all_reduce:
    case CommKind::send:
    case CommKind::recv:
      return whole(to);
    default:
      choose_unit(to);
      divided(to);
      if (own_type_) mpi_check(to.m, to.m.MPI_Type_free(&type_));  // once no request uses it
  }
}

// The calls whose arrays are not divided, in pieces that MPI can count.
void MpiCall::whole(const MpiRank& to) {
  const Mpi& m = to.m;
  const int64_t item = call_.any().item();
  in_pieces(call_.any().layout.size(), [&](int64_t at, int n) {
    const void* in = in_ == m.in_place || in_ == nullptr ? in_ : static_cast<const char*>(in_) + at * item;
    void* out = out_ == nullptr ? nullptr : static_cast<char*>(out_) + at * item;
    if (call_.kind == CommKind::broadcast) {
      pass(to, m.MPI_Bcast, m.MPI_Ibcast, in != nullptr ? const_cast<void*>(in) : out, n, type_, call_.root);
    } else if (call_.kind == CommKind::reduce) {
      pass(to, m.MPI_Reduce, m.MPI_Ireduce, in, out, n, type_, op_, call_.root);
    } else if (call_.kind == CommKind::all_reduce) {
      pass(to, m.MPI_Allreduce, m.MPI_Iallreduce, in, out, n, type_, op_);
    } else if (call_.kind == CommKind::send) {
      pass(to, m.MPI_Send, m.MPI_Isend, in, n, type_, call_.root, tag);
    } else {
      message(to, at, n);
    }
  });
}

void MpiCall::message(const MpiRank& to, int64_t at, int n) {
  MpiRequest r;
  r.type = type_;
  r.expected = n;
  r.source = call_.root;
  void* out = static_cast<char*>(out_) + at * call_.any().item();
  if (!waits_) {
    mpi_check(to.m, to.m.MPI_Irecv(out, n, type_, call_.root, tag, to.comm, &r.handle));
    return requests_.push_back(r);
  }
  alignas(8) char status[status_bytes];
  mpi_check(to.m, to.m.MPI_Recv(out, n, type_, call_.root, tag, to.comm, status));
  mpi_check(to.m, to.m.MPI_Get_count(status, type_, &r.got));
  r.check(to.m, to.at.rank);
}

// Parts are counted in elements. If these are more than MPI counts, the type becomes one of several elements,
// of which each part is a multiple.
void MpiCall::choose_unit(const MpiRank& to) {
  const Layout& l = call_.any().layout;
  row_ = 1;
  for (int32_t i = 1; i < l.ndim; ++i) row_ = checked::mul(row_, l.shape[i], "argument src");
  int64_t rows = 0, common = 0;
  for (const auto* counts : {&call_.send_counts, &call_.recv_counts}) {
    rows = std::max(rows, std::accumulate(counts->begin(), counts->end(), int64_t{0}));
    for (const int64_t n : *counts) common = std::gcd(common, n);
  }
  const bool few = common == 0 || checked::mul(rows, row_, "argument counts") <= most;
  if (few || call_.kind == CommKind::reduce_scatter) return;
  unit_ = common * row_;
  int64_t outer = 1;
  while (outer <= most && (unit_ % outer != 0 || unit_ / outer > most)) ++outer;
  if (rows / common > most || outer > most) {
    fail(ARR_E_UNSUPPORTED, "argument counts: their sum is ", rows,
         " without a common divisor, MPI counts up to ", most, " elements");
  }
  MpiHandle inner = 0, type = 0;
  mpi_check(to.m, to.m.MPI_Type_contiguous(static_cast<int>(unit_ / outer), type_, &inner));
  mpi_check(to.m, to.m.MPI_Type_contiguous(static_cast<int>(outer), inner, &type));
  mpi_check(to.m, to.m.MPI_Type_free(&inner));
  mpi_check(to.m, to.m.MPI_Type_commit(&type));
  type_ = type;
  own_type_ = true;
}

MpiCall::Parts MpiCall::parts(Counts counts) const {
  Parts p;
  int64_t rows = 0;
  for (const int64_t n : counts) {
    p.counts.push_back(units(n));
    p.starts.push_back(units(rows));
    rows += n;
  }
  return p;
}

void MpiCall::divided(const MpiRank& to) {
  const Mpi& m = to.m;
  const Counts send = call_.send_counts, recv = call_.recv_counts;
  if (call_.kind == CommKind::all_to_all) {
    send_ = parts(send);
    recv_ = parts(recv);
    return pass(to, m.MPI_Alltoallv, m.MPI_Ialltoallv, in_, send_.counts.data(), send_.starts.data(), type_,
                out_, recv_.counts.data(), recv_.starts.data(), type_);
  }
  if (call_.kind == CommKind::reduce_scatter) return reduce_scatter(to);
  const Counts counts = send.empty() ? recv : send;
  const int own = units(counts[static_cast<size_t>(to.at.rank)]);
  const bool equal = all_equal(counts);
  if (!equal) send_ = parts(counts);
  const int *n = send_.counts.data(), *from = send_.starts.data();
  if (call_.kind == CommKind::gather && equal) {
    pass(to, m.MPI_Gather, m.MPI_Igather, in_, own, type_, out_, own, type_, call_.root);
  } else if (call_.kind == CommKind::gather) {
    pass(to, m.MPI_Gatherv, m.MPI_Igatherv, in_, own, type_, out_, n, from, type_, call_.root);
  } else if (call_.kind == CommKind::all_gather && equal) {
    pass(to, m.MPI_Allgather, m.MPI_Iallgather, in_, own, type_, out_, own, type_);
  } else if (call_.kind == CommKind::all_gather) {
    pass(to, m.MPI_Allgatherv, m.MPI_Iallgatherv, in_, own, type_, out_, n, from, type_);
  } else if (equal) {
    pass(to, m.MPI_Scatter, m.MPI_Iscatter, in_, own, type_, out_, own, type_, call_.root);
  } else {
    pass(to, m.MPI_Scatterv, m.MPI_Iscatterv, in_, n, from, type_, out_, own, type_, call_.root);
  }
}

void MpiCall::reduce_scatter(const MpiRank& to) {
  const Mpi& m = to.m;
  const Counts counts = call_.send_counts;
  const int64_t rows = call_.src->layout.shape[0], item = call_.src->item();
  if (rows * row_ <= most && all_equal(counts)) {
    return pass(to, m.MPI_Reduce_scatter_block, m.MPI_Ireduce_scatter_block, in_, out_, units(counts[0]),
                type_, op_);
  }
  if (rows * row_ <= most) {
    send_ = parts(counts);
    return pass(to, m.MPI_Reduce_scatter, m.MPI_Ireduce_scatter, in_, out_, send_.counts.data(), type_, op_);
  }
  const auto* in = static_cast<const char*>(in_);
  for (int32_t r = 0; r < to.at.size; ++r) {
    const int64_t size = counts[static_cast<size_t>(r)] * row_;
    in_pieces(size, [&](int64_t at, int n) {
      void* out = r == to.at.rank ? static_cast<char*>(out_) + at * item : nullptr;
      const void* from = in + at * item;
      pass(to, m.MPI_Reduce, m.MPI_Ireduce, from, out, n, type_, op_, r);
    });
    in += size * item;
  }
}

void MpiCall::deliver(const MpiRank& to) {
  for (const MpiRequest& r : requests_) r.check(to.m, to.at.rank);
  if (op_ != 0) mpi_check_operations();
  if (!call_.dst) return;
  const Array& dst = *call_.dst;
  Stream* stream = call_.stream.get();
  const Array& result = out_copy_ ? *out_copy_ : dst;
  const bool staged = out_copy_ && on_host(result) && !on_host(dst);
  if (call_.by.mean) divide_by_ranks(result, to.at.size, staged ? nullptr : stream);
  if (!out_copy_) return;
  if (staged) {
    read_here(*result.buffer);
    return set(dst, Order::C, result.data, bytes_of(dst), stream);
  }
  assign(dst, result, stream);
  materialize(*dst.buffer);
}

}  // namespace arr
