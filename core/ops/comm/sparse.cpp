// SPDX-License-Identifier: MIT
#include "ops/comm/sparse.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "ops/elementwise/array_ops.h"
#include "ops/sparse/elementwise.h"

namespace arr {

namespace {

// A matrix without its parts, for other ranks.
struct Heading {
  enum Kind : int64_t { none = 0x6172720, matrix };  // other calls do not begin with these numbers
  int64_t kind = none;
  int64_t format = 0, rows = 0, columns = 0, nnz = 0, dtype = 0, index_type = 0, canonical = 0;
};
constexpr auto words = static_cast<int64_t>(sizeof(Heading) / sizeof(int64_t));

Heading heading_of(const Sparse* a) {
  if (a == nullptr) return {};
  return {Heading::matrix,
          static_cast<int64_t>(a->format),
          a->extents.rows,
          a->extents.columns,
          a->nnz(),
          static_cast<int64_t>(a->dtype()),
          static_cast<int64_t>(a->index_type()),
          a->known_canonical() ? 1 : 0};
}

// Arrays that other ranks fill. Once they are a matrix's, its indices cannot be written.
Sparse::Parts parts_of(const Heading& h, Device device, Stream* stream) {
  const auto format = static_cast<SparseFormat>(h.format);
  const auto index = static_cast<DType>(h.index_type);
  const int64_t lines = format == SparseFormat::csr ? h.rows : h.columns;
  const int64_t outer = format == SparseFormat::coo ? h.nnz : lines + 1;
  const auto vector = [&](DType d, int64_t n) { return empty(d, {&n, 1}, Order::C, device, stream); };
  return {vector(static_cast<DType>(h.dtype), h.nnz), vector(index, outer), vector(index, h.nnz)};
}
Sparse::Parts parts_of(const Sparse& a) { return {a.data, a.outer, a.inner}; }
Ref<Sparse> matrix_of(const Heading& h, Sparse::Parts parts) {
  return make<Sparse>(static_cast<SparseFormat>(h.format), Extents{h.rows, h.columns}, std::move(parts),
                      h.canonical != 0);
}

Ref<Array> upload_headings(const Comm& comm, const std::vector<Heading>& all, Stream* stream) {
  std::vector<int64_t> numbers(all.size() * static_cast<size_t>(words));
  std::memcpy(numbers.data(), all.data(), all.size() * sizeof(Heading));
  const int64_t shape[] = {static_cast<int64_t>(all.size()), words};
  return reshape(*upload(numbers, DType::int64_, comm.place().device, stream), shape, Order::C, stream);
}

[[noreturn]] void fail_other_call() {
  fail(ARR_E_ARGUMENT, "argument comm: another rank has called another function than this one");
}

// Reads headings, which waits for them.
std::vector<Heading> download_headings(const Array& a, Stream* stream) {
  const auto numbers = download<int64_t>(a, DType::int64_, stream);
  std::vector<Heading> all(numbers.size() / static_cast<size_t>(words));
  std::memcpy(static_cast<void*>(all.data()), numbers.data(), numbers.size() * sizeof(int64_t));
  for (const Heading& h : all) {
    if (h.kind != Heading::none && h.kind != Heading::matrix) fail_other_call();
  }
  return all;
}
// The heading of a matrix that another rank gives.
Heading download_heading(const Array& a, Stream* stream) {
  const Heading h = download_headings(a, stream)[0];
  if (h.kind != Heading::matrix) fail_other_call();
  return h;
}

// call(part) for each part that has elements, added to a list.
template <class Call>
void add_calls(const Sparse::Parts& a, std::vector<CommCall>* calls, Call&& call) {
  for (const Ref<Array>& part : {a.data, a.outer, a.inner}) {
    if (part->layout.size() > 0) calls->push_back(call(*part));
  }
}

void check_device(const Comm& comm, const Sparse& a) {
  if (a.device() == comm.place().device) return;
  fail(ARR_E_ARGUMENT, "argument a: is on ", device_text(a.device()), ", the communicator on ",
       device_text(comm.place().device));
}

}  // namespace

Ref<Sparse> sparse_broadcast(Comm& comm, const Sparse* a, int32_t root, Stream* stream) {
  comm.check_no_group();
  const CommPlace& at = comm.place();
  const bool gives = at.rank == root;
  if (gives && a == nullptr) fail(ARR_E_HANDLE, "argument a: NULL, expected a matrix on root");
  if (gives) check_device(comm, *a);
  const Ref<Array> own = upload_headings(comm, {heading_of(gives ? a : nullptr)}, stream);
  comm.run(broadcast_call(at, *own, root, stream));
  const Heading h = gives ? heading_of(a) : download_heading(*own, stream);
  Sparse::Parts parts = gives ? parts_of(*a) : parts_of(h, at.device, stream);
  std::vector<CommCall> calls;
  add_calls(parts, &calls, [&](const Array& part) { return broadcast_call(at, part, root, stream); });
  if (!calls.empty()) comm.run(std::move(calls));
  return gives ? a->share() : matrix_of(h, std::move(parts));
}

std::vector<Ref<Sparse>> sparse_all_to_all(Comm& comm, std::span<const Sparse* const> a, Stream* stream) {
  comm.check_no_group();
  const CommPlace& at = comm.place();
  std::vector<Heading> own;
  for (const Sparse* one : a) {
    if (one != nullptr) check_device(comm, *one);
    own.push_back(heading_of(one));
  }
  const Ref<Array> mine = upload_headings(comm, own, stream);
  const Ref<Array> theirs = empty(DType::int64_, mine->layout.dims(), Order::C, at.device, stream);
  comm.run(all_to_all_call(at, *theirs, *mine, 0, {}, {}, stream));
  const std::vector<Heading> headings = download_headings(*theirs, stream);
  std::vector<Ref<Sparse>> out(a.size());
  std::vector<Sparse::Parts> arriving(a.size());
  std::vector<CommCall> calls;
  for (int32_t r = 0; r < at.size; ++r) {
    const auto i = static_cast<size_t>(r);
    if (r == at.rank) {
      if (a[i] != nullptr) out[i] = a[i]->share();
      continue;
    }
    if (a[i] != nullptr) {
      add_calls(parts_of(*a[i]), &calls, [&](const Array& part) { return send_call(at, part, r, stream); });
    }
    if (headings[i].kind == Heading::none) continue;
    arriving[i] = parts_of(headings[i], at.device, stream);
    add_calls(arriving[i], &calls, [&](const Array& part) { return recv_call(at, part, r, stream); });
  }
  if (!calls.empty()) comm.run(std::move(calls));
  for (size_t r = 0; r < out.size(); ++r) {
    if (arriving[r].data) out[r] = matrix_of(headings[r], std::move(arriving[r]));
  }
  return out;
}

Ref<Sparse> sparse_reduce_ranks(Comm& comm, const Sparse& a, const ReductionInfo& by, int32_t root,
                                Stream* stream) {
  const CommPlace& at = comm.place();
  if (root < -1 || root >= at.size) {
    fail(ARR_E_ARGUMENT, "argument root: ", root, ", expected a rank, 0 to ", at.size - 1, ", or -1");
  }
  const Combination c = combination_of(by, a.dtype());
  if (c.mean) fail(ARR_E_ARGUMENT, "argument reduction: mean of sparse matrices, expected sum");
  std::vector<const Sparse*> to(static_cast<size_t>(at.size), root == -1 ? &a : nullptr);
  if (root != -1) to[static_cast<size_t>(root)] = &a;
  const std::vector<Ref<Sparse>> all = sparse_all_to_all(comm, to, stream);
  Ref<Sparse> out;
  for (const Ref<Sparse>& one : all) {
    if (!one) return {};
    if (one->dtype() != a.dtype()) {
      fail(ARR_E_DTYPE, "argument a: ", name(a.dtype()), " on rank ", at.rank, ", ", name(one->dtype()),
           " on another rank");
    }
    out = out ? sparse_binary(*c.op, *out, *one, stream) : one;
  }
  return convert(*out, a.format, stream);
}

void sparse_send(Comm& comm, const Sparse& a, int32_t receiver, Stream* stream) {
  comm.check_no_group();
  const CommPlace& at = comm.place();
  check_device(comm, a);
  const Ref<Array> heading = upload_headings(comm, {heading_of(&a)}, stream);
  comm.run(send_call(at, *heading, receiver, stream));
  std::vector<CommCall> calls;
  add_calls(parts_of(a), &calls, [&](const Array& part) { return send_call(at, part, receiver, stream); });
  if (!calls.empty()) comm.run(std::move(calls));
}

Ref<Sparse> sparse_recv(Comm& comm, int32_t sender, Stream* stream) {
  comm.check_no_group();
  const CommPlace& at = comm.place();
  const Ref<Array> heading = upload_headings(comm, {Heading()}, stream);
  comm.run(recv_call(at, *heading, sender, stream));
  const Heading h = download_heading(*heading, stream);
  Sparse::Parts parts = parts_of(h, at.device, stream);
  std::vector<CommCall> calls;
  add_calls(parts, &calls, [&](const Array& part) { return recv_call(at, part, sender, stream); });
  if (!calls.empty()) comm.run(std::move(calls));
  return matrix_of(h, std::move(parts));
}

}  // namespace arr
