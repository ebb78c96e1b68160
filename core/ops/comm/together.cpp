// SPDX-License-Identifier: MIT
// Agreement of ranks on what has failed, and on numbers.
#include "ops/comm/together.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>

#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// An error that all ranks have.
class CommonError : public Error {
 public:
  explicit CommonError(const Error& e) : Error(e) {}
};

constexpr size_t message_bytes = 512;
constexpr const char* out_of_memory = "out of memory";  // short, so that a string of it asks for none

std::optional<Error> error_in(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(ARR_E_MEMORY, out_of_memory);
  }
  return std::nullopt;
}

// The largest of each number over the ranks.
std::vector<int64_t> largest(Comm& comm, const std::vector<int64_t>& own, Stream* stream) {
  const Ref<Array> a = upload(own, DType::int64_, comm.place().device, stream);
  const ReductionInfo& max = *reduction_info(reduction::max);
  comm.run_alone(all_reduce_call(comm.place(), *a, *a, max, stream));
  return download<int64_t>(*a, DType::int64_, stream);
}

// The error of a rank, as the others have it.
Error error_of(Comm& comm, int32_t rank, const std::optional<Error>& own, Stream* stream) {
  struct Message {
    int32_t status;
    char text[message_bytes];
  } m{};
  if (comm.place().rank == rank) {
    m.status = own->status();
    const size_t n = std::min(own->text().size(), message_bytes - 1);
    std::copy_n(own->text().data(), n, m.text);
  }
  std::vector<uint8_t> bytes(sizeof m);
  std::memcpy(bytes.data(), &m, sizeof m);
  const Ref<Array> a = upload(bytes, DType::uint8_, comm.place().device, stream);
  comm.run_alone(broadcast_call(comm.place(), *a, rank, stream));
  if (own) return *own;
  bytes = download<uint8_t>(*a, DType::uint8_, stream);
  std::memcpy(&m, bytes.data(), sizeof m);
  return {static_cast<arr_status>(m.status), text("rank ", rank, ": ", m.text)};
}

}  // namespace

bool together(Comm& comm, std::initializer_list<CommonNumber> numbers, bool flag, Stream* stream,
              const std::function<void()>& body) {
  const std::optional<Error> own = error_in(body);
  std::optional<Error> failure;
  bool any = false;
  lead_alone(&comm, [&] {
    // The lowest rank that has failed has the largest of these; of a number x, x and ~x find both ends.
    std::vector<int64_t> sent{own ? comm.place().size - comm.place().rank : 0, flag ? 1 : 0};
    for (const CommonNumber& x : numbers) sent.insert(sent.end(), {x.value, ~x.value});
    const std::vector<int64_t> all = largest(comm, sent, stream);
    any = all[1] != 0;
    if (all[0] != 0) {
      failure = error_of(comm, comm.place().size - static_cast<int32_t>(all[0]), own, stream);
      return;
    }
    size_t at = 2;
    for (const CommonNumber& x : numbers) {
      if (all[at] != ~all[at + 1] && !failure)
        failure = Error(ARR_E_ARGUMENT, text(x.name, " differs among the ranks"));
      at += 2;
    }
  });
  if (failure) throw CommonError(*failure);
  return any;
}

void give_up_after_failure(Comm* comm, bool alike) noexcept {
  if (comm == nullptr || comm->place().size == 1) return;
  try {
    throw;
  } catch (const CommonError&) {
    return;
  } catch (const Error& e) {
    const bool own = !alike || e.status() == ARR_E_MEMORY || e.status() == ARR_E_DEVICE;
    if (own && e.status() != ARR_E_LOST) comm->give_up(e.what());
  } catch (...) {
    comm->give_up(out_of_memory);
  }
}

std::vector<int64_t> gathered(Comm& comm, const std::vector<int64_t>& own, Stream* stream) {
  const Ref<Array> part = upload(own, DType::int64_, comm.place().device, stream);
  const int64_t n = part->layout.shape[0] * comm.place().size;
  const Ref<Array> all = empty(DType::int64_, {&n, 1}, Order::C, comm.place().device, stream);
  comm.run_alone(all_gather_call(comm.place(), *all, *part, {}, stream));
  return download<int64_t>(*all, DType::int64_, stream);
}

void sum_over_ranks(Comm& comm, const Array& a, Stream* stream) {
  const ReductionInfo& sum = *reduction_info(reduction::sum);
  comm.run_alone(all_reduce_call(comm.place(), a, a, sum, stream));
}

}  // namespace arr
