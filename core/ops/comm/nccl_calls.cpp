// SPDX-License-Identifier: MIT
#include "ops/comm/nccl_calls.h"

#include <algorithm>
#include <string_view>

#include "ops/comm/combine.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// NumPy's operations by the library's.
struct OpName {
  std::string_view name;
  CommOp op, of_truth;
};
constexpr OpName op_names[] = {
    {"add", CommOp::sum, CommOp::max},         {"multiply", CommOp::prod, CommOp::min},
    {"maximum", CommOp::max, CommOp::max},     {"fmax", CommOp::max, CommOp::max},
    {"minimum", CommOp::min, CommOp::min},     {"fmin", CommOp::min, CommOp::min},
    {"logical_or", CommOp::max, CommOp::max},  {"bitwise_or", CommOp::max, CommOp::max},
    {"logical_and", CommOp::min, CommOp::min}, {"bitwise_and", CommOp::min, CommOp::min}};

// The library computes sums and products of numbers of 8, 32 and 64 bits and of floats, and of integers min
// and max; those of floats treat nan in another way than NumPy. A complex sum is one of pairs.
bool numbers_of(const Combination& by, DType d, CommOp* op, DType* type, int64_t* numbers) {
  const auto* named = std::find_if(std::begin(op_names), std::end(op_names),
                                   [&](const OpName& n) { return n.name == by.op->name; });
  if (named == std::end(op_names) || d == DType::int16_ || d == DType::uint16_) return false;
  const bool orders = named->op == CommOp::max || named->op == CommOp::min;
  *op = named->op;
  *type = d;
  if (d == DType::bool_) {
    *op = named->of_truth;
    *type = DType::uint8_;
  } else if (is_complex(d)) {
    *type = d == DType::complex64_ ? DType::float32_ : DType::float64_;
    *numbers = 2;
    return named->op == CommOp::sum;
  } else if (orders) {  // the bits of integers are no order
    return is_integer_or_bool(d) && !named->name.starts_with("bitwise");
  }
  return true;
}

Ref<Array> bytes_like(const Array& a, Stream* stream) {
  return empty(a.dtype, a.layout.dims(), Order::C, a.device(), stream);
}

}  // namespace

CommPiece NcclCall::piece(CommWork work) const {
  CommPiece p;
  p.work = work;
  p.peer = call_.root;
  p.stream = call_.stream ? call_.stream->handle() : nullptr;
  return p;
}

void NcclCall::prepare(const CommPlace& at) {
  Stream* stream = call_.stream.get();
  const Queue q = queue_for(at.device, stream);
  if (call_.kind == CommKind::barrier) {
    constexpr int64_t one = 1;
    call_.src = call_.dst =
        full(DType::uint8_, {&one, 1}, Order::C, scalar_of(int64_t{0}), at.device, stream);
  }
  const Array& a = call_.any();
  const Layout& l = a.layout;
  row_ = a.item();
  for (int32_t d = 1; d < l.ndim; ++d) row_ = checked::mul(row_, l.shape[d], "argument src");
  if (call_.by.op != nullptr && !numbers_of(call_.by, a.dtype, &op_, &type_, &numbers_)) {
    type_ = DType::none;
    const bool parts = call_.kind == CommKind::reduce_scatter;
    const int64_t rows[] = {at.size, parts ? call_.dst->layout.size() : l.size()};
    if (call_.dst) all_ = empty(a.dtype, rows, Order::C, at.device, stream);
  }
  if (call_.src) {
    in_ = call_.src->contiguous ? call_.src : copy(*call_.src, Order::C, stream);
    use_to_read(*in_->buffer, q);
  }
  if (call_.dst) {
    out_ = call_.dst->contiguous ? call_.dst : bytes_like(*call_.dst, stream);
    use(*out_->buffer, q);
  }
  if (all_) use(*all_->buffer, q);
}

void NcclCall::add_pieces(const CommPlace& at, std::vector<CommPiece>* pieces) const {
  const size_t before = pieces->size();
  switch (call_.kind) {
    case CommKind::barrier:
    case CommKind::all_reduce:
    case CommKind::reduce:
      add_reduction(at, pieces);
      break;
    case CommKind::reduce_scatter:
      add_reduced_parts(at, pieces);
      break;
    case CommKind::all_gather:
      add_joined(at, pieces);
      break;
    case CommKind::broadcast: {
      CommPiece p = piece(CommWork::broadcast);
      p.dst = in_ ? in_->data : out_->data;
      p.src = p.dst;
      p.count = call_.any().layout.size() * call_.any().item();
      pieces->push_back(p);
      break;
    }
    default:
      add_exchange(at, pieces);
  }
  // Nothing to do is nothing to wait for; the other ranks leave it out too.
  pieces->erase(std::remove_if(pieces->begin() + static_cast<ptrdiff_t>(before), pieces->end(),
                               [](const CommPiece& p) { return p.count == 0; }),
                pieces->end());
}

void NcclCall::add_reduction(const CommPlace& at, std::vector<CommPiece>* pieces) const {
  const bool everywhere = call_.kind != CommKind::reduce;
  const int64_t n = in_->layout.size();
  if (call_.kind == CommKind::barrier || type_ != DType::none) {
    CommPiece p = piece(everywhere ? CommWork::all_reduce : CommWork::reduce);
    p.op = op_;
    p.dtype = call_.kind == CommKind::barrier ? DType::uint8_ : type_;
    p.count = n * numbers_;
    p.src = in_->data;
    p.dst = out_ ? out_->data : nullptr;
    pieces->push_back(p);
    return;
  }
  const int64_t bytes = n * in_->item();
  if (everywhere) {
    CommPiece p = piece(CommWork::all_gather);
    p.count = bytes;
    p.src = in_->data;
    p.dst = all_->data;
    pieces->push_back(p);
    return;
  }
  CommPiece send = piece(CommWork::send);
  send.count = bytes;
  send.src = in_->data;
  pieces->push_back(send);
  for (int32_t r = 0; all_ && r < at.size; ++r) {
    CommPiece recv = piece(CommWork::recv);
    recv.peer = r;
    recv.count = bytes;
    recv.dst = all_->data + r * bytes;
    pieces->push_back(recv);
  }
}

void NcclCall::add_reduced_parts(const CommPlace& at, std::vector<CommPiece>* pieces) const {
  const Counts counts = call_.send_counts;
  const int64_t own = counts[static_cast<size_t>(at.rank)] * row_;
  int64_t from = 0;
  for (int32_t r = 0; r < at.size; ++r) {
    const int64_t bytes = counts[static_cast<size_t>(r)] * row_;
    if (type_ == DType::none) {
      CommPiece send = piece(CommWork::send), recv = piece(CommWork::recv);
      send.peer = recv.peer = r;
      send.count = bytes;
      send.src = in_->data + from;
      recv.count = own;
      recv.dst = all_->data + r * own;
      pieces->insert(pieces->end(), {send, recv});
    } else if (r == 0 || !all_equal(counts)) {
      CommPiece p = piece(all_equal(counts) ? CommWork::reduce_scatter : CommWork::reduce);
      p.op = op_;
      p.dtype = type_;
      p.peer = p.work == CommWork::reduce ? r : 0;
      p.count = bytes / item_size(type_);
      p.src = in_->data + from;
      p.dst = out_->data;
      pieces->push_back(p);
    }
    from += bytes;
  }
}

void NcclCall::add_joined(const CommPlace& at, std::vector<CommPiece>* pieces) const {
  const Counts counts = call_.recv_counts;
  if (all_equal(counts)) {
    CommPiece p = piece(CommWork::all_gather);
    p.count = counts[0] * row_;
    p.src = in_->data;
    p.dst = out_->data;
    pieces->push_back(p);
    return;
  }
  char* next = out_->data;
  for (int32_t r = 0; r < at.size; ++r) {
    CommPiece p = piece(CommWork::broadcast);
    p.peer = r;
    p.count = counts[static_cast<size_t>(r)] * row_;
    p.dst = next;
    p.src = r == at.rank ? in_->data : next;
    pieces->push_back(p);
    next += p.count;
  }
}

// Messages, one for each pair of ranks that share a part, or the whole.
void NcclCall::add_exchange(const CommPlace& at, std::vector<CommPiece>* pieces) const {
  const auto add = [&](CommWork work, const Array& a, Counts counts) {
    char* next = a.data;
    for (int32_t r = 0; r < at.size; ++r) {
      if (counts.empty() && r != call_.root) continue;
      CommPiece p = piece(work);
      p.peer = r;
      p.count = counts.empty() ? a.layout.size() * a.item() : counts[static_cast<size_t>(r)] * row_;
      p.src = work == CommWork::send ? next : nullptr;
      p.dst = work == CommWork::recv ? next : nullptr;
      next += p.count;
      pieces->push_back(p);
    }
  };
  if (in_) add(CommWork::send, *in_, call_.kind == CommKind::gather ? Counts() : call_.send_counts);
  if (out_) add(CommWork::recv, *out_, call_.kind == CommKind::scatter ? Counts() : call_.recv_counts);
}

void NcclCall::deliver(const CommPlace& at) {
  Stream* stream = call_.stream.get();
  if (!out_ || call_.kind == CommKind::barrier) return;
  if (all_ && out_->layout.size() > 0) {
    const int64_t n = out_->layout.size();
    const Ref<Array> flat = reshape(*out_, {&n, 1}, Order::C, stream);
    std::vector<Ref<Array>> rows;
    std::vector<const Array*> arrays;
    for (int32_t r = 0; r < at.size; ++r) {
      rows.push_back(index_axis(*all_, 0, r));
      arrays.push_back(rows.back().get());
    }
    combine_into(*flat, call_.by, arrays, stream);
  } else if (call_.by.mean) {
    divide_by_ranks(*out_, at.size, stream);
  }
  if (out_.get() != call_.dst.get()) assign(*call_.dst, *out_, stream);
  materialize(*call_.dst->buffer);
}

}  // namespace arr
